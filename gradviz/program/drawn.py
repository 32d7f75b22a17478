"""`followed`: a diagram drawn by hand with its program as source, as far as it is finished."""

from __future__ import annotations

from dataclasses import replace

from gradviz.diagram import Diagram, NodeId
from gradviz.labels import titles
from gradviz.language import N_, _
from gradviz.program.call import NotWritten
from gradviz.program.writing import program
from gradviz.run import Run

HALF = N_("Not finished, so not in this program:")
UNWRITTEN = N_("There is no program for this diagram: {sentence}")


def followed(diagram: Diagram, run: Run) -> Diagram:
    """The diagram with a program of its finished part as `source`, and the line of each node.

    What is not finished is named in comments at the end.
    """
    whole = finished(diagram, run)
    try:
        made = program(whole, run)
    except NotWritten as problem:
        text = _comment(_(UNWRITTEN).format(sentence=problem))
        return replace(diagram, source=text)
    nodes = {
        key: node if node.line == made.lines.get(key) else replace(node, line=made.lines.get(key))
        for key, node in diagram.nodes.items()
    }
    calls = tuple(replace(call, edited=False) for call in diagram.calls)  # the program's own now
    text = made.text if whole.nodes else ""
    return replace(diagram, nodes=nodes, calls=calls, source=text + _left_out(diagram, whole))


def finished(diagram: Diagram, run: Run) -> Diagram:
    """The nodes that have values, and the calls that start from them."""
    kept: set[NodeId] = set()
    for key, node in diagram.nodes.items():
        known = key in run.values or node.upper is not None
        if known and all(source in kept for source in node.inputs):
            kept.add(key)
    return diagram.remove(set(diagram.nodes) - kept)


def _left_out(diagram: Diagram, whole: Diagram) -> str:
    names = titles(diagram)
    missing = [key for key in diagram.nodes if key not in whole.nodes]
    if not missing:
        return ""
    problems = {problem.node: problem.sentence for problem in diagram.problems()}
    lines = [_(HALF)]
    for key in missing:
        said = f": {problems[key]}" if key in problems else ""
        lines.append(f"  {names[key]}{said}")
    return ("\n" if whole.nodes else "") + _comment("\n".join(lines))


def _comment(text: str) -> str:
    return "".join(f"# {line}\n" for line in text.splitlines())
