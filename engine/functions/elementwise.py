"""Functions of each element by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.functions.arguments import check_second, refuse, refuse_type
from engine.functions.arithmetic import Number, Operand, binary
from engine.functions.device import Device
from engine.op import Op
from engine.ops import OPS
from engine.plain import check_broadcast, single
from engine.state import is_grad_enabled
from engine.tensor import Tensor, apply, as_tensor


def refuse_complex_gradient(name: str, input: Tensor) -> None:
    """Raise PyTorch's RuntimeError where a complex tensor that requires grad gets none."""
    if input._array.dtype.kind == "c" and input.requires_grad and is_grad_enabled():
        raise RuntimeError(
            f"{name} does not support automatic differentiation for outputs with complex dtype."
        )


def unary(name: str, text: str, row: str = "") -> Any:
    """The function of one tensor that is a row and nothing more."""
    op: Op = OPS[row or name]

    def function(input: Tensor) -> Tensor:
        if type(input) is not Tensor and not isinstance(input, Tensor):
            refuse_type(name, "input", 1, "Tensor", input)
        return single(op, input)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


exp = unary("exp", "e to the power of each element.")
log = unary("log", "The natural logarithm.")
sqrt = unary("sqrt", "The square root.")
rsqrt = unary("rsqrt", "One over the square root.")
sin = unary("sin", "The sine.")
cos = unary("cos", "The cosine.")
tanh = unary("tanh", "The hyperbolic tangent.")
sigmoid = unary("sigmoid", "1 / (1 + exp(-x)).")
relu = unary("relu", "The element where it is positive, else 0.")
reciprocal = unary("reciprocal", "One over each element.")
abs = unary("abs", "The magnitude; its gradient at 0 is 0.")
neg = unary("neg", "Each element with the other sign.")
sign = unary("sign", "-1, 0 or 1.")
floor = unary("floor", "The largest integer not above.")
ceil = unary("ceil", "The smallest integer not below.")
clone = unary("clone", "A copy that gradients flow through.")
logical_not = unary("logical_not", "The opposite truth value.")
bitwise_not = unary("bitwise_not", "Every bit the other way.")
isnan = unary("isnan", "Whether each element is nan.")
isinf = unary("isinf", "Whether each element is infinite.")
isfinite = unary("isfinite", "Whether each element is neither infinite nor nan.")


def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """The nearest integer, or number of so many decimals; halves to the even one."""
    if not decimals:
        return apply(OPS["round"], (input,), {})
    return apply(OPS["round_decimals"], (input,), {"decimals": decimals})


def positive(input: Tensor) -> Tensor:
    """The tensor itself. Raises RuntimeError for truth values."""
    if input._array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Each element held between `min` and `max`, either of which may be None."""
    _check_bounds(input, min, max)
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        from engine.functions.bounds import clamp_between

        return clamp_between(input, min, max)
    bounds = {name: value for name, value in (("min", min), ("max", max)) if value is not None}
    return _held("clamp", input, bounds)


def _check_bounds(input: Any, min: Any, max: Any) -> None:
    given = tuple(item for item in (min, max) if item is not None)
    if not isinstance(input, Tensor) or not all(isinstance(b, (Tensor, int, float)) for b in given):
        kinds = ("Tensor", "Number")
        known = (
            f"Tensor input, {k} min = None, {k} max = None, *, Tensor out = None)" for k in kinds
        )
        refuse("clamp", (input, *given), tuple(known))


def _held(name: str, input: Tensor, bounds: dict[str, Number]) -> Tensor:
    if input._array.dtype.kind in "iub" and any(type(v) is float for v in bounds.values()):
        input = to(input, dtypes.get_default_dtype())
    return apply(OPS[name], (input,), bounds)


def clamp_min(input: Tensor, min: Any) -> Tensor:
    """Each element, or `min` where that is larger."""
    check_second("clamp_min", input, min, "min")
    if isinstance(min, Tensor):
        return binary(OPS["clamp_min_tensor"], input, min)
    return _held("clamp_min", input, {"min": min})


def clamp_max(input: Tensor, max: Any) -> Tensor:
    """Each element, or `max` where that is smaller."""
    check_second("clamp_max", input, max, "max")
    if isinstance(max, Tensor):
        return binary(OPS["clamp_max_tensor"], input, max)
    return _held("clamp_max", input, {"max": max})


_WHERE = (
    "Tensor condition)",
    "Tensor condition, Tensor input, Tensor other, *, Tensor out = None)",
    "Tensor condition, Number self, Tensor other)",
    "Tensor condition, Tensor input, Number other)",
    "Tensor condition, Number self, Number other)",
)


def where(condition: Tensor, input: Operand | None = None, other: Operand | None = None) -> Any:
    """`input` where the condition holds, else `other`; the places that hold where left out."""
    if input is None and other is None:
        return tuple(Tensor(places) for places in np.nonzero(condition._array))
    numbers = (Tensor, bool, int, float, complex)
    if not (isinstance(input, numbers) and isinstance(other, numbers)):
        refuse("where", (condition, input) if other is None else (condition, input, other), _WHERE)
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
    if mask._array.dtype.kind != "b":
        raise RuntimeError(
            "masked_fill_ only supports boolean masks, "
            f"but got mask with dtype {dtypes.c_name(mask.dtype)}"
        )
    check_broadcast(mask._array.shape, input._array.shape)
    if not isinstance(value, Tensor):
        return apply(OPS["masked_fill"], (input, mask), {"value": value})
    if value._array.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, "
            f"but got tensor with {value._array.ndim} dimension(s)."
        )
    return apply(OPS["masked_fill_tensor"], (input, mask, value), {})


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
    if Device(device).type != "cpu":
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
        masked_fill, clamp_min, clamp_max,
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
    "where": lambda self, condition, other: where(condition, self, other),
    "__neg__": neg,
    "__abs__": abs,
    "__invert__": bitwise_not,
    "__pos__": positive,
}
