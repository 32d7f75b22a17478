"""`GuidePage`: the pages of the guide under their tabs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gradviz.guide.pages import TITLES
from gradviz.language import _
from gradviz.ui.panels.guide.calls import CallsPage
from gradviz.ui.panels.guide.decision import DecisionPage
from gradviz.ui.panels.guide.desk import Desk
from gradviz.ui.panels.guide.elsewhere import ElsewherePage
from gradviz.ui.panels.guide.mistakes import MistakesPage
from gradviz.ui.panels.guide.overview import OverviewPage
from gradviz.ui.panels.guide.vjp import VjpPage
from gradviz.ui.widgets.glyph_button import GlyphButton
from gradviz.ui.widgets.segmented import Segment, Segmented


class Page(Protocol):
    """One of them."""

    def sync(self) -> None: ...

    def retranslate(self) -> None: ...


_PAGES: Mapping[str, Callable[[Desk], QWidget]] = {
    "overview": OverviewPage,
    "decision": DecisionPage,
    "mistakes": MistakesPage,
    "calls": CallsPage,
    "elsewhere": ElsewherePage,
    "vjp": VjpPage,
}


class GuidePage(QWidget):
    """Only the page that is seen follows its subject. `back_asked` is for the picture."""

    back_asked = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setObjectName("Page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._desk = desk
        self.tabs = Segmented(desk.theme, pad=10)
        self.back = GlyphButton(desk.theme, "close")
        self.stack = QStackedWidget()
        self.pages: dict[str, QWidget] = {}  # those that have been turned to
        head = QHBoxLayout()
        head.setContentsMargins(24, 12, 24, 8)
        head.setSpacing(16)
        head.addWidget(self.tabs)
        head.addStretch(1)
        head.addWidget(self.back)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.stack, 1)
        self.tabs.activated.connect(self.turn)
        self.back.clicked.connect(self.back_asked)
        desk.changed.connect(self.sync)
        desk.turn_asked.connect(self.turn)
        self.retranslate()

    @property
    def name(self) -> str:
        """The page that is seen; "" before the first."""
        shown = self.stack.currentWidget()
        return next((name for name, page in self.pages.items() if page is shown), "")

    def turn(self, name: str) -> None:
        """Turn to a page."""
        if name not in self.pages:
            page = self.pages[name] = _PAGES[name](self._desk)
            cast("Page", page).retranslate()
            self.stack.addWidget(page)
        self.stack.setCurrentWidget(self.pages[name])
        self.tabs.set_on(name)
        self.sync()

    def sync(self) -> None:
        """Show the page that is seen as things are, where it is seen."""
        if self.isVisible() and self.name:
            cast("Page", self.pages[self.name]).sync()

    def retranslate(self) -> None:
        self.tabs.setAccessibleName(_("Guide"))
        self.tabs.set_segments(
            *(Segment(key, _(title), "selection") for key, title in TITLES.items())
        )
        self.back.describe(_("Back to the picture"))
        for page in self.pages.values():
            cast("Page", page).retranslate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.back_asked.emit()
        else:
            super().keyPressEvent(event)
