"""A product or quotient added to a tensor, and the straight line between two."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.functions.arguments import refuse_type
from engine.functions.arithmetic import Number, check_broadcast
from engine.ops import OPS
from engine.tensor import Tensor, apply

_INTEGER_DIVISION = (
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will "
    "perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be "
    "implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer "
    "inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv "
    "behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all "
    "dtypes."
)


def _all_broadcast(*tensors: Tensor) -> None:
    for place, tensor in enumerate(tensors):
        for other in tensors[:place]:
            check_broadcast(other._array.shape, tensor._array.shape)


def lerp(input: Tensor, end: Tensor, weight: Tensor | float) -> Tensor:
    """Input + weight * (end - input)."""
    if input._array.dtype != end._array.dtype:
        raise RuntimeError(f"expected dtype {_word(input)} for `end` but got dtype {_word(end)}")
    if not isinstance(weight, Tensor):
        _all_broadcast(input, end)
        return apply(OPS["lerp"], (input, end), {"weight": weight})
    if weight._array.dtype != input._array.dtype:
        raise RuntimeError(
            f"expected dtype {_word(input)} for `weight` but got dtype {_word(weight)}"
        )
    _all_broadcast(input, end, weight)
    return apply(OPS["lerp_tensor"], (input, end, weight), {})


def _word(tensor: Tensor) -> str:
    names = {"complex64": "c10::complex<float>", "complex128": "c10::complex<double>"}
    return names.get(tensor.dtype.name) or dtypes.c_name(tensor.dtype)


def _combined(name: str, text: str) -> Any:
    def function(input: Any, tensor1: Any, tensor2: Any, *, value: Number = 1) -> Tensor:
        for place, item in enumerate((input, tensor1, tensor2)):
            if not isinstance(item, Tensor):
                argument = ("input", "tensor1", "tensor2")[place]
                refuse_type(name, argument, place + 1, "Tensor", item)
        if name == "addcdiv" and not {t._array.dtype.kind for t in (tensor1, tensor2)} & {*"fc"}:
            raise RuntimeError(_INTEGER_DIVISION)
        _all_broadcast(input, tensor1, tensor2)
        return apply(OPS[name], (input, tensor1, tensor2), {"value": value})

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


addcmul = _combined("addcmul", "Input + value * tensor1 * tensor2.")
addcdiv = _combined("addcdiv", "Input + value * tensor1 / tensor2.")
