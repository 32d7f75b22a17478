"""Padding: a constant around, or the tensor's own elements carried on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.op import Op, Sample

Sides = tuple[tuple[int, int], ...]  # how much goes before and behind each of the last axes
_NAMES = {"reflect": "ReflectionPad{}D", "replicate": "ReplicationPad{}D"}


def _padded(x: Any, *, sides: Sides, value: Any) -> Any:
    front = x.ndim - len(sides)
    inside = [
        slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape[front:], sides, strict=True)
    ]
    room = [(0, 0)] * front + [(max(a, 0), max(b, 0)) for a, b in sides]
    return np.pad(x[(..., *inside)], room, constant_values=value)


def _cut(g: Any, y: Any, x: Any, *, sides: Sides, value: Any) -> Any:
    return CONSTANT(g, sides=tuple([(-a, -b) for a, b in sides]), value=0)


def _sources(n: int, before: int, behind: int, mode: str) -> Any:
    """Where each place of a padded axis comes from."""
    places = np.arange(-before, n + behind)
    if mode == "replicate":
        return np.clip(places, 0, n - 1)
    if mode == "circular":  # the circle is what negative amounts leave of the axis
        first, last = max(-before, 0), n + min(behind, 0)
        return first + (places - first) % (last - first)
    return (n - 1) - np.absolute((n - 1) - np.absolute(places))


def _carried_on(x: Any, *, sides: Sides, mode: str) -> Any:
    made = x
    for axis, (before, behind) in enumerate(sides, x.ndim - len(sides)):
        if before or behind:
            made = np.take(made, _sources(x.shape[axis], before, behind, mode), axis=axis)
    return np.array(x) if made is x else made


def _brought_back(g: Any, *, sides: Sides, mode: str) -> Any:
    """What each place was given is added where the place came from."""
    made = g
    for axis, (before, behind) in enumerate(sides, g.ndim - len(sides)):
        if before or behind:
            n = g.shape[axis] - before - behind
            into = np.zeros((*made.shape[:axis], n, *made.shape[axis + 1 :]), g.dtype)
            key = (*(slice(None),) * axis, _sources(n, before, behind, mode))
            np.add.at(into, key, made)
            made = into
    return np.array(g) if made is g else made


def _back(g: Any, y: Any, x: Any, *, sides: Sides, mode: str) -> Any:
    return BROUGHT_BACK(g, sides=sides, mode=mode)


def _named(suffix: str) -> Any:
    def name(params: Mapping[str, Any]) -> str:
        kind = _NAMES.get(params["mode"])
        if kind is None:  # PyTorch copies the pieces of circular padding one by one
            return "torch::autograd::CopySlices"
        return kind.format(len(params["sides"])) + suffix

    return name


_AROUND: Sides = ((2, 1),)
_MODES = tuple(
    Sample(((2, 3),), {"sides": _AROUND, "mode": mode})
    for mode in ("reflect", "replicate", "circular")
)

CONSTANT = Op(
    "constant_pad_nd",
    _padded,
    (_cut,),
    promote="none",
    batched=True,
    samples=(
        Sample(((2, 2),), {"sides": _AROUND, "value": 0.5}),
        Sample(((2, 3),), {"sides": ((1, 0), (-1, 1)), "value": 0}),
    ),
)
CARRIED_ON = Op(
    "pad",
    _carried_on,
    (_back,),
    _named("Backward0"),
    promote="none",
    batched=True,
    reads=(frozenset({0}),),  # PyTorch saves the input, of which only the shape matters
    samples=_MODES,
)
BROUGHT_BACK = Op(
    "pad_back",
    _brought_back,
    (lambda g, y, x, *, sides, mode: CARRIED_ON(g, sides=sides, mode=mode),),
    _named("BackwardBackward0"),
    promote="none",
    batched=True,
    samples=tuple(Sample(((2, 6),), sample.params) for sample in _MODES),
)
ROWS = (CONSTANT, CARRIED_ON, BROUGHT_BACK)
