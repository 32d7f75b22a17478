"""`Filling`: a value made by a rule, with the rule's numbers and the seed of random ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from gradviz.diagram import Array, Node, NodeId
from gradviz.edit import leaves
from gradviz.edit.generators import RULES, Rule, generated
from gradviz.edit.outcome import Refusal
from gradviz.edit.params import shown
from gradviz.edit.shapes import Shape
from gradviz.language import _
from gradviz.ui.drawing.form import Form, field, narrow
from gradviz.ui.drawing.subject import Subject
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.entry_line import EntryLine
from gradviz.ui.widgets.labels import Elided
from gradviz.ui.widgets.said import Said

_MOST = 3  # numbers of a rule
_SEEDS = 2**31  # after which they begin again


@dataclass(frozen=True, slots=True, eq=False)
class _Filled:
    """How a node was filled last, and what came of it."""

    rule: Rule
    numbers: Mapping[str, float]
    array: Array | None = None


class Filling(QWidget):
    """The numbers of the rule that was chosen, to be changed; `button` has the rules.

    What a node was filled with is known until another document comes. `done` follows Esc.
    """

    done = Signal()

    def __init__(self, subject: Subject, theme: ThemeSource) -> None:
        super().__init__()
        self._subject = subject
        self._filled: dict[NodeId, _Filled] = {}
        self.button, self.menu = QPushButton(), QMenu(self)
        self.button.setMenu(self.menu)
        self.again, self.another = QPushButton(), QPushButton()
        self.title = Elided(name="Field")
        self.lines = [EntryLine() for _at in range(_MOST)]
        self.names = [field() for _line in self.lines]
        self.said = Said()
        self._rows = QWidget()
        self._lay_out()
        for at, line in enumerate(self.lines):
            line.entered.connect(lambda text, at=at: self._number(at, text))
            line.done.connect(self.done)
        self.again.clicked.connect(self._refill)
        self.another.clicked.connect(self._next_seed)

    def retranslate(self) -> None:
        self.button.setText(_("Fill with ▾"))
        self.again.setText(_("Same again"))
        self.another.setText(_("Another"))
        self.again.setToolTip(_("Random numbers of the same seed"))
        self.another.setToolTip(_("Random numbers of the next seed"))
        self.menu.clear()
        for rule in RULES.values():
            action = self.menu.addAction(rule.title)
            action.triggered.connect(lambda _on, rule=rule: self._chosen(rule))
            action.setObjectName(rule.id)
            action.setToolTip(rule.text)

    def stops(self) -> list[QWidget]:
        """What Tab goes through."""
        return [self.button, *(line.line for line in self.lines), self.again, self.another]

    def show_node(self, node: Node, *, fresh: bool) -> None:
        filled = self._filled.get(node.id)
        if fresh:
            self.said.say("")
        self._rows.setVisible(filled is not None)
        self.setVisible(filled is not None or bool(self.said.text()))
        if filled is None:
            return
        text = filled.rule.title
        if node.data is not filled.array:
            text = _("{rule}, changed since").format(rule=text)
        self.title.setText(text)
        self.title.setToolTip(filled.rule.text)
        given = list(filled.numbers.items())
        for at, (name, line) in enumerate(zip(self.names, self.lines, strict=True)):
            there = at < len(given)
            name.setVisible(there)
            line.setVisible(there)
            if there:
                name.setText(_NAMES[given[at][0]]())
                line.describe(name.text())
                line.show_text(_written(given[at][1]), fresh=fresh)
        self.again.setVisible(filled.rule.seeded)
        self.another.setVisible(filled.rule.seeded)

    def forget(self) -> None:
        """Another document comes."""
        self._filled.clear()

    def fits(self) -> bool:
        """Whether the value is still what a rule made that takes a shape."""
        node, filled = self._subject.node, self._filled.get(self._subject.key)
        if node is None or filled is None:
            return False
        return filled.rule.shaped and filled.array is not None and node.data is filled.array

    def fill(self, shape: Shape) -> str:
        """Have the rule fill another shape; what is wrong with that, or ""."""
        filled = self._filled[self._subject.key]
        return self._make(filled.rule, filled.numbers, shape)

    def _chosen(self, rule: Rule) -> None:
        node = self._subject.node
        if node is not None:
            shape = () if node.data is None else node.data.shape
            self._say(self._make(rule, _numbers(rule, shape), shape))

    def _number(self, at: int, text: str) -> None:
        filled = self._filled[self._subject.key]
        name = list(filled.numbers)[at]
        try:
            value = float(text)
        except ValueError:
            self.lines[at].fail(_("“{word}” is not a number.").format(word=text))
            return
        wrong = self._make(filled.rule, {**filled.numbers, name: value}, self._shape())
        self.lines[at].fail(wrong)

    def _refill(self) -> None:
        filled = self._filled[self._subject.key]
        self._say(self._make(filled.rule, filled.numbers, self._shape()))

    def _next_seed(self) -> None:
        filled = self._filled[self._subject.key]
        numbers = {**filled.numbers, "seed": (filled.numbers["seed"] + 1) % _SEEDS}
        self._say(self._make(filled.rule, numbers, self._shape()))

    def _say(self, wrong: str) -> None:
        self.said.say(wrong, wrong=True)
        node = self._subject.node
        if node is not None:
            self.show_node(node, fresh=False)

    def _shape(self) -> Shape:
        node = self._subject.node
        return node.data.shape if node is not None and node.data is not None else ()

    def _make(self, rule: Rule, numbers: Mapping[str, float], shape: Shape) -> str:
        node = self._subject.node
        if node is None:
            return ""
        dtype = "float32" if node.data is None else node.data.dtype.name
        made = generated(rule.id, shape, numbers, dtype)
        if isinstance(made, Refusal):
            return made.sentence
        before = self._filled.get(node.id)
        self._filled[node.id] = _Filled(rule, numbers)
        outcome = leaves.set_data(self._subject.diagram, node.id, made)
        wrong = self._subject.make(_("Fill with {rule}").format(rule=rule.title), outcome)
        after = self._subject.node
        if wrong and before is not None:
            self._filled[node.id] = before
        elif wrong:
            del self._filled[node.id]
        elif after is not None:
            self._filled[node.id] = _Filled(rule, numbers, after.data)
        return wrong

    def _lay_out(self) -> None:
        form = Form(self._rows)
        form.put_wide(self.title)
        for name, line in zip(self.names, self.lines, strict=True):
            form.put(name, line)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        for button in (self.again, self.another):
            narrow(button)
            buttons.addWidget(button, 1)
        form.addLayout(buttons, form.rowCount(), 0, 1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._rows)
        column.addWidget(self.said)


# What a rule's numbers are called.
_NAMES = {
    "value": lambda: _("number"),
    "mean": lambda: _("mean"),
    "std": lambda: _("deviation"),
    "seed": lambda: _("seed"),
    "low": lambda: _("lowest"),
    "high": lambda: _("highest"),
    "start": lambda: _("start"),
    "end": lambda: _("end"),
    "step": lambda: _("step size"),
    "steps": lambda: _("count"),
    "n": lambda: _("rows"),
    "index": lambda: _("place"),
}


def _numbers(rule: Rule, shape: Shape) -> Mapping[str, float]:
    """The rule's numbers at first: as many as the value has now, where they count."""
    size = 1
    for length in shape:
        size *= length
    found = dict(rule.numbers)
    if size > 1:
        counts = {"arange": ("end", size), "linspace": ("steps", size), "eye": ("n", shape[0])}
        name, count = counts.get(rule.id, ("", 0))
        if name:
            found[name] = count
    return found


def _written(value: float) -> str:
    return shown(int(value)) if value == int(value) and abs(value) < 2**63 else shown(value)
