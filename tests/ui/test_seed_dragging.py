"""A seed that is dragged: gradients follow without a run, and the run comes at the end."""

from __future__ import annotations

import numpy as np
import pytest

from gradviz.run import Array
from gradviz.scene.picture import picture
from gradviz.twin import Sides
from gradviz.ui.running.work import Request
from tests.ui.conftest import App

_CUBE = """import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x ** 3
y.backward(gradient=torch.tensor([1.0, 0.5]))
"""
_HOOKED = _CUBE.replace("y.backward", "x.register_hook(lambda g: g * g)\ny.backward")


def _grad(app: App) -> list[float]:
    done = app.window.player.current
    assert done is not None
    return done.grads["x"].tolist()


def _drag(app: App, values: list[float]) -> None:
    app.window.starting.use(np.array(values, np.float32), merge="drag")


_LONG = """import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x
for turn in range(30):
    y = torch.tanh(y * y)
y.backward(gradient=torch.tensor([1.0, 1.0]))
"""


@pytest.fixture
def asked(app: App, monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """The requests for a run of the document itself."""
    found: list[Request] = []
    ask = app.window.evaluator.ask

    def spy(request: Request, *, soon: bool = False) -> None:
        found.append(request)
        ask(request, soon=soon)

    monkeypatch.setattr(app.window.evaluator, "ask", spy)
    return found


def _begin(app: App, *components: int) -> None:
    live = app.window.live
    live.drag(*components)
    app.qtbot.waitUntil(lambda: not live.recombiner.waiting, timeout=20_000)


def test_gradients_follow_without_a_run(app: App, asked: list[Request]) -> None:
    app.write(_CUBE)
    assert _grad(app) == [12.0, 13.5]
    asked.clear()
    _begin(app, 1)
    for value in (0.75, 1.0, 2.0):
        _drag(app, [1.0, value])
        assert _grad(app) == [12.0, 27.0 * value]
        assert app.window.player.current is not None
        assert app.window.player.current.seed is not None
        assert app.window.player.current.seed.tolist() == [1.0, value]
    assert asked == []
    app.window.live.settle()
    app.settle()
    assert len(asked) == 1
    assert _grad(app) == [12.0, 54.0]
    app.window.action("undo").trigger()  # the whole drag
    assert _grad(app) == [12.0, 13.5]


def test_the_passes_of_components_are_kept_from_drag_to_drag(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.write(_CUBE)
    _begin(app, 0, 1)
    _drag(app, [3.0, 0.5])
    app.window.live.settle()
    app.settle()
    later: list[Array] = []
    monkeypatch.setattr(app.window.evaluator, "later", later.append)
    app.window.live.drag(0, 1)
    assert later == []
    _drag(app, [3.0, 2.0])
    assert _grad(app) == [36.0, 54.0]
    app.window.live.settle()
    app.settle()
    assert _grad(app) == [36.0, 54.0]


def test_what_was_dragged_before_its_pass_was_known_is_shown_when_it_is(app: App) -> None:
    app.write(_CUBE)
    live = app.window.live
    live.drag(0)
    assert live.recombiner.waiting
    _drag(app, [2.0, 0.5])
    assert _grad(app) == [12.0, 13.5]
    app.qtbot.waitUntil(lambda: not live.recombiner.waiting, timeout=20_000)
    assert _grad(app) == [24.0, 13.5]


def test_a_pass_with_a_hook_is_run_each_time(app: App, asked: list[Request]) -> None:
    app.write(_HOOKED)
    asked.clear()
    _begin(app, 1)
    _drag(app, [1.0, 1.0])
    assert len(asked) == 1
    app.settle()
    assert app.window.player.current is not None
    assert app.window.player.current.seed is not None
    assert app.window.player.current.seed.tolist() == [1.0, 1.0]
    app.window.live.settle()


def test_a_start_that_is_no_seed_becomes_one_by_a_run(app: App, asked: list[Request]) -> None:
    app.write(_CUBE.replace("gradient=torch.tensor([1.0, 0.5])", "").replace("y.b", "y.sum().b"))
    assert _grad(app) == [12.0, 27.0]
    asked.clear()
    _begin(app, 1)
    _drag(app, [1.0, 2.0])
    assert len(asked) == 1
    app.settle()
    assert _grad(app) == [12.0, 54.0]
    app.window.live.settle()


def test_side_by_side_both_are_run(app: App, asked: list[Request]) -> None:
    app.write(_CUBE)
    app.window.commands.set_twin(True)
    app.settle()
    asked.clear()
    _begin(app, 1)
    _drag(app, [1.0, 2.0])
    assert [request.twin for request in asked] == [Sides(0)]
    app.window.live.settle()
    app.settle()
    assert _grad(app) == [12.0, 54.0]


def test_while_dragging_the_figure_is_right_where_one_reads_it(app: App) -> None:
    app.write(_LONG)
    stage, player = app.window.stage, app.window.player
    stage.canvas.zoom_to(1.0)
    before = stage.figure
    _begin(app, 1)
    _drag(app, [1.0, 2.0])
    assert player.passing
    rows = stage.canvas.read_rows()
    assert before is not None
    assert stage.figure is not None
    assert 0 < len(rows) < len(stage.figure.boxes)
    whole = picture(player.diagram, player.run, positions=stage.places()).figure(player.position)
    for row in rows:
        assert stage.figure.boxes[row].rows == whole.boxes[row].rows
    untouched = set(range(len(whole.boxes))) - set(rows)
    assert all(stage.figure.boxes[row] is before.boxes[row] for row in untouched)
    assert (stage.figure.caption, stage.figure.scale) == (whole.caption, whole.scale)
    stage.fit()  # other boxes are read now
    everywhere = stage.canvas.read_rows()
    assert set(everywhere) > set(rows)
    for row in everywhere:
        assert stage.figure.boxes[row].rows == whole.boxes[row].rows
    app.window.live.settle()
    app.settle()
    assert not player.passing
    assert [box.rows for box in stage.figure.boxes] == [box.rows for box in whole.boxes]
    app.window.action("undo").trigger()
    assert [box.rows for box in stage.figure.boxes] == [box.rows for box in before.boxes]
