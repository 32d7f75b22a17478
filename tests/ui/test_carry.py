"""What the user chose stays when the script changes, where it still fits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.run import Run, Value
from gradviz.ui.running.carry import carry


def _derived(size: int, *calls: BackwardCall) -> tuple[Diagram, Run]:
    y = np.ones(size, dtype=np.float32)
    nodes = {"x": Node("x", "leaf", data=y, name="x"), "y": Node("y", "mul", ("x", "x"), name="y")}
    run = Run({"x": Value(y, True), "y": Value(y, True, "MulBackward0")})
    return Diagram(nodes, calls, source="s"), run


_OWN = BackwardCall("y", line=3)
_SEED = Start("seed", values=np.array([1.0, 0.5], dtype=np.float32))


def _before(start: Start, *, line: int | None = 3) -> Diagram:
    diagram, _run = _derived(2, BackwardCall("y", start, line=line, edited=True))
    return replace(diagram, source="s2", title="t", positions={"x": (1.0, 2.0), "gone": (0.0, 0.0)})


def test_an_edited_start_is_carried_to_the_new_line() -> None:
    derived, run = _derived(2, replace(_OWN, line=4))
    found = carry(_before(_SEED), (_OWN,), derived, run)
    assert (found.calls[0].start, found.calls[0].line) == (_SEED, 4)
    assert (found.source, found.title, dict(found.positions)) == ("s2", "t", {"x": (1.0, 2.0)})


def test_a_vector_of_another_shape_is_dropped() -> None:
    derived, run = _derived(3, _OWN)
    assert carry(_before(_SEED), (_OWN,), derived, run).calls is derived.calls


def test_a_preset_is_made_anew_for_another_shape() -> None:
    derived, run = _derived(4, _OWN)
    start = Start("seed", preset="1/N", values=np.full(2, 0.5, dtype=np.float32))
    found = carry(_before(start), (_OWN,), derived, run).calls[0].start
    assert found.values is not None
    assert found.values.tolist() == [0.25] * 4


def test_the_script_wins_where_its_own_call_changed() -> None:
    changed = replace(_OWN, start=Start("seed", values=np.zeros(2, dtype=np.float32)))
    derived, run = _derived(2, changed)
    assert carry(_before(_SEED), (_OWN,), derived, run).calls is derived.calls


def test_a_call_that_the_app_added_is_added_again() -> None:
    derived, run = _derived(2)
    found = carry(_before(_SEED, line=None), (), derived, run)
    assert [call.start for call in found.calls] == [_SEED]


def test_a_target_that_is_gone_takes_its_start_along() -> None:
    x = Node("x", "leaf", data=np.ones(2), name="x")
    derived = Diagram({"x": x}, (), source="s")
    run = Run({"x": Value(np.ones(2), True)})
    assert carry(_before(_SEED), (_OWN,), derived, run).calls == ()
