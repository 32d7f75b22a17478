"""The whole picture beside the part that one looks at."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gradviz.figure import LegendEntry
from gradviz.ui.canvas.captions import legend_lines
from gradviz.ui.canvas.overview import Overview
from tests.ui.conftest import App

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def overview(app: App) -> Overview:
    app.window.inspector.hide()
    app.open("example:sum")
    canvas = app.window.stage.canvas
    canvas.resize(760, 600)
    canvas.fit()
    assert not canvas.overview.isVisible()  # all of it is in sight
    canvas.zoom_to(3.0)
    assert canvas.overview.isVisible()
    return canvas.overview


def centre(app: App) -> tuple[float, float]:
    """Where the middle of the view is in the picture, as shares of its width and height."""
    canvas = app.window.stage.canvas
    whole = canvas.extent()
    at = canvas.centre - whole.topLeft()
    return at.x() / whole.width(), at.y() / whole.height()


def test_a_click_goes_there_and_a_drag_takes_the_view_along(app: App, overview: Overview) -> None:
    start = QPoint(overview.width() // 4, overview.height() // 2)
    QTest.mouseClick(overview, LEFT, NONE, start)
    assert centre(app) == pytest.approx((0.25, 0.5), abs=0.04)
    end = QPoint(overview.width() * 3 // 4, overview.height() // 2)
    QTest.mousePress(overview, LEFT, NONE, start)
    QTest.mouseMove(overview, end)
    QTest.mouseRelease(overview, LEFT, NONE, end)
    assert centre(app) == pytest.approx((0.75, 0.5), abs=0.04)


def test_the_wheel_zooms_until_all_is_in_sight(app: App, overview: Overview) -> None:
    canvas = app.window.stage.canvas
    middle, before = canvas.centre, canvas.zoom
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    at = QPointF(5, 5)
    for turned in (120, -4000):
        event = QWheelEvent(at, at, QPoint(), QPoint(0, turned), none, NONE, phase, False)
        QApplication.sendEvent(overview, event)
        if turned > 0:
            assert canvas.zoom == pytest.approx(before * 1.0015**120)
            assert (canvas.centre - middle).manhattanLength() < 2
    assert not overview.isVisible()


def test_it_is_hidden_and_that_is_remembered(app: App, overview: Overview) -> None:
    action = app.window.action("overview")
    assert action.isChecked()
    action.trigger()
    assert not overview.isVisible()
    assert app.window.settings["overview"] is False
    app.window.stage.canvas.zoom_to(2.5)
    assert not overview.isVisible()
    action.trigger()
    assert overview.isVisible()
    assert action.isChecked()


def test_it_shows_the_picture_as_it_is_now(app: App, qtbot: QtBot, overview: Overview) -> None:
    canvas, colours = app.window.stage.canvas, app.window.theme.colours
    whole = canvas.extent()
    x, y, wide, high = canvas.spatial.rects[canvas.spatial.row["x"]].tolist()
    share = QRectF(x, y, wide, high).center() - whole.topLeft()

    def ink() -> QColor:
        canvas.go_to(QRectF(x, y, wide, high).center())  # what is in sight has no veil over it
        seen = overview.grab().toImage()
        pad = 6
        left = pad + share.x() / whole.width() * (overview.width() - 2 * pad)
        top = pad + share.y() / whole.height() * (overview.height() - 2 * pad)
        return seen.pixelColor(round(left), round(top))

    qtbot.waitUntil(lambda: ink() == QColor(colours.leaf_ground))
    app.window.commands.set_theme("dark")
    dark = app.window.theme.colours
    qtbot.waitUntil(lambda: ink() == QColor(dark.leaf_ground))


def test_there_is_none_of_nothing(app: App) -> None:
    app.window.action("new").trigger()
    app.settle()
    canvas = app.window.stage.canvas
    canvas.zoom_to(4.0)
    assert not canvas.overview.isVisible()


def test_the_last_line_of_the_legend_leaves_room_for_the_zoom() -> None:
    entries = tuple(LegendEntry(kind, word) for kind, word in (("leaf", "leaf"), ("op", "op")))
    roomy = legend_lines(entries, "colour: linear up to 9", 300.0)
    assert len(roomy) == 1
    tight = legend_lines(entries, "colour: linear up to 9", 300.0, 90.0)
    assert [[entry for _x, entry in line] for line in tight] == [
        list(entries),
        ["colour: linear up to 9"],
    ]
    assert tight[1][0][0] == 0.0
