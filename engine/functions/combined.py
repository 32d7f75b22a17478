"""A product or quotient added to a tensor, and the straight line between two."""

from __future__ import annotations

from typing import Any

from engine.functions.arithmetic import Number, check_broadcast
from engine.functions.elementwise import refuse_type
from engine.ops import OPS
from engine.tensor import Tensor, apply


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
    names = {"float32": "float", "float64": "double", "float16": "c10::Half"}
    return names.get(tensor.dtype.name, tensor.dtype.name)


def _combined(name: str, text: str) -> Any:
    def function(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1) -> Tensor:
        for place, item in enumerate((input, tensor1, tensor2)):
            if not isinstance(item, Tensor):
                argument = ("input", "tensor1", "tensor2")[place]
                refuse_type(name, argument, place + 1, "Tensor", item)
        _all_broadcast(input, tensor1, tensor2)
        return apply(OPS[name], (input, tensor1, tensor2), {"value": value})

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


addcmul = _combined("addcmul", "Input + value * tensor1 * tensor2.")
addcdiv = _combined("addcdiv", "Input + value * tensor1 / tensor2.")
