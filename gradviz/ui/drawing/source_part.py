"""`SourcePart`: the value of a leaf or constant: typed, in a table, its dtype and shape."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gradviz.cells import shape_text
from gradviz.diagram import LEAF, Diagram, Node
from gradviz.edit import leaves
from gradviz.edit.outcome import Refusal
from gradviz.edit.shapes import shape_of
from gradviz.edit.tables import SMALL, set_block, value_text
from gradviz.files.codec import DTYPES
from gradviz.language import _
from gradviz.ui.documents.files import Files
from gradviz.ui.drawing.filling import Filling
from gradviz.ui.drawing.form import Form, field, narrow
from gradviz.ui.drawing.importer import Importer
from gradviz.ui.drawing.subject import Burst, Subject
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.choice import Choice
from gradviz.ui.widgets.entry_line import EntryLine
from gradviz.ui.widgets.said import Said
from gradviz.ui.widgets.switch import Switch
from gradviz.ui.widgets.value_table import ValueTable


class SourcePart(QWidget):
    """Whatever is refused is said under the field that asked for it, and the value stays."""

    done = Signal()  # Esc, where nothing is typed

    def __init__(self, subject: Subject, files: Files, theme: ThemeSource) -> None:
        super().__init__()
        self._subject, self._burst = subject, Burst(subject)
        self.value, self.shape = EntryLine(), EntryLine()
        self.table, self.said = ValueTable(theme), Said()
        self.dtype = Choice(theme, mono=True)
        self.dtype.set_rows([(name, name) for name in _dtypes()], None)
        self.dtype_said, self.grad_said = Said(), Said()
        self.grad = Switch(theme, mono=True)
        self.grad.setText("requires_grad")
        self.filling, self.importer = Filling(subject, theme), Importer(subject, files, theme)
        self.names = {key: field() for key in ("value", "shape", "dtype")}
        self._lay_out()
        self._connect()
        self.retranslate()

    def retranslate(self) -> None:
        self.names["value"].setText(_("value"))
        self.names["shape"].setText(_("shape"))
        self.names["dtype"].setText("dtype")
        self.value.describe(_("Value"), _("Numbers, as [1, 2.5], or a rule, as randn(2, 3)"))
        self.shape.describe(_("Shape"), _("As 2x3 or 2, 3; nothing for one number"))
        self.table.setAccessibleName(_("Numbers of the value"))
        self.dtype.setAccessibleName("dtype")
        self.grad.setAccessibleName("requires_grad")
        self.grad.setToolTip(_("On: a leaf, which receives a gradient. Off: a constant."))
        self.filling.retranslate()
        self.importer.retranslate()

    def stops(self) -> list[QWidget]:
        """What Tab goes through."""
        first = [self.value.line, self.table, *self.filling.stops(), *self.importer.stops()]
        return [*first, self.shape.line, self.dtype, self.grad]

    def first(self) -> QWidget:
        """Where typing begins."""
        return self.value.line if self._is_text() else self.table

    def show_node(self, node: Node, *, fresh: bool) -> None:
        """Be about this source; `fresh`: it was another one before."""
        array = node.data
        if fresh:
            self._burst.end()
            for said in (self.said, self.dtype_said, self.grad_said):
                said.say("")
        self.value.show_text(value_text(array) if array is not None and self._is_text() else "",
                             fresh=fresh)  # fmt: skip
        self.value.line.setPlaceholderText(_placeholder(node))
        shown = array is not None and array.size > 0 and (array.ndim > 1 or array.size > SMALL)
        self.table.setVisible(shown)
        if shown and array is not None:
            self.table.show_value(array)
        self.shape.show_text(_shape_text(node), fresh=fresh)
        self.dtype.set_rows(
            [(name, name) for name in _dtypes()], array.dtype.name if array is not None else None
        )
        self.dtype.setEnabled(array is not None)
        for part in (self.names["dtype"], self.dtype):
            part.setVisible(not node.is_number)  # Python's numbers have none
        self.grad.show_on(node.op == LEAF)
        self.filling.show_node(node, fresh=fresh)
        self.importer.show_node(node, fresh=fresh)

    def _is_text(self) -> bool:
        """Whether the value is short enough to stand in the line."""
        node = self._subject.node
        return node is None or node.data is None or node.data.size <= SMALL

    def _typed(self, text: str) -> None:
        """Each keystroke counts where the whole value is in the line; else Enter does."""
        if self._is_text() and text.strip():
            self.value.fail(self._burst.make(_("Value"), self._set_text(text)))
        elif text.strip():
            self.value.fail("")

    def _entered(self, text: str) -> None:
        self.value.fail(self._burst.make(_("Value"), self._set_text(text)))
        if not self.value.wrong:
            self._burst.end()

    def _set_text(self, text: str) -> Diagram | Refusal:
        return leaves.set_text(self._subject.diagram, self._subject.key, text)

    def _number_typed(self, k: int, text: str) -> None:
        node = self._subject.node
        if node is not None and node.data is not None:
            at = tuple(_index(k, node.data.shape))
            made = leaves.set_element(self._subject.diagram, node.id, at, text)
            self.said.say(self._subject.make(_("Value"), made), wrong=True)

    def _pasted(self, k: int, text: str) -> None:
        made = set_block(self._subject.diagram, self._subject.key, k, text)
        self.said.say(self._subject.make(_("Paste"), made), wrong=True)

    def _cleared(self, ks: tuple[int, ...]) -> None:
        node = self._subject.node
        if node is not None and node.data is not None:
            array = node.data.copy()
            array.reshape(-1)[list(ks)] = 0
            made = leaves.set_data(self._subject.diagram, node.id, array)
            self.said.say(self._subject.make(_("Value"), made), wrong=True)

    def _shape_typed(self, text: str) -> None:
        found = shape_of(text)
        self.shape.fail(found.sentence if isinstance(found, Refusal) else "")

    def _shaped(self, text: str) -> None:
        """What a rule made is made anew in another shape; other numbers stay at their places."""
        found = shape_of(text)
        if isinstance(found, Refusal):
            self.shape.fail(found.sentence)
        elif self.filling.fits():
            self.shape.fail(self.filling.fill(found))
        else:
            made = leaves.resize(self._subject.diagram, self._subject.key, found)
            self.shape.fail(self._subject.make(_("Shape"), made))

    def _dtype_chosen(self) -> None:
        made = leaves.set_dtype(self._subject.diagram, self._subject.key, self.dtype.key or "")
        self.dtype_said.say(self._subject.make("dtype", made), wrong=True)
        node = self._subject.node
        if node is not None:
            self.show_node(node, fresh=False)

    def _grad_asked(self, on: bool) -> None:
        made = leaves.set_requires_grad(self._subject.diagram, self._subject.key, wanted=on)
        self.grad_said.say(self._subject.make("requires_grad", made), wrong=True)
        node = self._subject.node
        self.grad.show_on(node is not None and node.op == LEAF)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        top, form = Form(), Form()
        top.put(self.names["value"], self.value)
        column.addLayout(top)
        made = QHBoxLayout()
        made.setSpacing(6)
        for button in (self.filling.button, self.importer.button):
            narrow(button)
            made.addWidget(button, 1)
        column.addWidget(self.table)
        column.addWidget(self.said)
        column.addLayout(made)
        column.addWidget(self.filling)
        column.addWidget(self.importer)
        form.put(self.names["shape"], self.shape)
        form.put(self.names["dtype"], self.dtype)
        for wide in (self.dtype_said, self.grad, self.grad_said):
            form.put_wide(wide)
        column.addLayout(form)

    def _connect(self) -> None:
        self.value.edited.connect(self._typed)
        self.value.entered.connect(self._entered)
        self.value.put_back.connect(self._burst.take_back)
        self.shape.edited.connect(self._shape_typed)
        self.shape.entered.connect(self._shaped)
        self.table.typed.connect(self._number_typed)
        self.table.pasted.connect(self._pasted)
        self.table.cleared.connect(self._cleared)
        self.dtype.activated.connect(lambda _at: self._dtype_chosen())
        self.grad.clicked.connect(self._grad_asked)
        for part in (self.value, self.shape, self.table, self.filling):
            part.done.connect(self.done)


def _dtypes() -> list[str]:
    """Those of PyTorch's users first."""
    order = ("float32", "float64", "float16", "complex64", "complex128", "int64")
    return [*order, *sorted(DTYPES.difference(order))]


def _shape_text(node: Node) -> str:
    """As it is typed; a number has none."""
    if node.data is None or not node.data.ndim:
        return ""
    return "x".join(map(str, node.data.shape))


def _placeholder(node: Node) -> str:
    if node.data is None:
        return _("as 2 or [1, 2]")
    return f"{shape_text(node.data.shape)} {node.data.dtype.name}"


def _index(k: int, shape: tuple[int, ...]) -> list[int]:
    """The place of the k-th number."""
    found: list[int] = []
    for size in reversed(shape):
        k, at = divmod(k, size)
        found.insert(0, at)
    return found
