"""Finite differences of a function, element by element, and whether a gradient agrees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.language import N_, _
from gradviz.proofs.proof import Proof

Array = npt.NDArray[Any]
Function = Callable[[Array], Array]  # of one input, the others staying as they are

Rule = Callable[[Array], Array]  # the gradient as the rule has it, at another place

ELEMENTS = 16  # of an input that are moved; of a larger one as many, drawn at random
_PATIENCE = 3.0  # seconds after which no further element of an input is moved
_STEPS = {8: (1e-6, 1e-8), 4: (1e-2,)}  # by the width of the output's numbers
_TOLERANCE = {8: 1e-5, 4: 2e-2}
_ROUNDING = 16.0  # last places that a value may be off by after several ops
_KINK = {8: 0.01, 4: 0.5}  # slopes to the left and right that are so far apart are not one
_CLOSE_BY = {8: 1e-3, 4: 1e-1}  # how far off one looks whether it is smooth here
_LOOKS = 4
_LENIENT = 100.0  # close to where it is not smooth it bends much
_BENDING = 0.1  # gradients close by that differ by this share are not of a smooth function
_VANISHED = 1e-3  # what shrinks by this or more with a step a hundredth as long tends to zero


_KINKED = N_("a kink: the slopes on its two sides differ")
_ROUGH = N_("not smooth here; right close by")
_NONE = N_("has no derivative here")


def is_rough(proof: Proof) -> bool:
    """Whether the function turned out not to be smooth where it was tried."""
    return proof.note in (_(_KINKED), _(_ROUGH), _(_NONE))


def by_differences(
    function: Function,
    at: Array,
    seed: Array,
    gradient: Array,
    *,
    width: int | None = None,
    rule: Rule | None = None,
) -> Proof:
    """Hold a gradient of <seed, function> by `at` to central differences.

    At a kink, where the slopes to the left and right differ, anything between them is right: it
    is a subgradient. `width` is the bytes of the narrowest number on the way, where that is not
    the output's. With `rule`, a gradient that does not agree is looked at close by: where the
    rule is right there and its gradients do not tend to one, the function has none here.
    """
    trial = _Trial(function, seed, function(at).dtype.itemsize if width is None else width)
    why = trial.refused(at)
    if why:
        return Proof("differences", None, note=why)
    proof = trial.held(at, gradient)
    if proof.passed is False and rule is not None:
        return trial.close_by(proof, at, gradient, rule)
    return proof


@dataclass(frozen=True, slots=True, eq=False)
class _Trial:
    """A function whose slopes are taken; `width` is the bytes of its numbers."""

    function: Function
    seed: Array
    width: int

    def refused(self, at: Array) -> str:
        """Why it cannot be tried, empty where it can."""
        centre = self.function(at)
        if not at.size or not centre.size:
            return _("no elements")
        if self.width not in _STEPS or centre.dtype.kind != "f":
            return _("not in double precision")
        if not np.array_equal(centre, self.function(at), equal_nan=True):
            return _("draws random numbers")
        return ""

    def held(self, at: Array, gradient: Array, leniency: float = 1.0) -> Proof:
        """The gradient held to the slopes of as many elements as there is time for."""
        centre, tolerance = self.function(at), leniency * _TOLERANCE[self.width]
        errors: list[float] = []
        kinks, began = 0, monotonic()
        for place in _places(at.shape):
            if errors and monotonic() - began > _PATIENCE:
                break
            moves = (
                _moved(self.function, at, place, (self.seed, centre), step=s)
                for s in _STEPS[self.width]
            )
            error, kink = _held(moves, gradient, place, self.width)
            kinks += kink
            if error is not None:
                errors.append(error)
        if not errors:
            return Proof("differences", None, note=_("not finite here"))
        note = _(_KINKED) if kinks else ""
        return Proof("differences", max(errors) <= tolerance, max(errors), note)

    def close_by(self, failed: Proof, at: Array, gradient: Array, rule: Rule) -> Proof:
        """The failed proof, or what it is where the function is not smooth."""
        draw, found = np.random.default_rng(3), []
        reach = _CLOSE_BY[self.width] * np.maximum(1.0, np.abs(at))
        for _look in range(_LOOKS):
            moved = (at + reach * draw.uniform(-1.0, 1.0, at.shape)).astype(at.dtype)
            there = rule(moved)
            proof = self.held(moved, there, _LENIENT)
            if proof.passed is False:
                return failed
            if proof.passed:
                found.append(there)
        none = Proof("differences", None, note=_(_NONE))
        if not found:
            return none
        low, high = np.min(found, axis=0), np.max(found, axis=0)
        size = float(np.abs(found).max())
        slack = _BENDING / 10 * size
        if ((gradient >= low - slack) & (gradient <= high + slack)).all():
            return Proof("differences", True, 0.0, _(_ROUGH))
        bends = bool(failed.note) or float((high - low).max()) > _BENDING * size
        return none if bends else failed


def _held(
    moves: Iterable[tuple[float, float, float]], gradient: Array, place: tuple[int, ...], width: int
) -> tuple[float | None, bool]:
    """By how much an element of the gradient is off, and whether it is at a kink.

    The smaller step counts where the larger one does not agree: a sum over many units may cross
    the kinks of a few. None where a number is not finite.
    """
    tolerance, error, first = _TOLERANCE[width], None, 0.0
    found, finite = float(gradient[place]), np.isfinite(gradient)
    size = float(np.abs(gradient[finite]).max(initial=0.0))
    for left, right, noise in moves:
        if not np.isfinite([found, left, right, noise]).all():
            return None, False
        low, high = sorted((left, right))
        scale = max(size, abs(low), abs(high), noise / tolerance, 1e-300)
        slack = tolerance * scale
        if (high - low) / scale > _KINK[width] and low - slack <= found <= high + slack:
            return 0.0, True
        apart = abs(found - (low + high) / 2)
        off = apart / scale
        if max(apart, size) <= _VANISHED * first:  # all is zero but for the step
            return 0.0, False
        first = max(first, apart)
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
