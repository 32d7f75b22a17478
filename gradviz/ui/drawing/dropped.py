"""`Dropped`: files of numbers that are dropped on the window become sources of the diagram."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QMenu

from gradviz.diagram import CONSTANT, LEAF, Array, Node, Point
from gradviz.edit import nodes
from gradviz.edit.importing import members, read
from gradviz.edit.names import free_name, leaf_name, name_problem, taken_names
from gradviz.edit.outcome import Refusal
from gradviz.language import _
from gradviz.look import NODE
from gradviz.ui.drawing.editing import Editing
from gradviz.ui.drawing.importer import Importer

if TYPE_CHECKING:
    from gradviz.ui.window import Window

_STEP = 130.0  # px from one new node down to the next


class Dropped:
    """Floating-point numbers become leaves, others constants, called as their files are.

    An NPZ with several arrays asks which is meant. Files are read beside the event loop.
    """

    def __init__(self, window: Window, editing: Editing, importer: Importer) -> None:
        self._window, self._editing, self._importer = window, editing, importer
        self.menu = QMenu(window)

    def take(self, paths: list[Path], at: QPoint) -> None:
        """Add what is in the files, from a point of the screen on."""
        canvas = self._window.stage.canvas
        if self._window.stage.pages.currentWidget() is self._window.stage.gallery:
            self._window.stage.leave_gallery()
        place = canvas.viewport().mapFromGlobal(at)
        if not canvas.viewport().rect().contains(place):
            place = canvas.viewport().rect().center()
        x, y = canvas.scene_point(QPointF(place))
        for number, path in enumerate(paths):
            corner = (x, y - NODE.header + number * _STEP)
            if path.suffix.lower() == ".npz":
                self._ask(path, corner, at)
            else:
                self._read(path, corner)

    def _ask(self, path: Path, corner: Point, at: QPoint) -> None:
        """Which arrays of an NPZ."""

        def found(names: tuple[str, ...] | Refusal) -> None:
            if isinstance(names, Refusal):
                self._editing.refused.emit(names)
            elif len(names) == 1:
                self._read(path, corner, names[0])
            else:
                self._offer(path, names, corner, at)

        self._window.files.aside.run(lambda: members(path), found)

    def _offer(self, path: Path, names: tuple[str, ...], corner: Point, at: QPoint) -> None:
        self.menu.clear()
        for name in names:
            action = self.menu.addAction(name)
            action.triggered.connect(lambda _on, name=name: self._read(path, corner, name))
        self.menu.addSeparator()
        every = self.menu.addAction(_("All {count} arrays").format(count=len(names)))

        def read_all(_on: bool) -> None:
            for number, name in enumerate(names):
                self._read(path, (corner[0], corner[1] + number * _STEP), name)

        every.triggered.connect(read_all)
        self.menu.popup(at)

    def _read(self, path: Path, corner: Point, member: str = "") -> None:
        def found(array: Array | Refusal) -> None:
            if isinstance(array, Refusal):
                self._editing.refused.emit(array)
            else:
                self._add(array, member or path.stem, path.name, corner)
                self._importer.adopt(path)

        self._window.files.aside.run(lambda: read(path, member), found)

    def _add(self, array: Array, stem: str, name: str, corner: Point) -> None:
        diagram = self._editing.diagram
        wanted = re.sub(r"\W+", "_", stem, flags=re.ASCII).strip("_")
        wanted = free_name(taken_names(diagram), wanted)
        if name_problem(diagram, wanted) is not None:
            wanted = leaf_name(diagram)
        op = LEAF if array.dtype.kind in "fc" else CONSTANT
        node = Node(wanted, op, name=wanted, data=array)
        made = nodes.add_source(diagram, node, at=corner)
        self._editing.make(_("Read {name}").format(name=name), made)
