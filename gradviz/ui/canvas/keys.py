"""What the keyboard does on the canvas: one table of keys, and walking along edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

if TYPE_CHECKING:
    from gradviz.ui.canvas.gestures import Mouse
    from gradviz.ui.canvas.view import CanvasView

_NONE, _CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_NOTCH = 240.0  # wheel units for one press of plus or minus


def _frame(view: CanvasView) -> None:
    view.frame(view.selected or [box.id for box in view.figure.boxes])


def _zoom(units: float) -> Callable[[CanvasView], None]:
    def act(view: CanvasView) -> None:
        centre = view.viewport().rect().center()
        view.zoom_by(units, QPointF(centre))

    return act


def _walk(key: Qt.Key, *, adding: bool = False) -> Callable[[CanvasView], None]:
    def act(view: CanvasView) -> None:
        row = view.spatial.row.get(view.selected[-1]) if view.selected else None
        if row is None:
            found = _first(view)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            forward = key == Qt.Key.Key_Right
            found = next(iter(view.spatial.beside(row, forward=forward)), None)
        else:
            found = view.spatial.above(row, up=key == Qt.Key.Key_Up)
        if found is not None:
            view.walk_to(view.figure.boxes[found].id, adding=adding)

    return act


def _first(view: CanvasView) -> int | None:
    """Where walking begins: the node of this step, else the first one."""
    boxes = view.figure.boxes
    return next(
        (row for row, box in enumerate(boxes) if box.state == "current"), 0 if boxes else None
    )


def _enter(view: CanvasView) -> None:
    if view.selected:
        view.activated.emit(view.selected[-1])


def _menu(view: CanvasView) -> None:
    row = view.spatial.row.get(view.selected[-1]) if view.selected else None
    if row is None:
        view.ask_menu(QPointF(view.viewport().rect().center()))
        return
    x, y, width, height = view.spatial.rects[row].tolist()
    view.ask_menu(view.viewportTransform().map(QPointF(x + width / 2, y + height / 2)))


_ACTS: Mapping[tuple[Qt.Key, Qt.KeyboardModifier], Callable[[CanvasView], None]] = {
    (Qt.Key.Key_F, _NONE): _frame,
    (Qt.Key.Key_A, _NONE): lambda view: view.fit(),
    (Qt.Key.Key_Home, _NONE): lambda view: view.fit(),
    (Qt.Key.Key_0, _CONTROL): lambda view: view.zoom_to(1.0),
    (Qt.Key.Key_Plus, _CONTROL): _zoom(_NOTCH),
    (Qt.Key.Key_Equal, _CONTROL): _zoom(_NOTCH),
    (Qt.Key.Key_Minus, _CONTROL): _zoom(-_NOTCH),
    (Qt.Key.Key_Left, _NONE): _walk(Qt.Key.Key_Left),
    (Qt.Key.Key_Right, _NONE): _walk(Qt.Key.Key_Right),
    (Qt.Key.Key_Up, _NONE): _walk(Qt.Key.Key_Up),
    (Qt.Key.Key_Down, _NONE): _walk(Qt.Key.Key_Down),
    (Qt.Key.Key_Left, _SHIFT): _walk(Qt.Key.Key_Left, adding=True),
    (Qt.Key.Key_Right, _SHIFT): _walk(Qt.Key.Key_Right, adding=True),
    (Qt.Key.Key_Up, _SHIFT): _walk(Qt.Key.Key_Up, adding=True),
    (Qt.Key.Key_Down, _SHIFT): _walk(Qt.Key.Key_Down, adding=True),
    (Qt.Key.Key_Return, _NONE): _enter,
    (Qt.Key.Key_Enter, _NONE): _enter,
    (Qt.Key.Key_Menu, _NONE): _menu,
}


def wanted(event: QKeyEvent) -> bool:
    """Whether the canvas takes this key before any shortcut of the window does."""
    return _act(event) is not None or event.key() == Qt.Key.Key_Space


def press(view: CanvasView, mouse: Mouse, event: QKeyEvent) -> bool:
    """Do what the key stands for; False where it stands for nothing here."""
    if event.key() == Qt.Key.Key_Space and not event.modifiers():
        if not event.isAutoRepeat():
            mouse.space, mouse.panned = True, False
            view.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        return True
    if event.key() == Qt.Key.Key_Escape:
        if not mouse.cancel() and view.selected:
            view.pick(())
        return True
    act = _act(event)
    if act is not None:
        act(view)
    return act is not None


def release(view: CanvasView, mouse: Mouse, event: QKeyEvent) -> bool:
    """The end of holding the space bar down: a tap, if nothing was panned meanwhile."""
    if event.key() != Qt.Key.Key_Space or event.isAutoRepeat() or not mouse.space:
        return False
    mouse.space = False
    view.viewport().unsetCursor()
    if not mouse.panned:
        view.space_tapped.emit()
    return True


def _act(event: QKeyEvent) -> Callable[[CanvasView], None] | None:
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if event.key() == Qt.Key.Key_Plus:
        modifiers &= ~Qt.KeyboardModifier.ShiftModifier
    return _ACTS.get((Qt.Key(event.key()), modifiers))
