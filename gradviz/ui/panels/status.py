"""`Status`: one line of result, and the job in the background with its Cancel."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QStatusBar

from gradviz.language import _


class Status(QStatusBar):
    """Shows itself only while there is something to say, so the picture keeps the room."""

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.job = QLabel()
        self.progress = QProgressBar()
        self.progress.setFixedWidth(120)
        self.progress.setTextVisible(False)
        self.cancel = QPushButton()
        self.cancel.setProperty("kind", "quiet")
        self.cancel.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for widget in (self.job, self.progress, self.cancel):
            self.addPermanentWidget(widget)
        self.cancel.clicked.connect(self.cancelled)
        self.messageChanged.connect(self._fit)
        self._busy = False
        self._check: tuple[int, int] | None = None
        self.retranslate()

    def retranslate(self) -> None:
        self.cancel.setText(_("Cancel"))
        self._tell()

    def say(self, text: str) -> None:
        self.showMessage(text, 6000)

    def show_busy(self, busy: bool) -> None:
        """Whether a script is running."""
        self._busy = busy
        self._tell()

    def show_check(self, done: int, count: int) -> None:
        """How far a check of the gradients is; a count of 0 is not known yet."""
        self._check = (done, count)
        self._tell()

    def hide_check(self) -> None:
        """The check is over."""
        self._check = None
        self._tell()

    def _tell(self) -> None:
        """The script comes first: nothing else is on screen before it."""
        running, check = self._busy, self._check
        done, count = (0, 0) if running or check is None else check
        self.job.setText(
            _("The script is running…") if running else _("The gradients are being checked…")
        )
        self.progress.setRange(0, count)
        self.progress.setValue(done)
        for widget in (self.job, self.progress, self.cancel):
            widget.setVisible(running or check is not None)
        self._fit()

    def _fit(self) -> None:
        shown = self._busy or self._check is not None
        self.setVisible(shown or bool(self.currentMessage()))
