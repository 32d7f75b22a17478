"""`Finding`: what is wrong or risky in a script, where, why, and the repairs of its text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy.typing as npt

from gradviz.diagram import Diagram, NodeId
from gradviz.doctor.text import Edit, Text
from gradviz.run import Failure, Pass, Run

Array = npt.NDArray[Any]
Severity = Literal["error", "risk", "note"]


@dataclass(frozen=True, slots=True, eq=False)
class Repair:
    """Edits of the script that take a finding away.

    Once it has been tried, `source` is the repaired script and `grads` maps the name of each
    leaf to its `.grad` at the end; `error` is what the repaired script still ends with, if any.
    A repair of what was drawn or chosen in the app has no edits; it is another `diagram`.
    Those with the same `key` do the same in the script and in the app.
    """

    label: str
    edits: tuple[Edit, ...] = ()
    source: str = ""
    diagram: Diagram | None = None
    grads: Mapping[str, Array] = field(default_factory=dict)
    error: Failure | None = None
    key: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One cause: `line` is where it lies, which is not always where the error was raised."""

    kind: str
    sentence: str
    why: str
    line: int | None = None
    node: NodeId | None = None
    severity: Severity = "error"
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A script and what came of running it."""

    text: Text
    diagram: Diagram
    run: Run

    @property
    def message(self) -> str:
        """The text of the error that ended the run; empty where there was none."""
        return "" if self.run.error is None else self.run.error.message

    def op(self, done: Pass, node: NodeId) -> str:
        """The op of a node of the diagram, or of one that the pass added to it."""
        found = self.diagram.nodes.get(node)
        return found.op if found else next((a.op for a in done.beyond if a.id == node), "")

    def title(self, node: NodeId | None) -> str:
        """What the node is called on the canvas."""
        from gradviz.labels import titles

        return "" if node is None else str(titles(self.diagram).get(node, node))

    def line(self, node: NodeId | None) -> int | None:
        """The line that made the node, where there is a script."""
        found = self.diagram.nodes.get(node or "")
        return found.line if found is not None and self.text.source else None


# An error has one cause: a finder of errors offers it in several readings, the likeliest first,
# and the first of which a repair helps is taken. Every finding of a finder of risks counts.
Finder = Callable[[Case], Iterable[Finding]]


def repair(label: str, *edits: Edit | None, key: str = "") -> tuple[Repair, ...]:
    """One repair; none where one of its edits cannot be made."""
    made = tuple(edit for edit in edits if edit is not None)
    return (Repair(label, made, key=key),) if made and len(made) == len(edits) else ()
