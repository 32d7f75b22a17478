"""The rows of the start bar, vectors as text, and a start turned into the other way."""

from __future__ import annotations

import numpy as np
import pytest

from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.evaluate import evaluate
from gradviz.ui import choices

_Y = np.array([10.0, 18.0], dtype=np.float32)


def test_a_vector_is_written_as_it_may_be_typed() -> None:
    assert choices.written(np.array([1.0, 0.5])) == "[1, 0.5]"
    assert choices.written(np.array([[1.0], [2.0]])) == "[[1], [2]]"
    assert choices.written(np.ones(65)) == ""


@pytest.mark.parametrize(
    ("reduction", "index", "values"),
    [("sum", 0, [1, 1]), ("mean", 0, [0.5, 0.5]), ("component", 1, [0, 1])],
)
def test_a_reduction_becomes_its_seed(reduction: str, index: int, values: list[float]) -> None:
    start = Start("reduction", reduction=reduction, index=index)
    seed = choices.other_way(start, "seed", _Y, None)
    assert seed.values is not None
    assert (seed.kind, seed.values.tolist()) == ("seed", values)


def test_a_norm_becomes_what_reached_its_input() -> None:
    reached = np.array([0.6, 0.8])
    seed = choices.other_way(Start("reduction", reduction="norm"), "seed", _Y, reached)
    assert seed.values is reached or seed.values.tolist() == [0.6, 0.8]  # type: ignore[union-attr]


def test_a_vector_becomes_a_weighted_sum() -> None:
    start = Start("seed", values=np.array([1.0, 0.5], dtype=np.float32))
    found = choices.other_way(start, "reduction", _Y, None)
    assert (found.kind, found.reduction) == ("reduction", "weighted")
    assert found.values is not None
    assert found.values.tolist() == [1.0, 0.5]


@pytest.mark.parametrize(
    ("values", "key"),
    [([1, 1], "ones"), ([0.5, 0.5], "1/N"), ([0, 1], "onehot:1"), ([1, 0.5], "typed")],
)
def test_a_seed_of_the_script_is_recognised(values: list[float], key: str) -> None:
    diagram, run, call = _square(Start("seed", values=np.array(values, dtype=np.float32)))
    assert choices.key_of(diagram, run, call) == key


def test_random_signs_change_with_every_choice() -> None:
    first = choices.start_of("random", _Y, Start())
    second = choices.start_of("random", _Y, first)
    assert (first.preset, second.preset) == ("random:0", "random:1")
    assert first.values is not None
    assert set(np.abs(first.values).tolist()) == {1.0}
    normal = choices.start_of("normal", _Y, Start())
    assert (normal.preset, choices.start_of("normal", _Y, normal).preset) == (
        "normal:0",
        "normal:1",
    )
    assert normal.values is not None
    assert (
        normal.values.tolist() == np.random.default_rng(0).standard_normal(2).astype("f4").tolist()
    )


def test_the_rows_name_each_component() -> None:
    keys = [row.key for row in choices.choices("seed", _Y)]
    assert keys == ["ones", "1/N", "onehot:0", "onehot:1", "random", "normal", "typed"]


def test_a_start_that_does_not_fit_the_new_output_becomes_ones() -> None:
    call = BackwardCall("y", Start("seed", values=_Y))
    moved = choices.retarget(call, "z", np.zeros(3, dtype=np.float32))
    assert moved.start.values is not None
    assert (moved.target, moved.start.values.tolist(), moved.edited) == ("z", [1, 1, 1], True)


def _square(start: Start):  # type: ignore[no-untyped-def]
    x = Node("x", "leaf", data=np.array([2.0, 3.0], dtype=np.float32), name="x")
    y = Node("y", "mul", ("x", "x"), name="y")
    call = BackwardCall("y", start)
    diagram = Diagram({"x": x, "y": y}, (call,))
    return diagram, evaluate(diagram), call


def test_complex_numbers_are_not_written_as_if_they_were_real() -> None:
    assert choices.written(np.array([1j, 2.0])) == ""
