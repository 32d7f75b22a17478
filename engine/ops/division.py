"""Rounded quotients and remainders."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.op import Op, Sample, elementwise
from engine.ops.kernels import kernel

NOT_IMPLEMENTED = "torch::autograd::NotImplemented"  # PyTorch's name of a node without a rule


def underivable(name: str) -> Any:
    """The rule of an op that PyTorch has no derivative for: it is missed when it is wanted."""

    def rule(g: Any, y: Any, *inputs: Any, **params: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    return rule


def _quotient(a: Any, b: Any, *, mode: str) -> Any:
    """A / b rounded down, or towards 0; integers stay integers."""
    return _down(a, b) if mode == "floor" else _towards_zero(a, b)


@kernel("div_floor_cpu", "bc")
def _down(a: Any, b: Any) -> Any:
    return np.floor_divide(a, b)


@kernel("div_trunc_cpu", "bc")
def _towards_zero(a: Any, b: Any) -> Any:
    if a.dtype.kind not in "iub":
        return np.trunc(a / b)
    down = np.floor_divide(a, b)
    return down + ((np.remainder(a, b) != 0) & ((a < 0) != (b < 0)))


def _zeros(g: Any, y: Any, a: Any, b: Any, *, mode: str) -> Any:
    return np.zeros_like(g)


DIV_ROUNDED: Op = elementwise(
    "div_rounded",
    _quotient,
    (_zeros, _zeros),
    "DivBackward2",
    reads=(frozenset({1}), frozenset({0, 1})),
    samples=(Sample(((2,), (2,)), {"mode": "floor"}), Sample(((2,), (2,)), {"mode": "trunc"})),
)


@kernel("remainder_cpu", "bc")
def _remainder(a: Any, b: Any) -> Any:
    """What is left of a after floor division by b, with a's sign where it is zero."""
    if np.result_type(a, b).kind != "f":
        return np.remainder(a, b)
    left = np.fmod(a, b)
    return np.where((left != 0) & ((left < 0) != (b < 0)), left + b, left)


_FMOD = kernel("fmod_cpu", "bc")(np.fmod)
_NOTHING: tuple[frozenset[Any], ...] = (frozenset(), frozenset())

FLOOR_DIVIDE = elementwise(
    "floor_divide",
    _down,
    (underivable("floor_divide"), underivable("floor_divide")),
    NOT_IMPLEMENTED,
    reads=_NOTHING,
)

ROWS = (
    DIV_ROUNDED,
    FLOOR_DIVIDE,
    replace(FLOOR_DIVIDE, name="floor_divide_number", pullbacks=(FLOOR_DIVIDE.pullbacks[0], None)),
    replace(FLOOR_DIVIDE, name="number_floor_divide", pullbacks=(None, FLOOR_DIVIDE.pullbacks[1])),
    elementwise(
        "remainder",
        _remainder,
        (lambda g, y, a, b: g, lambda g, y, a, b: -g * DIV_ROUNDED(a, b, mode="floor")),
        "RemainderBackward1",
    ),
    elementwise("remainder_number", _remainder, (lambda g, y, a, b: g, None), "RemainderBackward0"),
    elementwise(
        "number_remainder",
        _remainder,
        (None, underivable("remainder")),
        NOT_IMPLEMENTED,
        reads=_NOTHING,
    ),
    elementwise(
        "fmod",
        _FMOD,
        (lambda g, y, a, b: g, lambda g, y, a, b: -g * DIV_ROUNDED(a, b, mode="trunc")),
        "FmodBackward1",
    ),
    elementwise("fmod_number", _FMOD, (lambda g, y, a, b: g, None), "FmodBackward0"),
)
