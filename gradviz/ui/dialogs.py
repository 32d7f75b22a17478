"""`Dialogs`: every question to the user; tests put their own in its place, so nothing blocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from gradviz.language import _

Decision = Literal["save", "discard", "cancel"]


class Dialogs(QObject):
    """All are window-modal and answer by a call: no nested event loop, no `exec`.

    `parent` is the window; a file dialog that is cancelled makes no call.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent

    def ask_save(self, name: str, then: Callable[[Decision], None]) -> None:
        """Whether what was changed is to be saved before it goes."""
        button = QMessageBox.StandardButton
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(_("Save the changes to {name}?").format(name=name))
        box.setInformativeText(_("They are lost otherwise."))
        box.setStandardButtons(button.Save | button.Discard | button.Cancel)
        box.setDefaultButton(button.Save)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        decisions: dict[int, Decision] = {
            button.Save.value: "save",
            button.Discard.value: "discard",
        }

        def finished(result: int) -> None:
            then(decisions.get(result, "cancel"))

        box.finished.connect(finished)
        box.open()

    def open_file(self, folder: str, then: Callable[[Path], None]) -> None:
        kinds = _("Scripts and diagrams (*.py *.gradviz)") + ";;" + _("All files (*)")
        dialog = QFileDialog(self._window, _("Open"), folder, kinds)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        self._run(dialog, then)

    def open_numbers(self, folder: str, then: Callable[[Path], None]) -> None:
        """Which file of numbers to read."""
        kinds = _("Numbers (*.csv *.tsv *.txt *.npy)") + ";;" + _("All files (*)")
        dialog = QFileDialog(self._window, _("Numbers of the seed"), folder, kinds)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        self._run(dialog, then)

    def save_file(
        self, title: str, start: str, kinds: tuple[str, ...], then: Callable[[Path], None]
    ) -> None:
        """Where to write; `kinds` are Qt's filters, the first is the one for a bare name."""
        dialog = QFileDialog(self._window, title, start, ";;".join(kinds))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(_suffix(kinds[0]))

        def follow(kind: str) -> None:
            dialog.setDefaultSuffix(_suffix(kind))

        dialog.filterSelected.connect(follow)
        self._run(dialog, then)

    def tell(self, title: str, text: str) -> None:
        """A text to be read, such as About; it can be left open."""
        box = QMessageBox(self._window)
        box.setWindowTitle(title)
        box.setText(title)
        box.setInformativeText(text)
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setModal(False)
        box.show()

    def _run(self, dialog: QFileDialog, then: Callable[[Path], None]) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def chosen(name: str) -> None:
            then(Path(name))

        dialog.fileSelected.connect(chosen)
        dialog.open()


def _suffix(kind: str) -> str:
    """The "svg" of "SVG picture (*.svg)"."""
    return kind.partition("*.")[2].partition(")")[0].partition(" ")[0]
