"""The article's figures 0 to 4 and its section 4, each from a card in at most three clicks."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget

from gradviz.guide.decision import ENDS
from gradviz.ui.panels.guide.calls import CallsPage
from gradviz.ui.panels.guide.decision import DecisionPage
from gradviz.ui.panels.guide.mistakes import MistakesPage
from gradviz.ui.panels.guide.overview import OverviewPage
from gradviz.ui.panels.guide.vjp import VjpPage
from gradviz.ui.panels.twin_table import cells
from tests.ui.conftest import App

# A menu that pops up asks for the keyboard, and the platform without a screen has none.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ERROR = "grad can be implicitly created only for scalar outputs"


class Mouse:
    """A hand on the mouse that counts its clicks, and only clicks what is in sight."""

    def __init__(self, app: App) -> None:
        self.app, self.clicks = app, 0

    def card(self, name: str) -> None:
        """Open an example from the start page, where its card is seen without scrolling."""
        card = self.app.window.stage.gallery.cards[name]
        self.click(card, card.rect().center())

    def click(self, widget: QWidget, at: QPoint) -> None:
        assert widget.isVisible()
        assert widget.visibleRegion().contains(at)
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)
        self.clicks += 1
        self.app.settle()

    def menu(self, title: str, text: str) -> None:
        """Two clicks: one on a menu of the window, one on what is in it."""
        bar = self.app.window.menuBar()
        heading = next(each for each in bar.actions() if each.text() == title)
        self.click(bar, bar.actionGeometry(heading).center())
        menu = cast("QMenu", heading.menu())
        row = next(each for each in menu.actions() if each.text() == text)
        self.click(menu, menu.actionGeometry(row).center())

    def guide(self, text: str) -> object:
        """A page of the guide by the menu, with everything on it known."""
        self.menu("Help", text)
        guide = self.app.window.guide
        assert guide.shown
        assert guide.page is not None
        desk = guide.desk
        assert desk is not None
        self.app.qtbot.waitUntil(
            lambda: desk.subject is not None and not desk.errands.busy, timeout=20_000
        )
        return guide.page.pages[guide.page.name]

    def side_by_side(self) -> None:
        way = self.app.window.start_bar.way
        self.click(way, way.rects()[-1].center().toPoint())


@pytest.fixture
def mouse(app: App) -> Mouse:
    QTest.qWait(100)  # the screen of the tests is smaller and has its say first
    app.window.resize(1280, 800)
    assert app.window.stage.pages.currentWidget() is app.window.stage.gallery
    return Mouse(app)


def seen(app: App, *widgets: QWidget) -> None:
    """Wait until each is seen whole, in the window and in what scrolls."""
    app.qtbot.waitUntil(lambda: all(_within(each, each.parentWidget()) for each in widgets))


def _within(widget: QWidget, around: QWidget | None) -> bool:
    if around is None:
        return widget.isVisible()
    place = QRect(widget.mapTo(around, QPoint()), widget.size())
    return around.rect().contains(place) and _within(widget, around.parentWidget())


def test_figure_0_the_error_and_both_kinds_of_repair(app: App, mouse: Mouse) -> None:
    mouse.card("nonscalar")
    assert mouse.clicks == 1
    assert app.window.stage.banner.isVisible()
    assert app.window.player.run.error is not None
    page = cast("OverviewPage", mouse.guide("Guide"))
    assert mouse.clicks == 3
    assert ERROR in page.error.text()
    assert page.causes[0].text().startswith("y has the shape (2,): 2 numbers")
    assert [repair.code.toPlainText() for repair in page.repairs] == [
        "y.sum().backward()",
        "v = torch.ones_like(y)\ny.backward(gradient=v)",
    ]
    assert [repair.grads.rows[0][1].texts for repair in page.repairs] == [("7", "9"), ("7", "9")]
    seen(app, page.error, *page.causes, *page.repairs)


def test_figure_1_a_scalar_beside_seed_times_jacobian(app: App, mouse: Mouse) -> None:
    mouse.card("weighted")
    page = cast("VjpPage", mouse.guide("Scalar or not"))
    assert mouse.clicks == 3
    assert [each.texts for each in page.scalar.factors] == [("1",), ("7", "9"), ("7", "9")]
    assert [each.texts for each in page.vector.factors] == [
        ("1", "0.5"),
        ("7", "0", "0", "9"),
        ("7", "4.5"),
    ]
    seen(app, page.scalar, page.vector)


def test_figure_2_the_path_to_a_repair(app: App, mouse: Mouse) -> None:
    mouse.card("nonscalar")
    page = cast("DecisionPage", mouse.guide("Which way?"))
    assert mouse.clicks == 3
    assert page.tree.here == "aim"
    seen(app, page.tree, page.card)
    assert all(page.tree.rect().contains(page.tree.box(end).toAlignedRect()) for end in ENDS)


def test_figure_3_the_sum_that_is_added_and_the_seed_that_is_injected(
    app: App, mouse: Mouse
) -> None:
    mouse.card("nonscalar")
    mouse.side_by_side()
    assert mouse.clicks == 2
    twin = app.window.stage.twin
    left, right = twin.first.figure, twin.second.figure
    assert {box.kind for box in left.boxes} - {box.kind for box in right.boxes} == {"reduction"}
    assert {box.kind for box in right.boxes} - {box.kind for box in left.boxes} == {"seed"}
    seen(app, twin.first.viewport(), twin.second.viewport())


def test_section_4_as_measured_facts(app: App, mouse: Mouse) -> None:
    mouse.card("nonscalar")
    mouse.side_by_side()
    assert mouse.clicks == 2
    table, pair = app.window.stage.table, app.window.player.twin
    assert pair is not None
    numbers = cells(pair)
    assert numbers[0][1:6] == ["nodes", "edges", "steps", "saved", "gradient traffic"]
    assert [row[:6] for row in numbers[1:]] == [
        ["Σ y.sum().backward()", "6", "6", "5", "12 B", "44 B"],
        ["v y.backward(gradient=v)", "5", "5", "4", "12 B", "40 B"],
        ["difference", "-1", "-1", "-1", "0", "-4 B"],
    ]
    assert [row[7] for row in numbers[1:]] == ["[7, 9]", "[7, 9]", "0, bit for bit"]
    assert table.told[1:3] == ["how it begins", "used for"]
    seen(app, table, table.result, table.more)


def test_figure_4_the_three_mistakes(app: App, mouse: Mouse) -> None:
    mouse.card("nonscalar")
    page = cast("MistakesPage", mouse.guide("Mistakes"))
    assert mouse.clicks == 3
    wrong, right = page.cards["shape"]
    assert wrong.error.text().startswith("RuntimeError: Mismatch in shape")
    assert right.grads.text() == "x.grad = [7, 9]"
    seen(app, wrong, right)


def test_figure_4_which_call_for_which_need(app: App, mouse: Mouse) -> None:
    mouse.card("nonscalar")
    page = cast("CallsPage", mouse.guide("Which call?"))
    assert mouse.clicks == 3
    assert list(page.rows)[:2] == ["backward", "grad"]
    seen(app, *page.rows.values())
    assert page.card.grads.text() == "x.grad = [7, 4.5]"
    seen(app, page.card)
