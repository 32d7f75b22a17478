"""`Palette`: every action of the window, found by a few letters of its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gradviz.fuzzy import best
from gradviz.language import _
from gradviz.ui.asking.action import Action
from gradviz.ui.asking.actions import TABLE
from gradviz.ui.widgets.finder import Finder
from gradviz.ui.widgets.found import Found

if TYPE_CHECKING:
    from gradviz.ui.window import Window


class Palette(QObject):
    """Of one window. Names are found in the reader's language and in English."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._finder: Finder | None = None
        self._lately: list[str] = []  # newest first

    @property
    def finder(self) -> Finder:
        if self._finder is None:
            self._finder = Finder(self._window.theme, self._window)
            self._finder.chosen.connect(self._chosen)
        return self._finder

    def ask(self) -> None:
        """Show all actions, those used lately first."""
        self._window.sync_actions()
        self.finder.ask(
            self._search,
            placeholder=_("What do you want to do?"),
            nothing=_("No action has such a name."),
        )

    def _search(self, typed: str) -> Sequence[Found]:
        rows = [row for row in TABLE if row.id != "palette"]
        if not typed.strip():
            place = {key: at for at, key in enumerate(self._lately)}
            rows.sort(key=lambda row: place.get(row.id, len(place)))
        return [self._found(row) for row in best(typed, rows, _names)]

    def _found(self, row: Action) -> Found:
        action = self._window.action(row.id)
        keys = action.shortcut().toString()
        text = f"{_(row.menu)} · {_(row.text)}"
        if row.checked is not None and action.isChecked():
            text += "  ✓"
        return Found(row.id, text, keys, action.isEnabled())

    def _chosen(self, key: str) -> None:
        self._lately = [key, *(other for other in self._lately if other != key)]
        self._window.action(key).trigger()


def _names(row: Action) -> tuple[str, ...]:
    return _(row.text), row.text, f"{_(row.menu)} {_(row.text)}"
