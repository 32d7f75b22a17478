"""`CanvasView`: the stage with a pointer and a keyboard on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from gradviz.diagram import NodeId
from gradviz.figure import Box, Edge, Figure
from gradviz.language import _
from gradviz.ui.canvas import keys, words
from gradviz.ui.canvas.gestures import Mouse
from gradviz.ui.canvas.painter import Detail, Marks, detail_at
from gradviz.ui.canvas.spatial import Rows
from gradviz.ui.canvas.stage import Stage
from gradviz.ui.theme import ThemeSource

_REACH = 6.0  # px from the pointer to an edge that it means


class CanvasView(Stage):
    """Tells what the user does by signals and never changes the diagram.

    Signals: `picked` (ids of the selected nodes, a tuple), `edge_picked` (id), `activated` (id of a
    node that was double-clicked or entered), `moved` ({id: (x, y)}, once, when a drag ends),
    `menu_asked` (id of a node or None, global position), `space_tapped`.
    """

    picked = Signal(object)
    edge_picked = Signal(str)
    activated = Signal(str)
    moved = Signal(object)
    menu_asked = Signal(object, QPoint)
    space_tapped = Signal()

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        self._selected: tuple[NodeId, ...] = ()
        self._hovered: int | None = None
        self._by_keyboard = False
        self._describe_box: Callable[[Box], str] = words.box_tooltip
        self._describe_edge: Callable[[Edge], str] = words.edge_tooltip
        self._value_text: Callable[[Box], str] = words.value_text
        super().__init__(theme, parent)
        self._mouse = self._make_mouse()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName(_("Diagram"))

    def _make_mouse(self) -> Mouse:
        return Mouse(self)

    @property
    def selected(self) -> tuple[NodeId, ...]:
        return self._selected

    def marks(self) -> Marks:
        rows = [row for key in self._selected if (row := self.spatial.row.get(key)) is not None]
        focused = rows[-1] if rows and self._by_keyboard and self.hasFocus() else None
        return replace(
            super().marks(), selected=frozenset(rows), hovered=self._hovered, focused=focused
        )

    def show_figure(self, figure: Figure) -> None:
        """Show another figure; a drag that is going on ends without effect."""
        if self._mouse.gesture is not None and self.spatial.moved:
            self._mouse.cancel()
        if self._hovered is not None:  # its edges are drawn as those of no other box
            self._repaint_edges(self.spatial.edges_of([self._hovered]).tolist())
        self._hovered = None
        super().show_figure(figure)
        self.setAccessibleDescription(words.summary(figure))

    def read_rows(self) -> list[int]:
        """The rows of the boxes whose numbers are drawn where one looks now."""
        rows = self.spatial.boxes_in(self._area_of(QRectF(self.viewport().rect())))
        return [] if detail_at(self.zoom, len(rows)) is Detail.FAR else rows.tolist()

    @property
    def wheel_zooms(self) -> bool:
        """Whether the wheel zooms by itself."""
        return self._mouse.wheel_zooms

    def set_wheel_zooms(self, zooms: bool) -> None:
        """Whether a wheel zooms by itself and pans with Ctrl, instead of the other way round."""
        self._mouse.wheel_zooms = zooms

    def set_texts(
        self,
        *,
        box: Callable[[Box], str] | None = None,
        edge: Callable[[Edge], str] | None = None,
        value: Callable[[Box], str] | None = None,
    ) -> None:
        """Who writes the tooltips (rich text) and the value that Ctrl+C copies (plain)."""
        self._describe_box = box or self._describe_box
        self._describe_edge = edge or self._describe_edge
        self._value_text = value or self._value_text

    # Selecting

    def select(self, ids: Sequence[NodeId]) -> None:
        """Mark these nodes as selected, without a signal. Ids that are not shown are kept."""
        before, self._selected = self._selected, tuple(ids)
        if before != self._selected:
            self._repaint_boxes(self._rows_of({*before, *self._selected}))

    def pick(self, ids: Sequence[NodeId]) -> None:
        """Select as the user: `picked` follows."""
        self.select(ids)
        self.picked.emit(self._selected)

    def pick_at(self, at: QPointF, *, adding: bool = False) -> bool:
        """Select the node under a point of the viewport; False where there is none."""
        self._by_keyboard = False
        key = self.node_at(at)
        if key is None:
            return False
        if adding:
            others = tuple(other for other in self._selected if other != key)
            self.pick(others if key in self._selected else (*others, key))
        elif key not in self._selected:
            self.pick((key,))
        return True

    def pick_edge_at(self, at: QPointF) -> bool:
        """Tell of a click on an edge; False where there is none."""
        edge = self._edge_at(at)
        if edge is not None:
            self.edge_picked.emit(edge.id)
        return edge is not None

    def walk_to(self, key: NodeId, *, adding: bool = False) -> None:
        """Select a node by the keyboard, to the others with `adding`, and bring it into view."""
        self._by_keyboard = True
        others = tuple(other for other in self._selected if other != key) if adding else ()
        self.pick((*others, key))
        self.reveal(key)

    def node_at(self, at: QPointF) -> NodeId | None:
        """The node under a point of the viewport."""
        box = self._box_at(at)
        return None if box is None else box.id

    def ids_in(self, rect: QRect) -> tuple[NodeId, ...]:
        """The nodes that a rectangle of the viewport touches."""
        rows = self.spatial.boxes_in(self._area_of(QRectF(rect)))
        return tuple(self.figure.boxes[row].id for row in rows.tolist())

    def copy_value(self) -> None:
        """Put the value of the node selected last on the clipboard."""
        rows = self._rows_of(self._selected[-1:])
        if rows:
            QGuiApplication.clipboard().setText(self._value_text(self.figure.boxes[rows[0]]))

    def ask_menu(self, at: QPointF) -> None:
        """Tell that the menu of what is under a point is wanted."""
        key = self.node_at(at)
        if key is not None and key not in self._selected:
            self.pick((key,))
        self.menu_asked.emit(key, self.viewport().mapToGlobal(at.toPoint()))

    def hover(self, at: QPointF | None) -> None:
        """Light the edges of the node under a point."""
        point = None if at is None else self._camera.scene_at(at)
        row = None if point is None else self.spatial.box_at(point.x(), point.y())
        if row != self._hovered:
            touched = [one for one in (self._hovered, row) if one is not None]
            self._hovered = row
            self._repaint_edges(self.spatial.edges_of(touched).tolist())

    def _rows_of(self, ids: Iterable[NodeId]) -> list[int]:
        return [row for key in ids if (row := self.spatial.row.get(key)) is not None]

    def _box_at(self, at: QPointF) -> Box | None:
        point = self._camera.scene_at(at)
        row = self.spatial.box_at(point.x(), point.y())
        return None if row is None else self.figure.boxes[row]

    def _edge_at(self, at: QPointF) -> Edge | None:
        point = self._camera.scene_at(at)
        row = self.spatial.edge_at(point.x(), point.y(), _REACH / self.zoom)
        return None if row is None else self.figure.edges[row]

    # Dragging

    def shift_selected(self, dx: float, dy: float) -> None:
        """Move the selected boxes on screen, in scene px; seeds go with their targets."""
        rows = self._dragged()
        if len(rows):
            self._repaint_moving(rows)
            self.spatial.move(rows, dx, dy)
            self._repaint_moving(rows)

    def tell_moved(self) -> None:
        """Tell where the dragged boxes are now."""
        self.moved.emit(
            {
                self.figure.boxes[row].id: tuple(self.spatial.rects[row, :2].tolist())
                for row in self._dragged().tolist()
                if self.figure.boxes[row].kind != "seed"
            }
        )

    def _dragged(self) -> Rows:
        keys = {*self._selected, *(f"seed:{key}" for key in self._selected)}
        return np.array(sorted(self._rows_of(keys)), np.intp)

    def _repaint_moving(self, rows: Rows) -> None:
        self._repaint_boxes(rows.tolist())
        self._repaint_edges(self.spatial.edges_of(rows.tolist()).tolist())

    # Qt's events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._mouse.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._mouse.release()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        key = self.node_at(event.position())
        if key is not None and event.button() == Qt.MouseButton.LeftButton:
            self.activated.emit(key)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._mouse.wheel(event)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not keys.press(self, self._mouse, event):
            super(Stage, self).keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not keys.release(self, self._mouse, event):
            super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        tabs = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._by_keyboard = event.reason() in tabs
        super().focusInEvent(event)
        self._repaint_boxes(self._rows_of(self._selected))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._mouse.space = False
        super().focusOutEvent(event)
        self._repaint_boxes(self._rows_of(self._selected))

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and keys.wanted(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and self._mouse.pinch(event):
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tooltip(event)
            return True
        if event.type() == QEvent.Type.Leave:
            self.hover(None)
        return super().viewportEvent(event)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        at = QPointF(event.pos())
        box = self._box_at(at)
        edge = self._edge_at(at) if box is None else None
        tip = self._describe_box(box) if box else self._describe_edge(edge) if edge else ""
        if tip:
            QToolTip.showText(event.globalPos(), tip, self.viewport())
        else:
            QToolTip.hideText()
