"""`Subject`: the output that the guide speaks about, of the current diagram or of the article."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy.typing as npt

from gradviz.diagram import LEAF, BackwardCall, Diagram, NodeId
from gradviz.examples import example
from gradviz.guide.snippet import Runs
from gradviz.labels import titles
from gradviz.run import Run
from gradviz.twin import reduction_of

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """The node that is reduced or seeded, and the leaves that it depends on, with their names.

    `call` is the backward call as it is; `own` is false where the article's example stands in.
    """

    diagram: Diagram
    run: Run
    call: BackwardCall
    node: NodeId
    name: str
    value: Array
    leaves: tuple[tuple[NodeId, str], ...]
    own: bool = True

    @property
    def scalar(self) -> bool:
        """Whether backward() needs no seed."""
        return self.value.size == 1


def subject_of(diagram: Diagram, run: Run, call: BackwardCall | None) -> Subject | None:
    """What the call starts from; None where there is none, or its output reaches no leaf."""
    if call is None or call.target not in diagram.nodes:
        return None
    reading = reduction_of(diagram, call, run.values)
    node = reading.source if reading else call.target
    found = run.values.get(node)
    if found is None or not found.requires_grad:
        return None
    known = titles(diagram)
    above = diagram.ancestors(node)
    leaves = tuple(
        (key, _written(each.name, known.get(key, key), "x"))
        for key, each in diagram.nodes.items()
        if each.op == LEAF and key in above
    )
    if not leaves:  # inside a function that was transformed
        return None
    return Subject(
        diagram,
        run,
        call,
        node,
        _written(diagram.nodes[node].name, known[node], "y"),
        found.array,
        leaves,
    )


def article(runs: Runs) -> Subject:
    """The output of the article's example, run anew."""
    source = example("nonscalar").source()
    diagram, run = runs.run(source, "nonscalar.py")
    found = subject_of(diagram, run, diagram.calls[0])
    if found is None:
        raise RuntimeError(run.error.message if run.error else "no output")
    return replace(found, own=False)


def _written(*titles: str | None) -> str:
    """The first title that is a name, or an attribute of one, that code may use."""
    return next(title for title in titles if title and all(map(str.isidentifier, title.split("."))))
