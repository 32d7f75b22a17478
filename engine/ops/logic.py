"""Questions of one or two numbers that few programs ask; their answers carry no gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import elementwise
from engine.ops.division import NOT_IMPLEMENTED, underivable
from engine.ops.kernels import kernel


@kernel("signbit is not implemented for complex tensors.")
def _signbit(x: Any) -> Any:
    return np.signbit(x) if x.dtype.kind == "f" else x < 0


def _infinite(name: str, sign: int) -> Any:
    @kernel(f"{name} does not support complex inputs.", error=RuntimeError, widens=False)
    def function(x: Any) -> Any:
        return x == sign * np.inf if x.dtype.kind == "f" else np.zeros(x.shape, bool)

    return function


@kernel("heaviside is not yet implemented for complex tensors.", error=RuntimeError)
def _heaviside(x: Any, at_zero: Any) -> Any:
    return np.where(x == 0, at_zero, x > 0).astype(x.dtype)


ROWS = (
    elementwise("logical_xor", np.logical_xor, (None, None)),
    elementwise("signbit", _signbit, (None,)),
    elementwise("isposinf", _infinite("isposinf", 1), (None,)),
    elementwise("isneginf", _infinite("isneginf", -1), (None,)),
    elementwise(
        "heaviside",
        _heaviside,
        (underivable("heaviside"), underivable("heaviside")),
        NOT_IMPLEMENTED,
        reads=(frozenset(), frozenset()),
    ),
)
