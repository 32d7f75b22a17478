"""`Dialogs`: every question to the user; tests put their own in its place, so nothing blocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QMessageBox, QWidget

from gradviz.language import _

Decision = Literal["save", "discard", "cancel"]
Choice = Literal["replace", "elsewhere", "diagram", "script", "cancel"]


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
        text = _("Save the changes to {name}?").format(name=name)
        box = self._question(text, _("They are lost otherwise."))
        box.setStandardButtons(button.Save | button.Discard | button.Cancel)
        box.setDefaultButton(button.Save)
        decisions: dict[int, Decision] = {
            button.Save.value: "save",
            button.Discard.value: "discard",
        }

        def finished(result: int) -> None:
            then(decisions.get(result, "cancel"))

        box.finished.connect(finished)
        box.open()

    def ask_replace(self, name: str, then: Callable[[Choice], None]) -> None:
        """Whether to write over a file that is not what the document was read from."""
        box = self._question(
            _("Replace {name}?").format(name=name),
            _("The file holds something else now than what was opened. Saving replaces it."),
        )
        replace = box.addButton(_("Replace"), QMessageBox.ButtonRole.DestructiveRole)
        elsewhere = box.addButton(_("Save As…"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(elsewhere)
        _follow(box, {replace: "replace", elsewhere: "elsewhere"}, then)

    def ask_script(
        self, name: str, parts: list[str], then: Callable[[Choice], None], *, script: bool
    ) -> None:
        """How to save what a script cannot hold; `script`, whether one can be saved at all."""
        box = self._question(
            _("{name} is a script and cannot keep everything.").format(name=name),
            _("It leaves out: {parts}. A diagram keeps them.").format(parts=_(", ").join(parts)),
        )
        diagram = box.addButton(_("Save as a diagram…"), QMessageBox.ButtonRole.AcceptRole)
        choices: dict[QAbstractButton, Choice] = {diagram: "diagram"}
        if script:
            only = box.addButton(_("Save the script only"), QMessageBox.ButtonRole.DestructiveRole)
            choices[only] = "script"
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(diagram)
        _follow(box, choices, then)

    def _question(self, text: str, more: str) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(text)
        box.setInformativeText(more)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return box

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

    def open_values(self, folder: str, then: Callable[[Path], None]) -> None:
        """Which file to read the value of a node from."""
        images = "*.png *.jpg *.jpeg *.bmp *.gif *.webp *.tif *.tiff"
        kinds = _("Numbers and images ({patterns})") + ";;" + _("All files (*)")
        kinds = kinds.format(patterns=f"*.csv *.tsv *.txt *.dat *.npy *.npz {images}")
        dialog = QFileDialog(self._window, _("Value of the node"), folder, kinds)
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


def _follow(
    box: QMessageBox, choices: dict[QAbstractButton, Choice], then: Callable[[Choice], None]
) -> None:
    """Open the box; `then` gets what the button clicked stands for."""

    def finished(result: int) -> None:
        then(choices.get(box.clickedButton(), "cancel"))

    box.finished.connect(finished)
    box.open()


def _suffix(kind: str) -> str:
    """The "svg" of "SVG picture (*.svg)"."""
    return kind.partition("*.")[2].partition(")")[0].partition(" ")[0]
