"""`Proofs`: on request, what speaks for the gradient at a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from gradviz.diagram import NodeId
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.ui.widgets.labels import Mono, named

if TYPE_CHECKING:
    from gradviz.proofs import Report


class Check(Protocol):
    """Who checks, and what is known so far."""

    changed: SignalInstance
    problem: str
    progress: tuple[int, int]

    @property
    def report(self) -> Report | None: ...
    @property
    def busy(self) -> bool: ...
    @property
    def possible(self) -> bool: ...
    @property
    def index(self) -> int: ...
    def check(self) -> None: ...
    def cancel(self) -> None: ...
    def retranslate(self) -> None: ...


class Proofs(QWidget):
    """A button that checks every gradient, then what was found for the node that is shown."""

    checked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._check: Check | None = None
        self._key: NodeId | None = None
        self.button = QPushButton()
        self.button.setProperty("kind", "quiet")
        self.badge = Mono(TYPE.cell)
        self.badge.setWordWrap(True)
        self.verdict = named(QLabel(), "Soft")
        self.verdict.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.badge, self.verdict, self.button):
            column.addWidget(widget)
        self.button.clicked.connect(self._pressed)

    def attach(self, check: Check) -> None:
        """Ask this one, and tell what it finds."""
        self._check = check
        check.changed.connect(self._changed)
        self.retranslate()

    def retranslate(self) -> None:
        self.button.setToolTip(
            _("By finite differences, by the adjoint test, and against PyTorch where installed")
        )
        if self._check is not None:
            self._check.retranslate()
        self._tell()

    def show_node(self, key: NodeId | None) -> None:
        """Show what was found for a node."""
        self._key = key
        self._tell()

    def _pressed(self) -> None:
        if self._check is None:
            return
        if self._check.busy:
            self._check.cancel()
        else:
            self._check.check()

    def _changed(self) -> None:
        self._tell()
        if self._check is not None and self._check.report is not None:
            self.checked.emit()

    def _tell(self) -> None:
        check = self._check
        if check is None:
            return
        report = check.report
        self.button.setText(_("Cancel") if check.busy else _("Check the gradients"))
        self.button.setVisible(report is None)
        self.button.setEnabled(check.busy or check.possible)
        text, said = "", check.problem
        if report is not None:
            from gradviz.proofs.words import verdict

            text, said = _lines(report, check.index, self._key), verdict(report)
        elif check.busy:
            done, count = check.progress
            said = _("checking: {done} of {count}").format(done=done, count=count)
            said = said if count else _("checking …")
        for label, words in ((self.badge, text), (self.verdict, said)):
            label.setText(words)
            label.setVisible(bool(words))


def _lines(report: Report, index: int, key: NodeId | None) -> str:
    """A line for each test of the node's rule, or of the leaf's gradient in this pass."""
    from gradviz.proofs.words import told_lines

    found = [node.proofs for node in report.nodes if node.node == key]
    found += [leaf.proofs for leaf in report.leaves if (leaf.leaf, leaf.index) == (key, index)]
    return "\n".join(line for each in found for line in told_lines(each))
