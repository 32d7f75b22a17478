"""The page "At a glance": the error, why it comes, and the two kinds of repair."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gradviz.cells import shape_text
from gradviz.guide.decision import ENDS
from gradviz.guide.pages import ERROR, causes
from gradviz.guide.ways import Way, code
from gradviz.language import _
from gradviz.look import STROKE, TYPE
from gradviz.ui.panels.guide.desk import Desk
from gradviz.ui.panels.guide.parts import CodeView, Grads, about_text, scrolling
from gradviz.ui.theme import ThemeSource, colour
from gradviz.ui.widgets.labels import Mono, named
from gradviz.ui.widgets.segmented import Segment, Segmented

_FORK = 30


class Fork(QWidget):
    """Two lines from the middle above to the middles of two columns below."""

    def __init__(self, theme: ThemeSource) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedHeight(_FORK)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, width = self._theme.colours, self.width()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for x, ink in ((0.25, colours.reduction), (0.75, colours.seed)):
                path = QPainterPath(QPointF(width / 2, 0))
                end = QPointF(width * x, _FORK)
                path.cubicTo(QPointF(width / 2, _FORK * 0.8), QPointF(end.x(), _FORK * 0.2), end)
                painter.setPen(QPen(colour(ink), STROKE.edge_done))
                painter.drawPath(path)


class Repair(QFrame):
    """A way out: why, its code, its gradients, and a button that does it."""

    def __init__(self, desk: Desk, ends: tuple[str, ...], kind: str) -> None:
        super().__init__()
        self.setObjectName("GuideCard")
        self.setProperty("tone", kind)
        self._desk, self._ends, self.end = desk, ends, ends[0]
        self._kind = kind
        self.title = named(QLabel(), kind.capitalize())
        self.text = named(QLabel(), "Soft")
        for label in (self.title, self.text):
            label.setWordWrap(True)
        self.choice = Segmented(desk.theme, pad=10)
        self.choice.activated.connect(self.choose)
        self.code, self.grads = CodeView(desk.theme), Grads(desk.theme)
        self.do = QPushButton()
        self.do.setProperty("kind", kind)
        self.do.clicked.connect(self._done)
        row = QHBoxLayout()
        row.addWidget(self.do)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (self.title, self.choice, self.text, self.code, self.grads):
            column.addWidget(widget)
        column.addStretch(1)
        column.addLayout(row)

    def sync(self) -> None:
        about = self._desk.vector
        if about is None:
            return
        self.text.setText(_(ENDS[self.end].text))
        self.choice.set_on(self.end)
        self.code.show_code(code(Way(self.end), about))
        self.grads.show_outcome(self._desk.outcome(Way(self.end), about))
        self.do.setText(_("Start this way") if about.own else _("Open the example"))

    def choose(self, end: str) -> None:
        """Show this of its ends."""
        self.end = end
        self.sync()

    def describe(self, title: str) -> None:
        self.title.setText(title)
        self.choice.set_segments(
            *(Segment(end, _(ENDS[end].title), self._kind) for end in self._ends)
        )
        self.choice.setAccessibleName(title)
        self.code.setAccessibleName(title)
        self.do.setAccessibleDescription(title)

    def _done(self) -> None:
        about = self._desk.vector
        if about is not None and about.own:
            self._desk.way_asked.emit(Way(self.end))
        elif about is not None:
            self._desk.open_asked.emit("example:nonscalar")


class OverviewPage(QWidget):
    """The error above, a repair on either side below."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.about = named(QLabel(), "Soft")
        self.error = Mono(TYPE.body, bold=True)
        self.error.setWordWrap(True)
        self.causes = [named(QLabel(), "Plain") for _cause in range(3)]
        for label in (self.about, *self.causes):
            label.setWordWrap(True)
        self.repairs = (
            Repair(desk, ("sum", "mean"), "reduction"),
            Repair(desk, ("weights", "component"), "seed"),
        )
        below = QHBoxLayout()
        below.setSpacing(16)
        for repair in self.repairs:
            below.addWidget(repair, 1)
        self.more = QPushButton()
        self.more.clicked.connect(self._turn)
        last = QHBoxLayout()
        last.addWidget(self.more)
        last.addStretch(1)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 0, 24, 16)
        column.setSpacing(0)
        column.addWidget(self.about)
        column.addSpacing(8)
        column.addWidget(self._top())
        column.addWidget(Fork(desk.theme))
        column.addLayout(below)
        column.addSpacing(12)
        column.addLayout(last)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scrolling(inner))
        self.setFocusProxy(self.more)

    def _top(self) -> QFrame:
        """The error and its causes."""
        top = QFrame()
        top.setObjectName("GuideCard")
        top.setProperty("tone", "error")
        words = QVBoxLayout(top)
        words.setContentsMargins(16, 12, 16, 12)
        words.setSpacing(8)
        words.addWidget(self.error)
        side_by_side = QHBoxLayout()
        side_by_side.setSpacing(24)
        for label in self.causes:
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            side_by_side.addWidget(label, 1)
        words.addLayout(side_by_side)
        return top

    def sync(self) -> None:
        about, own = self._desk.vector, self._desk.subject
        text = about_text(about)
        if own is not None and own.scalar and about is not None:
            text = _(
                "{y} holds one number, so backward() needs nothing. Below, the article's {vector},"
                " of shape {shape}."
            ).format(y=own.name, vector=about.name, shape=shape_text(about.value.shape))
        self.about.setText(text)
        if about is None:
            return
        self.error.setText(ERROR)
        for label, cause in zip(self.causes, causes(about), strict=True):
            label.setText(cause)
        for repair in self.repairs:
            repair.sync()

    def retranslate(self) -> None:
        first, second = self.repairs
        first.describe(_("Repair 1: make it one number"))
        second.describe(_("Repair 2: hand over the weights"))
        self.more.setText(_("Which way is mine?"))
        self.sync()

    def _turn(self) -> None:
        self._desk.turn_asked.emit("decision")
