"""What each leaf's `.grad` is at the end of a run, under names that a reader knows."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gradviz.diagram import NodeId
from gradviz.doctor.finding import Array, Case
from gradviz.doctor.text import named
from gradviz.language import _
from gradviz.scene.measure import shorten

_WIDTH = 40  # characters of a leaf that is named by how it was made


def final_grads(case: Case) -> Mapping[str, Array]:
    """What each leaf's `.grad` was after the last backward call, by the leaf's name."""
    found: dict[str, Array] = {}
    known = {node.name for node in case.diagram.nodes.values()}
    for done in case.run.passes[-1:]:
        for key, array in done.grads.items():
            name = case.diagram.nodes[key].name if key in case.diagram.nodes else key
            found[name or _of_line(case, key, known)] = array
    return found


def _of_line(case: Case, key: NodeId, known: set[str | None]) -> str:
    """A leaf that no variable holds: the variable of its line, else how its line makes it."""
    line = case.line(key)
    statement = case.text.at(line)
    if isinstance(statement, ast.Assign):
        name = named(statement.targets[0])
        if name is not None and name not in known:
            return name
    for node in case.text.expressions(line):
        keywords = node.keywords if isinstance(node, ast.Call) else ()
        if any(keyword.arg == "requires_grad" for keyword in keywords):
            return shorten(" ".join(case.text.segment(node).split()), _WIDTH)
    return key if line is None else _("a leaf of line {line}").format(line=line)
