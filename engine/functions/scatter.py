"""Values put at places along an axis: scatter and its reductions. Index and source as PyTorch's."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.tensor import Tensor, apply, as_tensor

_REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")
_DEPRECATED = (
    "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a "
    "future PyTorch release. Use torch.scatter_reduce instead for more reduction options."
)


def check_places(index: Tensor, axis: int, size: int) -> None:
    """Raise RuntimeError where an index lies outside 0 … size - 1."""
    places = index._array
    if places.size and not (int(places.min()) >= 0 and int(places.max()) < size):
        bad = int(places[(places < 0) | (places >= size)].ravel()[0])
        raise RuntimeError(errors.INDEX_RANGE.format(i=bad, d=axis, n=size))


def check_index_dtype(name: str, index: Tensor) -> None:
    """Raise RuntimeError unless the index holds int32 or int64."""
    if index._array.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def _ndim(tensor: Tensor) -> int:
    return max(int(tensor._array.ndim), 1)


def _sizes(tensor: Tensor) -> tuple[int, ...]:
    return tensor._array.shape or (1,)


def _check_gather(name: str, input: Tensor, index: Tensor, axis: int) -> None:
    if not index._array.size:
        return
    check_index_dtype(name, index)
    if _ndim(index) != _ndim(input):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    whole, asked = _sizes(input), _sizes(index)
    for d, (n, most) in enumerate(zip(asked, whole, strict=True)):
        if d != axis and n > most:
            raise RuntimeError(
                f"Size does not match at dimension {d} expected index {list(asked)} to be no "
                f"larger than self {list(whole)} apart from dimension {axis}"
            )


def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Tensor:
    """Along an axis, the elements at `index`, which has as many axes as the tensor."""
    if sparse_grad:
        raise NotImplementedError("gather with sparse_grad=True is not available")
    axis = axis_of(dim, input._array.ndim)
    _check_gather("gather", input, index, axis)
    check_places(index, axis, _sizes(input)[axis])
    return apply(OPS["gather"], (input, index), {"dim": axis})


def _check_scatter(input: Tensor, axis: int, index: Tensor, src: Tensor | None) -> None:
    check_index_dtype("scatter", index)
    if src is not None and src._array.dtype != input._array.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not index._array.size:
        return
    for tensor, name in ((input, "self"), (src, "src")):
        if tensor is not None and _ndim(index) != _ndim(tensor):
            raise RuntimeError(
                f"Index tensor must have the same number of dimensions as {name} tensor"
            )
    _check_scatter_sizes(_sizes(input), axis, _sizes(index), None if src is None else _sizes(src))
    check_places(index, axis, _sizes(input)[axis])


def _check_scatter_sizes(
    whole: tuple[int, ...], axis: int, asked: tuple[int, ...], given: tuple[int, ...] | None
) -> None:
    fits = all(n <= whole[d] for d, n in enumerate(asked) if d != axis)
    if given is not None:
        fits = fits and all(n <= given[d] for d, n in enumerate(asked))
    if not fits:
        source = "" if given is None else f" and to be no larger size than src {list(given)}"
        raise RuntimeError(
            f"Expected index {list(asked)} to be no larger than self {list(whole)} apart from "
            f"dimension {axis}{source}"
        )


def scatter(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Any = None,
    *,
    value: Any = None,
    reduce: str | None = None,
) -> Tensor:
    """The tensor with the elements of `src`, or a number, at the places `index` along an axis."""
    given = value if src is None else src
    source = given if isinstance(given, Tensor) else None
    axis = axis_of(dim, input._array.ndim)
    if reduce is not None:
        return _scatter_with(input, axis, index, given, reduce)
    _check_scatter(input, axis, index, source)
    if source is None:
        return apply(OPS["scatter_value"], (input, index), {"dim": axis, "value": given})
    return apply(OPS["scatter"], (input, index, source), {"dim": axis})


def _scatter_with(input: Tensor, axis: int, index: Tensor, given: Any, reduce: str) -> Tensor:
    """The old `reduce` argument, which PyTorch cannot differentiate."""
    if isinstance(given, Tensor):
        errors.warn_once(_DEPRECATED)
    if reduce not in ("add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    if input.requires_grad or (isinstance(given, Tensor) and given.requires_grad):
        raise NotImplementedError(
            "scatter with reduce= has no gradient; use scatter_add or scatter_reduce"
        )
    if not isinstance(given, Tensor):
        given = Tensor(np.full(index._array.shape, given, input._array.dtype))
    how = "sum" if reduce == "add" else "prod"
    return scatter_reduce(input, axis, index, given, how)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """The tensor with the elements of `src` added at the places `index` along an axis."""
    axis = axis_of(dim, input._array.ndim)
    _check_scatter(input, axis, index, src)
    return apply(OPS["scatter_add"], (input, index, src), {"dim": axis})


def scatter_reduce(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
) -> Tensor:
    """As `scatter_add`, where what meets at a place is reduced by sum, prod, mean, amax, amin.

    Without `include_self` the tensor's own elements count only where nothing is put.
    """
    axis = axis_of(dim, input._array.ndim)
    if reduce not in _REDUCTIONS:
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    check_reduction("scatter_reduce", reduce, input, src)
    _check_scatter(input, axis, index, src)
    params = {"dim": axis, "reduce": reduce, "include_self": bool(include_self)}
    return apply(OPS["scatter_reduce"], (input, index, src), params)


def check_reduction(name: str, reduce: str, input: Tensor, src: Tensor) -> None:
    """Raise where PyTorch does not reduce complex numbers or bools so, or not with a gradient."""
    kind = input._array.dtype.kind
    if (kind == "c" and reduce in ("amax", "amin")) or (kind == "b" and reduce == "mean"):
        word = dtypes.word(input.dtype)
        raise NotImplementedError(
            f"\"scatter_gather_tensor_cpu_reduce_{reduce}\" not implemented for '{word}'"
        )
    if kind == "c" and (input.requires_grad or src.requires_grad):
        raise RuntimeError(
            f"{name} does not support automatic differentiation for outputs with complex dtype."
        )


def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """The elements at `indices` along an axis, both broadcast against each other elsewhere.

    Without `dim`, those of the flattened tensor.
    """
    if dim is None:
        return gather(input.view(-1), 0, indices.reshape(-1))
    if indices._array.dtype != np.int64:
        raise RuntimeError(
            "torch.take_along_dim(): dtype of indices should be Long but got "
            f"{dtypes.word(indices.dtype)}"
        )
    axis = axis_of(dim, input._array.ndim)
    if input._array.ndim != indices._array.ndim:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of "
            f"dimensions, but got {input._array.ndim} dimensions for input, and "
            f"{indices._array.ndim} dimensions for indices"
        )
    whole, places = _met(input, indices, axis)
    size = _sizes(input)[axis]
    return gather(whole, axis, places.remainder(size) if size else places)


def _met(input: Tensor, indices: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """Both broadcast to common sizes but along the axis."""
    from engine.functions.joins import broadcast_shapes

    shape = list(input._array.shape)
    asked = list(indices._array.shape)
    mine, theirs = shape[axis], asked[axis]
    shape[axis] = asked[axis] = 1
    common = list(broadcast_shapes(shape, asked))
    common[axis] = mine
    whole = input.expand(*common)
    common[axis] = theirs
    return whole, indices.expand(*common)


def put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """The tensor with the source's elements at places of the flattened tensor."""
    if source._array.size != index._array.size:
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got "
            f"source.numel() = {source._array.size}, index.numel() = {index._array.size}"
        )
    if source._array.dtype != input._array.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{dtypes.word(input.dtype)} and source.dtype = {dtypes.word(source.dtype)}"
        )
    _check_flat("put_", input, index)
    params = {"accumulate": bool(accumulate)}
    return apply(OPS["put_at"], (input, index, source), params)


