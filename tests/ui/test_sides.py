"""Any two starts side by side: chosen from lists, run in the background, played in step."""

from __future__ import annotations

import pytest

from gradviz.ui.panels.chips import Chip
from tests.ui.conftest import App

TWICE = """\
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x
y.backward(gradient=torch.tensor([1.0, 0.0]), retain_graph=True)
(2 * x).sum().backward()
"""


@pytest.fixture
def twin(app: App) -> App:
    app.open("example:nonscalar")
    app.window.commands.set_twin(True)
    app.settle()
    return app


def keys(app: App) -> tuple[str | None, str | None]:
    left, right = app.window.stage.twin.choosers
    return left.key, right.key


def choose(app: App, side: int, key: str) -> None:
    chooser = app.window.stage.twin.choosers[side]
    chooser.setCurrentIndex(chooser.findData(key))
    chooser.activated.emit(chooser.currentIndex())
    app.settle()


def titles(app: App) -> tuple[str, str]:
    pair = app.window.player.twin
    assert pair is not None
    return pair.left.title, pair.right.title


def test_by_itself_the_right_is_what_equals_the_left(twin: App) -> None:
    assert keys(twin) == ("sum", "equal")
    assert twin.window.stage.twin.choosers[1].currentText() == "v the equal seed"


def test_any_reduction_against_any_seed(twin: App) -> None:
    choose(twin, 1, "onehot:1")
    assert keys(twin) == ("sum", "onehot:1")
    choose(twin, 0, "norm")
    assert keys(twin) == ("norm", "onehot:1")
    assert titles(twin) == ("y.norm().backward()", "y.backward(gradient=v)")
    pair = twin.window.player.twin
    assert pair is not None
    assert pair.right.done.grads["x"].tolist() == [0, 9]


def test_what_equals_a_seed_is_a_reduction(twin: App) -> None:
    choose(twin, 0, "1/N")
    assert titles(twin) == ("y.backward(gradient=v)", "y.mean().backward()")
    assert twin.window.stage.twin.choosers[1].currentText() == "Σ the equal reduction"
    assert twin.window.player.twin is not None
    assert twin.window.player.twin.largest == 0


def test_two_calls_of_the_script(app: App) -> None:
    app.write(TWICE)
    app.window.commands.set_twin(True)
    app.settle()
    choose(app, 0, "call:0")
    choose(app, 1, "call:1")
    pair = app.window.player.twin
    assert pair is not None
    assert [side.done.grads["x"].tolist() for side in (pair.left, pair.right)] == [[7, 0], [2, 2]]
    assert [(m.left, m.right, m.mover) for m in app.window.player.moments][:2] == [
        (0, 0, "both"),
        (1, 0, "left"),
    ]


def test_a_choice_that_no_longer_fits_goes_back_to_the_usual_two(twin: App) -> None:
    said: list[str] = []
    twin.window.live.refused.connect(said.append)
    choose(twin, 1, "onehot:1")
    twin.write(
        "import torch\nx = torch.tensor([2.0], requires_grad=True)\ny = x * 3\ny.backward()\n"
    )
    twin.settle()
    assert keys(twin) == ("sum", "equal")
    assert said == ["onehot:1 is not a seed: use ones, 1/N, onehot:0…0, random:0 or normal:0."]
    assert twin.window.player.twin is not None


def test_both_stay_while_the_script_cannot_be_read(twin: App) -> None:
    choose(twin, 0, "mean")
    text = twin.window.code.editor.toPlainText()
    twin.write(text + "(")
    assert titles(twin)[0] == "y.mean().backward()"
    assert twin.window.player.run.error is not None
    twin.write(text)
    assert keys(twin) == ("mean", "equal")


def test_another_document_starts_with_one_picture(twin: App) -> None:
    choose(twin, 0, "mean")
    twin.open("example:fanout")
    assert twin.window.player.twin is None
    assert twin.window.live.sides is None


def test_matching_steps_stand_together_and_extra_ones_alone(twin: App) -> None:
    chips = twin.window.timeline.chips
    assert chips.chips[0] == Chip("1", "reduction", below=("v", "seed"))
    assert chips.chips[1] == Chip("Σ sum → y", lane="upper", waits="waits")
    assert chips.chips[2] == Chip("y → x ** 2")
    choose(twin, 1, "mean")
    assert chips.chips[1] == Chip("Σ sum → y", below=("Σ mean → y", "positive"))
    choose(twin, 0, "equal")
    assert chips.chips[1] == Chip("Σ mean → y", lane="lower", waits="waits")
    twin.window.commands.set_twin(False)
    assert not chips.lanes


def test_each_node_says_whether_it_is_equal(twin: App) -> None:
    choose(twin, 1, "mean")
    stage = twin.window.stage
    assert stage.figure is not None
    assert stage.twin_figure is not None
    for figure, added in ((stage.figure, "added:sum"), (stage.twin_figure, "added:mean")):
        said = {box.id: [badge.text for badge in box.badges] for box in figure.boxes}
        assert said[added] == ["only here"]
        assert said["x"] == ["Δ 4.5"]
        assert said["y"] == ["Δ 0.5"]
    assert stage.figure.scale == stage.twin_figure.scale == "colour: linear up to 9"


def test_an_undo_while_playing_keeps_both(twin: App) -> None:
    twin.window.starting.choose("mean")
    twin.settle()
    assert titles(twin)[0] == "y.mean().backward()"
    twin.window.player.play()
    twin.window.document.history.undo()
    twin.settle()
    assert titles(twin)[0] == "y.sum().backward()"
    assert twin.window.player.twin is not None


def test_an_edge_of_the_left_goes_to_its_moment(twin: App) -> None:
    choose(twin, 0, "ones")
    player = twin.window.player
    assert [moment.mover for moment in player.moments][1] == "right"
    assert player.current is not None
    step = player.current.steps[0]
    twin.window.stage.twin.first.edge_picked.emit(f"{step.input}->{step.node}:{step.slot}")
    assert (player.position, player.done) == (2, 1)
