"""`Settings`: what the app remembers between two starts; one table of rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, Signal

from gradviz.language import N_


@dataclass(frozen=True, slots=True)
class Setting:
    """A key, its value until the user chose another, and what it is about.

    The type of the default is the type of the value; `choices` lists the values allowed.
    """

    key: str
    default: Any
    text: str = ""
    choices: tuple[Any, ...] = ()


TABLE = (
    Setting("theme", "auto", N_("Theme"), ("auto", "light", "dark")),
    Setting("language", "auto", N_("Language"), ("auto", "en", "zh")),
    Setting("motion", "auto", N_("Motion"), ("auto", "full", "reduced")),
    Setting("speed", 1.0, N_("Speed of playing"), (0.5, 1.0, 2.0, 4.0)),
    Setting("recent", [], N_("Files opened lately")),
    Setting("folder", "", N_("Folder of the last file")),
    Setting("geometry", "", N_("Place and size of the window")),
    Setting("panes", [], N_("Widths of the panes")),
    Setting("dock", 0, N_("Height of the panel at the bottom")),
)
ROWS: Mapping[str, Setting] = {row.key: row for row in TABLE}
RECENT_LIMIT = 10


class Settings(QObject):
    """Values of the table over an ini file. They are kept as JSON: Qt's own forms lose types."""

    changed = Signal(str)

    def __init__(self, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        if path is None:
            ini, user = QSettings.Format.IniFormat, QSettings.Scope.UserScope
            self._store = QSettings(ini, user, "gradviz", "gradviz", self)
        else:
            self._store = QSettings(str(path), QSettings.Format.IniFormat, self)

    def __getitem__(self, key: str) -> Any:
        """The stored value; the default where there is none or it is not one that is allowed."""
        row = ROWS[key]
        text = self._store.value(key)
        try:
            value = json.loads(str(text))
        except ValueError:
            return row.default
        fits = type(value) is type(row.default) and (not row.choices or value in row.choices)
        return value if fits else row.default

    def __setitem__(self, key: str, value: Any) -> None:
        if value != self[key]:
            self._store.setValue(key, json.dumps(value))
            self.changed.emit(key)

    def remember(self, path: Path) -> None:
        """Put a file at the top of the recent ones."""
        name = str(path.resolve())
        others = [known for known in self["recent"] if known != name]
        self["recent"] = [name, *others][:RECENT_LIMIT]
        self["folder"] = str(path.resolve().parent)

    def sync(self) -> None:
        """Write what has changed to the file now."""
        self._store.sync()
