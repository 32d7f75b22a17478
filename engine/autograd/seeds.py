"""The seeds of a backward call: made where they may be left out, checked as PyTorch checks them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.arrays import Array
from engine.autograd import messages
from engine.tensor import Tensor


def seeds_of(outputs: tuple[Tensor, ...], given: Any, *, batched: bool = False) -> list[Tensor]:
    """A seed for each output; with `batched`, one with a first axis along which many lie.

    Raises RuntimeError and TypeError with PyTorch's messages.
    """
    if given is None:
        listed: list[Any] = [None] * len(outputs)
    elif isinstance(given, Tensor):
        listed = [given]
    else:
        try:
            listed = list(given)
        except TypeError:
            raise TypeError(errors.NOT_ITERABLE.format(type=type(given).__name__)) from None
    if len(listed) < len(outputs):
        raise RuntimeError(errors.SEED_COUNT.format(outputs=len(outputs), seeds=len(listed)))
    return [
        _implicit(out) if seed is None else _checked(out, seed, listed, batched)
        for out, seed in zip(outputs, listed, strict=False)
    ]


def _implicit(out: Tensor) -> Tensor:
    if not out.requires_grad:  # refused for that reason, whatever its shape
        return out
    if out._array.size != 1:
        raise RuntimeError(errors.IMPLICIT_SCALAR)
    if out._array.dtype.kind == "c":
        raise RuntimeError(errors.IMPLICIT_REAL.format(dtype=out.dtype))
    return Tensor(_one(out._array))


def _checked(out: Tensor, seed: Any, listed: list[Any], batched: bool) -> Tensor:
    if not isinstance(seed, Tensor):
        raise TypeError(errors.SEED_TYPE.format(type=type(seed).__name__))
    if type(seed) is not Tensor:
        _check_device(out, seed, listed)
    shape, kind, wanted = seed._array.shape, seed._array.dtype, out._array.dtype
    if batched:
        if not shape:
            raise IndexError(errors.INDEX_OF_0D)
        if not shape[0]:
            raise IndexError(errors.INDEX_RANGE.format(i=0, d=0, n=0))
        shape = shape[1:]
    if shape != out._array.shape:
        raise RuntimeError(_mismatch(out, seed, listed, batched))
    if (kind.kind == "c") != (wanted.kind == "c"):
        i = listed.index(seed)
        raise RuntimeError(errors.SEED_COMPLEX.format(i=i, seed=seed.dtype, output=out.dtype))
    return seed if kind == wanted else seed.to(dtypes.of(wanted))


def _check_device(out: Tensor, seed: Tensor, listed: list[Any]) -> None:
    """Raise RuntimeError for a seed without numbers, once its shape is seen to be right."""
    from engine.meta import MetaTensor

    if not isinstance(seed, MetaTensor):
        return
    i = next(i for i, other in enumerate(listed) if other is seed)
    if seed.shape != out.shape:
        raise RuntimeError(errors.SEED_SHAPE.format(i=i, seed=seed.shape, output=out.shape))
    raise RuntimeError(messages.SEED_DEVICE.format(i=i, wanted="cpu", given="meta"))


def _mismatch(out: Tensor, seed: Tensor, listed: list[Any], batched: bool) -> str:
    # PyTorch looks the seed up by `==`, which itself raises where an earlier one differs.
    i = listed.index(seed)
    if batched:  # and it leaves one axis too many out of the shape
        shape = dtypes.Size(seed._array.shape[2:])
        return messages.BATCHED_SEED_SHAPE.format(i=i, seed=shape, output=out.shape)
    return errors.SEED_SHAPE.format(i=i, seed=seed.shape, output=out.shape)


def _one(like: Array) -> Array:
    """1 in the shape and dtype of an array of one element; a new one, which may be written to."""
    return np.ones(like.shape, like.dtype)
