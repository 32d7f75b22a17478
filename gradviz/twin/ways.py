"""Any two ways to start side by side, each named by a key: what stands left, and what right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import BackwardCall, Diagram, Start
from gradviz.language import _
from gradviz.run import Run
from gradviz.seeds.starts import REDUCTIONS, preset_seed
from gradviz.storeys import apart
from gradviz.twin.comparing import (
    Evaluate,
    Pair,
    Side,
    call_at,
    compare,
    compare_starts,
    differences,
    subject_of,
    titled,
    without,
)
from gradviz.twin.reading import Reading, as_reduction, output_of

Array = npt.NDArray[Any]
EQUAL = "equal"


@dataclass(frozen=True, slots=True)
class Sides:
    """What is to stand left and right of the backward call `index`.

    A key is "equal" (what gives the same gradients as the other side does, the other way), the
    name of a reduction ("mean", "component:1"), a preset of a seed ("ones", "onehot:0"), "own"
    (as the call starts now), "kept:NAME" (a seed that the diagram keeps), or "call:1" (another
    call of the program, counted from 0).
    """

    index: int = 0
    left: str = EQUAL
    right: str = EQUAL


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """A start in place of that of the call `index`; the call as it is where `start` is None."""

    index: int
    start: Start | None = None


def side_by_side(evaluate: Evaluate, diagram: Diagram, run: Run, sides: Sides) -> Pair:
    """Run both ways, each alone on cleared gradients.

    Raises ValueError with one sentence where a key means nothing here, or a way cannot be run.
    """
    diagram = apart(diagram, run)
    if sides.left == sides.right == EQUAL:
        return compare(evaluate, diagram, run, index=sides.index).pair
    if sides.left == EQUAL or sides.right == EQUAL:
        given = sides.left if sides.right == EQUAL else sides.right
        pair = _with_equal(evaluate, diagram, run, _way(given, diagram, run, sides.index))
        return pair if given == sides.left else pair.swapped()
    ways = [_way(key, diagram, run, sides.index) for key in (sides.left, sides.right)]
    left, right = (_side(evaluate, diagram, run, way) for way in ways)
    sources = [subject_of(diagram, run, way.index)[2] for way in ways]
    source = sources[0] if sources[0] == sources[1] else None
    return Pair(left, right, source, differences(left.done, right.done))


def _side(evaluate: Evaluate, diagram: Diagram, run: Run, way: _Way) -> Side:
    if way.start is None:
        return titled(evaluate, diagram, call_at(diagram, way.index))
    call, reading, source = subject_of(diagram, run, way.index)
    started = replace(call, target=source, start=way.start)
    return titled(evaluate, without(diagram, reading), started)


def _with_equal(evaluate: Evaluate, diagram: Diagram, run: Run, way: _Way) -> Pair:
    """The way on the left, and on the right what gives the same gradients the other way."""
    call, reading, source = subject_of(diagram, run, way.index)
    start = way.start or (reading.start if reading else call.start)
    if start.kind != "seed":
        given = way.start  # a reduction that the script makes itself keeps its nodes
        return compare(evaluate, diagram, run, index=way.index, start=given).pair
    other = as_reduction(start, output_of(run, source))
    pair = compare_starts(evaluate, diagram, run, way.index, (start, other))
    return replace(pair, reduction=other.reduction)


def _way(key: str, diagram: Diagram, run: Run, index: int) -> _Way:
    """What a key stands for. Raises ValueError where that is nothing."""
    kind, _colon, argument = key.partition(":")
    if kind == "call":
        number = int(argument) if argument.isdecimal() else -1
        call_at(diagram, number)
        return _Way(number)
    call, reading, source = subject_of(diagram, run, index)
    y = output_of(run, source)
    if kind == "own":
        return _Way(index, own_start(call, reading, y))
    if kind == "kept":
        return _Way(index, _kept(argument, diagram, y))
    if kind in REDUCTIONS:
        place = int(argument) if argument.isdecimal() else None
        return _Way(index, start_by(kind, call, reading, y, number=place))
    return _Way(index, Start("seed", preset=key, values=preset_seed(key, y)))


def _kept(name: str, diagram: Diagram, y: Array) -> Start:
    seed = diagram.seeds.get(name)
    if seed is None or seed.shape != y.shape:
        raise ValueError(
            _("No seed called {name} with the shape {shape} of the output is kept.").format(
                name=name, shape=tuple(y.shape)
            )
        )
    return Start("seed", values=seed.astype(y.dtype), name=name)


def own_start(call: BackwardCall, reading: Reading | None, y: Array) -> Start:
    """How the call starts, from what the script reduced; by sum where it would be refused."""
    if reading is not None:
        return reading.start
    refused = call.start.kind == "implicit" and y.size != 1
    return Start("reduction", reduction="sum") if refused else call.start


def start_by(
    name: str,
    call: BackwardCall,
    reading: Reading | None,
    y: Array,
    *,
    number: int | None = None,
) -> Start:
    """The reduction with the numbers of the program where it has them, else with simple ones.

    Weights that are all alike would say no more than sum does: those are 1, 1/2, 1/3 … instead.
    """
    own = reading.start if reading else call.start
    same = own.kind == "reduction" and (own.reduction or "sum") == name
    if same and (number is None or (own.index == number and name == "component")):
        return own
    start = Start("reduction", reduction=name, index=number or 0)
    if name == "weighted":
        given = own.values if own.kind == "seed" else None
        if given is None or given.shape != y.shape or np.unique(given).size < 2:
            given = (1 / np.arange(1, y.size + 1)).reshape(y.shape).astype(y.dtype)
        return replace(start, values=given)
    return start
