"""`Answers`: takes the place of every dialog."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from gradviz.ui.dialogs import Choice, Decision, Dialogs


class Answers(Dialogs):
    """Takes the place of every dialog: `decision`, `choice` and `path` answer, `asked` logs."""

    def __init__(self) -> None:
        QObject.__init__(self)
        self.decision: Decision = "cancel"
        self.choice: Choice = "cancel"
        self.path: Path | None = None
        self.asked: list[str] = []

    def ask_save(self, name: str, then: Callable[[Decision], None]) -> None:
        self.asked.append(f"save {name}?")
        then(self.decision)

    def ask_replace(self, name: str, then: Callable[[Choice], None]) -> None:
        self.asked.append(f"replace {name}?")
        then(self.choice)

    def ask_script(
        self, name: str, parts: list[str], then: Callable[[Choice], None], *, script: bool
    ) -> None:
        self.asked.append(f"{name} without {', '.join(parts)}?")
        then(self.choice)

    def open_file(self, folder: str, then: Callable[[Path], None]) -> None:
        self.asked.append("open")
        if self.path is not None:
            then(self.path)

    def open_numbers(self, folder: str, then: Callable[[Path], None]) -> None:
        self.open_file(folder, then)

    def open_values(self, folder: str, then: Callable[[Path], None]) -> None:
        self.open_file(folder, then)

    def save_file(
        self, title: str, start: str, kinds: tuple[str, ...], then: Callable[[Path], None]
    ) -> None:
        self.asked.append(title)
        if self.path is not None:
            then(self.path)

    def tell(self, title: str, text: str) -> None:
        self.asked.append(f"{title}: {text}")
