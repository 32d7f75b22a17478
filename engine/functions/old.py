"""The old constructors, one a dtype: `torch.FloatTensor` and its kin."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.tensor import Tensor


def of_type(kind: dtypes.dtype) -> Any:
    """The old constructor of one dtype, as in `torch.LongTensor([1, 2])`."""

    def function(*given: Any) -> Tensor:
        return Tensor(Tensor(*given)._array.astype(kind._numpy))

    function.__name__ = function.__qualname__ = dtypes.type_name(kind).removeprefix("torch.")
    function.__doc__ = f"A tensor of dtype {kind}, of nested lists or of sizes."
    return function


FloatTensor, DoubleTensor = of_type(dtypes.float32), of_type(dtypes.float64)
LongTensor, IntTensor = of_type(dtypes.int64), of_type(dtypes.int32)
BoolTensor = of_type(dtypes.bool_)
