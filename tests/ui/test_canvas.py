"""The canvas: where things are, what the mouse and the keyboard do, and what is repainted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from gradviz.figure import Badge
from gradviz.look import DARK, LIGHT
from gradviz.ui.canvas import stage
from gradviz.ui.canvas.camera import MAX_ZOOM, MIN_ZOOM
from gradviz.ui.canvas.painter import AT_REST, Detail, detail_at
from gradviz.ui.canvas.view import CanvasView
from gradviz.ui.theme import ThemeSource
from tests.ui.drawn import figure


@pytest.fixture
def view(qtbot: QtBot) -> CanvasView:
    made = CanvasView(ThemeSource("light"))
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.set_motion(False)
    made.show()
    made.show_figure(figure())
    made.look_at(QPointF(314, 103), 1.0)
    return made


def _at(view: CanvasView, x: float, y: float) -> QPoint:
    return view.viewportTransform().map(QPointF(x, y)).toPoint()


def _wheel(view: CanvasView, at: QPoint, angle: QPoint, *, control: bool, pixels: QPoint) -> None:
    keys = Qt.KeyboardModifier
    event = QWheelEvent(
        QPointF(at),
        QPointF(view.viewport().mapToGlobal(at)),
        pixels,
        angle,
        Qt.MouseButton.NoButton,
        keys.ControlModifier if control else keys.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    view.wheelEvent(event)


def _drag(view: CanvasView, start: QPoint, end: QPoint, button: Qt.MouseButton) -> None:
    target = view.viewport()
    QTest.mousePress(target, button, pos=start)
    for share in (0.3, 0.7, 1.0):
        point = start + (end - start) * share
        QTest.mouseMove(target, point)
        QApplication.processEvents()
    QTest.mouseRelease(target, button, pos=end)


def test_a_fitted_picture_is_whole_and_stays_so_until_moved(view: CanvasView) -> None:
    view.fit()
    seen = view.viewportTransform().mapRect(view.extent())
    assert view.viewport().rect().contains(seen.toAlignedRect())
    view.resize(500, 400)
    seen = view.viewportTransform().mapRect(view.extent())
    assert view.viewport().rect().contains(seen.toAlignedRect())
    view.pan(10, 0)
    before = view.zoom
    view.resize(700, 500)
    assert view.zoom == before
    assert not view.fitted


def test_the_wheel_with_control_zooms_to_the_cursor(view: CanvasView) -> None:
    at = _at(view, 240, 120)
    for _ in range(5):
        _wheel(view, at, QPoint(0, 120), control=True, pixels=QPoint())
    assert view.zoom == pytest.approx(1.0015 ** (5 * 120))
    where = view.viewportTransform().map(QPointF(240, 120))
    assert abs(where.x() - at.x()) <= 1
    assert abs(where.y() - at.y()) <= 1


def test_the_zoom_stays_within_its_bounds(view: CanvasView) -> None:
    view.zoom_by(1e5, QPointF(300, 200))
    assert view.zoom == MAX_ZOOM
    view.zoom_by(-1e6, QPointF(300, 200))
    assert view.zoom == MIN_ZOOM


def test_the_wheel_pans_and_a_wheel_that_did_not_turn_does_nothing(view: CanvasView) -> None:
    before = view.centre
    _wheel(view, QPoint(9, 9), QPoint(0, -120), control=False, pixels=QPoint())
    assert view.centre.y() == pytest.approx(before.y() + 60)
    _wheel(view, QPoint(9, 9), QPoint(0, -120), control=False, pixels=QPoint(12, 0))
    assert view.centre.x() == pytest.approx(before.x() - 12)
    held = view.centre, view.zoom
    _wheel(view, QPoint(9, 9), QPoint(), control=False, pixels=QPoint())
    _wheel(view, QPoint(9, 9), QPoint(), control=True, pixels=QPoint())
    assert (view.centre, view.zoom) == held


def test_a_click_picks_what_is_under_it(view: CanvasView) -> None:
    picked: list[tuple[str, ...]] = []
    view.picked.connect(picked.append)
    target, left = view.viewport(), Qt.MouseButton.LeftButton
    QTest.mouseClick(target, left, pos=_at(view, 300, 150))
    QTest.mouseClick(target, left, Qt.KeyboardModifier.ControlModifier, _at(view, 500, 40))
    QTest.mouseClick(target, left, pos=_at(view, 100, 200))
    assert picked == [("b",), ("b", "c"), ()]


def test_a_click_on_an_edge_tells_which(view: CanvasView) -> None:
    told: list[str] = []
    view.edge_picked.connect(told.append)
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=_at(view, 314, 43) + QPoint(0, 3)
    )
    assert told == ["a-c"]


def test_a_band_selects_what_it_touches(view: CanvasView) -> None:
    _drag(view, _at(view, -20, -20), _at(view, 260, 150), Qt.MouseButton.LeftButton)
    assert view.selected == ("a", "b")


def test_a_drag_moves_a_node_and_its_edges_and_tells_once(view: CanvasView) -> None:
    told: list[dict[str, tuple[float, float]]] = []
    view.moved.connect(told.append)
    _drag(view, _at(view, 300, 150), _at(view, 330, 190), Qt.MouseButton.LeftButton)
    assert len(told) == 1
    assert told[0] == {"b": pytest.approx((270, 160))}
    assert view.node_at(QPointF(_at(view, 275, 165))) == "b"
    assert view.spatial.curves[0, 3].tolist() == pytest.approx([270, 203])
    assert view.spatial.curves[0, 0].tolist() == [148, 43]


def test_escape_takes_a_drag_back(view: CanvasView) -> None:
    told: list[object] = []
    view.moved.connect(told.append)
    start, target = _at(view, 300, 150), view.viewport()
    QTest.mousePress(target, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(target, start + QPoint(40, 40))
    QApplication.processEvents()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(target, Qt.MouseButton.LeftButton, pos=start + QPoint(40, 40))
    assert told == []
    assert view.spatial.rects[1, :2].tolist() == pytest.approx([240, 120])


@pytest.mark.parametrize("how", ["middle", "space"])
def test_middle_drag_and_space_drag_pan(view: CanvasView, how: str) -> None:
    before, taps = view.centre, []
    view.space_tapped.connect(lambda: taps.append(1))
    button = Qt.MouseButton.MiddleButton if how == "middle" else Qt.MouseButton.LeftButton
    if how == "space":
        QTest.keyPress(view, Qt.Key.Key_Space)
    _drag(view, _at(view, 300, 150), _at(view, 260, 130), button)
    if how == "space":
        QTest.keyRelease(view, Qt.Key.Key_Space)
    assert view.centre.x() == pytest.approx(before.x() + 40)
    assert view.centre.y() == pytest.approx(before.y() + 20)
    assert not taps
    assert view.selected == ()


def test_a_tap_on_space_is_told(view: CanvasView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.space_tapped):
        QTest.keyClick(view, Qt.Key.Key_Space)


def test_a_right_click_asks_for_a_menu_and_a_right_drag_pans(view: CanvasView) -> None:
    asked: list[object] = []
    view.menu_asked.connect(lambda key, at: asked.append(key))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=_at(view, 300, 150))
    assert (asked, view.selected) == (["b"], ("b",))
    _drag(view, _at(view, 100, 200), _at(view, 150, 240), Qt.MouseButton.RightButton)
    assert asked == ["b"]


def test_the_arrows_walk_along_edges(view: CanvasView) -> None:
    view.select(("b",))
    for key, expected in (
        (Qt.Key.Key_Left, "a"),
        (Qt.Key.Key_Right, "c"),  # the nearest in height of what reads "a"
        (Qt.Key.Key_Left, "a"),
    ):
        QTest.keyClick(view, key)
        assert view.selected == (expected,)


def test_walking_brings_the_node_into_view(view: CanvasView) -> None:
    view.look_at(QPointF(5000, 5000), 1.0)
    view.select(("b",))
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert view.viewport().rect().contains(_at(view, 74, 43))


def test_keys_frame_fit_and_show_one_to_one(view: CanvasView) -> None:
    view.select(("c",))
    QTest.keyClick(view, Qt.Key.Key_F)
    assert view.centre.x() == pytest.approx(554, abs=1)
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.fitted
    view.zoom_to(0.3)
    QTest.keyClick(view, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert view.zoom == 1.0


def test_a_value_is_copied(view: CanvasView) -> None:
    view.select(("b",))
    view.copy_value()
    assert QGuiApplication.clipboard().text() == "[2, 3]"


def test_a_double_click_on_nothing_does_nothing(view: CanvasView) -> None:
    before = view.centre, view.zoom
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=_at(view, 100, 200))
    assert (view.centre, view.zoom) == before


def test_the_tooltip_says_what_is_wrong(view: CanvasView, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, text, widget: told.append(text))
    at = _at(view, 500, 40)
    event = QHelpEvent(QEvent.Type.ToolTip, at, view.viewport().mapToGlobal(at))
    view.viewportEvent(event)
    assert told == ["<b>c</b> · add<br>value [2, 3]<br>it fails"]


def test_colours_are_the_tokens(view: CanvasView) -> None:
    image = view.grab().toImage()
    top = view.viewport().pos()

    def pixel(x: float, y: float) -> QColor:
        return image.pixelColor(_at(view, x, y) + top)

    assert pixel(74, 10) == QColor(LIGHT.leaf_ground)
    assert pixel(314, 198) == QColor(LIGHT.node)
    assert pixel(620, 4) == QColor(LIGHT.error)
    assert image.pixelColor(5, 5) == QColor(LIGHT.canvas)


def test_the_theme_changes_at_once(qtbot: QtBot) -> None:
    theme = ThemeSource("light")
    view = CanvasView(theme)
    qtbot.addWidget(view)
    view.resize(300, 200)
    theme.choose("dark")
    assert view.grab().toImage().pixelColor(160, 110) == QColor(DARK.canvas)


def test_where_only_a_state_changes_only_that_is_repainted(
    view: CanvasView, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = figure()
    view.show_figure(before)
    asked: list[QRect] = []
    monkeypatch.setattr(view, "_repaint", lambda area, reach: asked.append(area))
    spatial = view.spatial
    boxes = (before.boxes[0], replace(before.boxes[1], state="current"), before.boxes[2])
    view.show_figure(replace(before, boxes=boxes))
    assert view.spatial is spatial
    assert asked == [(240.0, 120.0, 388.0, 206.0)]


def test_the_pulse_moves_only_where_motion_is_on(view: CanvasView, qtbot: QtBot) -> None:
    view.show_figure(figure(current=True))
    assert view.marks().pulse == AT_REST
    view.show_figure(figure())
    view.set_motion(True)
    view.show_figure(figure(current=True))
    assert view.marks().pulse < AT_REST
    qtbot.waitUntil(lambda: view.marks().pulse == AT_REST, timeout=2000)


def test_the_picture_is_told_in_words(view: CanvasView) -> None:
    assert view.accessibleName()
    assert view.accessibleDescription() == "3 nodes, 3 edges. A sentence."


def test_a_figure_that_cannot_be_drawn_is_logged_once(
    view: CanvasView, caplog: pytest.LogCaptureFixture
) -> None:
    good = figure()
    broken = replace(good.boxes[0], state="current", rows=(None,))  # type: ignore[arg-type]
    view.show_figure(replace(good, boxes=(broken, *good.boxes[1:])))
    view.grab()
    view.grab()
    assert caplog.text.count("this figure cannot be drawn") == 1
    view.show_figure(good)
    assert not view.grab().isNull()


def test_detail_follows_the_zoom_and_the_number_of_boxes() -> None:
    assert detail_at(1.0, 5000) is Detail.NEAR
    assert detail_at(0.3, 40) is Detail.NEAR
    assert detail_at(0.3, 1000) is Detail.MID
    assert detail_at(0.1, 5000) is Detail.FAR


def test_badges_are_drawn_at_every_detail_and_repainted_alone(
    view: CanvasView, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = figure()
    marked = replace(before.boxes[1], badges=(Badge("Δ 3.5", "differs"),))
    after = replace(before, boxes=(before.boxes[0], marked, before.boxes[2]))
    view.show_figure(before)
    asked: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(view, "_repaint", lambda area, reach: asked.append(area))
        view.show_figure(after)
    assert asked == [(240.0, 120.0, 388.0, 206.0)]
    for zoom, detail in ((1.0, Detail.NEAR), (0.3, Detail.MID), (0.2, Detail.FAR)):
        monkeypatch.setattr(stage, "detail_at", lambda zoom, count, detail=detail: detail)
        view.look_at(QPointF(314, 160), zoom)
        image = view.grab().toImage()
        at = _at(view, 374, 214) + view.viewport().pos()
        assert image.pixelColor(at) == QColor(LIGHT.ink)


def test_a_fitted_picture_makes_room_for_badges(view: CanvasView) -> None:
    view.fit()
    plain, before = view.extent(), figure()
    marked = replace(before.boxes[1], badges=(Badge("=", "holds"),))
    view.show_figure(replace(before, boxes=(before.boxes[0], marked, before.boxes[2])))
    assert view.extent().bottom() == plain.bottom() + 11.5
    assert view.centre.y() == pytest.approx(view.extent().center().y(), abs=1.0)
    view.zoom_to(0.7)
    view.show_figure(before)
    assert view.zoom == pytest.approx(0.7)


def test_the_ring_of_a_selected_node_runs_under_its_badge(view: CanvasView) -> None:
    before = figure()
    marked = replace(before.boxes[1], badges=(Badge("   ", "differs"),))
    view.show_figure(replace(before, boxes=(before.boxes[0], marked, before.boxes[2])))
    view.pick(("b",))
    image = view.grab().toImage()
    pill = _at(view, 369, 210) + view.viewport().pos()
    beside = _at(view, 300, 210) + view.viewport().pos()
    assert image.pixelColor(pill) == QColor(LIGHT.ink)
    assert image.pixelColor(beside) not in (QColor(LIGHT.ink), QColor(LIGHT.canvas))


def test_all_details_draw_the_same_places(view: CanvasView) -> None:
    ground = QColor(LIGHT.canvas)
    for zoom in (1.0, 0.3, 0.1):
        view.look_at(QPointF(314, 103), zoom)
        image = view.grab().toImage()
        at = _at(view, 314, 190) + view.viewport().pos()
        assert image.pixelColor(at) != ground
        assert np.isclose(view.zoom, zoom)
