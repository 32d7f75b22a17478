"""Products of vectors and matrices, taken apart as PyTorch takes them apart."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions import shapes
from engine.functions.arithmetic import Number, add, mul
from engine.functions.pieces import contiguous
from engine.ops import OPS
from engine.plain import check_broadcast
from engine.tensor import Tensor, apply, refuse


def _applied(name: str, a: Tensor, b: Tensor, error: Exception | None) -> Tensor:
    if error is not None:
        refuse(name, (a, b), {}, error)
    return apply(OPS[name], (a, b), {})


def _same_kind(a: Tensor, b: Tensor) -> Exception | None:
    if a._array.dtype == b._array.dtype:
        return None
    return RuntimeError(
        errors.MATRIX_DTYPES.format(a=dtypes.c_name(a.dtype), b=dtypes.c_name(b.dtype))
    )


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices."""
    (m, k), (k2, n) = _matrix_shape(input, "self"), _matrix_shape(mat2, "mat2")
    error: Exception | None = None
    if k != k2:
        error = RuntimeError(errors.MATRIX_SIZES.format(m=m, k=k, k2=k2, n=n))
    return _applied("mm", input, mat2, error or _same_kind(input, mat2))


def _matrix_shape(tensor: Tensor, name: str) -> tuple[int, ...]:
    if tensor._array.ndim != 2:
        raise RuntimeError(f"{name} must be a matrix")
    return tensor._array.shape


def mv(input: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector."""
    if input._array.ndim != 2 or vec._array.ndim != 1:
        raise RuntimeError(
            f"vector + matrix @ vector expected, got {1}, {input._array.ndim}, {vec._array.ndim}"
        )
    (m, k), (n,) = input._array.shape, vec._array.shape
    error: Exception | None = None
    if k != n:
        error = RuntimeError(errors.VECTOR_SIZES.format(m=m, k=k, n=n))
    elif input._array.dtype != vec._array.dtype:
        error = RuntimeError(
            f"expected mat and vec to have the same dtype, but got {dtypes.c_name(input.dtype)} "
            f"and {dtypes.c_name(vec.dtype)}"
        )
    return _applied("mv", input, vec, error)


def dot(input: Tensor, tensor: Tensor) -> Tensor:
    """The inner product of two vectors."""
    check_vectors(input, tensor)
    return apply(OPS["dot"], (input, tensor), {})


def check_vectors(input: Tensor, tensor: Tensor) -> None:
    """Raise RuntimeError unless both are vectors of one size and dtype."""
    if input._array.ndim != 1 or tensor._array.ndim != 1:
        raise RuntimeError(
            f"1D tensors expected, but got {input._array.ndim}D and {tensor._array.ndim}D tensors"
        )
    a, b = input._array.size, tensor._array.size
    error: Exception | None = None
    if input._array.dtype != tensor._array.dtype:
        error = RuntimeError(
            errors.DOT_DTYPES.format(a=dtypes.word(input.dtype), b=dtypes.word(tensor.dtype))
        )
    elif a != b:
        error = RuntimeError(errors.DOT_SIZES.format(a=a, b=b))
    if error is not None:
        refuse("dot", (input, tensor), {}, error)


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two stacks of matrices, one by one."""
    a, b = input._array.shape, mat2._array.shape
    if len(a) != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if len(b) != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    error: Exception | None = None
    if (a[0], a[2]) != (b[0], b[1]):
        error = RuntimeError(errors.BATCH_SIZES.format(wanted=[a[0], a[2]], given=[b[0], b[1]]))
    return _applied("bmm", input, mat2, error or _same_kind(input, mat2))


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """All products of an element of one vector and one of the other."""
    for name, vector in (("self", input), ("vec2", vec2)):
        if vector._array.ndim != 1:
            raise RuntimeError(
                f"outer: Expected 1-D argument {name}, but got {vector._array.ndim}-D"
            )
    return mul(shapes.reshape(input, -1, 1), vec2)


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The matrix product: vectors, matrices, or stacks of matrices that broadcast."""
    a, b = input._array.ndim, other._array.ndim
    if not a or not b:
        raise RuntimeError(errors.MATMUL_0D.format(a=a, b=b))
    if a == 2 and b == 2:
        return mm(input, other)
    if a == 1 and b == 1:
        return dot(input, other)
    if a == 2 and b == 1:
        return mv(input, other)
    if a == 1 and b == 2:
        row = mm(shapes.unsqueeze(input, 0), other)
        return apply(OPS["squeeze"], (row,), {"dim": (0,), "kind": 4})
    input, other = _without_stack(input, other)
    a, b = input._array.ndim, other._array.ndim
    if _is_folded(input, other):
        return _folded(input, other) if a >= b else _folded_right(input, other)
    return _batched(input, other)


def _is_folded(input: Tensor, other: Tensor) -> bool:
    """Whether PyTorch makes one tall matrix of the stack (its `should_fold`)."""
    turned = input._array.ndim < other._array.ndim
    tall, flat = (other, input) if turned else (input, other)
    if tall._array.ndim < 3 or flat._array.ndim > 2:
        return False
    if flat.requires_grad:
        return True
    if input._array.ndim == 2:
        return False
    array = np.swapaxes(tall._array, -1, -2) if turned else tall._array
    steps, sizes = array.strides[:-1], array.shape[:-1]
    return not array.size or all(
        step == after * n for step, after, n in zip(steps, steps[1:], sizes[1:], strict=False)
    )


def _without_stack(input: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """A stack of one matrix that requires grad, as that matrix where it meets a larger stack."""
    one = {"dim": (0,), "kind": 1}
    if input._array.ndim != 3 or other._array.ndim != 3:
        return input, other
    m, n = input._array.shape[0], other._array.shape[0]
    if m == 1 != n and input.requires_grad:
        return apply(OPS["squeeze"], (input,), one), other
    if n == 1 != m and other.requires_grad:
        return input, apply(OPS["squeeze"], (other,), one)
    return input, other


def _folded(input: Tensor, other: Tensor) -> Tensor:
    """A stack times one matrix or vector: the stack's rows as one tall matrix."""
    shape = input._array.shape
    tall = shapes.reshape(input, math.prod(shape[:-1]), shape[-1])
    if other._array.ndim == 1:
        return apply(OPS["unsafe_view"], (mv(tall, other),), {"shape": shape[:-1]})
    flat = mm(tall, other)
    return apply(OPS["unsafe_view"], (flat,), {"shape": (*shape[:-1], other._array.shape[-1])})


def _folded_right(input: Tensor, other: Tensor) -> Tensor:
    """One matrix or vector times a stack, as the transpose of the above."""
    turned = shapes.transpose(other, -2, -1)
    if input._array.ndim == 1:
        return _folded(turned, input)
    return contiguous(shapes.transpose(_folded(turned, shapes.t(input)), -2, -1))


def _batched(input: Tensor, other: Tensor) -> Tensor:
    a = shapes.unsqueeze(input, 0) if input._array.ndim == 1 else input
    b = shapes.unsqueeze(other, -1) if other._array.ndim == 1 else other
    check_broadcast(a._array.shape[:-2], b._array.shape[:-2])
    stack = np.broadcast_shapes(a._array.shape[:-2], b._array.shape[:-2])
    (m, k), (k2, n) = a._array.shape[-2:], b._array.shape[-2:]
    count = math.prod(stack)
    left = shapes.reshape(shapes.expand(a, *stack, m, k), count, m, k)
    right = shapes.reshape(shapes.expand(b, *stack, k2, n), count, k2, n)
    rows = () if input._array.ndim == 1 else (m,)
    columns = () if other._array.ndim == 1 else (n,)
    return apply(OPS["unsafe_view"], (bmm(left, right),), {"shape": (*stack, *rows, *columns)})


def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Number = 1, alpha: Number = 1
) -> Tensor:
    """`beta` input + `alpha` mat1 @ mat2, the first broadcast. Raises where sizes do not fit."""
    inputs = (input, mat1, mat2)
    error = _different("self", input, mat2) or _not_matrices(mat1, mat2)
    if error is None:
        (m, k), (k2, n) = mat1._array.shape, mat2._array.shape
        if k != k2:
            error = RuntimeError(errors.MATRIX_SIZES.format(m=m, k=k, k2=k2, n=n))
        elif input._array.shape != (m, n):
            check_expanded(input, (m, n))
    error = error or _different("mat1", mat1, mat2)
    params = factors(beta, alpha)
    if error is not None:
        refuse("addmm", inputs, params, error)
    return apply(OPS["addmm"], inputs, params)


