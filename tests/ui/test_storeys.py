"""Second storeys in the window: made by a tick, opened and closed, differentiated again, kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gradviz import storage
from gradviz.ui.box_tip import box_tip
from tests.ui.conftest import App

_CUBE = """import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x ** 3).sum()
y.backward()
"""


def _grad(app: App) -> list[float] | None:
    done = app.window.player.current
    found = done.grads.get("x") if done else None
    return None if found is None else found.tolist()


def _levels(app: App) -> list[int]:
    figure = app.window.stage.figure
    return [one.level for one in figure.storeys] if figure else []


def _raised(app: App) -> None:
    """A script, and the tick in the options that makes its second storey."""
    app.write(_CUBE)
    app.window.start_bar.raising.trigger()
    app.settle()


def test_a_tick_makes_the_storey_and_another_takes_it_away(app: App) -> None:
    app.write(_CUBE)
    bar = app.window.start_bar
    assert (bar.storey.isVisible(), _levels(app)) == (False, [])
    bar.raising.trigger()
    app.settle()
    assert bar.raising.isChecked()
    assert bar.retain.isChecked()  # as in PyTorch, where it follows create_graph
    assert (bar.storey.isVisible(), _levels(app)) == (True, [1])
    bar.raising.trigger()
    app.settle()
    assert (bar.storey.isVisible(), _levels(app)) == (False, [])
    assert not bar.retain.isChecked()


def test_the_button_and_the_action_open_and_close_it(app: App) -> None:
    _raised(app)
    bar, action = app.window.start_bar, app.window.action("storey")
    assert (bar.storey.isChecked(), action.isChecked()) == (True, True)
    bar.storey.click()
    assert (bar.storey.isChecked(), action.isChecked(), _levels(app)) == (False, False, [])
    action.trigger()
    assert (bar.storey.isChecked(), action.isChecked(), _levels(app)) == (True, True, [1])


def test_a_gradient_is_differentiated_again_seeded_and_stepped(app: App) -> None:
    _raised(app)
    bar, window = app.window.start_bar, app.window
    (again,) = bar.again.actions()
    assert again.text() == "from ∇x"
    again.trigger()
    app.settle()
    assert window.player.index == 1
    assert bar.target.key == "grad1:x"
    assert _grad(app) == [6.0, 12.0]
    window.starting.type_in("[1, 0.5]")
    app.settle()
    assert _grad(app) == [6.0, 6.0]
    window.player.go(0)
    assert window.player.last == 4
    figure = window.stage.figure
    assert figure is not None
    assert [box.id for box in figure.boxes if box.state == "current"] == ["grad1:x"]
    window.player.go(4)
    assert window.player.step is not None
    assert (window.player.step.node, window.player.step.input) == ("pull1:pow:pow@3", "x")
    window.starting.choose("norm")
    app.settle()
    assert _levels(app) == [1, 2]
    np.testing.assert_allclose(_grad(app) or [], [1.4552138, 11.641711], rtol=1e-6)


def test_it_is_undone_step_by_step(app: App) -> None:
    _raised(app)
    window = app.window
    before = window.document.diagram
    window.start_bar.again.actions()[0].trigger()
    app.settle()
    window.action("undo").trigger()
    app.settle()
    assert window.document.diagram is before
    assert (window.player.index, _grad(app)) == (0, [3.0, 12.0])
    window.action("undo").trigger()
    app.settle()
    assert not window.document.diagram.calls[0].create_graph
    window.action("redo").trigger()
    window.action("redo").trigger()
    app.settle()
    window.player.choose(1)
    assert _grad(app) == [6.0, 12.0]


def test_an_added_pass_can_be_removed_while_it_is_the_last(app: App) -> None:
    _raised(app)
    window, bar = app.window, app.window.start_bar
    assert not bar.remove.isVisible()
    bar.again.actions()[0].trigger()
    app.settle()
    assert bar.remove.isVisible()
    bar.remove.trigger()
    app.settle()
    assert len(window.document.diagram.calls) == 1
    assert window.player.index == 0


def test_it_stays_when_the_script_is_edited(app: App) -> None:
    _raised(app)
    app.window.start_bar.again.actions()[0].trigger()
    app.settle()
    app.write("# more\n" + _CUBE.replace("x ** 3", "x ** 4"))
    calls = app.window.document.diagram.calls
    assert [call.target for call in calls] == ["y", "grad1:x"]
    assert calls[0].create_graph
    app.window.player.choose(1)
    assert _grad(app) == [12.0, 48.0]


def test_a_second_storey_of_the_script_follows_an_edited_start(app: App) -> None:
    app.open("example:second-storey")
    assert _levels(app) == [1]
    app.window.player.choose(1)
    assert _grad(app) == [6.0, 6.0]
    app.window.player.choose(0)
    app.window.starting.choose("mean")
    app.settle()
    app.window.player.choose(1)
    assert _grad(app) == [3.0, 3.0]


def test_it_is_kept_in_a_file(app: App, tmp_path: Path) -> None:
    _raised(app)
    app.window.start_bar.again.actions()[0].trigger()
    app.settle()
    path = tmp_path / "x.gradviz"
    storage.write(path, app.window.document.diagram)
    app.window.document.saved(path)
    app.open(str(path))
    assert [call.target for call in app.window.document.diagram.calls] == ["y", "grad1:x"]
    app.window.player.choose(1)
    assert _grad(app) == [6.0, 12.0]
    assert _levels(app) == [1]


def test_side_by_side_works_upstairs(app: App) -> None:
    _raised(app)
    app.window.start_bar.again.actions()[0].trigger()
    app.settle()
    app.window.action("twin").trigger()
    app.settle()
    twin = app.window.player.twin
    assert twin is not None
    assert twin.largest == 0
    assert not app.window.start_bar.storey.isVisible()


def test_a_seed_upstairs_is_dragged_as_anywhere(app: App) -> None:
    _raised(app)
    window = app.window
    window.start_bar.again.actions()[0].trigger()
    app.settle()
    window.live.drag(0)
    app.settle()
    window.starting.use(np.array([3.0, 1.0], np.float32), merge="drag")
    app.qtbot.waitUntil(lambda: _grad(app) == [18.0, 12.0])
    window.live.settle()
    app.settle()
    assert _grad(app) == [18.0, 12.0]


def test_a_pass_cannot_start_from_what_it_makes(app: App) -> None:
    app.open("example:second-storey")
    starting, player = app.window.starting, app.window.player
    player.choose(0)
    assert starting.targets() == ["pow@4", "y"]
    player.choose(1)
    assert starting.targets()[-1] == "g"
    assert "second storey: gradient computation of pass 1" in (
        app.window.stage.canvas.accessibleDescription()
    )


def test_the_tool_tip_says_where_a_node_was_made(app: App) -> None:
    _raised(app)
    stage = app.window.stage
    assert stage.figure is not None
    tips = {box.id: box_tip(app.window.player, box) for box in stage.figure.boxes}
    assert tips["pull1:mul:pow@3"].endswith("made at x ** 3 by pass 1")
    assert "made at" not in tips["pow@3"]
