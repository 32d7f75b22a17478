"""Least squares: the solution of smallest norm, and what it leaves over."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.op import Op, Sample
from engine.ops.linalg import adjoint
from engine.ops.spectral import PINV, pinv_back

_PINV = {"atol": None, "rtol": None, "hermitian": False}


def least_squares(a: Array, b: Array, rcond: Any) -> tuple[Array, Array, Array]:
    """The solutions, ranks and singular values of a stack of systems."""
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    m, n = a.shape[-2:]
    wide_a = np.broadcast_to(a, stack + a.shape[-2:])
    wide_b = np.broadcast_to(b, stack + b.shape[-2:])
    x = np.zeros((*stack, n, b.shape[-1]), a.dtype)
    ranks = np.zeros(stack, np.int64)
    values = np.zeros((*stack, min(m, n)), a.real.dtype)
    for place in np.ndindex(stack):
        x[place], _, ranks[place], values[place] = np.linalg.lstsq(
            wide_a[place], wide_b[place], rcond
        )
    return x, ranks, values


def _lstsq(
    a: Array, b: Array, *, output: int, rcond: Any, vector: bool, over: bool = True
) -> Array:
    columns = b[..., None] if vector else b
    x = least_squares(a, columns, rcond)[0]
    if output == 1 and not over:
        return np.zeros((0,), a.real.dtype)
    if output == 1:
        left_over = np.abs(a @ x - columns) ** 2
        return np.asarray(left_over.sum(-2))
    return x[..., 0] if vector else x


def _columns(x: Any, *, vector: bool) -> Any:
    return np.expand_dims(x, -1) if vector else x


def _lstsq_a(
    g: Any, y: Any, a: Any, b: Any, *, output: int, rcond: Any, vector: bool, over: bool = True
) -> Any:
    if not over:
        return np.zeros_like(a)
    b, inverse = _columns(b, vector=vector), PINV(a, **_PINV)
    if output == 1:
        x = inverse @ b
        return 2 * (a @ x - b) * np.expand_dims(g, -2) @ adjoint(x)
    return pinv_back(_columns(g, vector=vector) @ adjoint(b), inverse, a, **_PINV)


def _lstsq_b(
    g: Any, y: Any, a: Any, b: Any, *, output: int, rcond: Any, vector: bool, over: bool = True
) -> Any:
    if not over:
        return np.zeros_like(b)
    inverse = PINV(a, **_PINV)
    if output == 1:
        b = _columns(b, vector=vector)
        back = 2 * (b - a @ (inverse @ b)) * np.expand_dims(g, -2)
    else:
        back = adjoint(inverse) @ _columns(g, vector=vector)
    return np.squeeze(back, -1) if vector else back


_TALL = np.array([[2.0, 0.3], [0.4, -1.5], [0.7, 0.1]])
_SOLUTION: dict[str, Any] = {"output": 0, "rcond": None, "vector": False}

ROWS = (
    Op(
        "linalg_lstsq",
        _lstsq,
        (_lstsq_a, _lstsq_b),
        promote="none",
        reads=(frozenset({0, 1}), frozenset({0, 1})),
        conjugate=False,
        samples=(
            Sample((_TALL, (3, 2)), _SOLUTION),
            Sample((_TALL.T, (2,)), {**_SOLUTION, "vector": True}),
            Sample((_TALL, (3, 2)), {**_SOLUTION, "output": 1}),
        ),
    ),
)
