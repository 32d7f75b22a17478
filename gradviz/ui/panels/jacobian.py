"""`JacobianPanel`: the Jacobian of two nodes or of an edge, under the seed of the pass."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gradviz.diagram import NodeId
from gradviz.jacobians.pattern import NAMES
from gradviz.jacobians.rows import Jacobian
from gradviz.language import _
from gradviz.ui.docking.ends import derivable, ends_for
from gradviz.ui.player import Player
from gradviz.ui.running.differentiator import Differentiator, Wanted
from gradviz.ui.selection import Selection
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.choice import Choice
from gradviz.ui.widgets.labels import Heading, Mono, named
from gradviz.ui.widgets.matrix import MatrixView
from gradviz.ui.widgets.segmented import Segment, Segmented

_LISTED = 400  # nodes that can be chosen from a list
_SIDE = 300  # px for what is said of the matrix


class JacobianPanel(QWidget):
    """Follows the player while it is seen: matrix, seed beside it, and their product under it.

    Two nodes selected on the canvas are the two it is about; the lists choose others.
    """

    closed = Signal()
    row_picked = Signal(str, int)  # the node that is differentiated, and its element

    def __init__(self, player: Player, selection: Selection, theme: ThemeSource) -> None:
        super().__init__()
        self.setObjectName("JacobianPane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._player, self._selection = player, selection
        self._work = Differentiator(self)
        self._asked: Wanted | None = None
        self._key: tuple[object, ...] | None = None
        self._ends: tuple[NodeId, NodeId] | None = None  # chosen by the user
        self.heading = Heading()
        self.heading.setContentsMargins(16, 0, 8, 0)
        self.way = Segmented(theme)
        self.of, self.wrt = Choice(theme, mono=True), Choice(theme, mono=True)
        self.slash = Mono()
        self.slash.setText("∂ / ∂")
        self.badge = named(QLabel(), "Badge")
        self.progress = QProgressBar()
        self.progress.setFixedWidth(120)
        self.progress.setTextVisible(False)
        self.cancel, self.again, self.close_button = (QPushButton() for _n in range(3))
        self.larger, self.smaller, self.whole = (QPushButton() for _n in range(3))
        self.matrix = MatrixView(theme)
        self.meaning, self.warning, self.pulled = (QLabel() for _n in range(3))
        self._lay_out()
        self._connect()
        self.way.set_on("nodes")
        self.retranslate()

    @property
    def busy(self) -> bool:
        """Whether a matrix is being found."""
        return self._work.busy

    def retranslate(self) -> None:
        self.heading.setText(_("Jacobian"))
        self.way.set_segments(
            Segment("nodes", _("two nodes"), "selection", _("Any node by any other")),
            Segment("edge", _("edge of this step"), "selection", _("One op by one of its inputs")),
        )
        self.of.setAccessibleName(_("the node that is differentiated"))
        self.wrt.setAccessibleName(_("the node it is differentiated by"))
        for button, sign, name in (
            (self.larger, "+", _("Zoom in")),
            (self.smaller, "−", _("Zoom out")),
            (self.close_button, "×", _("Close")),
        ):
            button.setText(sign)
            button.setToolTip(name)
            button.setAccessibleName(name)
        self.whole.setText(_("Fit"))
        self.cancel.setText(_("Cancel"))
        self.again.setText(_("Compute again"))
        self._ask_again()

    def show_edge(self) -> None:
        """From now on, while it is seen, the edge of the player's step."""
        if self.isVisible():
            self._choose_way("edge")

    def forget(self) -> None:
        """Another document comes: nodes chosen before are not its own."""
        self._ends = None

    def close_down(self) -> None:
        """Give up what is under way, for good."""
        self._work.close()

    def sync(self) -> None:
        """Ask for what is to be shown, where that is another matrix; show the seed anew."""
        if not self.isVisible():
            return
        self._fill_lists()
        wanted = self._wanted()
        key = (self._player.diagram.nodes,) if wanted is None else self._key_of(wanted)
        if key != self._key:
            self._key, self._asked = key, wanted
            self.matrix.show_matrix(None)
            self._say("")
            self.badge.hide()
            self._work.cancel()
            self._show_job(running=False)
            if wanted is not None:
                self._work.ask(wanted)
            elif self.way.on == {"edge"}:
                self._say(_("Go to a step, or click an edge, to see the matrix of its op."))
            elif self._player.diagram.nodes:
                self._say(_("Only real floating point numbers have a Jacobian, and none are here."))
        elif self.matrix.found is not None and wanted is not None:
            self._asked = wanted
            self._show_seed(self.matrix.found)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.sync()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._work.cancel()
        if self.matrix.found is None:
            self._key = None

    def _wanted(self) -> Wanted | None:
        diagram, run, index = self._player.scene
        if self.way.on == {"edge"}:
            step = self._player.step
            if step is None:
                return None
            return Wanted(diagram, run, index, step.node, step.input, step.slot)
        of, wrt = self.of.key, self.wrt.key
        if of is None or wrt is None:
            return None
        return Wanted(diagram, run, index, of, wrt)

    def _key_of(self, wanted: Wanted) -> tuple[object, ...]:
        """What the matrix depends on: a new seed brings no other one."""
        done = self._player.current
        own = done.beyond if done else ()
        added = {node.id for node in own} & {wanted.of, wanted.wrt}
        ends = wanted.of, wanted.wrt, wanted.slot
        return (wanted.diagram.nodes, *ends, own if added else ())

    def _fill_lists(self) -> None:
        rows = derivable(self._player)[:_LISTED]
        ends = ends_for(self._player, {key for key, _title in rows}, self._selection, self._ends)
        for list_, key in zip((self.of, self.wrt), ends or (None, None), strict=True):
            list_.set_rows(rows, key)

    def _selection_changed(self) -> None:
        if len(self._selection.ids) == 2:
            self._ends = None
            self._choose_way("nodes")

    def _chosen(self) -> None:
        of, wrt = self.of.key, self.wrt.key
        if of is not None and wrt is not None:
            self._ends = of, wrt
        self.sync()

    def _choose_way(self, key: str) -> None:
        self.way.set_on(key)
        for widget in (self.of, self.wrt, self.slash):
            widget.setVisible(key == "nodes")
        self.sync()

    def _found(self, wanted: Wanted, found: Jacobian) -> None:
        self._asked = wanted
        self._show_job(running=False)
        self.badge.setText(_(NAMES[found.kind]))
        self.badge.show()
        self._show_seed(found)

    def _refused(self, _wanted: Wanted, sentence: str) -> None:
        self._show_job(running=False)
        self._say("", sentence)

    def _told(self, _wanted: Wanted, done: int, count: int) -> None:
        self.progress.setRange(0, count)
        self.progress.setValue(done)
        self._show_job(running=True)
        text = _("{done} of {count} rows are there.")
        self._say(text.format(done=f"{done:,}", count=f"{count:,}"))

    def _cancelled(self) -> None:
        self._work.cancel()
        self._show_job(running=False)
        self.again.show()
        self._say(_("The computation was stopped."))

    def _ask_again(self) -> None:
        self._key = None
        self.sync()

    def _pick(self, row: int) -> None:
        if self._asked is not None:
            self.row_picked.emit(self._asked.of, row)

    def _show_seed(self, found: Jacobian) -> None:
        """The seed that the pass has at `of`, what comes of it, and the sentences."""
        from gradviz.jacobians.through import description, ones_warning, pass_sentence, through

        asked = self._asked
        assert asked is not None
        index = asked.index or 0
        pulled = through(asked.diagram, asked.run, index, found, (asked.of, asked.wrt))
        seed = None if pulled is None else pulled.seed
        product = None if pulled is None else pulled.product
        if product is None and pulled is not None and pulled.all_of_it:
            product = pulled.arrived  # a downsampled matrix gives no product of its own
        self.matrix.show_matrix(found, seed=seed, product=product)
        said = "" if pulled is None else pass_sentence(pulled, found, index + 1)
        warning = ones_warning(found) if found.ones.differs else ""
        self._say(" ".join(description(found)), warning, said)

    def _say(self, meaning: str, warning: str = "", pulled: str = "") -> None:
        rows = (self.meaning, meaning), (self.warning, warning), (self.pulled, pulled)
        for label, text in rows:
            label.setText(text)
            label.setVisible(bool(text))

    def _show_job(self, *, running: bool) -> None:
        self.progress.setVisible(running)
        self.cancel.setVisible(running)
        self.again.hide()

    def _connect(self) -> None:
        self._player.moved.connect(self.sync)
        self._selection.changed.connect(self._selection_changed)
        self.way.activated.connect(self._choose_way)
        self.of.activated.connect(self._chosen)
        self.wrt.activated.connect(self._chosen)
        self._work.found.connect(self._found)
        self._work.refused.connect(self._refused)
        self._work.told.connect(self._told)
        self.cancel.clicked.connect(self._cancelled)
        self.again.clicked.connect(self._ask_again)
        self.close_button.clicked.connect(self.closed)
        self.larger.clicked.connect(lambda: self.matrix.zoom(1.5))
        self.smaller.clicked.connect(lambda: self.matrix.zoom(1 / 1.5))
        self.whole.clicked.connect(self.matrix.fit)
        self.matrix.row_picked.connect(self._pick)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(0, 4, 8, 0)
        head.setSpacing(8)
        for widget in (self.heading, self.way, self.of, self.slash, self.wrt, self.badge):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self.progress)
        zooming = self.smaller, self.whole, self.larger
        for button in (self.cancel, self.again, *zooming, self.close_button):
            button.setProperty("kind", "quiet")
            head.addWidget(button)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(8)
        for label, name in (
            (self.meaning, "Soft"), (self.warning, "Warning"), (self.pulled, "Good")
        ):  # fmt: skip
            named(label, name).setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(label)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(side)
        area.setFixedWidth(_SIDE)
        body = QHBoxLayout()
        body.setContentsMargins(8, 0, 0, 0)
        body.addWidget(self.matrix, 1)
        body.addWidget(area)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addLayout(body, 1)