def take(input: Tensor, index: Tensor) -> Tensor:
    """The elements at places of the flattened tensor."""
    _check_flat("take", input, index)
    return apply(OPS["take"], (input, index), {})


def _check_flat(name: str, input: Tensor, index: Tensor) -> None:
    if index._array.dtype != np.int64:
        raise RuntimeError(
            f"{name}(): Expected a long tensor for index, but got {dtypes.word(index.dtype)}"
        )
    size, places = input._array.size, index._array
    bad = places[(places < -size) | (places >= size)]
    if bad.size:
        raise IndexError(
            f"out of range: tried to access index {int(bad.ravel()[0])} on a tensor of {size} "
            "elements."
        )


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where the mask holds, one after the other; both are broadcast."""
    if mask._array.dtype != np.bool_:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    from engine.functions.joins import broadcast_shapes

    broadcast_shapes(mask._array.shape, input._array.shape)
    return apply(OPS["masked_select"], (input, mask), {})


def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The tensor with the source's elements, in order, where the mask holds."""
    if mask._array.dtype != np.bool_:
        raise RuntimeError(
            "masked_scatter_ only supports boolean masks, but got mask with dtype "
            f"{dtypes.word(mask.dtype)}"
        )
    if input._array.dtype != source._array.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{dtypes.word(input.dtype)} and {dtypes.word(source.dtype)}"
        )
    shape = np.broadcast_shapes(input._array.shape, mask._array.shape)
    if np.count_nonzero(np.broadcast_to(mask._array, shape)) > source._array.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    return apply(OPS["masked_scatter"], (input, mask, as_tensor(source)), {})
