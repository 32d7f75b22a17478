"""`Settings`: what the app remembers between two starts; one table of rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import QObject, QSettings, Signal

from gradviz.language import N_

Group = Literal["", "appearance", "numbers", "canvas", "sandbox"]


@dataclass(frozen=True, slots=True)
class Setting:
    """A key, its value until the user chose another, and what it is about.

    The type of the default is the type of the value. `choices` lists the values allowed and
    `names` what they are called; a whole number has a `low` and a `high` end. `group` is where
    the settings dialog shows it, "" for nowhere; `tip` is what is said under it.
    """

    key: str
    default: Any
    text: str = ""
    choices: tuple[Any, ...] = ()
    group: Group = ""
    names: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    unit: str = ""
    tip: str = ""

    def allows(self, value: Any) -> bool:
        """Whether this may be its value."""
        if type(value) is not type(self.default):
            return False
        if self.high:
            return bool(self.low <= value <= self.high)
        return not self.choices or value in self.choices


TABLE = (
    Setting("language", "auto", N_("Language"), ("auto", "en", "zh"), "appearance",
            (N_("as the system has it"), "English", "简体中文")),
    Setting("theme", "auto", N_("Theme"), ("auto", "light", "dark"), "appearance",
            (N_("as the system has it"), N_("light"), N_("dark"))),
    Setting("signs", "orange-blue", N_("Colours of gradients"),
            ("orange-blue", "blue-orange", "strong"), "appearance",
            (N_("positive orange, negative blue"), N_("positive blue, negative orange"),
             N_("orange and blue, stronger")),
            tip=N_("All of them can be told apart by colour-blind readers.")),
    Setting("motion", "auto", N_("Motion"), ("auto", "full", "reduced"), "appearance",
            (N_("as the system has it"), N_("full"), N_("less"))),
    Setting("digits", 4, N_("Significant digits"), group="numbers", low=2, high=12,
            tip=N_("Cells give up digits where they are narrow.")),
    Setting("notation", "plain", N_("Number format"), ("plain", "scientific"), "numbers",
            (N_("plain where it is short"), N_("always with a power of ten"))),
    Setting("wheel", "pan", N_("The mouse wheel"), ("pan", "zoom"), "canvas",
            (N_("moves the picture, zooms with Ctrl"), N_("zooms, moves the picture with Ctrl")),
            tip=N_("Two fingers on a trackpad always move the picture.")),
    Setting("seconds", 10, N_("Time for a script"), group="sandbox", low=1, high=3600,
            unit=N_("s")),
    Setting("memory", 1024, N_("Memory for a script"), group="sandbox", low=64, high=65536,
            unit=N_("MB"), tip=N_("Beyond what gradviz itself needs; not kept on all systems.")),
    Setting("elements", 64, N_("Largest tensor"), group="sandbox", low=1, high=4096,
            unit=N_("million elements")),
    Setting("speed", 1.0, N_("Speed of playing"), (0.5, 1.0, 2.0, 4.0)),
    Setting("keys", {}, N_("Shortcuts that the user chose")),
    Setting("recent", [], N_("Files opened lately")),
    Setting("folder", "", N_("Folder of the last file")),
    Setting("places", [], N_("Places and sizes of the windows")),
    Setting("panes", [], N_("Widths of the panes")),
    Setting("code_panes", [], N_("Heights of code and console")),
    Setting("toured", False, N_("Whether the tour was seen")),
    Setting("overview", True, N_("Whether the overview is shown")),
    Setting("dock", 0, N_("Height of the panel at the bottom")),
)  # fmt: skip
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
        return value if row.allows(value) else row.default

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
