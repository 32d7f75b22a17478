"""Finite differences of a function, element by element, and whether a gradient agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
_STEPS = {8: (1e-6, 1e-8), 4: (1e-2,)}  # by the width of the output's numbers
_TOLERANCE = {8: 1e-5, 4: 2e-2}
_ROUNDING = 16.0  # last places that a value may be off by after several ops
_KINK = {8: 0.01, 4: 0.5}  # slopes to the left and right that are so far apart are not one


def by_differences(
    function: Function, at: Array, seed: Array, gradient: Array, *, width: int | None = None
) -> Proof:
    """Hold a gradient of <seed, function> by `at` to central differences.

    At a kink, where the slopes to the left and right differ, anything between them is right: it
    is a subgradient. `width` is the bytes of the narrowest number on the way, where that is not
    the output's.
    """
    centre = function(at)
    width = centre.dtype.itemsize if width is None else width
    if width not in _STEPS or centre.dtype.kind != "f":
        return Proof("differences", None, note=_("not in double precision"))
    if not np.array_equal(centre, function(at), equal_nan=True):
        return Proof("differences", None, note=_("draws random numbers"))
    errors: list[float] = []
    kinks, began = 0, monotonic()
    for place in _places(at.shape):
        if errors and monotonic() - began > _PATIENCE:
            break
        moves = (_moved(function, at, place, (seed, centre), step=s) for s in _STEPS[width])
        error, kink = _held(moves, gradient, place, width)
        kinks += kink
        if error is not None:
            errors.append(error)
    if not errors:
        return Proof("differences", None, note=_("not finite here"))
    note = _("a kink: the slopes on its two sides differ") if kinks else ""
    return Proof("differences", max(errors) <= _TOLERANCE[width], max(errors), note)


def _held(
    moves: Iterable[tuple[float, float, float]], gradient: Array, place: tuple[int, ...], width: int
) -> tuple[float | None, bool]:
    """By how much an element of the gradient is off, and whether it is at a kink.

    The smaller step counts where the larger one does not agree: a sum over many units may cross
    the kinks of a few. None where a number is not finite.
    """
    tolerance, error = _TOLERANCE[width], None
    found, size = float(gradient[place]), float(np.abs(gradient).max())
    for left, right, noise in moves:
        if not np.isfinite([found, left, right]).all():
            return None, False
        low, high = sorted((left, right))
        scale = max(size, abs(low), abs(high), noise / tolerance, 1e-300)
        slack = tolerance * scale
        if (high - low) / scale > _KINK[width] and low - slack <= found <= high + slack:
            return 0.0, True
        off = abs(found - (low + high) / 2) / scale
        error = off if error is None else min(error, off)
        if error <= tolerance:
            break
    return error, False


def _places(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The elements to move: all of them, or a sample."""
    size = int(np.prod(shape))
    chosen = np.arange(size)
    if size > ELEMENTS:
        chosen = np.sort(np.random.default_rng(0).choice(size, ELEMENTS, replace=False))
    for flat in chosen:
        yield tuple(int(i) for i in np.unravel_index(flat, shape))


def _moved(
    function: Function,
    at: Array,
    place: tuple[int, ...],
    seed_and_centre: tuple[Array, Array],
    *,
    step: float,
) -> tuple[float, float, float]:
    """The slopes of <seed, function> to the left and right of an element, and their rounding."""
    seed, centre = seed_and_centre
    wide = step * max(1.0, abs(float(at[place])))
    found, noise = [], 0.0
    for sign in (-1, 1):
        moved = at.copy()
        moved[place] += sign * wide
        apart = abs(float(moved[place] - at[place]))
        after = function(moved)
        change = (after.astype(np.float64) - centre) * seed
        found.append(sign * float(change.sum()) / apart)
        sizes = np.abs(seed * after)
        touched = max(float(sizes[change != 0].sum()), float(sizes.max(initial=0.0)))
        noise = max(noise, _ROUNDING * float(np.finfo(after.dtype).eps) * touched / apart)
    return found[0], found[1], noise
