"""`SlotsPart`: what fills the inputs of an op, and what is missing."""

from __future__ import annotations

from itertools import islice

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gradviz.diagram import CONSTANT, Diagram, Node, NodeId
from gradviz.edit import nodes, wires
from gradviz.edit.catalogue import entry_of, kind_of
from gradviz.edit.order import would_cycle
from gradviz.edit.outcome import Added, Refusal
from gradviz.edit.slots import room
from gradviz.edit.typed import Typed, typed
from gradviz.language import _
from gradviz.ui.drawing.slot_row import SlotRow
from gradviz.ui.drawing.subject import Subject
from gradviz.ui.theme import ThemeSource, metrics
from gradviz.ui.widgets.labels import Field

_MOST = 400  # nodes that are offered
_LEAST, _WIDEST = 44, 76  # px of the inputs' names


class SlotsPart(QWidget):
    """Rows come when an op has more inputs than any before it; they stay to be used again."""

    done = Signal()

    def __init__(self, subject: Subject, theme: ThemeSource) -> None:
        super().__init__()
        self._subject, self._theme = subject, theme
        self.heading = Field()
        self.rows: list[SlotRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.heading)

    def retranslate(self) -> None:
        self.heading.setText(_("inputs"))

    def stops(self) -> list[QWidget]:
        """What Tab goes through."""
        return [stop for row in self.rows for stop in row.stops()]

    def first_open(self) -> QWidget | None:
        """The first slot that lacks something."""
        node = self._subject.node
        inputs = node.inputs if node is not None else ()
        rows = zip(inputs, self.rows, strict=False)
        return next((row.line.line for source, row in rows if source is None), None)

    def show_node(self, node: Node, *, fresh: bool) -> None:
        count = len(node.inputs) + room(node.op, len(node.inputs))
        while len(self.rows) < count:
            self._add_row()
        entry = entry_of(node.op)
        names = [entry.slot_name(slot) if entry is not None else str(slot + 1)
                 for slot in range(count)]  # fmt: skip
        face = metrics(12)
        wide = round(max((face.horizontalAdvance(name) for name in names), default=0)) + 1
        for slot, row in enumerate(self.rows):
            row.setVisible(slot < count)
            if slot >= count:
                continue
            extra = slot == len(node.inputs)
            source = None if extra else node.inputs[slot]
            row.name.setFixedWidth(min(max(_LEAST, wide), _WIDEST))
            title = self._subject.title(source) if source is not None else None
            swaps = slot + 1 < len(node.inputs)
            row.show_slot(names[slot], title, swaps=swaps, fresh=fresh)
            row.hint(_("one more") if extra else _("missing"))
            if fresh:
                row.said.say("")

    def _add_row(self) -> None:
        slot = len(self.rows)
        row = SlotRow(self._theme, self._offered)
        row.followed.connect(lambda: self._follow(slot))
        row.swapped.connect(lambda: self._swap(slot))
        row.unplugged.connect(lambda: self._unplug(slot))
        row.entered.connect(lambda text: self._fill(slot, text))
        row.done.connect(self.done)
        self.rows.append(row)
        self._column.addWidget(row)

    def _called(self) -> dict[str, NodeId]:
        """The nodes by what they are called, the nearest first.

        Sources without a name are called as a number is typed: they are none of them.
        """
        found: dict[str, NodeId] = {}
        for key, node in reversed(list(self._subject.diagram.nodes.items())):
            if node.name or not node.is_source:
                found.setdefault(self._subject.title(key), key)
        return found

    def _offered(self) -> list[str]:
        """What those are called that close no loop."""
        diagram, key = self._subject.diagram, self._subject.key
        fitting = (
            title
            for title, source in self._called().items()
            if source != key and not would_cycle(diagram, source, key)
        )
        return list(islice(fitting, _MOST))

    @property
    def _op(self) -> str:
        node = self._subject.node
        return node.op if node is not None else ""

    def _follow(self, slot: int) -> None:
        node = self._subject.node
        source = node.inputs[slot] if node is not None else None
        if source is not None:
            self._subject.go_to(source)

    def _swap(self, slot: int) -> None:
        made = wires.swap(self._subject.diagram, self._subject.key, slot, slot + 1)
        self.rows[slot].said.say(self._subject.make(_("Swap inputs"), made), wrong=True)

    def _unplug(self, slot: int) -> None:
        made = wires.disconnect(self._subject.diagram, self._subject.key, slot)
        self.rows[slot].said.say(self._subject.make(_("Unplug"), made), wrong=True)
        if self.rows[slot].isVisibleTo(self):
            self.rows[slot].line.take()

    def _fill(self, slot: int, text: str) -> None:
        row = self.rows[slot]
        if not text.strip():
            return
        wrong = self._subject.make(_("Connect"), self._filled(slot, text.strip()))
        row.line.fail(wrong)
        if not wrong:
            (self.first_open() or row.link).setFocus()

    def _filled(self, slot: int, text: str) -> Diagram | Added | Refusal:
        """The diagram with the node of that title there, else with the value that was typed."""
        diagram, key = self._subject.diagram, self._subject.key
        source = self._called().get(text)
        if source is not None:
            return wires.connect(diagram, source, key, slot)  # or what loop that closes
        found = typed(text)
        if isinstance(found, Typed) and found.array.ndim and not kind_of(self._op, slot):
            found = typed(text, floating=True)  # but where places or truths are wanted
        if isinstance(found, Refusal):
            sentence = _("“{text}” is no number, and no node is called so.")
            return Refusal(sentence.format(text=text[:40]), key, slot)
        number = found.array.ndim == 0 and not found.dtype_said
        node = Node(CONSTANT, CONSTANT, data=found.array, is_number=number)
        return nodes.add_source(diagram, node, wire=(key, slot))
