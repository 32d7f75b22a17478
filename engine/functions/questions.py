"""Questions about operands that are not asked of one tensor."""

from __future__ import annotations

from engine import dtypes
from engine.tensor import Tensor
from engine.tensor import as_tensor as operand


def is_tensor(obj: object) -> bool:
    """Whether the object is a tensor."""
    return isinstance(obj, Tensor)


def result_type(tensor1: object, tensor2: object) -> dtypes.dtype:
    """The dtype of what an op of the two operands gives."""
    pair = [operand(tensor1), operand(tensor2)]
    return dtypes.of(
        dtypes.result_type([(t._array.dtype, t._array.ndim, t._wrapped) for t in pair])
    )


def is_nonzero(input: Tensor) -> bool:
    """Whether a tensor's single element is not 0."""
    size = input._array.size
    if size != 1:
        what = "no values" if not size else "more than one value"
        raise RuntimeError(f"Boolean value of Tensor with {what} is ambiguous")
    return bool(input._array)


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether both have the same shape."""
    return bool(input._array.shape == other._array.shape)


def is_signed(input: Tensor) -> bool:
    """Whether the dtype has negative numbers."""
    return input.dtype.is_signed
