"""A whole program: its statements under what they need, and the line of each node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gradviz.diagram import Diagram, NodeId
from gradviz.language import N_, _
from gradviz.program.body import Statement
from gradviz.program.call import NotWritten
from gradviz.program.phrase import broken
from gradviz.run import Run
from gradviz.storeys import is_there

UNFINISHED = N_("The diagram is not finished: {node}: {sentence}")
NO_TARGET = N_("The diagram is not finished: backward call {number} starts nowhere.")
NO_VALUE = N_("{node} has no value: {sentence}")


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A program's text, and the line that each node is computed on."""

    text: str
    lines: Mapping[NodeId, int] = field(default_factory=dict)


def check(diagram: Diagram, run: Run) -> None:
    """Raise NotWritten where a node has no value."""
    for problem in diagram.problems():
        name = diagram.nodes[problem.node].name or problem.node
        raise NotWritten(_(UNFINISHED).format(node=name, sentence=problem.sentence))
    for node in diagram.nodes.values():
        if node.id not in run.values and node.upper is None:
            reason = run.error.message if run.error is not None else ""
            raise NotWritten(_(NO_VALUE).format(node=node.name or node.id, sentence=reason))
    for at, call in enumerate(diagram.calls):
        if call.enabled and not is_there(call.target, diagram.nodes, diagram.calls[:at]):
            raise NotWritten(_(NO_TARGET).format(number=at + 1))


def without_refused(diagram: Diagram, run: Run) -> Diagram:
    """The diagram without what an op refused, where the script caught that and went on."""
    gone = {key for key, node in diagram.nodes.items() if key not in run.values and not node.upper}
    ends = {call.target for call in diagram.calls}
    caught = run.error is None and all(diagram.nodes[key].line is not None for key in gone)
    if not gone or not caught or ends & gone or diagram.problems():
        return diagram
    kept = [node for key, node in diagram.nodes.items() if key not in gone]
    return diagram if any(gone.intersection(n.inputs) for n in kept) else diagram.remove(gone)


def joined(statements: Sequence[Statement], head: Callable[[str], list[str]]) -> Program:
    """The statements, those without history in blocks; `head` is what comes before that text."""
    lines: list[str] = []
    places: dict[NodeId, int] = {}
    inside = False
    for statement in statements:
        if statement.no_grad and not inside:
            lines.append("with torch.no_grad():")
        inside = statement.no_grad
        if statement.node is not None:
            places[statement.node] = len(lines) + 1
        text = broken(("    " if inside else "") + statement.text)
        if inside and "\n" in statement.text:
            text = text.replace("\n", "\n    ")
        lines += text.split("\n")
    before = head("\n".join(lines))
    text = "\n".join([*before, *lines]) + "\n"
    return Program(text, {key: at + len(before) for key, at in places.items()})
