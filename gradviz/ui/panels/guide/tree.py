"""`DecisionTree`: the decision path as a picture that is walked by clicks or arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gradviz.guide.decision import ENDS, FIRST, QUESTIONS, path_to
from gradviz.language import _
from gradviz.look import RADIUS, STROKE, TYPE, Palette
from gradviz.ui.panels.guide.tree_plan import ANSWER, Plan, plan
from gradviz.ui.theme import ThemeSource, colour, font

_PAD = 8.0
_CENTRE = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap


class DecisionTree(QWidget):
    """`walked(key)` says where the user came to stand, `chosen(key)` that Enter was pressed there.

    The way from the first question to there is marked, and where the call on screen stands.
    """

    walked = Signal(str)
    chosen = Signal(str)

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("DecisionTree")
        self._theme = theme
        self._name = "y"
        self._plan: Plan = plan(900.0)
        self.at = FIRST
        self.here = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(round(Plan.height()))
        theme.changed.connect(self.update)

    def show_call(self, name: str, here: str) -> None:
        """Speak of the output of this name, whose call stands at this question or end."""
        self._name, self.here = name, here
        self._describe()
        self.update()

    def stand(self, key: str) -> None:
        """Stand at this question or end."""
        if key != self.at:
            self.at = key
            self._describe()
            self.update()
            self.walked.emit(key)

    def text(self, key: str) -> str:
        """What stands in a box."""
        if key in QUESTIONS:
            return _(QUESTIONS[key].text).format(y=self._name)
        return _(ENDS[key].title)

    def box(self, key: str) -> QRectF:
        """Where a question or an end is drawn."""
        return self._plan.boxes[key]

    def minimumSizeHint(self) -> QSize:
        return QSize(560, round(Plan.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._plan = plan(float(self.width()))
        super().resizeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self._under(event.position())
        if key is not None and event.button() is Qt.MouseButton.LeftButton:
            self.stand(key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._under(event.position()) is not None
        shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Down:
                self.stand(self._below())
            case Qt.Key.Key_Up:
                self.stand(path_to(self.at)[-2:][0])
            case Qt.Key.Key_Left:
                self.stand(self._beside(-1))
            case Qt.Key.Key_Right:
                self.stand(self._beside(1))
            case Qt.Key.Key_Home:
                self.stand(FIRST)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                self.chosen.emit(self.at)
            case _:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.colours
        way = path_to(self.at)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for marked in (False, True):  # what is walked lies over the rest
                for question in QUESTIONS.values():
                    for answer in question.answers:
                        if (answer.to in way) is marked:
                            self._edge(painter, question.key, answer.to, colours, marked=marked)
            for question in QUESTIONS.values():
                for answer in question.answers:
                    marked = answer.to in way
                    self._answer(painter, answer.to, _(answer.text), colours, marked=marked)
            for key, box in self._plan.boxes.items():
                self._box(painter, key, box, colours, marked=key in way)
            self._flag(painter, colours)

    def _edge(
        self, painter: QPainter, above: str, below: str, colours: Palette, *, marked: bool
    ) -> None:
        start = self._plan.boxes[above]
        end = self._plan.boxes[below]
        a = QPointF(start.center().x(), start.bottom())
        b = QPointF(end.center().x(), end.top())
        bend = QPointF(b.x(), a.y() + 8)
        path = QPainterPath(a)
        path.cubicTo(QPointF(a.x(), bend.y() + 6), QPointF(b.x(), a.y() - 2), bend)
        path.lineTo(b)
        ink = colours.selection if marked else colours.edge
        painter.setPen(QPen(colour(ink), STROKE.node_current if marked else STROKE.edge))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _answer(
        self, painter: QPainter, key: str, text: str, colours: Palette, *, marked: bool
    ) -> None:
        face = font(TYPE.label, bold=marked)
        wide = QFontMetricsF(face).horizontalAdvance(text) + 16
        at = self._plan.answers[key]
        pill = QRectF(at.x() - wide / 2, at.y() - ANSWER / 2, wide, ANSWER)
        painter.setPen(QPen(colour(colours.selection if marked else colours.line), 1))
        painter.setBrush(colour(colours.selection_ground if marked else colours.panel))
        painter.drawRoundedRect(pill, ANSWER / 2, ANSWER / 2)
        painter.setFont(face)
        painter.setPen(colour(colours.selection if marked else colours.soft))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)

    def _box(
        self, painter: QPainter, key: str, box: QRectF, colours: Palette, *, marked: bool
    ) -> None:
        ink, ground = _inks(key, colours)
        stands = key == self.at
        if stands:
            outer = box.adjusted(-3, -3, 3, 3)
            width = 2.5 if self.hasFocus() else 1.5
            painter.setPen(QPen(colour(colours.selection), width))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(outer, RADIUS.node + 3, RADIUS.node + 3)
        pen = QPen(colour(ink), STROKE.node_marked)
        if key in QUESTIONS:
            pen = QPen(colour(colours.selection if marked else colours.line), STROKE.node_marked)
        elif ENDS[key].does == "reduction":
            pen.setDashPattern([4.0, 2.5])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.setBrush(colour(ground))
        painter.drawRoundedRect(box, RADIUS.node, RADIUS.node)
        painter.setFont(font(TYPE.cell, bold=key in ENDS or stands))
        painter.setPen(colour(ink if key in ENDS else colours.ink))
        painter.drawText(box.adjusted(_PAD, 2, -_PAD, -2), _CENTRE, self.text(key))

    def _flag(self, painter: QPainter, colours: Palette) -> None:
        """Where the call on screen stands."""
        box = self._plan.boxes.get(self.here)
        if box is None:
            return
        error = self.here == "aim"  # several numbers, and nothing said of them
        text, face = _("the error") if error else _("now"), font(TYPE.small, bold=True)
        wide = QFontMetricsF(face).horizontalAdvance(text) + 14
        left = min(box.right() - wide + 8, self.width() - wide - 1)
        flag = QRectF(left, box.top() - 9, wide, 16)
        painter.setPen(QPen(colour(colours.error if error else colours.leaf), 1))
        painter.setBrush(colour(colours.error_ground if error else colours.leaf_ground))
        painter.drawRoundedRect(flag, 8, 8)
        painter.setFont(face)
        painter.setPen(colour(colours.error if error else colours.leaf))
        painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, text)

    def _under(self, at: QPointF) -> str | None:
        """The box at a point, or that which the answer there leads to."""
        for key, box in self._plan.boxes.items():
            if box.contains(at):
                return key
        for key, centre in self._plan.answers.items():
            if abs(at.x() - centre.x()) < 60 and abs(at.y() - centre.y()) < ANSWER / 2 + 2:
                return key
        return None

    def _below(self) -> str:
        """The first answer's, or the one that leads to where the call stands."""
        if self.at in ENDS:
            return self.at
        answers = [answer.to for answer in QUESTIONS[self.at].answers]
        way = path_to(self.here) if self.here else ()
        return next((key for key in answers if key in way), answers[0])

    def _beside(self, by: int) -> str:
        """The neighbour below the same question, else in the same row."""
        level = len(path_to(self.at))
        row = sorted(
            (key for key in self._plan.boxes if len(path_to(key)) == level),
            key=lambda key: self._plan.boxes[key].left(),
        )
        return row[min(max(row.index(self.at) + by, 0), len(row) - 1)]

    def _describe(self) -> None:
        said = [self.text(key) for key in path_to(self.at)]
        self.setAccessibleName(_("Decision path"))
        self.setAccessibleDescription(" → ".join(said))


def _inks(key: str, colours: Palette) -> tuple[str, str]:
    """Outline and ground of a box."""
    if key in QUESTIONS:
        return colours.ink, colours.node
    match ENDS[key].does:
        case "reduction":
            return colours.reduction, colours.reduction_ground
        case "seed":
            return colours.seed, colours.seed_ground
        case "plain":
            return colours.leaf, colours.leaf_ground
    return colours.ink, colours.zero
