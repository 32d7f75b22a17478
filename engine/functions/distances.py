"""Distances and similarities of points and vectors."""

from __future__ import annotations

import math

import numpy as np

from engine import dtypes
from engine.functions import shapes
from engine.functions.arithmetic import check_broadcast, div, mul
from engine.functions.elementwise import clamp_min, clone, to
from engine.functions.norms import norm, vector_norm
from engine.functions.numbers import plus
from engine.functions.pieces import contiguous
from engine.functions.reductions import sum as sum_
from engine.ops import OPS
from engine.tensor import Tensor, apply

_MODES = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist")
_MODES_WITHOUT = "donot_use_mm_for_euclid_dist"


def cdist(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """The p-norm distance of every row of one matrix to every row of the other.

    Many points at once go through a matrix product, which rounds differently, as in PyTorch.
    """
    if compute_mode not in (*_MODES, _MODES_WITHOUT):
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    _check_points(x1, x2, p)
    a, b = x1._array.shape, x2._array.shape
    check_broadcast(a[:-2], b[:-2])
    stack = np.broadcast_shapes(a[:-2], b[:-2])
    many = compute_mode == _MODES[0] and max(a[-2], b[-2]) > 25
    product = p == 2 and (many or compute_mode == _MODES[1])
    if not (product and a[-1] and math.prod((*stack, a[-2], b[-2]))):
        return apply(OPS["cdist"], (x1, x2), {"p": float(p)})
    count = math.prod(stack)
    if count > 1:
        x1, x2 = (
            shapes.view(contiguous(shapes.expand(x, *stack, *size[-2:])), count, *size[-2:])
            for x, size in ((x1, a), (x2, b))
        )
    return shapes.view(apply(OPS["euclidean_dist"], (x1, x2), {}), *stack, a[-2], b[-2])


def _check_points(x1: Tensor, x2: Tensor, p: float) -> None:
    for name, x in (("X1", x1), ("X2", x2)):
        if x._array.ndim < 2:
            raise RuntimeError(
                f"cdist only supports at least 2D tensors, {name} got: {x._array.ndim}D"
            )
    if x1._array.shape[-1] != x2._array.shape[-1]:
        raise RuntimeError(
            "X1 and X2 must have the same number of columns. "
            f"X1: {x1._array.shape[-1]} X2: {x2._array.shape[-1]}"
        )
    for name, x in (("X1", x1), ("X2", x2)):
        if x._array.dtype.kind != "f":
            raise RuntimeError(
                f"cdist only supports floating-point dtypes, {name} got: {dtypes.word(x.dtype)}"
            )
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")


def pdist(input: Tensor, p: float = 2) -> Tensor:
    """The p-norm distance of every pair of rows, the first row's pairs first."""
    if input._array.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input._array.ndim}D")
    if input._array.dtype.kind != "f":
        raise RuntimeError("pdist only supports floating-point dtypes")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    return apply(OPS["pdist"], (contiguous(input),), {"p": float(p)})


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The p-norm of the difference."""
    check_broadcast(input._array.shape, other._array.shape)
    return apply(OPS["dist"], (input, other), {"p": 2 if p == 2 else float(p)})


def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The p-norm of x1 - x2 + eps over the last axis."""
    last = max(x1._array.ndim, x2._array.ndim) - 1
    params = {"ord": 2 if p == 2 else float(p), "dim": (max(last, 0),), "keepdim": keepdim}
    return apply(OPS["norm_dim"], (plus(x1 - x2, eps),), params)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors along an axis; norms count as `eps` at least."""
    kind = dtypes.promote_types(x1.dtype, x2.dtype)
    if not kind.is_floating_point:
        raise RuntimeError(
            f"expected common dtype to be floating point, yet common dtype is {dtypes.word(kind)}"
        )
    check_broadcast(x1._array.shape, x2._array.shape)
    shape = np.broadcast_shapes(x1._array.shape, x2._array.shape)
    same = x1._array.shape == x2._array.shape
    directions = []
    for x in (x1, x2):
        wide = to(x if same else shapes.expand(x, *shape), kind)
        length = clone(vector_norm(wide, 2, dim, True))
        # PyTorch clamps out of sight of the gradient, which is that of the norm itself.
        np.maximum(length._array, eps, out=length._array)
        directions.append(div(wide, length))
    return sum_(mul(*directions), dim)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """The tensor over its p-norm along an axis, which counts as `eps` at least."""
    length = clamp_min(norm(input, p, dim, True), eps)
    return div(input, shapes.expand(length, *input._array.shape))
