"""Sorting, the largest and the k-th elements, medians and the most frequent value."""

from __future__ import annotations

from typing import Any

from engine.functions.outputs import named_outputs
from engine.functions.reductions import check_filled
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.tensor import Tensor, apply

_SORT, _TOPK, _KTH, _MEDIAN, _NANMEDIAN, _MODE = (
    named_outputs(name, "values", "indices")
    for name in ("sort", "topk", "kthvalue", "median", "nanmedian", "mode")
)


def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool | None = None) -> Any:
    """The elements along an axis in order, and where they were; nan counts as the largest."""
    axis = axis_of(dim, input._array.ndim)
    places = argsort(input, axis, descending)
    name = "sort" if stable is None else "sort_stable"
    return _SORT(apply(OPS[name], (input, places), {"dim": axis}), places)


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The places of the elements along an axis in order; equal ones keep theirs."""
    params = {"dim": axis_of(dim, input._array.ndim), "descending": bool(descending)}
    return apply(OPS["argsort"], (input,), params)


def msort(input: Tensor) -> Tensor:
    """The elements in order along the first axis."""
    found: Tensor = sort(input, 0)[0]
    return found


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The k largest (or smallest) elements along an axis and their places.

    They come in order whatever `sorted` says. Equal elements are taken as PyTorch takes them.
    """
    axis = axis_of(dim, input._array.ndim)
    size = input._array.shape[axis] if input._array.ndim else 1
    if not 0 <= k <= size:
        raise RuntimeError("selected index k out of range")
    params = {"k": int(k), "dim": axis, "largest": bool(largest)}
    places = apply(OPS["topk_places"], (input,), params)
    return _TOPK(apply(OPS["topk"], (input, places), {"dim": axis}), places)


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The k-th smallest element along an axis, counted from 1, and its place."""
    axis = axis_of(dim, input._array.ndim)
    check_filled("kthvalue", input, (axis,))
    size = input._array.shape[axis] if input._array.ndim else 1
    if not 1 <= k <= size:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {axis}")
    return _KTH(*_picked("kthvalue", "kthvalue", input, axis, keepdim, k=int(k)))


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """The smallest of the most frequent values along an axis, and its last place."""
    axis = axis_of(dim, input._array.ndim)
    check_filled("mode", input, (axis,))
    return _MODE(*_picked("mode", "mode", input, axis, keepdim))


def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The middle element of all, or along an axis with its place; the lower one of two middles.

    nan where there is one. Over all, equal elements share the gradient.
    """
    return _middle("median", _MEDIAN, input, dim, keepdim)


def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """As `median`, of the elements that are not nan."""
    return _middle("nanmedian", _NANMEDIAN, input, dim, keepdim)


def _middle(name: str, kind: Any, input: Tensor, dim: int | None, keepdim: bool) -> Any:
    if dim is None:
        return apply(OPS[name], (input,), {})
    axis = axis_of(dim, input._array.ndim)
    check_filled(name, input, (axis,))
    return kind(*_picked(f"{name}_dim", name, input, axis, keepdim))


def _picked(
    row: str, name: str, input: Tensor, axis: int, keepdim: bool, **params: int
) -> tuple[Tensor, Tensor]:
    over = {"dim": axis, "keepdim": bool(keepdim)}
    places = apply(OPS[f"{name}_places"], (input,), {**params, **over})
    return apply(OPS[row], (input, places), over), places
