"""Products that few programs use: sums of products, the cross product, the trilinear form."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.linalg import conjugated, plus, scaled, turned


def _column(v: Any) -> Any:
    return np.expand_dims(v, -1)


def _addmv(c: Any, a: Any, v: Any, *, beta: Any, alpha: Any) -> Any:
    return plus(c, np.matmul(a, v), beta=beta, alpha=alpha)


def _addbmm(c: Any, a: Any, b: Any, *, beta: Any, alpha: Any) -> Any:
    return plus(c, np.sum(np.matmul(a, b), 0), beta=beta, alpha=alpha)


def _baddbmm(c: Any, a: Any, b: Any, *, beta: Any, alpha: Any) -> Any:
    return plus(c, np.matmul(a, b), beta=beta, alpha=alpha)


def _addr(c: Any, v: Any, w: Any, *, beta: Any, alpha: Any) -> Any:
    if c.dtype.kind == "b":
        return np.outer(v, w) | c if beta else np.outer(v, w)
    return plus(c, np.outer(v, w), beta=beta, alpha=alpha)


def _to_sum(g: Any, y: Any, c: Any, a: Any, b: Any, *, beta: Any, alpha: Any) -> Any:
    return scaled(g, beta)


def _to_left(g: Any, y: Any, c: Any, a: Any, b: Any, *, beta: Any, alpha: Any) -> Any:
    return scaled(g @ turned(b), alpha)


def _to_right(g: Any, y: Any, c: Any, a: Any, b: Any, *, beta: Any, alpha: Any) -> Any:
    return scaled(turned(a) @ g, alpha)


def _to_matrix(g: Any, y: Any, c: Any, a: Any, v: Any, *, beta: Any, alpha: Any) -> Any:
    return scaled(_column(g) * v, alpha)


def _to_vector(g: Any, y: Any, c: Any, a: Any, v: Any, *, beta: Any, alpha: Any) -> Any:
    return scaled(turned(a) @ g, alpha)


def _cross(a: Any, b: Any, *, dim: int) -> Any:
    return np.ascontiguousarray(np.cross(a, b, axis=dim))


def _trilinear(x: Any, w: Any, z: Any) -> Any:
    return np.einsum("bi,oij,bj->bo", x, w, z)


def _trilinear_x(g: Any, y: Any, x: Any, w: Any, z: Any) -> Any:
    return np.sum(np.expand_dims(g, -1) * _turned_by(w, z), axis=1)


def _turned_by(w: Any, z: Any) -> Any:
    """W z for each output, as (batch, output, i)."""
    return np.sum(w * np.expand_dims(np.expand_dims(z, 1), 1), axis=-1)


def _trilinear_w(g: Any, y: Any, x: Any, w: Any, z: Any) -> Any:
    rows = np.expand_dims(np.expand_dims(x, 1), -1) * np.expand_dims(np.expand_dims(z, 1), 1)
    return np.sum(np.expand_dims(np.expand_dims(g, -1), -1) * rows, axis=0)


CROSS: Op = Op(
    "linalg_cross",
    _cross,
    (
        lambda g, y, a, b, *, dim: CROSS(b, g, dim=dim),
        lambda g, y, a, b, *, dim: CROSS(g, a, dim=dim),
    ),
    samples=(Sample(((2, 3), (2, 3)), {"dim": 1}), Sample(((1, 3), (2, 3)), {"dim": 1})),
)
_BOTH = {"beta": 0.5, "alpha": 2}
_MATRICES = Sample(((2, 2), (2, 2, 3), (2, 3, 2)), _BOTH)

ROWS = (
    Op(
        "addmv",
        _addmv,
        (_to_sum, _to_matrix, _to_vector),
        promote="none",
        samples=(Sample(((2,), (2, 3), (3,)), _BOTH),),
    ),
    Op("addbmm", _addbmm, (_to_sum, _to_left, _to_right), promote="none", samples=(_MATRICES,)),
    Op("baddbmm", _baddbmm, (_to_sum, _to_left, _to_right), promote="none", samples=(_MATRICES,)),
    Op(
        "addr",
        _addr,
        (
            _to_sum,
            lambda g, y, c, v, w, *, beta, alpha: scaled(g @ w, alpha),
            lambda g, y, c, v, w, *, beta, alpha: scaled(turned(g) @ v, alpha),
        ),
        samples=(Sample(((2, 3), (2,), (3,)), _BOTH),),
    ),
    Op(
        "vdot",
        np.vdot,
        (
            lambda g, y, a, b: conjugated(g) * b,
            lambda g, y, a, b: g * a,
        ),
        promote="none",
        conjugate=False,
        samples=(Sample(((3,), (3,))),),
    ),
    CROSS,
    Op(
        "trilinear",
        _trilinear,
        (
            _trilinear_x,
            _trilinear_w,
            lambda g, y, x, w, z: _trilinear_x(g, y, z, turned(w), x),
        ),
        promote="none",
        samples=(Sample(((2, 2), (2, 2, 3), (2, 3))),),
    ),
)
