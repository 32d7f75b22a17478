"""`Proofs`: on request, what speaks for the gradient at a node."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from gradviz.diagram import Diagram, NodeId
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.run import Run
from gradviz.ui.widgets.labels import Mono, named

if TYPE_CHECKING:
    from gradviz.proofs import Report

_LOOK_MS = 60  # between two looks at whether the check is done


class _Job:
    """A check under way on a thread of its own; `report` or `problem` ends it."""

    def __init__(self, diagram: Diagram, run: Run) -> None:
        self.diagram, self.run = diagram, run
        self.wanted = True
        self.report: Report | None = None
        self.problem = ""
        threading.Thread(target=self._work, name="prover", daemon=True).start()

    @property
    def done(self) -> bool:
        return self.report is not None or bool(self.problem)

    def _work(self) -> None:
        from gradviz.proofs import check

        try:
            self.report = check(self.diagram, self.run, go_on=lambda: self.wanted)
        except Exception as error:  # noqa: BLE001  said in the panel, whatever it is
            self.problem = f"{type(error).__name__}: {error}"


class Proofs(QWidget):
    """A button that checks every gradient, then what was found for the node that is shown."""

    checked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: _Job | None = None
        self._shown: tuple[Diagram, Run, int, NodeId | None] | None = None
        self.button = QPushButton()
        self.button.setProperty("kind", "quiet")
        self.badge = Mono(TYPE.cell)
        self.badge.setWordWrap(True)
        self.verdict = named(QLabel(), "Soft")
        self.verdict.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.button, self.badge, self.verdict):
            column.addWidget(widget)
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._finish)
        self.button.clicked.connect(self.check)
        self.retranslate()

    def retranslate(self) -> None:
        self.button.setText(_("Check the gradients"))
        self.button.setToolTip(
            _("By finite differences, by the adjoint test, and against PyTorch where installed")
        )
        self._tell()

    def show_node(self, diagram: Diagram, run: Run, index: int, key: NodeId | None) -> None:
        """Show what was found for a node of this run; a check of another run is forgotten."""
        job = self._job
        if job is not None and (job.diagram is not diagram or job.run is not run):
            job.wanted = False
            self._job = None
            self._look.stop()
        self._shown = (diagram, run, index, key)
        self._tell()

    def check(self) -> None:
        """Begin a check of everything in the run shown."""
        if self._shown is None or self._job is not None:
            return
        diagram, run, _index, _key = self._shown
        self._job = _Job(diagram, run)
        self._look.start()
        self._tell()

    def _finish(self) -> None:
        if self._job is not None and self._job.done:
            self._look.stop()
            self._tell()
            self.checked.emit()

    def _tell(self) -> None:
        job = self._job
        self.button.setEnabled(job is None)
        self.button.setVisible(job is None or not job.done)
        self.badge.hide()
        self.verdict.setVisible(job is not None)
        if job is None:
            return
        if job.report is None:
            self.verdict.setText(job.problem or _("checking …"))
            return
        from gradviz.proofs.words import verdict

        text = self._badge(job.report)
        self.badge.setText(text)
        self.badge.setVisible(bool(text))
        self.verdict.setText(verdict(job.report))

    def _badge(self, report: Report) -> str:
        """A line for each test of the node's rule, or of the leaf's gradient in this pass."""
        from gradviz.proofs.words import kind_words, told

        if self._shown is None:
            return ""
        _diagram, _run, index, key = self._shown
        found = [node.proofs for node in report.nodes if node.node == key]
        found += [leaf.proofs for leaf in report.leaves if (leaf.leaf, leaf.index) == (key, index)]
        words = kind_words()
        return "\n".join(f"{words[proof.kind]}: {told(proof)}" for each in found for proof in each)
