"""`Doctors`: the doctor in the window: when it looks, where its findings are shown and applied."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QPushButton

from gradviz.diagram import Diagram
from gradviz.language import _, ngettext
from gradviz.run import Run
from gradviz.ui.asking.preferences import limits_of
from gradviz.ui.panels.doctor import DoctorPanel
from gradviz.ui.running.doctoring import Doctoring, Examined, Patient

if TYPE_CHECKING:
    from gradviz.doctor.finding import Finding, Repair
    from gradviz.ui.running.work import Worker
    from gradviz.ui.window import Window

_PAUSE_MS = 300  # after a run, so that a script that is being typed is left alone
_REMEMBERED = 16  # examinations kept, so that undo shows its findings at once


class Doctors(QObject):
    """Looks at every run that stays on screen for a moment."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._known: deque[Examined] = deque(maxlen=_REMEMBERED)
        self._looked: Patient | None = None  # what was asked for last, or is shown
        self._shown: Examined | None = None
        self._limits = limits_of(window.settings)
        self.doctoring = Doctoring(self._hire, self)
        self.panel = DoctorPanel(self.doctoring, window.theme)
        self.count = QPushButton()
        self.count.setProperty("kind", "quiet")
        self.count.hide()
        window.docks.add("doctor", self.panel)
        window.code.head.addWidget(self.count)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._paused)
        window.player.moved.connect(self._moved)
        window.document.changed.connect(self._moved)
        window.files.opening.connect(self._forget)
        self.doctoring.examined.connect(self._examined)
        self.doctoring.begun.connect(self._begun)
        self.doctoring.failed.connect(window.status.say)
        self.count.clicked.connect(self.open)
        self.panel.picked.connect(self._pick)
        self.panel.applied.connect(self.apply)
        self.panel.guide_asked.connect(self._guide)
        self.panel.rest_asked.connect(self._look_on)
        banner = window.stage.banner
        banner.doctor_asked.connect(self.open)
        banner.applied.connect(self.apply)
        self.panel.seen.connect(banner.give_way)

    @property
    def busy(self) -> bool:
        """Whether it looks at something, or is about to."""
        return self._pause.isActive() or self.doctoring.busy

    def open(self) -> None:
        """Show the panel."""
        self._window.docks.show("doctor")

    def apply(self, repair: Repair) -> None:
        """Make the repair in the document, as one edit."""
        document, shown = self._window.document, self._shown
        now = document.diagram
        if shown is None or (now.source or "") != shown.patient.source:
            return
        if repair.diagram is None:
            document.edit(_("Repair"), replace(now, source=repair.source))
        elif now.nodes is shown.patient.diagram.nodes:
            document.edit(_("Repair"), replace(now, calls=repair.diagram.calls))

    def _hire(self) -> Worker:
        """Runs beside the event loop."""
        from gradviz.script.sandbox import Sandbox

        return Sandbox(self._limits)

    def _forget(self) -> None:
        self._give_up()
        self._known.clear()
        self._show(None)

    def _give_up(self) -> None:
        self._pause.stop()
        self._looked = None
        self.doctoring.cancel()
        self.panel.show_job()

    def _moved(self) -> None:
        """Another run is on screen, or the script is no longer the one that was run."""
        player, looked = self._window.player, self._looked
        if player.passing:  # many a second
            if looked is not None or self.busy:
                self._give_up()
            return
        if self._window.evaluator.busy:
            self._give_up()
            if self._shown is None:
                self._show(None)
            return
        if looked is not None and looked.shown is player.run:
            return
        self._give_up()
        known = next((each for each in self._known if each.patient.shown is player.run), None)
        if known is not None:
            self._looked = known.patient
            self._show(known)
        elif player.diagram.nodes or player.run.error is not None:
            self._pause.start()
        else:
            self._show(None)

    def look(self, *, thorough: bool = False) -> None:
        """Look at what is on screen without waiting any longer."""
        self._pause.stop()
        window = self._window
        if window.evaluator.busy:
            self._pause.start()
            return
        diagram, shown = window.player.diagram, window.player.run
        run, source = shown, window.document.diagram.source
        if diagram.source != source:  # which made no tensor
            diagram, run = Diagram(source=source), Run(console=shown.console, error=shown.error)
        filename = window.document.filename or "script.py"
        self._looked = Patient(diagram, run, shown, filename, window.live.own)
        self._limits = limits_of(window.settings)
        self.doctoring.limit(self._limits)
        self.doctoring.ask(self._looked, thorough=thorough)
        self.panel.show_job()

    def _paused(self) -> None:
        self.look()

    def _look_on(self) -> None:
        """Try every repair, however long it takes."""
        self.look(thorough=True)

    def _begun(self, examined: Examined) -> None:
        self.panel.show_examined(examined)

    def _examined(self, examined: Examined) -> None:
        if examined.patient is self._looked:
            self._known.append(examined)
            self._show(examined)

    def _show(self, examined: Examined | None) -> None:
        self._shown = examined
        written = bool(self._window.document.diagram.source)
        self.panel.show_examined(examined, written=written)
        self._window.stage.banner.show_examined(examined)
        found = () if examined is None else examined.findings
        risks = sum(finding.severity != "error" for finding in found)
        said = ngettext("{count} remark of the doctor", "{count} remarks of the doctor", risks)
        self.count.setText(said.format(count=risks))
        self.count.setToolTip("\n".join(f.sentence for f in found if f.severity != "error"))
        self.count.setVisible(risks > 0)

    def _guide(self) -> None:
        """Which start fits is found by answering questions."""
        self._window.guide.open("decision")

    def _pick(self, finding: Finding) -> None:
        """Go to the line of the finding, and mark its node."""
        window = self._window
        if finding.node is not None and finding.node in window.player.diagram.nodes:
            window.selection.select(finding.node)
        if finding.line is not None:
            window.code.go_to(finding.line)
