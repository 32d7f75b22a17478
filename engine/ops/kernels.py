"""What a forward computation shares with PyTorch's kernel: the dtypes it takes and computes in."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from engine import dtypes

REAL = "c"  # the kinds that a kernel of real numbers refuses
FLOATING = "biuc"  # those that a kernel of floats refuses


def kernel(
    name: str,
    refused: str = REAL,
    *,
    error: type[Exception] = NotImplementedError,
    widens: bool = True,
) -> Callable[[Callable[..., Any]], Any]:
    """A forward function that refuses the kinds of dtype that PyTorch's kernel does.

    `refused` has NumPy's letters of kinds, and "e" for half precision; `name` is the kernel's name
    in the message, or the whole message. Half precision is computed in single and rounded once,
    unless the function is one of the representable numbers themselves.
    """

    def wrapped(forward: Callable[..., Any]) -> Any:
        @wraps(forward)
        def function(x: Any, *others: Any, **params: Any) -> Any:
            kind = x.dtype
            if kind.kind in refused or (kind.char == "e" and "e" in refused):
                text = name if " " in name else f"\"{name}\" not implemented for '{{dtype}}'"
                raise error(text.format(dtype=dtypes.word(dtypes.of(kind))))
            if kind.char != "e" or not widens:
                return forward(x, *others, **params)
            made = forward(_single(x), *[_single(other) for other in others], **params)
            return made.astype(kind) if made.dtype.kind == "f" else made

        return function

    return wrapped


def _single(array: Any) -> Any:
    return array.astype(np.float32) if array.dtype.char == "e" else array
