"""Products added to a tensor: addmv, addbmm, baddbmm, addr; and vdot, cross, bilinear."""

from __future__ import annotations

import numpy as np

from engine import dtypes, errors
from engine.functions import shapes
from engine.functions.arithmetic import Number, add, check_broadcast
from engine.functions.products import check_expanded, check_vectors, outer
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.state import STATE
from engine.tensor import Tensor, apply

ger = outer


def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1
) -> Tensor:
    """`beta` input + `alpha` mat @ vec. Raises RuntimeError where sizes or dtypes do not fit."""
    c, a, v = input._array, mat._array, vec._array
    if a.ndim != 2 or v.ndim != 1 or c.ndim > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {c.ndim}, {a.ndim}, {v.ndim}")
    (m, k), (n,) = a.shape, v.shape
    if k != n or c.size not in (1, m):
        raise RuntimeError(
            f"size mismatch, got input ({c.shape[0] if c.ndim else 1}), mat ({m}x{k}), vec ({n})"
        )
    if not c.dtype == a.dtype == v.dtype:
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {dtypes.word(input.dtype)}, "
            f"{dtypes.word(mat.dtype)}, and {dtypes.word(vec.dtype)}"
        )
    return apply(OPS["addmv"], (input, mat, vec), {"beta": beta, "alpha": alpha})


def _stacks(batch1: Tensor, batch2: Tensor) -> tuple[int, ...]:
    """The shape of the products; IndexError where one has fewer than three axes."""
    for batch, axis in ((batch1, 1), (batch2, 2)):
        axis_of(axis, batch._array.ndim)
    return batch1._array.shape[0], batch1._array.shape[1], batch2._array.shape[2]


def addbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1
) -> Tensor:
    """`beta` input + `alpha` times the sum of the products of two stacks of matrices."""
    check_expanded(input, _stacks(batch1, batch2)[1:])
    a, b = batch1._array.shape, batch2._array.shape
    if a[0] != b[0]:
        raise RuntimeError(
            f"batch1 and batch2 must have same number of batches, got {a[0]} and {b[0]}"
        )
    if a[2] != b[1]:
        raise RuntimeError(f"Incompatible matrix sizes for bmm ({a[1]}x{a[2]} and {b[1]}x{b[2]})")
    for other in (batch2, batch1):
        if input._array.dtype != other._array.dtype:
            raise RuntimeError(
                "self and mat2 must have the same dtype, but got "
                f"{dtypes.word(input.dtype)} and {dtypes.word(other.dtype)}"
            )
    return apply(OPS["addbmm"], (input, batch1, batch2), {"beta": beta, "alpha": alpha})


def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1
) -> Tensor:
    """`beta` input + `alpha` times the products of two stacks of matrices, one by one."""
    check_expanded(input, _stacks(batch1, batch2))
    a, b = batch1._array.shape, batch2._array.shape
    if (a[0], a[2]) != (b[0], b[1]):
        raise RuntimeError(errors.BATCH_SIZES.format(wanted=[a[0], a[2]], given=[b[0], b[1]]))
    if input._array.dtype != batch1._array.dtype:
        raise RuntimeError(
            "Input dtypes must be the same, got: input "
            f"{dtypes.c_name(input.dtype)}, batch1: {dtypes.c_name(batch1.dtype)}, batch2: "
            f"{dtypes.c_name(batch2.dtype)}"
        )
    check_scalar_type(batch1, batch2)
    return apply(OPS["baddbmm"], (input, batch1, batch2), {"beta": beta, "alpha": alpha})


def check_scalar_type(a: Tensor, b: Tensor) -> None:
    """Raise RuntimeError where the second tensor has another dtype."""
    if a._array.dtype != b._array.dtype:
        raise RuntimeError(
            f"expected scalar type {dtypes.word(a.dtype)} but found {dtypes.word(b.dtype)}"
        )


def addr(
    input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1
) -> Tensor:
    """`beta` input + `alpha` times the outer product of two vectors."""
    for name, vector in (("vec1", vec1), ("vec2", vec2)):
        if vector._array.ndim != 1:
            raise RuntimeError(
                f"addr: Expected 1-D argument {name}, but got {vector._array.ndim}-D"
            )
    check_expanded(input, (vec1._array.size, vec2._array.size))
    if all(t._array.dtype.kind in "iub" for t in (input, vec1, vec2)):
        for name, factor in (("beta", beta), ("alpha", alpha)):
            if isinstance(factor, float):
                raise RuntimeError(
                    f"For integral input tensors, argument {name} must not be a floating point "
                    "number."
                )
    return apply(OPS["addr"], (input, vec1, vec2), {"beta": beta, "alpha": alpha})


def vdot(input: Tensor, other: Tensor) -> Tensor:
    """The inner product of two vectors, the first conjugated."""
    check_vectors(input, other)
    return apply(OPS["vdot"], (input, other), {})


def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """The cross product of vectors of three along an axis."""
    a, b = input._array, other._array
    if a.ndim != b.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    axis = axis_of(dim, a.ndim)
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {a.shape[axis]} and "
            f"{b.shape[axis]}"
        )
    check_broadcast(a.shape, b.shape)
    check_scalar_type(input, other)
    return apply(OPS["linalg_cross"], (input, other), {"dim": axis})


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The cross product along an axis, the first of length three where none is given."""
    if dim is not None:
        return linalg_cross(input, other, dim=dim)
    threes = [axis for axis, n in enumerate(input._array.shape) if n == 3]
    if input._array.ndim == other._array.ndim and not threes:
        raise RuntimeError("no dimension of size 3 in input")
    errors.warn_once(CROSS_DIM)
    return linalg_cross(input, other, dim=threes[0] if threes else -1)


CROSS_DIM = (
    "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim "
    "explicitly or simply use torch.linalg.cross.\nThe default value of dim will change to agree "
    "with that of linalg.cross in a future release."
)


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1 W x2 for each matrix W of `weight`, plus the bias."""
    _check_bilinear(input1, input2, weight, bias)
    tracked = STATE.grad_enabled and any(x.requires_grad for x in (input1, input2, weight))
    if tracked and input1._array.dtype.kind == "c":
        raise RuntimeError(
            "_trilinear does not support automatic differentiation for outputs with complex dtype."
        )
    stack = input1._array.shape[:-1]
    count = int(np.prod(stack))
    x, z = (shapes.reshape(x, count, x._array.shape[-1]) for x in (input1, input2))
    out = shapes.reshape(
        apply(OPS["trilinear"], (x, weight, z), {}), *stack, weight._array.shape[0]
    )
    return out if bias is None else add(out, bias)


def _check_bilinear(x: Tensor, z: Tensor, weight: Tensor, bias: Tensor | None) -> None:
    a, b, w = x._array.shape, z._array.shape, weight._array.shape
    if len(a) != len(b):
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {len(a)} and {len(b)}")
    for axis, (m, n) in enumerate(zip(a[:-1], b[:-1], strict=True)):
        if m != n:
            raise RuntimeError(
                f"bilinear(): input batch dimensions do not match at dim {axis}: got {m} and {n}"
            )
    for number, (given, wanted) in enumerate(((a[-1], w[1]), (b[-1], w[2]))):
        if given != wanted:
            raise RuntimeError(
                f"bilinear(): input{number + 1} size does not match weight size: got {given} but "
                f"expected {wanted}"
            )
    if bias is not None and bias._array.shape[0] != w[0]:
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias._array.shape[0]} but "
            f"expected {w[0]}"
        )
