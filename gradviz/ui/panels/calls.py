"""`CallsPanel`: the backward calls of the document as a list, edited where they stand."""

from __future__ import annotations

from dataclasses import replace
from operator import is_

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from gradviz.labels import name_of
from gradviz.language import _, current
from gradviz.ui.choices import choices, key_of, subject
from gradviz.ui.docking.call_rows import CallRow, call_row, names, standing
from gradviz.ui.docking.calling import NOTHING, Calling
from gradviz.ui.documents.document import Document
from gradviz.ui.player import Player
from gradviz.ui.starting import Starting
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.call_table import TARGET, CallTable
from gradviz.ui.widgets.labels import Heading, named

_KEY = QKeySequence.SequenceFormat.NativeText


class CallsPanel(QWidget):
    """Follows document and player while it is seen; the row of the pass on screen is chosen."""

    closed = Signal()

    def __init__(
        self,
        document: Document,
        player: Player,
        starting: Starting,
        calling: Calling,
        theme: ThemeSource,
    ) -> None:
        super().__init__()
        self.setObjectName("CallsPane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._document, self._player, self._starting = document, player, starting
        self._calling = calling
        self._shown: tuple[object, ...] = ()  # what the rows are about
        self._refusal: tuple[object, int, str] | None = None  # of which list, row, and why
        self.heading = Heading()
        self.heading.setContentsMargins(16, 0, 8, 0)
        self.table = CallTable(theme, self._choices)
        self.nothing = named(QLabel(), "Soft")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.add, self.double, self.remove, self.compare = (QPushButton() for _n in range(4))
        self.up, self.down, self.close_button = (QPushButton() for _n in range(3))
        self.menu = QMenu(self)
        self._lay_out()
        self._connect()
        self.retranslate()

    def retranslate(self) -> None:
        self.heading.setText(_("Backward calls"))
        self.nothing.setText(
            _("No backward call yet. One starts at the selected node, else at the last output.")
        )
        self.add.setText(_("Add call"))
        self.add.setToolTip(_("From the selected node, else from the last output"))
        self.double.setText(_("Duplicate"))
        self.remove.setText(_("Remove"))
        self.compare.setText(_("Compare"))
        self.compare.setToolTip(_("Two chosen calls side by side"))
        for button, sign, name, key in (
            (self.up, "↑", _("Run earlier"), "Alt+Up"),
            (self.down, "↓", _("Run later"), "Alt+Down"),
            (self.close_button, "×", _("Close"), ""),
        ):
            button.setText(sign)
            keys = QKeySequence(key).toString(_KEY)
            button.setToolTip(f"{name} ({keys})" if keys else name)
            button.setAccessibleName(name)
        self.table.setAccessibleName(_("Backward calls"))
        self.sync()

    def forget(self) -> None:
        """Another document comes."""
        self._refusal = None

    def close_down(self) -> None:
        """Nothing is under way."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.sync()

    def rows(self) -> list[CallRow]:
        """The calls of the document, with what came of those that ran as they are now."""
        diagram, player = self._document.diagram, self._player
        known = names(player.diagram, player.run)
        same = diagram.nodes is player.diagram.nodes
        ran = standing(diagram.calls, player.diagram.calls) if same else 0
        passes = player.run.passes[:ran]
        made = [
            call_row(diagram, player.run, call, passes[at] if at < len(passes) else None, known)
            for at, call in enumerate(diagram.calls)
        ]
        if self._refusal is not None:
            calls, index, why = self._refusal
            if calls is diagram.calls and index < len(made):
                made[index] = replace(made[index], outcome=why, came="refused")
        return made

    def sync(self) -> None:
        """Show the list as it is."""
        if not self.isVisible() or self._player.passing:
            return
        player, diagram = self._player, self._document.diagram
        shown = diagram, player.diagram, player.run, self._refusal, current()
        if len(self._shown) == len(shown) and all(map(is_, shown, self._shown)):
            rows = self.table.calls.rows
        else:
            rows, self._shown = self.rows(), shown
        self.table.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        self.table.show_rows(rows, player.index)
        self._sync_buttons()

    def _sync_buttons(self) -> None:
        chosen, count = self.table.chosen_rows(), len(self._document.diagram.calls)
        self.add.setEnabled(self._calling.usual() is not None)
        self.double.setEnabled(len(chosen) == 1)
        self.remove.setEnabled(bool(chosen))
        self.compare.setEnabled(len(chosen) == 2)
        self.up.setEnabled(len(chosen) == 1 and chosen[0] > 0)
        self.down.setEnabled(len(chosen) == 1 and chosen[0] + 1 < count)

    def _choices(self, row: int, column: int) -> tuple[list[tuple[str, str]], str | None]:
        """What a cell may be, and what it is."""
        diagram, run = self._player.diagram, self._player.run
        call = self._document.diagram.calls[row]
        there = call.target in run.values
        if column == TARGET:
            known = names(diagram, run)
            own = subject(diagram, run, call) if there else call.target
            keys = self._starting.targets(row)
            keys += [own] if own not in keys else []
            return [(key, name_of(key, known)) for key in keys], own
        found = [(NOTHING, _("– nothing"))]
        y = self._calling.output(row)
        if y is not None:
            found += [(one.key, f"Σ {one.text}") for one in choices("reduction", y)]
            found += [(one.key, f"v {one.text}") for one in choices("seed", y)]
        key = key_of(diagram, run, call) if there or call.start.kind != "implicit" else None
        return found, key or NOTHING

    def _chosen(self, row: int, column: int, key: str) -> None:
        if column == TARGET:
            self._calling.retarget(row, key)
        else:
            self._calling.choose(row, key)

    def _ask_flags(self, row: int, at: QPoint) -> None:
        self.menu.clear()
        for action in self.flag_actions(row):
            self.menu.addAction(action)
        self.menu.popup(at)

    def flag_actions(self, row: int) -> list[QAction]:
        """What can be switched of a call."""
        call, calling = self._document.diagram.calls[row], self._calling
        made = [
            self._switch("retain_graph", call.retain_graph, lambda on: calling.retain(row, on)),
            self._switch(
                "create_graph", call.create_graph, lambda on: calling.create_graph(row, on)
            ),
            self._switch(
                _("Clear .grad first"), bool(call.clear), lambda on: calling.clear(row, on)
            ),
        ]
        leaves = calling.leaves()
        if len(leaves) > 1:
            line = QAction(self.menu)
            line.setSeparator(True)
            made.append(line)
            known = names(self._player.diagram, self._player.run)
            for leaf in leaves:
                text = _("gives {leaf} its gradient").format(leaf=known.get(leaf, leaf))
                given = call.inputs is None or leaf in call.inputs
                made.append(
                    self._switch(text, given, lambda on, leaf=leaf: calling.want(row, leaf, on))
                )
        return made

    def _switch(self, text: str, on: bool, run: object) -> QAction:
        action = QAction(text, self.menu)
        action.setCheckable(True)
        action.setChecked(on)
        action.triggered.connect(run)
        return action

    def _refused(self, index: int, why: str) -> None:
        self._refusal = (self._document.diagram.calls, index, why)
        self.sync()

    def _move(self, by: int) -> None:
        for row in self.table.chosen_rows()[:1]:
            self._calling.move(row, row + by)

    def _compare(self) -> None:
        chosen = self.table.chosen_rows()
        if len(chosen) == 2:
            self._calling.compare(*chosen)

    def _connect(self) -> None:
        self._document.changed.connect(self.sync)
        self._player.moved.connect(self.sync)
        self._calling.refused.connect(self._refused)
        table = self.table
        table.picked.connect(self._player.choose)
        table.switched.connect(self._calling.enable)
        table.moved.connect(self._calling.move)
        table.doubled.connect(self._calling.duplicate)
        table.removed.connect(self._remove)
        table.chosen.connect(self._chosen)
        table.flags_asked.connect(self._ask_flags)
        table.selected.connect(self._sync_buttons)
        self.add.clicked.connect(self._calling.add_usual)
        self.remove.clicked.connect(self._remove)
        self.double.clicked.connect(self._double)
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(1))
        self.compare.clicked.connect(self._compare)
        self.close_button.clicked.connect(self.closed)

    def _double(self) -> None:
        for row in self.table.chosen_rows()[:1]:
            self._calling.duplicate(row)

    def _remove(self) -> None:
        self._calling.remove(self.table.chosen_rows())

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(0, 4, 8, 4)
        head.setSpacing(8)
        head.addWidget(self.heading)
        buttons = self.add, self.double, self.remove, self.up, self.down, self.compare
        for button in (*buttons, self.close_button):
            button.setProperty("kind", "quiet")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for button in buttons:
            head.addWidget(button)
        head.addStretch(1)
        head.addWidget(self.close_button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(self.table, 1)
        whole.addWidget(self.nothing, 1)
