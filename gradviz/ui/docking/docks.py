"""`Docks`: panels along the bottom of the window, one seen at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from PySide6.QtCore import QObject, QSize, Qt, SignalInstance
from PySide6.QtWidgets import QDockWidget, QStackedWidget, QWidget

if TYPE_CHECKING:
    from gradviz.ui.window import Window

_HEIGHT = 280  # px until the user drew it otherwise


class Panel(Protocol):
    """A widget that can stand there."""

    closed: SignalInstance  # asks to be put away

    def retranslate(self) -> None: ...

    def forget(self) -> None:
        """Another document comes."""

    def close_down(self) -> None:
        """Give up what is under way, for good."""


class _Pages(QStackedWidget):
    """Needs the room of the panel that is seen, not of the largest."""

    def minimumSizeHint(self) -> QSize:
        seen = self.currentWidget()
        return super().minimumSizeHint() if seen is None else seen.minimumSizeHint()


class Docks(QObject):
    """One dock for all of them, not there until one is asked for; its height is remembered.

    A panel that is not seen is hidden, so that it need not work.
    """

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._panels: dict[str, QWidget] = {}
        self._placed = False
        self.pages = _Pages()
        self.dock = QDockWidget(window)
        self.dock.setObjectName("BottomDock")
        self.dock.setTitleBarWidget(QWidget())
        self.dock.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
        self.dock.setWidget(self.pages)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.dock)
        self.dock.hide()
        window.files.opening.connect(self._forget)

    def add(self, key: str, panel: QWidget) -> None:
        """Give a panel its place; `panel` is a `Panel` as well."""
        self._panels[key] = panel
        self.pages.addWidget(panel)
        cast("Panel", panel).closed.connect(self.close)

    def shown(self, key: str) -> bool:
        """Whether this panel is the one that is seen."""
        return not self.dock.isHidden() and self.pages.currentWidget() is self._panels[key]

    def show(self, key: str, *, on: bool = True) -> None:
        """Show this panel in place of another, or put it away."""
        if not on:
            if self.shown(key):
                self.close()
            return
        self.pages.setCurrentWidget(self._panels[key])
        self.dock.show()
        if not self._placed:
            self._placed = True
            height = self._window.settings["dock"] or _HEIGHT
            self._window.resizeDocks([self.dock], [height], Qt.Orientation.Vertical)
        self._window.sync_actions()

    def toggle(self, key: str) -> None:
        self.show(key, on=not self.shown(key))

    def close(self) -> None:
        """Put away the panel that is seen."""
        self.dock.hide()
        self._window.sync_actions()

    @property
    def height(self) -> int:
        """How high the user has it, in px; 0 where it never was shown."""
        return self.dock.height() if self._placed else 0

    def retranslate(self) -> None:
        for panel in self._panels.values():
            cast("Panel", panel).retranslate()

    def close_down(self) -> None:
        for panel in self._panels.values():
            cast("Panel", panel).close_down()

    def _forget(self) -> None:
        for panel in self._panels.values():
            cast("Panel", panel).forget()
