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
        self.progress.setRange(0, 0)
        self.progress.setFixedWidth(120)
        self.progress.setTextVisible(False)
        self.cancel = QPushButton()
        self.cancel.setProperty("kind", "quiet")
        self.cancel.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for widget in (self.job, self.progress, self.cancel):
            self.addPermanentWidget(widget)
        self.cancel.clicked.connect(self.cancelled)
        self.messageChanged.connect(self._fit)
        self.retranslate()
        self.show_busy(False)

    def retranslate(self) -> None:
        self.job.setText(_("The script is running…"))
        self.cancel.setText(_("Cancel"))

    def say(self, text: str) -> None:
        self.showMessage(text, 6000)

    def show_busy(self, busy: bool) -> None:
        for widget in (self.job, self.progress, self.cancel):
            widget.setVisible(busy)
        self._busy = busy
        self._fit()

    def _fit(self) -> None:
        self.setVisible(self._busy or bool(self.currentMessage()))
