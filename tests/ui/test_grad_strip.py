"""Each leaf's `.grad` after each backward call, under the picture."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gradviz.ui.panels.grad_strip import GradStrip
from tests.ui.conftest import App


def strip(app: App, source: str) -> GradStrip:
    app.open(source)
    QApplication.processEvents()
    return app.window.stage.grads


def wide(app: App, grads: GradStrip) -> GradStrip:
    """The strip in a window that is wide enough for all calls."""
    app.window.showNormal()
    app.window.resize(1280, 800)
    app.qtbot.waitUntil(lambda: grads.width() > 600)
    return grads


def test_it_grows_from_call_to_call_until_it_is_cleared(app: App) -> None:
    grads = wide(app, strip(app, "example:accumulate"))
    assert grads.isVisible()
    assert [grads.texts(at) for at in grads.calls()] == [
        ["pass 1", "from None", "[7, 9]"],
        ["pass 2", "+ [7, 9]", "[14, 18]"],
        ["pass 3", "+ [7, 9]", "[21, 27]"],
        ["pass 4", "cleared, + [7, 9]", "[7, 9]"],
    ]
    assert grads.accessibleName().startswith("pass 1 from None [7, 9]; pass 2")


def test_while_it_is_played_a_call_has_what_it_found_until_its_own_sum_is_complete(
    app: App,
) -> None:
    grads = strip(app, "example:accumulate")
    player = app.window.player
    player.choose(1)
    player.go(player.last - 1)
    assert grads.texts(1) == ["pass 2", "not yet", "[7, 9]"]
    player.go(player.last)
    assert grads.texts(1) == ["pass 2", "+ [7, 9]", "[14, 18]"]


def test_a_click_on_a_call_goes_there(app: App) -> None:
    grads = wide(app, strip(app, "example:accumulate"))
    middle = QPoint(round(16 + 96 + 2.5 * grads._wide()), grads.height() // 2)
    QTest.mouseClick(grads, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    assert app.window.player.index == 2


def test_a_leaf_that_is_not_reached_keeps_what_it_had(app: App) -> None:
    app.write(
        "import torch\n"
        "a = torch.tensor([1.0], requires_grad=True)\n"
        "b = torch.tensor([2.0], requires_grad=True)\n"
        "(a * 3).sum().backward()\n(b * 4).sum().backward()\n"
    )
    grads = app.window.stage.grads
    assert [grads.texts(at) for at in (0, 1)] == [
        ["pass 1", "from None", "[3]", "not reached", "None"],
        ["pass 2", "not reached", "[3]", "from None", "[4]"],
    ]


def test_there_is_none_for_one_call_or_side_by_side(app: App) -> None:
    assert not strip(app, "example:fanout").isVisible()
    assert strip(app, "example:accumulate").isVisible()
    app.window.commands.set_twin(True)
    app.settle()
    assert not app.window.stage.grads.isVisible()
    app.window.commands.set_twin(False)
    assert app.window.stage.grads.isVisible()
    app.window.stage.show_gallery()
    assert not app.window.stage.grads.isVisible()
