"""`NodeFinder`: a node by a few letters of its name, op or shape, brought into sight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gradviz.cells import shape_text
from gradviz.fuzzy import best
from gradviz.labels import titles
from gradviz.language import _
from gradviz.ui.widgets.finder import Finder
from gradviz.ui.widgets.found import Found

if TYPE_CHECKING:
    from gradviz.ui.window import Window

_LISTED = 400  # rows


class NodeFinder(QObject):
    """Of one window; it looks through what the player shows."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._finder: Finder | None = None

    @property
    def finder(self) -> Finder:
        if self._finder is None:
            self._finder = Finder(self._window.theme, self._window)
            self._finder.chosen.connect(self._chosen)
        return self._finder

    def ask(self) -> None:
        self.finder.ask(
            self._search,
            placeholder=_("Find a node by its name, op or shape"),
            nothing=_("No node is like that."),
        )

    def _search(self, typed: str) -> Sequence[Found]:
        diagram, run, _index = self._window.player.scene
        words = titles(diagram)
        rows = []
        for key, node in diagram.nodes.items():
            value = run.values.get(key)
            shape = "" if value is None else shape_text(value.array.shape)
            rows.append((Found(key, words[key], f"{node.op}  {shape}".strip()), node.op, shape))
        found = best(typed, rows, lambda row: (row[0].text, row[1], row[2]))
        return [row for row, _op, _shape in found[:_LISTED]]

    def _chosen(self, key: str) -> None:
        self._window.selection.select(key)
        canvas = self._window.stage.canvas
        canvas.reveal(key)
        canvas.setFocus()
