"""`Remarks`: what is done with frames and notes on the canvas, as edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, QPoint, QPointF
from PySide6.QtGui import QActionGroup, QCursor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from gradviz.diagram import NodeId, Point
from gradviz.edit import frames
from gradviz.edit.outcome import Added
from gradviz.figure import FrameBox
from gradviz.language import N_, _
from gradviz.scene.framing import FRAME, frame_ground, frame_line
from gradviz.ui.canvas.annotated import AnnotatedCanvas
from gradviz.ui.drawing.editing import Editing
from gradviz.ui.theme import ThemeSource, colour

_NAMES = {
    "soft": N_("grey"),
    "selection": N_("blue"),
    "leaf": N_("teal"),
    "seed": N_("purple"),
    "reduction": N_("amber"),
}
_SWATCH = 14  # px


class Remarks(QObject):
    """Binds a canvas to the edits. `place` is where a note is wanted, where that is known."""

    def __init__(
        self, canvas: AnnotatedCanvas, editing: Editing, theme: ThemeSource, window: QWidget
    ) -> None:
        super().__init__(window)
        self._canvas, self._editing, self._theme = canvas, editing, theme
        self.place: Point | None = None
        self.menu = QMenu(window)
        canvas.set_writer(self._written, self._text)
        canvas.carried.connect(self._carried)
        canvas.joined.connect(self._joined)
        canvas.remark_menu_asked.connect(self._show_menu)

    def note(self) -> None:
        """Ask for a note at the pointer, or in the middle of the canvas."""
        self._canvas.write_note(self.place or self._pointed())

    def remove(self, key: str) -> None:
        """Take a frame or a note away, by its id in the figure; a frame's nodes stay."""
        diagram, kind, own = self._editing.diagram, *_parted(key)
        if kind == FRAME:
            self._editing.make(_("Remove the frame"), frames.remove_frame(diagram, own))
        else:
            self._editing.make(_("Remove the note"), frames.remove_note(diagram, own))

    def recolour(self, key: str, role: str) -> None:
        made = frames.change_frame(self._editing.diagram, _parted(key)[1], colour=role)
        self._editing.make(_("Colour of the frame"), made)

    def _text(self, key: str) -> str:
        own = _parted(key)[1]
        return next((note.text for note in self._editing.diagram.notes if note.id == own), "")

    def _written(self, key: str, text: str, at: Point) -> bool:
        """Take what was written; False where it cannot be taken."""
        diagram, kind, own = self._editing.diagram, *_parted(key)
        if kind == FRAME:
            made = frames.change_frame(diagram, own, title=text)
            return self._editing.make(_("Title of the frame"), made)
        if kind and not text:
            self.remove(key)
        if not text:
            return True
        if kind:
            return self._editing.make(_("Note"), frames.change_note(diagram, own, text=text))
        added = frames.add_note(diagram, text, at)
        return self._editing.make(_("Note"), added.diagram if isinstance(added, Added) else added)

    def _carried(self, key: str, by: Point) -> None:
        diagram, kind, own = self._editing.diagram, *_parted(key)
        box = self._canvas.remark(key)
        if kind == FRAME:
            made = frames.move_frame(diagram, own, by, self._editing.places())
            self._editing.make(_("Move the frame"), made)
        elif box is not None:
            moved = frames.change_note(diagram, own, at=(box.x + by[0], box.y + by[1]))
            self._editing.make(_("Move the note"), moved)

    def _joined(self, key: str, places: Mapping[NodeId, Point]) -> None:
        """Nodes were dragged into a frame."""
        diagram = self._editing.diagram
        moved = {one: at for one, at in places.items() if one in diagram.nodes}
        if not moved:  # what a pass adds is in no frame, and stands where it stood
            self._canvas.show_figure(self._canvas.figure)
            return
        placed = replace(diagram, positions={**diagram.positions, **moved})
        made = frames.join(placed, _parted(key)[1], moved)
        self._editing.make(_("Move into the frame"), made)

    def _show_menu(self, key: str, at: QPoint) -> None:
        self.menu.clear()
        found = self._canvas.remark(key)
        if isinstance(found, FrameBox):
            self.menu.addAction(_("Title…"), lambda: self._canvas.write(key))
            self._add_colours(found)
            self.menu.addSeparator()
            self.menu.addAction(_("Remove the frame"), lambda: self.remove(key))
        else:
            self.menu.addAction(_("Edit the note…"), lambda: self._canvas.write(key))
            self.menu.addSeparator()
            self.menu.addAction(_("Remove the note"), lambda: self.remove(key))
        self.menu.popup(at)

    def _add_colours(self, frame: FrameBox) -> None:
        colours = self.menu.addMenu(_("Colour"))
        group = QActionGroup(colours)
        for role, name in _NAMES.items():
            action = colours.addAction(self._swatch(role), _(name))
            action.setCheckable(True)
            action.setChecked(role == frame.colour)
            action.triggered.connect(lambda _on, role=role: self.recolour(frame.id, role))
            group.addAction(action)

    def _swatch(self, role: str) -> QIcon:
        picture = QPixmap(_SWATCH, _SWATCH)
        picture.fill(colour(frame_ground(self._theme.colours, role)))
        with QPainter(picture) as painter:
            painter.setPen(colour(frame_line(self._theme.colours, role)))
            painter.drawRect(0, 0, _SWATCH - 1, _SWATCH - 1)
        return QIcon(picture)

    def _pointed(self) -> Point:
        viewport = self._canvas.viewport()
        at = viewport.mapFromGlobal(QCursor.pos())
        if not viewport.rect().contains(at):
            at = viewport.rect().center()
        return self._canvas.scene_point(QPointF(at))


def _parted(key: str) -> tuple[str, str]:
    """What it is, and its own id, of an id of a figure; two empty ones of what is not there yet."""
    kind, colon, own = key.partition(":")
    return kind + colon, own
