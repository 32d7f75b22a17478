"""The contribution on its way: a share of the edge that grows for a quarter of a second."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal

from gradviz.look import MOTION
from gradviz.ui.canvas.painter import AT_REST


class Pulse(QObject):
    """Runs from the sending node to the rest place, at once where motion is off."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.share = AT_REST
        self.motion = True
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(MOTION.slow)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(AT_REST)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._step)

    @property
    def running(self) -> bool:
        return self._animation.state() == QVariantAnimation.State.Running

    def start(self) -> None:
        self._animation.stop()
        if self.motion:
            self._step(0.0)  # Qt tells of the first value only when time has passed
            self._animation.start()
        else:
            self.rest()

    def rest(self) -> None:
        """Go to the rest place without moving there."""
        self._animation.stop()
        self._step(AT_REST)

    def _step(self, share: object) -> None:
        value = float(share) if isinstance(share, float) else AT_REST
        if value != self.share:
            self.share = value
            self.moved.emit()
