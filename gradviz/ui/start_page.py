"""`StartPage`: what the start page asks for: examples, files, a script, a drawing, the tour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from gradviz.ui.window import Window


class StartPage(QObject):
    """Of one window; it offers the tour until that was seen."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        gallery = window.stage.gallery
        gallery.offer_tour(not window.settings["toured"])
        gallery.opened.connect(window.commands.open_example)
        gallery.file_asked.connect(window.files.ask_open)
        gallery.blank_asked.connect(self._write)
        gallery.draw_asked.connect(self._draw)
        gallery.tour_asked.connect(window.tour.start)

    def _write(self) -> None:
        self._window.files.new()
        self._window.code.setFocus()

    def _draw(self) -> None:
        window = self._window
        window.files.new()
        window.stage.leave_gallery()
        window.stage.canvas.setFocus()
        window.hands.add()
