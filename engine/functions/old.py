"""The old constructors, one a dtype: `torch.FloatTensor` and its kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.arrays import Array
from engine.tensor import Tensor


class OldType(type):
    """A type whose instances are the tensors of one dtype, as `torch.LongTensor` is."""

    kind: dtypes.dtype

    def __call__(cls, *given: Any) -> Tensor:
        """A tensor of nested lists or of sizes."""
        return Tensor(Tensor(*given)._array.astype(cls.kind._numpy))

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls.kind

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__name__}'>"


def from_call(data: Any = (), *sizes: int) -> Array:
    """What `torch.Tensor(…)` makes: of sizes, zeros; of anything else, its numbers as floats."""
    kind = dtypes.get_default_dtype()._numpy
    if sizes or isinstance(data, int):
        return np.zeros((data, *sizes), kind)
    if isinstance(data, (np.ndarray, np.generic)):
        return np.asarray(data)
    if isinstance(data, Tensor):
        return data._array
    return np.array([i._array if isinstance(i, Tensor) else i for i in data], kind)


def of_type(kind: dtypes.dtype) -> Any:
    """The old constructor of one dtype, as in `torch.LongTensor([1, 2])`."""
    name = dtypes.type_name(kind).removeprefix("torch.")
    described = {"kind": kind, "__doc__": f"A tensor of dtype {kind}, of nested lists or of sizes."}
    return OldType(name, (), described)


FloatTensor, DoubleTensor = of_type(dtypes.float32), of_type(dtypes.float64)
HalfTensor, ByteTensor = of_type(dtypes.float16), of_type(dtypes.uint8)
CharTensor, ShortTensor = of_type(dtypes.int8), of_type(dtypes.int16)
LongTensor, IntTensor = of_type(dtypes.int64), of_type(dtypes.int32)
BoolTensor = of_type(dtypes.bool_)
