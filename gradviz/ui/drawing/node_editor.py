"""`NodeEditor`: the selected node, to be changed: its name, its value or inputs and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from gradviz.diagram import Node
from gradviz.edit import names
from gradviz.edit.nodes import set_no_grad
from gradviz.language import _
from gradviz.ui.drawing.editing import Editing
from gradviz.ui.drawing.form import Form, chain, field
from gradviz.ui.drawing.params_part import ParamsPart
from gradviz.ui.drawing.slots_part import SlotsPart
from gradviz.ui.drawing.source_part import SourcePart
from gradviz.ui.drawing.subject import Subject
from gradviz.ui.widgets.entry_line import EntryLine
from gradviz.ui.widgets.said import Said
from gradviz.ui.widgets.switch import Switch

if TYPE_CHECKING:
    from gradviz.ui.window import Window


class NodeEditor(QWidget):
    """Part of the inspector; it is there while a node of the document is selected."""

    def __init__(self, window: Window, editing: Editing) -> None:
        super().__init__()
        self._window = window
        self._subject = Subject(editing, window.selection, window.player, window.document.history)
        self.name, self.problem = EntryLine(), Said()
        self.name_label = field()
        self.source = SourcePart(self._subject, window.files, window.theme)
        self.slots = SlotsPart(self._subject, window.theme)
        self.params = ParamsPart(self._subject, window.theme)
        self.no_grad = Switch(window.theme, mono=True)
        self._shown = ""
        self._seen: tuple[object, ...] = ()
        self._lay_out()
        self._connect()
        self.retranslate()

    def retranslate(self) -> None:
        self.name_label.setText(_("name"))
        self.name.describe(_("Name"), _("A name of Python; none: called by its expression"))
        self.no_grad.setText("no_grad")
        self.no_grad.setToolTip(_("On: computed without history, as under torch.no_grad()."))
        for part in (self.source, self.slots, self.params):
            part.retranslate()
        self._seen = ()
        self.sync()

    def sync(self) -> None:
        """Show the selected node as it is now."""
        node, player = self._subject.node, self._window.player
        seen = (node, self._subject.diagram.nodes, player.run)
        if len(seen) == len(self._seen) and all(
            a is b for a, b in zip(seen, self._seen, strict=True)
        ):
            return
        self._seen = seen
        self.setVisible(node is not None)
        if node is not None:
            self._show(node)

    def rename(self) -> None:
        """Have the cursor in the name."""
        self._take(self.name.line)

    def begin(self) -> None:
        """Have the cursor where a person wants to type first."""
        node = self._subject.node
        if node is None:
            return
        if node.is_source:
            self._take(self.source.first())
        else:
            first = next(iter(self.params.stops()), self.name.line)
            self._take(self.slots.first_open() or first)

    def leave(self) -> None:
        """Give the cursor back to the canvas."""
        self._window.stage.canvas.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc on a button or a choice; lines to type in have their own."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def _show(self, node: Node) -> None:
        fresh, self._shown = node.id != self._shown, node.id
        self.name.show_text(node.name or "", fresh=fresh)
        self.name.line.setPlaceholderText(self._subject.title(node.id))
        self.problem.say(self._problem(node), wrong=True)
        self.source.setVisible(node.is_source)
        self.slots.setVisible(not node.is_source)
        self.no_grad.setVisible(not node.is_source)
        if node.is_source:
            self.source.show_node(node, fresh=fresh)
            self.params.hide()
        else:
            rows = len(self.slots.rows)
            self.slots.show_node(node, fresh=fresh)
            if self.params.show_node(node, fresh=fresh) or rows != len(self.slots.rows):
                self._lead()
            self.no_grad.show_on(node.no_grad)

    def _problem(self, node: Node) -> str:
        """Why the node has no value: what is said against it, or which inputs have none."""
        if node.is_source and node.data is None:
            return _("This node has no value yet.")
        said = self._subject.problem()
        values = self._window.player.run.values
        if said or node.is_source or None in node.inputs or node.id in values:
            return said
        waits = [key for key in node.inputs if key is not None and key not in values]
        if not waits or self._window.evaluator.busy:
            return ""
        names = ", ".join(dict.fromkeys(self._subject.title(key) for key in waits))
        return _("Waits for {names}, which has no value yet.").format(names=names)

    def _opening(self) -> None:
        """Another document comes, which may have nodes of the same ids."""
        self._shown = ""
        self.source.filling.forget()

    def _name_typed(self, text: str) -> None:
        """A wrong name is told of while it is typed."""
        wanted, key = text.strip(), self._subject.key
        self.name.fail(
            (names.name_problem(self._subject.diagram, wanted, but=key) or "") if wanted else ""
        )

    def _named(self, text: str) -> None:
        made = names.rename(self._subject.diagram, self._subject.key, text)
        self.name.fail(self._subject.make(_("Rename"), made))

    def _no_grad_asked(self, on: bool) -> None:
        made = set_no_grad(self._subject.diagram, (self._subject.key,), wanted=on)
        self._subject.make("no_grad", made)

    def _take(self, widget: QWidget) -> None:
        """Give a widget the cursor, and bring it into sight."""
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if above is not None:
            above.ensureWidgetVisible(widget)

    def _lead(self) -> None:
        """Tab goes from top to bottom."""
        parts = (*self.source.stops(), *self.slots.stops(), *self.params.stops())
        chain([self.name.line, *parts, self.no_grad])

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        form = Form()
        form.put(self.name_label, self.name)
        column.addLayout(form)
        for part in (self.problem, self.source, self.slots, self.params, self.no_grad):
            column.addWidget(part)
        self._lead()

    def _connect(self) -> None:
        window = self._window
        self.name.edited.connect(self._name_typed)
        self.name.entered.connect(self._named)
        self.no_grad.clicked.connect(self._no_grad_asked)
        for part in (self.name, self.source, self.slots, self.params):
            part.done.connect(self.leave)
        window.files.opening.connect(self._opening)
        window.selection.changed.connect(self.sync)
        window.document.changed.connect(lambda _before, _after: self.sync())
        window.player.moved.connect(self.sync)
