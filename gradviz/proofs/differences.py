"""Finite differences of a function, element by element, and whether a gradient agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.language import _
from gradviz.proofs.proof import Proof

Array = npt.NDArray[Any]
Function = Callable[[Array], Array]  # of one input, the others staying as they are

ELEMENTS = 16  # of an input that are moved; of a larger one as many, drawn at random
_PATIENCE = 3.0  # seconds after which no further element of an input is moved
_STEP = {8: 1e-6, 4: 1e-2}  # by the width of the output's numbers
_TOLERANCE = {8: 1e-5, 4: 2e-2}
_KINK = {8: 0.01, 4: 0.5}  # slopes to the left and right that are so far apart are not one


def by_differences(
    function: Function,
    at: Array,
    seed: Array,
    gradient: Array,
    *,
    rtol: float = 0.0,
    width: int | None = None,
) -> Proof:
    """Hold a gradient of <seed, function> by `at` to central differences.

    At a kink, where the slopes to the left and right differ, anything between them is right: it
    is a subgradient. `rtol` is what the gradient itself may be off by, where it was found in
    single precision; `width` the bytes of the narrowest number on the way, where that is not the
    output's.
    """
    centre = function(at)
    width = centre.dtype.itemsize if width is None else width
    if width not in _STEP or centre.dtype.kind != "f":
        return Proof("differences", None, note=_("not in double precision"))
    if not np.array_equal(centre, function(at), equal_nan=True):
        return Proof("differences", None, note=_("draws random numbers"))
    tolerance = max(_TOLERANCE[width], rtol)
    size = max(float(np.abs(gradient).max(initial=0.0)), 1e-12)
    worst, kinks, tried = 0.0, 0, 0
    began = monotonic()
    for place in _places(at.shape):
        if tried and monotonic() - began > _PATIENCE:
            break
        found = float(gradient[place])
        slopes = _slopes(function, at, place, (seed, centre), step=_STEP[width])
        if not np.isfinite([found, *slopes]).all():
            continue
        tried += 1
        low, high = sorted(slopes)
        scale = max(size, abs(low), abs(high), 1e-3)
        slack = tolerance * scale
        if (high - low) / scale > _KINK[width] and low - slack <= found <= high + slack:
            kinks += 1
            continue
        worst = max(worst, abs(found - (low + high) / 2) / scale)
    if not tried:
        return Proof("differences", None, note=_("not finite here"))
    note = _("a kink: the slopes on its two sides differ") if kinks else ""
    return Proof("differences", worst <= tolerance, worst, note)


def _places(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The elements to move: all of them, or a sample."""
    size = int(np.prod(shape))
    chosen = np.arange(size)
    if size > ELEMENTS:
        chosen = np.sort(np.random.default_rng(0).choice(size, ELEMENTS, replace=False))
    for flat in chosen:
        yield tuple(int(i) for i in np.unravel_index(flat, shape))


def _slopes(
    function: Function,
    at: Array,
    place: tuple[int, ...],
    seed_and_centre: tuple[Array, Array],
    *,
    step: float,
) -> list[float]:
    """The slopes of <seed, function> to the left and to the right of one element."""
    seed, centre = seed_and_centre
    wide = step * max(1.0, abs(float(at[place])))
    found = []
    for sign in (-1, 1):
        moved = at.copy()
        moved[place] += sign * wide
        change = (function(moved).astype(np.float64) - centre) * seed
        found.append(sign * float(change.sum()) / abs(float(moved[place] - at[place])))
    return found
