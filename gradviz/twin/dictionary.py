"""From reductions to seeds: for each reduction of an output, the seed that equals it here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.cells import array_text
from gradviz.diagram import LEAF, BackwardCall, Diagram, Node, NodeId, Start
from gradviz.language import _
from gradviz.run import Pass, Run
from gradviz.seeds.starts import REDUCTIONS
from gradviz.storeys import apart
from gradviz.twin.comparing import (
    Evaluate,
    distance,
    factor,
    passes_of,
    subject_of,
    without,
)
from gradviz.twin.reading import output_of
from gradviz.twin.ways import start_by

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Translation:
    """A reduction R of y and the seed v = ∂R/∂y at this point.

    `value` is R(y). `scale` is c where v is c in every place, so that its gradients are c times
    those of sum; None where it is no such multiple. `grads` are the leaves' gradients and
    `largest` the largest difference between those of the reduction and of the seed. Where it
    cannot be made of this y, `problem` says why and the rest is empty.
    """

    start: Start
    value: Array | None = None
    seed: Array | None = None
    scale: float | None = None
    grads: Mapping[NodeId, Array] = field(default_factory=dict)
    largest: float = 0.0
    problem: str = ""

    @property
    def name(self) -> str:
        return self.start.reduction or "sum"


@dataclass(frozen=True, slots=True, eq=False)
class Dictionary:
    """The translations for the output `source` of a backward call, whose value is `y`."""

    source: NodeId
    y: Array
    rows: tuple[Translation, ...]


def dictionary(evaluate: Evaluate, diagram: Diagram, run: Run, *, index: int = 0) -> Dictionary:
    """Each reduction, in turn, of what the backward call `index` starts from.

    Raises ValueError with one sentence where there is no such call, or no such value.
    """
    diagram = apart(diagram, run)
    call, reading, source = subject_of(diagram, run, index)
    y = output_of(run, source)
    starts = [start_by(name, call, reading, y) for name in REDUCTIONS]
    alone = Diagram({"y": Node("y", LEAF, data=y)})
    calls = tuple(BackwardCall("y", start, retain_graph=True, clear=("y",)) for start in starts)
    passes = passes_of(evaluate(replace(alone, calls=calls)))
    seeds = [done.grads.get("y") for done in passes]
    leaves = tuple(key for key, node in diagram.nodes.items() if node.op == LEAF)
    common = replace(
        call,
        target=source,
        retain_graph=True,
        create_graph=False,
        captures=False,
        enabled=True,
        clear=leaves,
    )
    pairs = [
        (replace(common, start=start), replace(common, start=Start("seed", values=seed)))
        for start, seed in zip(starts, seeds, strict=True)
    ]
    bare = replace(without(diagram, reading), calls=tuple(each for pair in pairs for each in pair))
    ran = passes_of(evaluate(bare))
    rows = (
        _translation(start, of_y, left, right)
        for start, of_y, left, right in zip(starts, passes, ran[::2], ran[1::2], strict=True)
    )
    return Dictionary(source, y, tuple(rows))


def _translation(start: Start, of_y: Pass, left: Pass, right: Pass) -> Translation:
    """What came of the reduction of y alone, and of both ways through the whole computation."""
    seed = of_y.grads.get("y")
    if of_y.error is not None or seed is None:
        return Translation(start, problem=of_y.error.message if of_y.error else "")
    error = left.error or right.error
    return Translation(
        start,
        value=of_y.values[of_y.root].array,
        seed=seed,
        scale=factor([np.ones_like(seed)], [seed]),
        grads=left.grads,
        largest=max(
            (
                distance(left.grads.get(k), right.grads.get(k))
                for k in {**left.grads, **right.grads}
            ),
            default=0.0,
        ),
        problem=error.message if error else "",
    )


def title_of(row: Translation) -> str:
    """A reduction with the numbers that it is made with."""
    title = _(REDUCTIONS[row.name].title)
    if row.name == "component":
        return _("component {k}").format(k=row.start.index)
    if row.name == "cross_entropy" and row.start.values is None:
        return _("cross-entropy, class {k}").format(k=row.start.index)
    if row.name == "weighted" and row.start.values is not None:
        return f"{title}, w = {array_text(row.start.values)}"
    if row.name == "mse":
        target = "0" if row.start.values is None else array_text(row.start.values)
        return f"{title}, t = {target}"
    return title
