"""Padding of `torch.nn.functional`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.ops import OPS
from engine.tensor import Tensor, apply, refuse

Sides = tuple[tuple[int, int], ...]


def _sides(pad: Sequence[int]) -> Sides:
    """PyTorch's list, last axis first, as a pair for each axis in order."""
    pairs = [(int(a), int(b)) for a, b in zip(pad[0::2], pad[1::2], strict=True)]
    return tuple(reversed(pairs))


def constant_pad_nd(input: Tensor, pad: Sequence[int], value: Any = 0) -> Tensor:
    """A constant around the last axes; `pad` holds (before, behind) from the last axis on.

    Negative amounts cut off. Raises RuntimeError where the list or its amounts do not fit.
    """
    ndim, error = input._array.ndim, None
    if len(pad) % 2:
        error = f"Length of pad must be even but instead it equals {len(pad)}"
    elif len(pad) > 2 * ndim:
        error = (
            "Length of pad should be no more than twice the number of dimensions of the input. "
            f"Pad length is {len(pad)}while the input has {ndim}dimensions."
        )
    elif _smallest(input, _sides(pad)) < 0:
        error = "narrow(): length must be non-negative."
    if error is not None:
        refuse("constant_pad_nd", (input,), {"pad": list(pad)}, RuntimeError(error))
    return apply(OPS["constant_pad_nd"], (input,), {"sides": _sides(pad), "value": value})


def _smallest(input: Tensor, sides: Sides) -> int:
    sizes = input._array.shape[input._array.ndim - len(sides) :]
    return min([n + a + b for n, (a, b) in zip(sizes, sides, strict=True)], default=0)


def pad(
    input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None
) -> Tensor:
    """More places around the last axes: a constant, or the elements 'reflect'ed at the edge,
    the edge 'replicate'd, or the axis as a circle ('circular').

    Raises RuntimeError and NotImplementedError as PyTorch does.
    """  # noqa: D205
    ndim = input._array.ndim
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension "
            f"but got padding length {len(pad)} and input of dimension {ndim}"
        )
    if mode == "constant":
        return constant_pad_nd(input, pad, 0 if value is None else value)
    if value:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if len(pad) not in (2, 4, 6) or ndim not in (len(pad) // 2 + 1, len(pad) // 2 + 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {ndim}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    sides = _sides(pad)
    try:
        (_check_circle if mode == "circular" else _check_edges)(input, sides, mode)
    except RuntimeError as error:
        refuse("pad", (input,), {"sides": sides, "mode": mode}, error)
    return apply(OPS["pad"], (input,), {"sides": sides, "mode": mode})


def _check_circle(input: Tensor, sides: Sides, mode: str) -> None:
    front = input._array.ndim - len(sides)
    for n, (before, behind) in zip(input._array.shape[front:], sides, strict=True):
        if max(before, behind) > n:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if n + before + behind < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
        if max(before, behind) > n + min(before, 0) + min(behind, 0):
            raise NotImplementedError("circular padding wider than what negative amounts leave")


def _check_edges(input: Tensor, sides: Sides, mode: str) -> None:
    shape, count = input._array.shape, len(sides)
    front = len(shape) - count
    if not all(shape[1:]) or (front == 1 and not shape[0]):
        raise RuntimeError(
            f"Expected {count + 1}D or {count + 2}D (batch mode) tensor with possibly 0 batch "
            f"size and other non-zero dimensions for input, but got: {list(shape)}"
        )
    for place, axis in enumerate(reversed(range(front, len(shape)))):
        if mode == "reflect" and max(sides[axis - front]) >= shape[axis]:
            raise RuntimeError(
                f"Argument #{4 + 2 * place}: Padding size should be less than the corresponding "
                f"input dimension, but got: padding {sides[axis - front]} at dimension {axis} "
                f"of input {list(shape)}"
            )
    if _smallest(input, sides) < 1:
        made = [n + a + b for n, (a, b) in zip(shape[front:], sides, strict=True)]
        names = "DHW"[-count:]
        before = ", ".join(f"{c}: {n}" for c, n in zip(names, shape[front:], strict=True))
        after = " ".join(f"{c}: {n}" for c, n in zip(names, made, strict=True))
        raise RuntimeError(f"input ({before}) is too small. Calculated output {after}")