def factors(beta: Number, alpha: Number) -> dict[str, Number]:
    """The two as parameters of a row, where they are not 1."""
    return {} if beta == 1 and alpha == 1 else {"beta": beta, "alpha": alpha}


def check_expanded(input: Tensor, shape: tuple[int, ...]) -> None:
    """Raise where the tensor does not broadcast to the shape."""
    given = input._array.shape
    fits = all(n in (1, m) for n, m in zip(given[::-1], shape[::-1], strict=False))
    if len(given) > len(shape) or not fits:
        shapes.expand(Tensor(input._array), *shape)  # which says why not


def _different(name: str, a: Tensor, b: Tensor) -> Exception | None:
    if a._array.dtype == b._array.dtype:
        return None
    words = f"{dtypes.word(a.dtype)} and {dtypes.word(b.dtype)}"
    return RuntimeError(f"{name} and mat2 must have the same dtype, but got {words}")


def _not_matrices(mat1: Tensor, mat2: Tensor) -> Exception | None:
    for name, tensor in (("mat1", mat1), ("mat2", mat2)):
        if tensor._array.ndim != 2:
            return RuntimeError(f"{name} must be a matrix, got {tensor._array.ndim}-D tensor")
    return None


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Input @ weight.T + bias; `weight` is (out, in)."""
    ndim = input._array.ndim
    if not ndim or not weight._array.ndim:
        text = errors.MATMUL_0D.format(a=ndim, b=weight._array.ndim)
        raise RuntimeError(text.replace("matmul", "linear"))
    turned = shapes.t(weight)
    if bias is not None and ndim == 2:
        return addmm(bias, input, turned)
    if bias is not None and ndim and input._array.flags.c_contiguous:
        shape = input._array.shape
        tall = shapes.view(input, math.prod(shape[:-1]), shape[-1])
        return shapes.view(addmm(bias, tall, turned), *shape[:-1], weight._array.shape[0])
    out = matmul(input, turned)
    return out if bias is None else add(out, bias)


def _operator(a: Any, b: Any) -> Any:
    if not (isinstance(a, Tensor) and isinstance(b, Tensor)):
        return NotImplemented  # Python says so of both
    return matmul(a, b)


FUNCTIONS: dict[str, Any] = {f.__name__: f for f in (mm, mv, dot, bmm, outer, matmul, addmm)}
METHODS: dict[str, Any] = {
    "__matmul__": lambda self, other: _operator(self, other),
    "__rmatmul__": lambda self, other: _operator(other, self),
}
