"""The inputs of an op brought to the dtype that PyTorch computes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import dtypes
from engine.arrays import Array
from engine.op import Op

if TYPE_CHECKING:
    from engine.tensor import Tensor


def promoted(op: Op, inputs: tuple[Tensor, ...]) -> list[Array]:
    """The inputs' arrays, cast where the op wants one dtype for all."""
    arrays = [t._array for t in inputs]
    promote = op.promote
    if promote == "none":
        return arrays
    kind = arrays[0].dtype
    if len(arrays) == 1:
        if promote == "float" and kind.kind not in "fc":
            arrays[0] = arrays[0].astype(dtypes.get_default_dtype()._numpy)
        return arrays
    if len(arrays) == 2 and promote != "rest":
        other = arrays[1].dtype
        if kind is other and not inputs[0]._wrapped:
            if promote == "common" or kind.kind in "fc":
                return arrays
        elif (
            inputs[1]._wrapped and not inputs[0]._wrapped and kind.kind == "f" and other.kind != "c"
        ):
            arrays[1] = arrays[1].astype(kind)  # a number takes the dtype of floats
            return arrays
    return _cast(op, inputs, arrays)


def _cast(op: Op, inputs: tuple[Tensor, ...], arrays: list[Array]) -> list[Array]:
    first = 1 if op.promote == "rest" else 0
    kind = dtypes.result_type([(t._array.dtype, t._array.ndim, t._wrapped) for t in inputs[first:]])
    if op.promote == "float" and kind.kind not in "fc":
        kind = dtypes.get_default_dtype()._numpy
    return [
        a if a.dtype is kind or slot < first else a.astype(kind) for slot, a in enumerate(arrays)
    ]
