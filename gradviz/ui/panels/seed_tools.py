"""`SeedTools`: what the seed editor offers beside its picture; it only asks."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gradviz.cells import shape_text
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.run import Array
from gradviz.seeds.starts import REDUCTIONS
from gradviz.ui.theme import ThemeSource, font
from gradviz.ui.widgets.choice import Choice
from gradviz.ui.widgets.field import Field
from gradviz.ui.widgets.labels import named

_WIDTH = 408
_RANDOM = ("random", "normal")


class SeedTools(QWidget):
    """Presets, a formula, the clipboard, a file, and seeds that are kept under a name."""

    preset = Signal(str)
    onehot = Signal()
    typed = Signal(str)
    pasted = Signal()
    file_asked = Signal()
    kept = Signal(str)
    dropped = Signal(str)
    recalled = Signal(str)
    other_chosen = Signal()

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self.setFixedWidth(_WIDTH)
        self._key: str | None = None
        self._note = ""
        self._preset: str | None = None
        self._y: Array | None = None
        self.presets = {key: QPushButton() for key in ("ones", "1/N", "onehot", *_RANDOM)}
        self.number_label, self.number = named(QLabel(), "Soft"), QSpinBox()
        self.formula, self.name = named(Field(), "Entry"), named(Field(), "Entry")
        self.paste, self.file, self.keep = QPushButton(), QPushButton(), QPushButton()
        self.saved, self.over = Choice(theme), Choice(theme)
        self.saved_label, self.other_label = named(QLabel(), "Soft"), named(QLabel(), "Soft")
        self.drop = QPushButton()
        self.message = QLabel()
        self._lay_out()
        self._connect()
        self.retranslate()

    @property
    def other(self) -> str | None:
        """The kept seed that the seed is laid over."""
        return self.over.key or None

    def retranslate(self) -> None:
        words = (_("ones"), "1/N", _("one-hot"), "±1", _("normal"))
        for button, word in zip(self.presets.values(), words, strict=True):
            button.setText(word)
        self.presets["onehot"].setToolTip(_("1 at the chosen component, 0 elsewhere"))
        self.presets["random"].setToolTip(_("Random signs; again for the next number"))
        self.presets["normal"].setToolTip(_("Standard normal numbers; again for the next number"))
        self.number_label.setText(_("no."))
        self.number.setAccessibleName(_("Number that the random seed is made from"))
        self.number.setToolTip(self.number.accessibleName())
        self.formula.setPlaceholderText(_("1/(1+i)  or  [1, 0.5]"))
        self.formula.setAccessibleName(_("Formula or numbers of the seed"))
        self.formula.setToolTip(
            _("i and j count along the axes from 0; n is the number of elements")
        )
        self.paste.setText(_("Paste"))
        self.paste.setToolTip(_("Cells of a spreadsheet, or anything that may be typed"))
        self.file.setText(_("File…"))
        self.file.setToolTip(_("Numbers from a CSV or NPY file"))
        self.name.setPlaceholderText(_("name"))
        self.name.setAccessibleName(_("Name to keep the seed under"))
        self.keep.setText(_("Keep"))
        self.keep.setToolTip(_("Keep this seed under the name, in the document"))
        self.saved_label.setText(_("kept"))
        self.saved.setAccessibleName(_("Kept seeds"))
        self.drop.setText(_("Forget"))
        self.other_label.setText(_("laid over"))
        self.over.setAccessibleName(_("Kept seed that is compared with"))
        self._say()

    def show_seed(
        self, y: Array | None, key: str | None, preset: str | None, seeds: Mapping[str, Array]
    ) -> None:
        """Be about the seed of an output like y; `key` is the row of choices that it is."""
        self._y, self._key, self._preset = y, key, preset
        self.setEnabled(y is not None)
        kind, _colon, number = (preset or "").partition(":")
        if kind in _RANDOM and number.isdecimal():
            self.number.setValue(int(number))
        self._check()
        names = [(name, name) for name in seeds]
        self.saved.set_rows(names, self.saved.key)
        fitting = [(key, key) for key, s in seeds.items() if y is not None and s.shape == y.shape]
        self.over.set_rows([("", _("nothing")), *fitting], self.over.key or "")
        for widget in (self.saved_label, self.saved, self.drop, self.other_label, self.over):
            widget.setVisible(bool(seeds))
        self.drop.setEnabled(self.saved.key is not None)
        self._say()

    def fail(self, message: str) -> None:
        """Say what is wrong with what was asked; "" takes it back."""
        wrong, self._note = bool(message), ""
        if wrong or self.message.property("wrong"):
            self.message.setProperty("wrong", wrong)
            self.message.setObjectName("FieldError" if wrong else "Field")
            self.message.style().polish(self.message)
            self.message.setText(message)
            self.formula.setProperty("invalid", wrong and self.formula.isModified())
            self.formula.style().polish(self.formula)
        if not wrong:
            self._say()

    def note(self, text: str) -> None:
        """Say what became of what was asked, until the next thing is."""
        self._note = text
        self._say()

    def _say(self) -> None:
        """What the seed has to be, or what there is to note."""
        if self.message.property("wrong"):
            return
        if self._note:
            self.message.setText(self._note)
            return
        if self._y is None:
            self.message.setText(_("There is no output to start from."))
            return
        shape, dtype = shape_text(self._y.shape), str(self._y.dtype)
        text = _("v has the shape {shape} of the output; its numbers become {dtype}.")
        if self._key is None or self._key.partition(":")[0] in REDUCTIONS:
            text = _("The seed that the reduction comes to. Change it, and the seed is injected.")
        self.message.setText(text.format(shape=shape, dtype=dtype))

    def _lay_out(self) -> None:
        self.formula.setFont(font(TYPE.body, mono=True))
        self.number.setRange(0, 999_999)
        self.number.setFixedSize(64, 30)  # as high as the buttons beside it
        self.number.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.name.setMinimumWidth(60)
        self.message.setWordWrap(True)
        self.message.setObjectName("Field")
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for button in self.presets.values():
            button.setCheckable(True)
            button.setProperty("kind", "preset")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for row in (
            (*self.presets.values(), self.number_label, self.number),
            (self.formula, self.paste, self.file),
            (self.name, self.keep, self.saved_label, self.saved, self.drop),
            (self.other_label, self.over),
        ):
            line = QHBoxLayout()
            line.setSpacing(6)
            for widget in row:
                stretch = 1 if isinstance(widget, QLineEdit) else 0
                line.addWidget(widget, stretch)
            if row[0] is self.other_label or row[0] is self.presets["ones"]:
                line.addStretch(1)
            column.addLayout(line)
        column.addWidget(self.message)

    def _connect(self) -> None:
        for key, button in self.presets.items():
            button.clicked.connect(lambda _on, key=key: self._preset_clicked(key))
        self.number.valueChanged.connect(self._renumbered)
        self.formula.returnPressed.connect(self._formula_entered)
        self.formula.textEdited.connect(lambda _text: self.fail(""))
        self.paste.clicked.connect(self.pasted)
        self.file.clicked.connect(self.file_asked)
        self.keep.clicked.connect(self._keep)
        self.name.returnPressed.connect(self._keep)
        self.drop.clicked.connect(lambda: self.dropped.emit(self.saved.key or ""))
        self.saved.activated.connect(lambda _at: self.recalled.emit(self.saved.key or ""))
        self.over.activated.connect(lambda _at: self.other_chosen.emit())

    def _preset_clicked(self, key: str) -> None:
        self._check()  # until the seed is another one
        if key == "onehot":
            self.onehot.emit()
        elif key in _RANDOM:
            again = self._preset == f"{key}:{self.number.value()}"
            self.preset.emit(f"{key}:{self.number.value() + again}")
        else:
            self.preset.emit(key)

    def _check(self) -> None:
        kind = (self._key or "").partition(":")[0]
        for key, button in self.presets.items():
            button.setChecked(key == kind)

    def _renumbered(self, number: int) -> None:
        kind = (self._preset or "").partition(":")[0]
        if kind in _RANDOM and f"{kind}:{number}" != self._preset:  # else it was only shown
            self.preset.emit(f"{kind}:{number}")

    def _formula_entered(self) -> None:
        self.formula.setModified(True)
        self.typed.emit(self.formula.text())

    def _keep(self) -> None:
        name = self.name.text().strip()
        if not name:
            self.fail(_("Give the seed a name first."))
            return
        self.fail("")
        self.kept.emit(name)
