"""The panels along the bottom: one at a time, as high as the user left them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gradviz.ui.docking.docks import Docks
from tests.ui.conftest import App


class Told(QWidget):
    """A panel that notes what it is told."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def retranslate(self) -> None:
        self.heard.append("retranslate")

    def forget(self) -> None:
        self.heard.append("forget")

    def close_down(self) -> None:
        self.heard.append("close_down")


def added(app: App, *keys: str) -> tuple[Docks, list[Told]]:
    panels = [Told() for _key in keys]
    for key, panel in zip(keys, panels, strict=True):
        app.window.docks.add(key, panel)
    return app.window.docks, panels


def test_one_panel_is_seen_at_a_time(app: App) -> None:
    docks, (one, other) = added(app, "one", "other")
    assert not docks.shown("one")
    docks.toggle("one")
    assert (one.isVisible(), docks.shown("one"), docks.shown("other")) == (True, True, False)
    docks.toggle("other")
    assert (one.isVisible(), other.isVisible()) == (False, True)
    docks.show("one", on=False)  # it is not the one that is seen
    assert other.isVisible()
    other.closed.emit()
    assert not docks.dock.isVisible()


def test_panels_hear_of_the_language_another_document_and_the_end(app: App) -> None:
    docks, (one,) = added(app, "one")
    app.window.commands.set_language("zh")
    app.open("example:sum")
    docks.close_down()
    assert one.heard == ["retranslate", "forget", "close_down"]


def test_the_height_is_kept_for_the_next_start(app: App) -> None:
    docks, _panels = added(app, "one")
    assert docks.height == 0
    docks.show("one")
    app.window.resizeDocks([docks.dock], [233], Qt.Orientation.Vertical)
    app.qtbot.waitUntil(lambda: docks.height == 233)
    app.window.close()
    assert app.window.settings["dock"] == 233
