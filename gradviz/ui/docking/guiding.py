"""`Guide`: opens the guide in the window's stage and does what its pages ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gradviz.language import _
from gradviz.ui.running.work import Worker

if TYPE_CHECKING:
    from gradviz.guide.ways import Way
    from gradviz.ui.panels.guide.desk import Desk
    from gradviz.ui.panels.guide.page import GuidePage
    from gradviz.ui.running.errands import Errands
    from gradviz.ui.window import Window


class Guide(QObject):
    """Bound to one window. Its page and its sandbox are made when it is opened first."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._errands: Errands | None = None
        self.desk: Desk | None = None
        self.page: GuidePage | None = None
        self._seen: tuple[object, object, object] = (None, None, None)
        window.player.moved.connect(self._follow)
        window.stage.gallery.guide_asked.connect(self._asked)
        window.stage.pages.currentChanged.connect(self._turned)

    @property
    def shown(self) -> bool:
        return self.page is not None and self._window.stage.pages.currentWidget() is self.page

    def open(self, name: str = "overview") -> None:
        """Show a page of the guide, by a key of `gradviz.guide.pages.TITLES`."""
        page = self.page or self._make()
        self._window.stage.pages.setCurrentWidget(page)
        self._follow()
        page.turn(name)
        page.pages[name].setFocus()

    def leave(self) -> None:
        """Back to the picture, or to the start page where there is none."""
        if self.shown:
            self._window.stage.leave_gallery()
            self._window.sync_actions()

    def retranslate(self) -> None:
        if self._errands is not None and self.page is not None:
            self._errands.forget()  # sentences in results are in the other language
            self.page.retranslate()

    def close_down(self) -> None:
        """Give up what is under way, for good."""
        if self._errands is not None:
            self._errands.close()

    def _make(self) -> GuidePage:
        from gradviz.ui.panels.guide.desk import Desk
        from gradviz.ui.panels.guide.page import GuidePage
        from gradviz.ui.running.errands import Errands

        self._errands = Errands(_hire, self)
        desk = self.desk = Desk(self._errands, self._window.theme, self)
        page = self.page = GuidePage(desk)
        self._window.stage.pages.addWidget(page)
        page.back_asked.connect(self.leave)
        desk.open_asked.connect(self._window.files.open)
        desk.way_asked.connect(self._start)
        return page

    def _asked(self) -> None:
        self.open()

    def _turned(self) -> None:
        """The banner's repairs are the guide's too, so it gives way."""
        self._window.stage.banner.stand_back(self.shown)

    def _follow(self) -> None:
        """Speak about the output on screen."""
        if self.desk is None or not self.shown:
            return
        from gradviz.guide.subject import subject_of

        player = self._window.player
        seen = player.diagram, player.run, self._window.starting.made
        if all(a is b for a, b in zip(seen, self._seen, strict=True)):
            return  # only the position is another
        self._seen = seen
        call = self._window.starting.call
        self.desk.show(subject_of(player.diagram, player.run, call))

    def _start(self, way: Way) -> None:
        """Start the pass on screen this way, as one edit; a matrix is shown in its panel."""
        from gradviz.guide.subject import subject_of
        from gradviz.guide.ways import start_of

        window = self._window
        player, call = window.player, window.starting.call
        about = subject_of(player.diagram, player.run, call)
        if about is None or call is None:
            return
        if way.end in ("jacobian", "samples"):
            self.leave()
            window.docks.show("jacobian")
            return
        changed = replace(
            call,
            target=about.node,
            start=start_of(way, about),
            retain_graph=way.again == "retain",
            create_graph=way.again == "create",
            edited=True,
        )
        diagram, index = window.document.diagram, player.index
        calls = list(diagram.calls)
        calls[index : index + 1] = [changed]
        window.document.edit(_("Start"), replace(diagram, calls=tuple(calls)))


def _hire() -> Worker:
    from gradviz.script.sandbox import Sandbox

    return Sandbox()
