"""The page "Which way?": the decision path, and what the place one stands at comes to."""

from __future__ import annotations

from functools import partial
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gradviz.diagram import BackwardCall
from gradviz.guide.decision import AGAIN, AGAIN_QUESTION, ENDS, QUESTIONS, Again, standing
from gradviz.guide.subject import Subject
from gradviz.guide.ways import Way, code, why
from gradviz.language import _
from gradviz.ui.panels.guide.desk import Desk
from gradviz.ui.panels.guide.parts import CodeView, Grads, about_text, scrolling
from gradviz.ui.panels.guide.tree import DecisionTree
from gradviz.ui.widgets.labels import named
from gradviz.ui.widgets.segmented import Segment, Segmented

_KINDS = {"reduction": "reduction", "seed": "seed"}


class WayCard(QFrame):
    """A question with its answers as buttons; or an end with its code and gradients, to be done."""

    def __init__(self, desk: Desk, tree: DecisionTree) -> None:
        super().__init__()
        self.setObjectName("GuideCard")
        self._desk, self._tree = desk, tree
        self._again: Again = "once"
        self.title, self.text = named(QLabel(), "NodeTitle"), named(QLabel(), "Soft")
        self.title.setWordWrap(True)
        self.text.setWordWrap(True)
        self.answers = [QPushButton() for _answer in range(3)]
        for at, button in enumerate(self.answers):
            button.clicked.connect(partial(self._answer, at))
        self.component_label, self.component = named(QLabel(), "Field"), QSpinBox()
        self.component.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.component.valueChanged.connect(self._component_changed)
        self.again_label, self.again = named(QLabel(), "Field"), Segmented(desk.theme, pad=10)
        self.again.activated.connect(self._again_chosen)
        self.do, self.copy = QPushButton(), QPushButton()
        self.do.clicked.connect(self.act)
        self.copy.clicked.connect(self._copy)
        self.code, self.grads = CodeView(desk.theme), Grads(desk.theme)
        self._lay_out()

    @property
    def way(self) -> Way | None:
        """The end that is shown; None at a question."""
        if self._tree.at not in ENDS:
            return None
        return Way(self._tree.at, self.component.value(), self._again)

    def follow(self, call: BackwardCall) -> None:
        """Begin with what becomes of the call's graph."""
        self._again = "create" if call.create_graph else "retain" if call.retain_graph else "once"

    def act(self) -> None:
        """Do what the end stands for."""
        about = self._desk.subject
        if self.way is None or about is None or not self.do.isEnabled():
            return
        if about.own:
            self._desk.way_asked.emit(self.way)
        else:
            self._desk.open_asked.emit("example:nonscalar")

    def sync(self) -> None:
        """Show the place where the tree stands."""
        about, way = self._desk.subject, self.way
        ends = (
            self.component_label, self.component, self.again_label, self.again, self.do,
            self.copy, self.code, self.grads,
        )  # fmt: skip
        for widget in ends:
            widget.setVisible(way is not None)
        if way is None or about is None:
            self._show_question()
            return
        for button in self.answers:
            button.hide()
        self._show_end(way, about)

    def _show_question(self) -> None:
        question = QUESTIONS.get(self._tree.at)
        self.title.setText(self._tree.text(self._tree.at))
        self.text.setText("")
        self.text.hide()
        answers = question.answers if question else ()
        for at, button in enumerate(self.answers):
            button.setVisible(at < len(answers))
            if at < len(answers):
                button.setText(_(answers[at].text))

    def _show_end(self, way: Way, about: Subject) -> None:
        end = ENDS[way.end]
        self.title.setText(_(end.title))
        self.text.setText(why(way, about))
        self.text.show()
        for widget in (self.component_label, self.component):
            widget.setVisible(way.end == "component")
        self.component.setRange(0, max(about.value.size - 1, 0))
        self.again.set_segments(
            *(Segment(key, _(text), "selection") for key, text in AGAIN.items())
        )
        self.again.set_on(way.again)
        self.do.setProperty("kind", _KINDS.get(end.does, "primary"))
        self.do.style().polish(self.do)
        words = _("Show the matrix") if end.does == "rows" else _("Start this way")
        self.do.setText(words if about.own else _("Open the example"))
        self.do.setEnabled(end.does != "plain" or about.scalar or not about.own)
        self.code.show_code(code(way, about))
        form = f"∂{about.name}/∂{{leaf}}" if end.does == "rows" else "{leaf}.grad"
        self.grads.show_outcome(self._desk.outcome(way), form=form)

    def retranslate(self) -> None:
        self.component_label.setText(_("component"))
        self.component.setAccessibleName(_("component"))
        self.again_label.setText(_(AGAIN_QUESTION))
        self.again.setAccessibleName(_(AGAIN_QUESTION))
        self.copy.setText(_("Copy the code"))
        self.code.setAccessibleName(_("Code"))

    def _lay_out(self) -> None:
        answers = QHBoxLayout()
        answers.setSpacing(8)
        for button in self.answers:
            answers.addWidget(button)
        answers.addStretch(1)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        head.addWidget(self.component_label)
        head.addWidget(self.component)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.do)
        buttons.addWidget(self.copy)
        buttons.addStretch(1)
        left = QVBoxLayout()
        left.setSpacing(6)
        left.addLayout(head)
        left.addWidget(self.text)
        left.addLayout(answers)
        left.addWidget(self.again_label)
        left.addWidget(self.again)
        left.addStretch(1)
        left.addLayout(buttons)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.code)
        right.addWidget(self.grads)
        right.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 16, 12)
        row.setSpacing(20)
        row.addLayout(left, 5)
        row.addLayout(right, 6)

    def _answer(self, at: int) -> None:
        self._tree.stand(QUESTIONS[self._tree.at].answers[at].to)
        self._tree.setFocus()

    def _again_chosen(self, key: str) -> None:
        self._again = cast("Again", key)
        self.sync()

    def _component_changed(self) -> None:
        if self.way is not None:
            self.sync()

    def _copy(self) -> None:
        QApplication.clipboard().setText(self.code.toPlainText() + "\n")


class DecisionPage(QWidget):
    """The path above, the place below."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._stood: object = None
        self._call: object = None
        self.about = named(QLabel(), "Soft")
        self.about.setWordWrap(True)
        self.tree = DecisionTree(desk.theme)
        self.card = WayCard(desk, self.tree)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 0, 24, 16)
        column.setSpacing(8)
        column.addWidget(self.about)
        column.addWidget(self.tree)
        column.addWidget(self.card)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        self.area = scrolling(inner)
        outer.addWidget(self.area)
        self.tree.walked.connect(self._walked)
        self.tree.chosen.connect(self._chosen)
        self.setFocusProxy(self.tree)

    def sync(self) -> None:
        about = self._desk.subject
        self.about.setText(about_text(about))
        if about is not None:
            here = standing(about)
            self.tree.show_call(about.name, here)
            if self._call is not about.call:
                self._call = about.call
                self.card.follow(about.call)
            if self._stood is not about.diagram.nodes:  # another output: begin where it stands
                self._stood = about.diagram.nodes
                self.tree.stand(here)
        self.card.sync()

    def retranslate(self) -> None:
        self.card.retranslate()
        self.sync()

    def _walked(self, key: str) -> None:
        self.card.sync()
        self.area.ensureWidgetVisible(self.card, 0, 16)

    def _chosen(self, key: str) -> None:
        if key in ENDS:
            self.card.act()
        else:
            self.tree.stand(QUESTIONS[key].answers[0].to)
