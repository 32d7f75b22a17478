"""What the mouse does: one class per gesture; Esc cancels the one that is going on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QRubberBand

if TYPE_CHECKING:
    from gradviz.ui.canvas.view import CanvasView

_NOTCH = 0.5  # px of pan for each unit of a wheel without a trackpad
_ADDING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class Gesture:
    """Something the pointer does from a press to a release. Positions are px of the viewport."""

    def __init__(self, view: CanvasView, at: QPointF) -> None:
        self.view, self.start, self.last = view, at, at
        self.begun = False

    def move(self, at: QPointF) -> None:
        """Follow the pointer; nothing begins before it has left the place of the press."""
        far = (at - self.start).manhattanLength() >= QApplication.startDragDistance()
        self.begun = self.begun or far
        if self.begun:
            self.step(at)
            self.last = at

    def step(self, at: QPointF) -> None:
        """The pointer went from `last` to a place."""

    def end(self) -> None:
        """The button was released where `last` is."""

    def cancel(self) -> None:
        """Leave everything as it was before."""


class Pan(Gesture):
    """Move the picture; a right click that moved nothing asks for the menu."""

    def __init__(self, view: CanvasView, at: QPointF, *, menu: bool = False) -> None:
        super().__init__(view, at)
        self._menu = menu
        if not menu:
            self.begun = True
            view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def step(self, at: QPointF) -> None:
        self.view.pan(at.x() - self.last.x(), at.y() - self.last.y())

    def end(self) -> None:
        self.view.viewport().unsetCursor()
        if self._menu and not self.begun:
            self.view.ask_menu(self.start)

    def cancel(self) -> None:
        self.view.viewport().unsetCursor()


class Drag(Gesture):
    """Move the selected boxes; the owner of the diagram hears of it once, at the end."""

    def __init__(self, view: CanvasView, at: QPointF) -> None:
        super().__init__(view, at)
        self._dx = self._dy = 0.0

    def step(self, at: QPointF) -> None:
        zoom = self.view.zoom
        dx, dy = (at.x() - self.start.x()) / zoom, (at.y() - self.start.y()) / zoom
        self.view.shift_selected(dx - self._dx, dy - self._dy)
        self._dx, self._dy = dx, dy

    def end(self) -> None:
        if self.begun and (self._dx or self._dy):
            self.view.tell_moved()

    def cancel(self) -> None:
        self.view.shift_selected(-self._dx, -self._dy)


class Band(Gesture):
    """Select what a rectangle touches; a click on nothing selects nothing."""

    def __init__(self, view: CanvasView, at: QPointF, *, adding: bool) -> None:
        super().__init__(view, at)
        self._kept = view.selected if adding else ()
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, view.viewport())

    def step(self, at: QPointF) -> None:
        self._band.setGeometry(QRect(self.start.toPoint(), at.toPoint()).normalized())
        self._band.show()

    def end(self) -> None:
        rect = self._band.geometry() if self.begun else QRect()
        self.cancel()
        found = self.view.ids_in(rect) if self.begun else ()
        self.view.pick((*self._kept, *(key for key in found if key not in self._kept)))

    def cancel(self) -> None:
        self._band.hide()
        self._band.deleteLater()


class Mouse:
    """Turns mouse, wheel and trackpad events into gestures of a view."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self.gesture: Gesture | None = None
        self.space = False  # held down: every drag pans
        self.panned = False  # since the space bar went down
        self.wheel_zooms = False

    def press(self, event: QMouseEvent) -> None:
        if self.gesture is not None:
            return
        at, button = event.position(), event.button()
        if button == Qt.MouseButton.MiddleButton or (
            self.space and button == Qt.MouseButton.LeftButton
        ):
            self.panned = True
            self.gesture = Pan(self._view, at)
        elif button == Qt.MouseButton.RightButton:
            self.gesture = Pan(self._view, at, menu=True)
        elif button == Qt.MouseButton.LeftButton:
            adding = bool(event.modifiers() & _ADDING)
            on_box = self._view.pick_at(at, adding=adding)
            if on_box:
                self.gesture = Drag(self._view, at)
            elif not self._view.pick_edge_at(at):
                self.gesture = Band(self._view, at, adding=adding)

    def move(self, event: QMouseEvent) -> None:
        if self.gesture is not None:
            self.gesture.move(event.position())
        elif not event.buttons():
            self._view.hover(event.position())

    def release(self) -> None:
        gesture, self.gesture = self.gesture, None
        if gesture is not None:
            gesture.end()

    def cancel(self) -> bool:
        """Stop the gesture that is going on, if one is."""
        gesture, self.gesture = self.gesture, None
        if gesture is not None:
            gesture.cancel()
        return gesture is not None

    def wheel(self, event: QWheelEvent) -> None:
        """Pan; zoom with Ctrl, or without where the user's setting says so. 0 means nothing."""
        pixels, angle = event.pixelDelta(), event.angleDelta()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control != (self.wheel_zooms and pixels.isNull()):
            units = angle.y() or 2 * pixels.y()
            if units:
                self._view.zoom_by(units, event.position())
            return
        dx, dy = (pixels.x(), pixels.y()) if not pixels.isNull() else _notches(angle)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not dx:
            dx, dy = dy, 0.0
        if dx or dy:
            self._view.pan(dx, dy)

    def pinch(self, event: QNativeGestureEvent) -> bool:
        """Zoom by two fingers on a trackpad."""
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self._view.zoom_to(self._view.zoom * (1.0 + event.value()), event.position())
        return True


def _notches(angle: QPoint) -> tuple[float, float]:
    return angle.x() * _NOTCH, angle.y() * _NOTCH
