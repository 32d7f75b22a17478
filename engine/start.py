"""`Tensor.backward`: the usual call goes straight to the reverse pass, any other to autograd."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.arrays import Array
from engine.history import edge_of
from engine.reverse import sweep
from engine.state import STATE
from engine.sweep import Sweep
from engine.tensor import Tensor

_ONES: dict[np.dtype[Any], Array] = {}


def backward(
    self: Tensor,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Sequence[Tensor] | Tensor | None = None,
) -> None:
    """Accumulate into each leaf's `.grad` the product of `gradient` with the Jacobian.

    `gradient` has this tensor's shape and may be left out where it has one element.
    Raises RuntimeError and TypeError with PyTorch's messages.
    """
    mode = STATE.mode
    if not (
        create_graph
        or inputs is not None
        or mode.unusual
        or mode.record is not None
        or STATE.transforms
    ):
        seed = _seed(self, gradient)
        if seed is not None:
            outer, mode.grad_enabled = mode.grad_enabled, False
            try:
                sweep(((edge_of(self), seed),), Sweep(bool(retain_graph), False, None, True))
            finally:
                mode.grad_enabled = outer
            return
    from engine.autograd import backward as call

    call(self, gradient, retain_graph, create_graph, inputs=inputs)


def _seed(out: Tensor, given: Any) -> Array | None:
    """The seed, where there is nothing to check, to cast or to refuse."""
    array = out._array
    if not out._requires_grad or out._base is not None or array.dtype.kind != "f":
        return None
    if given is None:
        return one(array.dtype) if not array.shape else None
    if type(given) is not Tensor:
        return None
    seed = given._array
    return seed if seed.shape == array.shape and seed.dtype is array.dtype else None


def one(kind: np.dtype[Any]) -> Array:
    """1 as a 0-d array, the same one each time."""
    found = _ONES.get(kind)
    if found is None:
        found = _ONES[kind] = np.ones((), kind)
        found.flags.writeable = False
    return found
