"""The guide in the window: walked by keys, doing what it says, following the diagram."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea

from gradviz import language
from gradviz.guide.decision import ENDS, QUESTIONS
from gradviz.guide.pages import TITLES
from gradviz.ui.panels.guide.calls import CallsPage
from gradviz.ui.panels.guide.decision import DecisionPage
from gradviz.ui.panels.guide.elsewhere import ElsewherePage
from gradviz.ui.panels.guide.mistakes import MistakesPage
from gradviz.ui.panels.guide.overview import OverviewPage
from gradviz.ui.panels.guide.page import GuidePage
from gradviz.ui.panels.guide.tree_plan import plan
from gradviz.ui.panels.guide.vjp import VjpPage
from tests.ui.conftest import App


def opened(app: App, name: str) -> GuidePage:
    """The guide at this page, with everything on it known."""
    app.window.guide.open(name)
    page = app.window.guide.page
    assert page is not None
    settle(app)
    return page


def settle(app: App) -> None:
    app.settle()
    desk = app.window.guide.desk
    assert desk is not None
    app.qtbot.waitUntil(lambda: desk.subject is not None, timeout=20_000)
    app.qtbot.waitUntil(lambda: not desk.errands.busy, timeout=20_000)


def decision(app: App) -> DecisionPage:
    return cast("DecisionPage", opened(app, "decision").pages["decision"])


def texts(page: DecisionPage) -> list[tuple[str, ...]]:
    return [cells.texts for _name, cells in page.card.grads.rows if cells.isVisible()]


def test_it_begins_where_the_script_stands(app: App) -> None:
    app.open("example:nonscalar")
    page = decision(app)
    assert (page.tree.here, page.tree.at) == ("aim", "aim")
    assert app.window.focusWidget() is page.tree
    assert page.card.way is None
    shown = [button.text() for button in page.card.answers if button.isVisible()]
    assert shown == ["yes, aggregate it", "no, keep its components"]


def test_the_path_is_walked_by_keys(app: App) -> None:
    app.open("example:nonscalar")
    page = decision(app)
    key = Qt.Key
    for pressed, at in (
        (key.Key_Down, "scale"),
        (key.Key_Right, "which"),
        (key.Key_Down, "component"),
        (key.Key_Right, "weights"),
        (key.Key_Right, "apart"),
        (key.Key_Down, "jacobian"),
        (key.Key_Right, "samples"),
        (key.Key_Up, "apart"),
        (key.Key_Home, "one"),
        (key.Key_Up, "one"),
    ):
        QTest.keyClick(page.tree, pressed)
        assert page.tree.at == at
    assert "How many numbers does y hold?" in page.tree.accessibleDescription()


def test_a_click_goes_there_and_the_numbers_come(app: App) -> None:
    app.open("example:nonscalar")
    page = decision(app)
    QTest.mouseClick(
        page.tree, Qt.MouseButton.LeftButton, pos=page.tree.box("component").center().toPoint()
    )
    assert page.tree.at == "component"
    page.card.component.setValue(1)
    settle(app)
    assert page.card.code.toPlainText() == (
        "v = torch.zeros_like(y)\nv[1] = 1.0\ny.backward(gradient=v)"
    )
    assert texts(page) == [("0", "9")]


def test_an_end_is_done_as_one_edit(app: App) -> None:
    app.open("example:nonscalar")
    page = decision(app)
    page.tree.stand("mean")
    page.card.again.activated.emit("retain")
    assert page.card.code.toPlainText() == "y.mean().backward(retain_graph=True)"
    QTest.keyClick(page.tree, Qt.Key.Key_Return)
    settle(app)
    call = app.window.document.diagram.calls[0]
    assert (call.start.reduction, call.retain_graph, call.edited) == ("mean", True, True)
    assert app.window.player.run.error is None
    assert app.window.guide.shown
    assert page.tree.here == "mean"
    app.window.document.history.undo()
    settle(app)
    assert app.window.document.diagram.calls[0].start.kind == "implicit"
    assert page.tree.here == "aim"


def test_the_code_is_copied(app: App) -> None:
    app.open("example:nonscalar")
    page = decision(app)
    page.tree.stand("sum")
    page.card.copy.click()
    assert QApplication.clipboard().text() == "y.sum().backward()\n"


def test_a_matrix_is_shown_in_its_panel(app: App) -> None:
    app.open("example:nonscalar")
    page = decision(app)
    page.tree.stand("jacobian")
    settle(app)
    assert texts(page) == [("7", "0", "0", "9")]
    page.card.do.click()
    assert app.window.docks.shown("jacobian")
    assert app.window.stage.pages.currentWidget() is app.window.stage.canvas


def test_without_an_output_it_is_about_the_article_s(app: App) -> None:
    page = cast("OverviewPage", opened(app, "overview").pages["overview"])
    assert page.about.text() == (
        "No output here has a gradient, so this is about the article's y, of shape (2,)."
    )
    shown = [repair.grads.rows[0][1] for repair in page.repairs]
    assert [cells.texts for cells in shown] == [("7", "9"), ("7", "9")]
    page.repairs[0].choice.activated.emit("mean")
    page.repairs[1].choice.activated.emit("component")
    settle(app)
    assert [cells.texts for cells in shown] == [("3.5", "4.5"), ("7", "0")]
    assert page.repairs[0].code.toPlainText() == "y.mean().backward()"
    page.repairs[0].do.click()
    app.settle()
    assert app.window.document.filename == "nonscalar.py"
    assert not app.window.guide.shown


def test_the_banner_gives_way_to_the_guide_and_comes_back(app: App) -> None:
    app.open("example:nonscalar")
    assert app.window.stage.banner.isVisible()
    opened(app, "overview")
    assert not app.window.stage.banner.isVisible()
    app.window.guide.leave()
    assert app.window.stage.banner.isVisible()


def test_every_mistake_shows_what_it_prints_and_opens(app: App) -> None:
    app.open("example:losses")
    page = cast("MistakesPage", opened(app, "mistakes").pages["mistakes"])
    page.turn("ones")
    settle(app)
    wrong, right = page.cards["elementwise"]
    assert (wrong.printed.text(), right.printed.text()) == (
        "tensor([0., 0.])",
        "tensor([0.1966, 0.1966])",
    )
    assert wrong.grads.text() == "x.grad = [0, 0]"
    page.turn("seed")
    settle(app)
    assert page.cards["shape"][0].error.text().startswith("RuntimeError: Mismatch in shape")
    page.cards["shape"][0].open.click()
    app.settle()
    assert app.window.document.filename == "shape.py"


def test_needs_are_gone_through_by_keys(app: App) -> None:
    app.open("example:losses")
    page = cast("CallsPage", opened(app, "calls").pages["calls"])
    assert page.name == "backward"
    QTest.keyClick(page.rows["backward"], Qt.Key.Key_Down)
    assert page.name == "grad"
    settle(app)
    assert page.card.printed.text() == "tensor([7.0000, 4.5000])\nNone"


def test_elsewhere_follows_the_output(app: App) -> None:
    app.open("example:losses")
    page = cast("ElsewherePage", opened(app, "elsewhere").pages["elsewhere"])
    assert page.rows[1].does.text().endswith("Output had shape: (3,).")
    assert page.rows[4].does.text() == "sums without a word: the gradient of loss.sum()"
    assert [cells.texts for _name, cells in page.rows[4].grads.rows[:2]] == [
        ("0.25", "-4.5"),
        ("-1",),
    ]
    title, grads = page.together[1]
    assert title.text() == "All give for the seed v = [1, 1, 0.5]"
    assert [cells.texts for _name, cells in grads.rows[:2]] == [("0.375", "-3.5"), ("-0.75",)]
    app.open("example:nonscalar")
    page = cast("ElsewherePage", opened(app, "elsewhere").pages["elsewhere"])
    assert page.rows[4].grads.rows[0][1].texts == ("7", "9")


def test_the_product_has_the_numbers_of_the_diagram(app: App) -> None:
    app.open("example:weighted")
    page = cast("VjpPage", opened(app, "vjp").pages["vjp"])
    assert [cells.texts for cells in page.vector.factors] == [
        ("1", "0.5"),
        ("7", "0", "0", "9"),
        ("7", "4.5"),
    ]
    assert page.vector.terms.text() == "1 · [7, 0] + 0.5 · [0, 9] = [7, 4.5]"
    assert not page.scalar.terms.isVisible()
    assert [cells.texts for cells in page.scalar.factors] == [("1",), ("7", "9"), ("7", "9")]


def test_escape_leaves(app: App) -> None:
    app.open("example:sum")
    page = opened(app, "overview")
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert app.window.stage.pages.currentWidget() is app.window.stage.canvas


def test_it_stays_while_the_language_changes(app: App) -> None:
    app.open("example:sum")
    page = opened(app, "decision")
    app.window.commands.set_language("zh")
    settle(app)
    assert app.window.guide.shown
    assert page.name == "decision"
    assert language.current() == "zh"


@pytest.mark.parametrize("width", [560.0, 920.0, 1600.0])
def test_nothing_overlaps_in_the_path(width: float) -> None:
    made = plan(width)
    boxes = list(made.boxes.values())
    assert len(boxes) == len(ENDS) + len(QUESTIONS)
    for at, box in enumerate(boxes):
        assert box.left() >= 0
        assert box.right() <= width
        assert not any(box.intersects(other) for other in boxes[at + 1 :])


@pytest.mark.parametrize("name", TITLES)
def test_each_page_fits_the_narrowest_window(app: App, name: str) -> None:
    app.open("example:losses")
    app.window.resize(960, 600)
    page = opened(app, name)
    assert page.minimumSizeHint().width() <= app.window.stage.width()
    areas = page.pages[name].findChildren(QScrollArea)
    assert areas
    for area in areas:
        inner = area.widget()
        assert inner is not None
        assert inner.width() <= area.viewport().width()


def test_a_scalar_has_the_article_s_error_at_a_glance(app: App) -> None:
    app.write("import torch\nx = torch.ones(2, requires_grad=True)\ns = x[0] * 3\ns.backward()\n")
    page = cast("OverviewPage", opened(app, "overview").pages["overview"])
    assert page.about.text() == (
        "s holds one number, so backward() needs nothing. Below, the article's y, of shape (2,)."
    )
    assert page.repairs[0].grads.rows[0][1].texts == ("7", "9")
    path = cast("DecisionPage", opened(app, "decision").pages["decision"])
    assert path.tree.at == path.tree.here == "plain"
    assert texts(path) == [("3", "0")]


def test_a_large_array_is_a_strip(app: App) -> None:
    app.write(
        "import torch\nw = torch.ones(20, 30, requires_grad=True)\n"
        "y = w * 2\ny.backward(torch.ones(20, 30))\n"
    )
    page = decision(app)
    settle(app)
    cells = page.card.grads.rows[0][1]
    assert page.card.grads.rows[0][0].text() == "w.grad"
    assert cells.height() < 60
    assert len(cells.texts) > 12


def test_what_becomes_of_the_graph_begins_as_in_the_call(app: App) -> None:
    app.open("example:onehot")
    page = decision(app)
    assert page.tree.at == "component"
    assert page.card.code.toPlainText().endswith("y.backward(gradient=v, retain_graph=True)")
    app.window.player.choose(1)
    settle(app)
    assert page.card.code.toPlainText().endswith("y.backward(gradient=v)")


def test_a_step_of_the_pass_asks_for_nothing(app: App) -> None:
    app.open("example:ones")
    opened(app, "elsewhere")
    desk = app.window.guide.desk
    assert desk is not None
    before = desk.subject
    app.window.player.go(1)
    assert desk.subject is before
    assert not desk.errands.busy
