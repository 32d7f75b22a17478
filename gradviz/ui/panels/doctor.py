"""`DoctorPanel`: what the doctor found, why it is so, and each repair with what it would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gradviz.language import _
from gradviz.ui.running.doctoring import Doctoring, Examined
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.findings import Findings, WrappedList, calm, counted
from gradviz.ui.widgets.labels import Heading, named
from gradviz.ui.widgets.repair_preview import RepairPreview

if TYPE_CHECKING:
    from gradviz.doctor.finding import Finding, Repair

STARTS = ("nonscalar", "device-losses", "seed-shape", "seed-type")  # the guide is about these
_LIST, _WAYS = 290, 310  # px


class DoctorPanel(QWidget):
    """Shows one examination. A click on a finding is `picked`; `applied` asks for its repair."""

    closed = Signal()
    picked = Signal(object)  # a Finding
    applied = Signal(object)  # a Repair
    guide_asked = Signal()
    rest_asked = Signal()  # to try the repairs that were not
    seen = Signal(bool)

    def __init__(self, doctoring: Doctoring, theme: ThemeSource) -> None:
        super().__init__()
        self.setObjectName("DoctorPane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._doctoring, self._theme = doctoring, theme
        self._shown: Examined | None = None
        self._chosen = ("", 0)  # kind and line of the finding on screen
        self._filling = self._written = False
        self.heading = Heading()
        self.heading.setContentsMargins(16, 0, 8, 0)
        self.summary = named(QLabel(), "Soft")
        self.job = named(QLabel(), "Soft")
        self.progress = QProgressBar()
        self.progress.setRange(0, 0)
        self.progress.setFixedWidth(96)
        self.progress.setTextVisible(False)
        self.stop, self.rest, self.guide, self.close_button = (QPushButton() for _n in range(4))
        self.calm = named(QLabel(), "Soft")
        self.calm.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.calm.setWordWrap(True)
        self.findings, self.repairs = Findings(theme), WrappedList()
        self.why, self.none, self.label = QLabel(), named(QLabel(), "Soft"), QLabel()
        self.apply = QPushButton()
        self.preview = RepairPreview(theme)
        self.pages = QStackedWidget()
        self._lay_out()
        self._connect()
        self.retranslate()

    @property
    def finding(self) -> Finding | None:
        """The one on screen."""
        found = self._shown.findings if self._shown is not None else ()
        row = self.findings.currentRow()
        return found[row] if 0 <= row < len(found) else None

    @property
    def repair(self) -> Repair | None:
        """The one that is previewed."""
        finding, row = self.finding, self.repairs.currentRow()
        repairs = finding.repairs if finding is not None else ()
        return repairs[row] if 0 <= row < len(repairs) else None

    def retranslate(self) -> None:
        self.heading.setText(_("Doctor"))
        self.stop.setText(_("Stop"))
        self.rest.setText(_("Try the rest"))
        self.guide.setText(_("Which repair?"))
        self.guide.setToolTip(_("Find the way to start by answering questions"))
        self.close_button.setText("×")
        self.close_button.setToolTip(_("Close"))
        self.close_button.setAccessibleName(_("Close"))
        self.apply.setText(_("Apply"))
        self.apply.setToolTip(_("Change the script so; it can be undone"))
        self.findings.setAccessibleName(_("Findings"))
        self.repairs.setAccessibleName(_("Repairs"))
        self.preview.retranslate()
        self._fill()
        self.show_job()

    def show_examined(self, examined: Examined | None, *, written: bool = True) -> None:
        """Show what was found; None where there is nothing to look at, or not yet."""
        self._shown, self._written = examined, written
        self._fill()
        self.show_job()

    def show_job(self, trials: int = 0) -> None:
        """Whether the doctor is at work, and on which repaired script."""
        busy = self._doctoring.busy
        for widget in (self.job, self.progress, self.stop):
            widget.setVisible(busy)
        self.rest.setVisible(not busy and self._shown is not None and self._shown.stopped)
        said = _("trying repair {number}…").format(number=trials)
        self.job.setText(said if trials else _("looking at the script…"))
        self.apply.setEnabled(not busy)
        self.none.setText(self._unhelped())
        if busy and self._shown is None:
            self._say(_("The doctor is looking at the script…"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.seen.emit(False)

    def _unhelped(self) -> str:
        """Why there is no repair on screen."""
        if self._doctoring.busy:
            return _("Repairs are being tried…")
        if self._shown is not None and self._shown.stopped:
            return _("No repair has been tried yet.")
        return _("The doctor knows no repair that helps here.")

    def forget(self) -> None:
        """Another document comes."""
        self._chosen = ("", 0)
        self.show_examined(None, written=False)

    def close_down(self) -> None:
        """Give up what is under way, for good."""
        self._doctoring.close()

    def _fill(self) -> None:
        shown = self._shown
        self.summary.setText("" if shown is None else counted(shown))
        if shown is None:
            waiting = _("The doctor looks at the script when it has run.")
            nothing = _("Open or write a script, and the doctor looks at it.")
            self._say(waiting if self._written else nothing)
            return
        if not shown.findings:
            self._say(calm(shown))
            return
        places = [(finding.kind, finding.line or 0) for finding in shown.findings]
        row = places.index(self._chosen) if self._chosen in places else 0
        self._filling = True
        self.findings.show_findings(shown.findings, row)
        self._filling = False
        self.pages.setCurrentIndex(1)
        self._show_finding()

    def _say(self, text: str) -> None:
        self.calm.setText(text)
        self.guide.hide()
        self.pages.setCurrentIndex(0)

    def _show_finding(self) -> None:
        finding = self.finding
        if finding is None:
            return
        self._chosen = (finding.kind, finding.line or 0)
        self.guide.setVisible(finding.kind in STARTS)
        self.why.setText(finding.why)
        self.repairs.clear()
        self.repairs.addItems([_upper(repair.label) for repair in finding.repairs])
        self.repairs.fit()
        self.repairs.setCurrentRow(0)
        helped = bool(finding.repairs)
        for widget in (self.repairs, self.label, self.apply, self.preview):
            widget.setVisible(helped)
        self.none.setVisible(not helped and finding.severity != "note")
        self._show_repair()

    def _row_changed(self) -> None:
        """Another finding was chosen, by a click or by the keyboard."""
        if not self._filling:
            self._show_finding()
            self._click()

    def _show_repair(self) -> None:
        repair, shown = self.repair, self._shown
        if repair is not None and shown is not None:
            self.label.setText(_upper(repair.label))
            self.preview.show_repair(repair, shown.patient.source, shown.grads)

    def _click(self) -> None:
        if self.finding is not None:
            self.picked.emit(self.finding)

    def _apply(self) -> None:
        if self.repair is not None:
            self.applied.emit(self.repair)

    def _connect(self) -> None:
        self.findings.currentRowChanged.connect(self._row_changed)
        self.findings.itemClicked.connect(self._click)
        self.repairs.currentRowChanged.connect(self._show_repair)
        self.repairs.itemActivated.connect(self._apply)
        self.apply.clicked.connect(self._apply)
        self.stop.clicked.connect(self._doctoring.stop)
        self.rest.clicked.connect(self.rest_asked)
        self.guide.clicked.connect(self.guide_asked)
        self.close_button.clicked.connect(self.closed)
        self._doctoring.told.connect(self.show_job)
        self._theme.changed.connect(self._fill)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(0, 4, 8, 0)
        head.setSpacing(8)
        head.addWidget(self.heading)
        head.addWidget(self.summary)
        head.addStretch(1)
        head.addWidget(self.job)
        head.addWidget(self.progress)
        for button in (self.stop, self.rest, self.guide, self.close_button):
            button.setProperty("kind", "quiet")
            head.addWidget(button)
        self.guide.hide()
        self.findings.setFixedWidth(_LIST)
        found = QWidget()
        body = QHBoxLayout(found)
        body.setContentsMargins(8, 4, 0, 0)
        body.setSpacing(8)
        body.addWidget(self.findings)
        body.addWidget(self._ways())
        body.addWidget(self._effect(), 1)
        self.pages.addWidget(self.calm)
        self.pages.addWidget(found)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addLayout(head)
        whole.addWidget(self.pages, 1)

    def _ways(self) -> QWidget:
        """Why it is so, and what may be done."""
        ways = QWidget()
        ways.setFixedWidth(_WAYS)
        column = QVBoxLayout(ways)
        column.setContentsMargins(8, 0, 8, 8)
        column.setSpacing(8)
        named(self.why, "Soft").setWordWrap(True)
        self.none.setWordWrap(True)
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(self.why)
        column.addWidget(self.none)
        column.addWidget(self.repairs, 1)
        column.addStretch(0)
        return ways

    def _effect(self) -> QWidget:
        """The chosen repair, its Apply and its preview."""
        right = QWidget()
        effect = QVBoxLayout(right)
        effect.setContentsMargins(8, 0, 16, 8)
        effect.setSpacing(8)
        top = QHBoxLayout()
        named(self.label, "CardTitle").setWordWrap(True)
        self.apply.setProperty("kind", "primary")
        top.addWidget(self.label, 1)
        top.addWidget(self.apply, 0, Qt.AlignmentFlag.AlignTop)
        effect.addLayout(top)
        effect.addWidget(self.preview, 1)
        return right


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
