"""`gradviz jacobian`: the Jacobian of one node by another, and the seed of a pass times it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradviz.cells import number
from gradviz.commands.common import (
    Opened,
    Sheet,
    add_row,
    check_pass,
    opened,
    sheet,
    show,
    show_failure,
    working,
)
from gradviz.commands.problem import CommandProblem
from gradviz.diagram import NodeId
from gradviz.jacobians.jacobian import edges_between, jacobian, local_jacobian
from gradviz.jacobians.pattern import NAMES
from gradviz.jacobians.rows import Jacobian, JacobianProblem, shrunk
from gradviz.jacobians.through import Through, description, ones_warning, pass_sentence, through
from gradviz.labels import added_titles, titles
from gradviz.language import _
from gradviz.report import VERSION, dumps, nested

_ROWS, _COLUMNS = 24, 12  # of a table; a larger matrix is shown by its blocks
_EDGES, _ELEMENTS = 40, 1_000_000  # edges that are described, and elements of one of them


def of_nodes(
    src: str,
    *,
    of: str,
    wrt: str,
    number: int | None = None,
    as_json: bool = False,
    full: bool = False,
) -> int:
    """Print the Jacobian of SRC's node `of` by its node `wrt`, as a table or as JSON."""
    with opened(src) as found:
        if not found.diagram.nodes and found.run.error is not None:
            show_failure(found.run.error)
            return found.status()
        check_pass(number, len(found.run.passes))
        told = _Told(found, of, wrt, number)
        if as_json:
            sys.stdout.write(dumps(told.document(full=full)))
        else:
            show(*told.sheets())
        return 0


class _Told:
    """The Jacobian, the pass that is seen through it, and the edges on the way."""

    def __init__(self, found: Opened, of: str, wrt: str, number: int | None) -> None:
        self._found = found
        passes = found.run.passes
        self._known = dict(titles(found.diagram))
        if number is not None:
            self._known |= added_titles(passes[number - 1], self._known)
        self._index = None if number is None else number - 1
        self.of, self.wrt = self._node(of), self._node(wrt)
        if self._index is None:
            reached = (n for n, done in enumerate(passes) if self.of in done.cotangents())
            self._index = next(reached, None)
        diagram, run, at = found.diagram, found.run, self._index
        with working(_("finding the Jacobian")):
            try:
                self.whole = jacobian(diagram, run, self.of, self.wrt, index=at)
            except JacobianProblem as problem:
                raise CommandProblem(str(problem)) from problem
        self.pulled: Through | None = None
        if at is not None:
            self.pulled = through(diagram, run, at, self.whole, (self.of, self.wrt))

    def sheets(self) -> Iterator[Sheet]:
        """The matrix, and the badges of the edges on the way."""
        yield self._matrix()
        edges = list(self._edges())
        if edges:
            made = sheet(_("the edges on the way"), _("op"), _("input"), _("shape"), _("kind"))
            for node, slot, found in edges:
                source = self._found_node(node).inputs[slot] or ""
                size = "" if found is None else f"{found.rows} × {found.columns}"
                kind = "" if found is None else _(NAMES[found.kind])
                add_row(made, self._known[node], self._known[source], size, kind)
            yield made

    def document(self, *, full: bool) -> dict[str, Any]:
        """The JSON document; its schema is in assets/schema."""
        whole, ones = self.whole, self.whole.ones
        return {
            "gradviz": VERSION,
            "of": self._end(self.of, whole.of_shape),
            "wrt": self._end(self.wrt, whole.wrt_shape),
            "rows": whole.rows,
            "columns": whole.columns,
            "linked": whole.linked,
            "kind": whole.kind,
            "downsampled": whole.downsampled,
            "matrix": nested(whole.matrix, full=full),
            "ones": {
                "sums": nested(ones.sums, full=full),
                "derivative": nested(ones.derivative, full=full),
                "differs": ones.differs,
            },
            "pass": self._pass(full=full),
            "edges": [
                {
                    "node": node,
                    "slot": slot,
                    "input": self._found_node(node).inputs[slot],
                    "kind": None if found is None else found.kind,
                }
                for node, slot, found in self._edges()
            ],
        }

    def _pass(self, *, full: bool) -> dict[str, Any] | None:
        pulled = self.pulled
        if pulled is None or self._index is None:
            return None
        return {
            "number": self._index + 1,
            "seed": nested(pulled.seed, full=full),
            "row": pulled.row,
            "product": nested(pulled.product, full=full),
            "cotangent": nested(pulled.arrived, full=full),
            "only_way": pulled.all_of_it,
            "difference": nested(pulled.difference, full=full),
        }

    def _end(self, key: NodeId, shape: tuple[int, ...]) -> dict[str, Any]:
        return {"id": key, "name": self._known[key], "shape": list(shape)}

    def _found_node(self, key: NodeId) -> Any:
        nodes = self._found.diagram.nodes
        if key in nodes or self._index is None:
            return nodes[key]
        return next(node for node in self._found.run.passes[self._index].beyond if node.id == key)

    def _edges(self) -> Iterator[tuple[NodeId, int, Jacobian | None]]:
        """Each edge on the way with its local Jacobian, where that is of a fair size."""
        diagram, run, at = self._found.diagram, self._found.run, self._index
        values = dict(run.values) | (dict(run.passes[at].values) if at is not None else {})
        between = edges_between(diagram, run, self.of, self.wrt, index=at)
        for place, (node, slot) in enumerate(between):
            source = self._found_node(node).inputs[slot]
            large = values[node].array.size * values[source].array.size > _ELEMENTS
            try:
                found = None
                if not large and place < _EDGES:
                    found = local_jacobian(diagram, run, node, slot, index=at)
            except JacobianProblem:
                found = None
            yield node, slot, found

    def _node(self, name: str) -> NodeId:
        """The node of this id or title."""
        if name in self._known:
            return name
        keys = [key for key, title in self._known.items() if title == name]
        if len(keys) == 1:
            return keys[0]
        if keys:
            text = _("several nodes are called {name}; name one by its id: {ids}")
            raise CommandProblem(text.format(name=name, ids=", ".join(keys)))
        there = list(dict.fromkeys(self._known.values()))
        text = _("there is no node {name}; there are: {names}")
        names = ", ".join(there[:20]) + (" …" if len(there) > 20 else "")
        raise CommandProblem(text.format(name=name, names=names))

    def _matrix(self) -> Sheet:
        whole, pulled = self.whole, self.pulled
        shown = shrunk(whole, _ROWS, _COLUMNS)
        beside = pulled is not None and not shown.downsampled
        columns = [shown.column_label(at) for at in range(shown.matrix.shape[1])]
        made = sheet(self._heading(shown), "", *(["v"] if beside else []), *columns)
        row = shown.row_of(pulled.seed) if pulled else None
        for at, values in enumerate(shown.matrix):
            label = ("→ " if at == row else "") + shown.row_label(at)
            seed = [number(pulled.seed.reshape(-1)[at])] if pulled and beside else []
            add_row(made, label, *seed, *(number(value) for value in values))
        if pulled is not None and pulled.product is not None and beside:
            add_row(made, "vᵀ · J", "", *(number(value) for value in np.ravel(pulled.product)))
        return made

    def _heading(self, shown: Jacobian) -> str:
        whole = self.whole
        lines = description(shown)
        if whole.ones.differs:
            lines.append(ones_warning(whole))
        if self.pulled is not None:
            lines.append(pass_sentence(self.pulled, whole, (self._index or 0) + 1))
        return "\n".join(lines)
