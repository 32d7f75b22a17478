"""Functions of each element by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.functions.arithmetic import Number, Operand, check_broadcast, maximum, minimum
from engine.op import Op
from engine.ops import OPS
from engine.tensor import Tensor, apply, as_tensor


def _unary(name: str, text: str) -> Any:
    op: Op = OPS[name]

    def function(input: Tensor) -> Tensor:
        if not isinstance(input, Tensor):
            raise TypeError(
                f"{name}(): argument 'input' (position 1) must be Tensor, "
                f"not {type(input).__name__}"
            )
        return apply(op, (input,), {})

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


exp = _unary("exp", "e to the power of each element.")
log = _unary("log", "The natural logarithm.")
sqrt = _unary("sqrt", "The square root.")
rsqrt = _unary("rsqrt", "One over the square root.")
sin = _unary("sin", "The sine.")
cos = _unary("cos", "The cosine.")
tanh = _unary("tanh", "The hyperbolic tangent.")
sigmoid = _unary("sigmoid", "1 / (1 + exp(-x)).")
relu = _unary("relu", "The element where it is positive, else 0.")
reciprocal = _unary("reciprocal", "One over each element.")
abs = _unary("abs", "The magnitude; its gradient at 0 is 0.")
neg = _unary("neg", "Each element with the other sign.")
sign = _unary("sign", "-1, 0 or 1.")
floor = _unary("floor", "The largest integer not above.")
ceil = _unary("ceil", "The smallest integer not below.")
round = _unary("round", "The nearest integer, halves to the even one.")
clone = _unary("clone", "A copy that gradients flow through.")
logical_not = _unary("logical_not", "The opposite truth value.")
bitwise_not = _unary("bitwise_not", "Every bit the other way.")
isnan = _unary("isnan", "Whether each element is nan.")
isinf = _unary("isinf", "Whether each element is infinite.")
isfinite = _unary("isfinite", "Whether each element is neither infinite nor nan.")


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Each element held between `min` and `max`, either of which may be None."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        low = input if min is None else maximum(input, min)
        return low if max is None else minimum(low, max)
    bounds = {name: value for name, value in (("min", min), ("max", max)) if value is not None}
    return apply(OPS["clamp"], (input,), bounds)


def where(condition: Tensor, input: Operand | None = None, other: Operand | None = None) -> Any:
    """`input` where the condition holds, else `other`; the places that hold where left out."""
    if input is None or other is None:
        return tuple(Tensor(places) for places in np.nonzero(condition._array))
    if condition._array.dtype.kind != "b":
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{dtypes.type_name(condition.dtype).removeprefix('torch.').removesuffix('Tensor')}"
        )
    a, b = as_tensor(input), as_tensor(other)
    check_broadcast(a._array.shape, b._array.shape)
    check_broadcast(condition._array.shape, np.broadcast_shapes(a._array.shape, b._array.shape))
    return apply(OPS["where"], (condition, a, b), {})


def masked_fill(input: Tensor, mask: Tensor, value: Number | Tensor) -> Tensor:
    """The tensor with `value` where the mask holds."""
    if isinstance(value, Tensor):
        return where(mask, value, input)  # type: ignore[no-any-return]
    check_broadcast(input._array.shape, mask._array.shape)
    return apply(OPS["masked_fill"], (input, mask), {"value": value})


def to(
    self: Tensor,
    *args: Any,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """The tensor in another dtype, or itself where it has it; the only device is the CPU."""
    for given in (*args, device):
        if isinstance(given, dtypes.dtype):
            dtype = given
        elif isinstance(given, Tensor):
            dtype = given.dtype
        elif isinstance(given, str):
            check_device(given)
        elif isinstance(given, bool):
            copy = copy or (given and given is args[-1] and len(args) > 2)
    kind = self._array.dtype if dtype is None else dtype._numpy
    if kind == self._array.dtype:
        return clone(self) if copy else self
    return apply(OPS["to"], (self,), {"dtype": kind})


def check_device(device: Any) -> None:
    """Raise RuntimeError for any device but the CPU."""
    name = str(device)
    if name.split(":")[0] == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if name.split(":")[0] != "cpu":
        raise RuntimeError(f"the only device of this engine is the CPU, not {name}")


def _cast(kind: dtypes.dtype) -> Any:
    def method(self: Tensor, *, memory_format: Any = None) -> Tensor:
        return to(self, kind)

    method.__name__ = kind.name
    return method


def type_(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """The name of the tensor's type, or the tensor in another dtype."""
    if dtype is None:
        return dtypes.type_name(self.dtype)
    if isinstance(dtype, str):
        word = dtype.removeprefix("torch.").removesuffix("Tensor")
        for kind in dtypes._BY_NAME.values():
            if dtypes.type_name(kind) == f"torch.{word}Tensor":
                return to(self, kind)
        raise ValueError(f"invalid type: '{dtype}'")
    return to(self, dtype)


FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        exp, log, sqrt, rsqrt, sin, cos, tanh, sigmoid, relu, reciprocal, abs, neg, sign, floor,
        ceil, round, clone, logical_not, bitwise_not, isnan, isinf, isfinite, clamp, where,
        masked_fill,
    )
} | {"absolute": abs, "negative": neg, "clip": clamp}  # fmt: skip
METHODS: dict[str, Any] = {
    "to": to,
    "type": type_,
    "type_as": lambda self, other: to(self, other.dtype),
    "float": _cast(dtypes.float32),
    "double": _cast(dtypes.float64),
    "half": _cast(dtypes.float16),
    "int": _cast(dtypes.int32),
    "long": _cast(dtypes.int64),
    "short": _cast(dtypes.int16),
    "bool": _cast(dtypes.bool_),
    "cpu": lambda self: self,
    "clamp_min": lambda self, min: clamp(self, min=min),
    "clamp_max": lambda self, max: clamp(self, max=max),
    "where": lambda self, condition, other: where(condition, self, other),
    "__neg__": neg,
    "__abs__": abs,
    "__invert__": bitwise_not,
    "__pos__": lambda self: self,
}
