"""`ParamsPart`: the parameters of an op, each set by what its kind asks for."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gradviz.cells import shape_text
from gradviz.diagram import Node
from gradviz.edit.catalogue import entry_of
from gradviz.edit.entry import Entry, Param
from gradviz.edit.outcome import Refusal
from gradviz.edit.params import read, set_text, shown
from gradviz.files.codec import DTYPES
from gradviz.language import _
from gradviz.ui.drawing.form import Form, field
from gradviz.ui.drawing.subject import Subject
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.choice import Choice
from gradviz.ui.widgets.entry_line import EntryLine
from gradviz.ui.widgets.labels import Elided, Field
from gradviz.ui.widgets.said import Said
from gradviz.ui.widgets.switch import Switch

_OF_AXES = ("axis", "axes")


class _Row:
    """A parameter, and the widget that sets it."""

    def __init__(self, param: Param, theme: ThemeSource) -> None:
        self.param = param
        self.name: Elided = field(param.name)
        self.said = Said()
        self.line, self.switch = EntryLine(), Switch(theme, mono=True)
        self.switch.setText(param.name)
        self.choice = Choice(theme, mono=True)

    @property
    def widget(self) -> QWidget:
        if self.param.kind == "bool":
            return self.switch
        return self.choice if self.param.kind in ("choice", "dtype") else self.line

    @property
    def stop(self) -> QWidget:
        return self.line.line if self.widget is self.line else self.widget

    def show_value(self, value: Any, *, fresh: bool) -> None:
        if fresh:
            self.said.say("")
        text = shown(value)
        if self.widget is self.switch:
            self.switch.show_on(bool(value))
        elif self.widget is self.choice:
            keys = sorted(DTYPES) if self.param.kind == "dtype" else self.param.choices
            self.choice.set_rows([(key, key) for key in keys], text)
        else:
            self.line.show_text(text, fresh=fresh)

    def say(self, sentence: str) -> None:
        if self.widget is self.line:
            self.line.fail(sentence)
        else:
            self.said.say(sentence, wrong=True)


class ParamsPart(QWidget):
    """Tries what is entered on the op's inputs; what the op says against it stands under it."""

    done = Signal()

    def __init__(self, subject: Subject, theme: ThemeSource) -> None:
        super().__init__()
        self._subject, self._theme = subject, theme
        self.heading = Field()
        self.rows: list[_Row] = []
        self._entry: Entry | None = None
        self._body = QWidget()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.heading)
        self._column.addWidget(self._body)

    def retranslate(self) -> None:
        self.heading.setText(_("parameters"))

    def row(self, name: str) -> _Row:
        """That of the parameter of this name."""
        return next(row for row in self.rows if row.param.name == name)

    def stops(self) -> list[QWidget]:
        """What Tab goes through."""
        return [row.stop for row in self.rows]

    def show_node(self, node: Node, *, fresh: bool) -> bool:
        """Whether the rows are others than before, and Tab has to be led anew."""
        entry = entry_of(node.op)
        made = entry is not self._entry
        if made:
            self._entry = entry
            self._make_rows(entry)
        self.setVisible(bool(self.rows))
        for row in self.rows:
            value = node.params.get(row.param.name, row.param.default)
            row.show_value(value, fresh=fresh or made)
            if row.param.kind in _OF_AXES:
                row.line.hint(self._axes(node))
        return made

    def _make_rows(self, entry: Entry | None) -> None:
        self._column.removeWidget(self._body)
        self._body.hide()
        self._body.deleteLater()
        self._body = QWidget()
        self._column.addWidget(self._body)
        form = Form(self._body)
        params = entry.params if entry is not None else ()
        self.rows = [_Row(param, self._theme) for param in params if not param.derived]
        for row in self.rows:
            if row.widget is row.switch:
                form.put_wide(row.switch)
            else:
                form.put(row.name, row.widget)
            form.put_wide(row.said)
            row.line.edited.connect(lambda text, row=row: self._typed(row, text))
            row.line.entered.connect(lambda text, row=row: self._set(row, text))
            row.line.done.connect(self.done)
            row.switch.clicked.connect(lambda on, row=row: self._set(row, str(on)))
            row.choice.activated.connect(lambda _at, row=row: self._set(row, row.choice.key or ""))
            row.line.describe(row.param.name)
            row.switch.setAccessibleName(row.param.name)
            row.choice.setAccessibleName(row.param.name)

    def _axes(self, node: Node) -> str:
        """Which axes the first input has."""
        source = node.inputs[0] if node.inputs else None
        array = self._subject.values().get(source) if source is not None else None
        if array is None or source is None:
            return ""
        if not array.ndim:
            return _("{name} is a number: it has no axes").format(name=self._subject.title(source))
        text = _("{name} is {shape}: axes 0 to {last}")
        name = self._subject.title(source)
        return text.format(name=name, shape=shape_text(array.shape), last=array.ndim - 1)

    def _typed(self, row: _Row, text: str) -> None:
        found = read(row.param, text)
        row.line.fail(found.sentence if isinstance(found, Refusal) else "")

    def _set(self, row: _Row, text: str) -> None:
        subject = self._subject
        made = set_text(subject.diagram, subject.key, row.param.name, text, subject.values())
        row.say(subject.make(row.param.name, made))
        node = subject.node
        if node is not None and row.widget is not row.line:
            row.show_value(node.params.get(row.param.name, row.param.default), fresh=False)
