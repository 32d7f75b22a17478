"""`StartBar`: how the backward pass on screen begins, and what the document is called."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gradviz.labels import added_titles, name_of, titles
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.storeys import has_storey
from gradviz.ui.documents.document import Document
from gradviz.ui.panels.document_title import DocumentTitle
from gradviz.ui.player import Player
from gradviz.ui.starting import Starting
from gradviz.ui.theme import ThemeSource, font
from gradviz.ui.widgets.choice import Choice
from gradviz.ui.widgets.field import Field
from gradviz.ui.widgets.glyph_button import GlyphButton
from gradviz.ui.widgets.labels import named
from gradviz.ui.widgets.segmented import Segment, Segmented

_WORDY, _NAMED = 1180, 1040  # px of width from which words and the name have room
_ROOMY = 900  # from which there is room for what the menu has as well
_ENTRY, _SHORT_ENTRY = 116, 64  # px of the numbers of the seed, and where there is less room
_FRAME = 12  # px that the style's sheet takes of a list, which Qt does not count


class StartBar(QWidget):
    """Edits the backward call on screen; asks the window for everything else."""

    twin_asked = Signal(bool)
    reset_asked = Signal()
    language_asked = Signal()
    theme_asked = Signal()

    def __init__(
        self, document: Document, player: Player, starting: Starting, theme: ThemeSource
    ) -> None:
        super().__init__()
        self.setObjectName("StartBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._player, self._starting = player, starting
        self._theme = theme
        self._values: object = None
        self.title = DocumentTitle(document)
        self.calls = Choice(theme)
        self.from_label, self.by_label = named(QLabel(), "Soft"), named(QLabel(), "Soft")
        self.target = Choice(theme, mono=True)
        self.way = Segmented(theme)
        self.choice = Choice(theme)
        self.entry = named(Field(), "Entry")
        self.options, self.edit = QPushButton(), QPushButton()
        self.storey = QPushButton()
        self.retain, self.clear, self.reset = QAction(self), QAction(self), QAction(self)
        self.raising, self.remove, self.again = QAction(self), QAction(self), QMenu(self)
        self.language = QPushButton("中 / EN")
        self.theme = GlyphButton(theme, "moon")
        self.error = named(QLabel(), "FieldError")
        self._lay_out()
        self._connect()
        self.retranslate()

    def retranslate(self) -> None:
        self.from_label.setText(_("Backward from"))
        self.by_label.setText(_("by"))
        self.way.set_segments(
            Segment("reduction", _("Σ reduction"), "reduction", _("Append a node that reduces")),
            Segment("seed", _("v seed"), "seed", _("Inject the cotangent v")),
            Segment("twin", _("side by side"), "selection", _("Both ways on two canvases")),
        )
        self.options.setText(_("Options"))
        self.edit.setText(_("Edit v"))
        self.edit.setToolTip(_("Drag, type, paste or load the numbers of the seed"))
        self.retain.setText(_("retain_graph: keep what was saved, for another pass"))
        self.raising.setText(_("create_graph: make a graph of the gradients as well"))
        self.again.setTitle(_("Differentiate again"))
        self.remove.setText(_("Remove this pass"))
        self.storey.setText(_("Storey"))
        self.storey.setToolTip(_("Second storey: the gradient computation as a graph"))
        self.clear.setText(_("Clear .grad first"))
        self.reset.setText(_("Start as the script does"))
        self.language.setToolTip(_("Switch the language"))
        self.theme.describe(_("Light or dark"))
        self.target.setAccessibleName(_("Output that the backward pass starts from"))
        self.choice.setAccessibleName(_("Reduction or seed"))
        self.entry.setAccessibleName(_("Numbers of the seed"))
        self.calls.setAccessibleName(_("Backward call"))
        self.way.setAccessibleName(_("How the backward pass starts"))
        self.sync()

    def sync(self) -> None:
        """Show the call that is on screen."""
        self.title.sync()
        diagram, starting, call = self._player.diagram, self._starting, self._starting.made
        known, count = self._titles(), len(diagram.calls)
        pass_text = _("pass {n} / {count}")
        rows = [(str(n), pass_text.format(n=n + 1, count=count)) for n in range(count)]
        self.calls.setVisible(count > 1)
        self.calls.set_rows(rows, str(self._player.index))
        self.calls.setMinimumWidth(self.calls.sizeHint().width() + _FRAME)
        targets = starting.targets()
        if starting.subject is not None and starting.subject not in targets:
            targets.append(starting.subject)
        self.target.set_rows(
            [(key, name_of(key, known)) for key in targets], starting.subject if call else None
        )
        for widget in (self.target, self.way, self.options):
            widget.setEnabled(bool(targets))
        self._sync_way()
        self.retain.setChecked(bool(call and call.retain_graph))
        self.clear.setChecked(bool(call and call.clear))
        self._sync_storey(known)
        self.reset.setEnabled(bool(call and call.edited and call.line is not None))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        """Leave out words where there is little room for what is used."""
        room = self.width() - (0 if self.storey.isHidden() else self.storey.sizeHint().width() + 48)
        for label in (self.from_label, self.by_label):
            label.setVisible(room >= _WORDY)
        self.title.name.setVisible(room >= _NAMED)
        for button in (self.language, self.theme):
            button.setVisible(room >= _ROOMY)
        self.entry.setFixedWidth(_ENTRY if room >= _NAMED else _SHORT_ENTRY)

    def fail(self, message: str) -> None:
        """Say under the bar what is wrong with what was typed; "" takes it back."""
        self.error.setText(message)
        room = self.width() - self.error.fontMetrics().horizontalAdvance(message) - 48
        self.error.setIndent(max(0, min(self.entry.x() - 16, room)))  # under what was typed
        self.error.setVisible(bool(message))
        if bool(self.entry.property("invalid")) != bool(message):
            self.entry.setProperty("invalid", bool(message))
            self.entry.style().polish(self.entry)

    def _lay_out(self) -> None:
        self.entry.setFont(font(TYPE.body, mono=True))
        self.entry.setFixedWidth(_ENTRY)
        self.target.setMaximumWidth(132)
        self.edit.setCheckable(True)
        self.storey.setCheckable(True)
        for button in (self.options, self.edit, self.storey, self.language):
            button.setProperty("kind", "quiet")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(self.options)
        for action in (self.retain, self.raising, self.clear):
            action.setCheckable(True)
        menu.addActions([self.retain, self.raising, self.clear])
        menu.addSeparator()
        menu.addMenu(self.again)
        menu.addActions([self.remove, self.reset])
        self.options.setMenu(menu)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 12, 0)
        row.setSpacing(8)
        row.addStrut(self.theme.minimumHeight())  # as high without it
        row.addWidget(named(QLabel("gradviz"), "Brand"))
        row.addSpacing(4)
        row.addWidget(self.title)
        row.addStretch(1)
        start = (self.calls, self.from_label, self.target, self.by_label, self.way, self.choice)
        for widget in (*start, self.entry, self.edit, self.options, self.storey):
            row.addWidget(widget)
        row.addStretch(2)
        row.addWidget(self.language)
        row.addWidget(self.theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 10)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.error)
        self.error.setContentsMargins(16, 0, 16, 0)
        self.error.hide()

    def _connect(self) -> None:
        self._player.moved.connect(self.sync)
        self.calls.activated.connect(self._player.choose)
        self.target.activated.connect(self._target_chosen)
        self.way.activated.connect(self._way_chosen)
        self.choice.activated.connect(self._row_chosen)
        self.entry.returnPressed.connect(self._typed)
        self.entry.editingFinished.connect(self._typed)
        self.entry.textEdited.connect(self._typing)
        self.retain.triggered.connect(self._starting.retain)
        self.clear.triggered.connect(self._starting.clear)
        self.raising.triggered.connect(self._starting.create_graph)
        self.remove.triggered.connect(self._starting.remove)
        self.again.triggered.connect(self._again_chosen)
        self.reset.triggered.connect(self.reset_asked)
        self.language.clicked.connect(self.language_asked)
        self.theme.clicked.connect(self.theme_asked)
        self._theme.changed.connect(self._sync_theme)
        self._sync_theme()

    def _sync_theme(self) -> None:
        self.theme.set_glyph("moon" if self._theme.name == "light" else "sun")

    def _sync_way(self) -> None:
        starting, y = self._starting, self._starting.output
        way = starting.way if y is not None else None
        twin = self._player.twin is not None
        self.way.set_on(*(["reduction", "seed", "twin"] if twin else [way] if way else []))
        self.choice.setVisible(way is not None)
        if way is not None and y is not None:
            from gradviz.ui.choices import choices

            self.choice.set_rows([(row.key, row.text) for row in choices(way, y)], starting.key)
        values = starting.values
        if values is not self._values:  # another start: what was half typed is about the old one
            self._values = values
            self.entry.setModified(False)
            self.fail("")
        self.entry.setVisible(values is not None)
        if values is not None and not self.entry.isModified():
            from gradviz.ui.choices import written

            text = written(values)
            if text != self.entry.text():
                self.entry.setText(text)
                self.entry.setCursorPosition(0)

    def _target_chosen(self) -> None:
        if self.target.key:
            self._starting.retarget(self.target.key)

    def _way_chosen(self, key: str) -> None:
        if key == "twin":
            self.twin_asked.emit(self._player.twin is None)
            return
        if self._player.twin is not None:
            self.twin_asked.emit(False)
        self._starting.choose_way("seed" if key == "seed" else "reduction")

    def _titles(self) -> dict[str, str]:
        """What nodes are called, the gradients of earlier passes included."""
        player = self._player
        known = dict(titles(player.diagram))
        for done in (*player.run.passes[: player.index], player.current):
            known |= added_titles(done, known) if done is not None and done.beyond else {}
        return known

    def _sync_storey(self, known: Mapping[str, str]) -> None:
        player, call, given = self._player, self._starting.made, self._starting.gradients()
        self.raising.setChecked(bool(call and call.create_graph))
        self.remove.setVisible(self._starting.removable)
        self.storey.setVisible(player.twin is None and has_storey(player.diagram, player.current))
        self._make_room()
        self.again.setEnabled(bool(given))
        self.again.clear()
        for key in given:
            text = _("from {gradient}").format(gradient=known.get(key, key))
            self.again.addAction(text).setData(key)

    def _again_chosen(self, action: QAction) -> None:
        self._starting.differentiate(str(action.data()))

    def _row_chosen(self) -> None:
        key = self.choice.key
        if key:
            self.entry.setModified(False)
            self.fail("")
            self._starting.choose(key)
            if key in ("typed", "weighted"):
                self.entry.setFocus()
                self.entry.selectAll()

    def _typing(self) -> None:
        if self.entry.property("invalid"):
            self.fail("")

    def _typed(self) -> None:
        if not self.entry.isModified():
            return
        try:
            self._starting.type_in(self.entry.text())
        except ValueError as problem:
            self.fail(str(problem))
            return
        self.entry.setModified(False)
        self.fail("")
