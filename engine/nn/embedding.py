"""Embedding of `torch.nn.functional`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine import dtypes
from engine.arrays import Array
from engine.functions import shapes
from engine.ops import OPS
from engine.optim.optimizer import moved
from engine.tensor import Tensor, apply, as_tensor, refuse

_TURNED = (
    "Argument order of nn.functional.embedding_bag was changed. "
    "Usage `embedding_bag(weight, input, ...)` is deprecated, "
    "and should now be `embedding_bag(input, weight, ...)`."
)


def _check_indices(input: Tensor, name: str) -> None:
    if input.dtype not in (dtypes.int64, dtypes.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {dtypes.type_name(input.dtype)} instead (while checking "
            f"arguments for {name})"
        )


def _shorten(weight: Tensor, places: Array, max_norm: float, norm_type: float) -> None:
    """Rows in use that are longer than `max_norm` are brought to it, in place."""
    rows = np.unique(places)
    used = weight._array[rows]
    norms = np.linalg.norm(used, norm_type, axis=1)
    long = norms > max_norm
    if long.any():
        factors = (max_norm / (norms[long] + 1e-7)).astype(used.dtype)
        made = weight._array.copy()
        made[rows[long]] = used[long] * factors[:, None]
        moved(weight, made)


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` at the indices; the row `padding_idx` is not learned.

    With `max_norm`, rows in use that are longer are shortened in place. Raises IndexError for an
    index without a row.
    """
    if sparse:
        raise NotImplementedError("sparse gradients are not supported")
    rows = weight._array.shape[0]
    padding = -1
    if padding_idx is not None:
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding = padding_idx % rows
    params = {"padding_idx": padding, "scale_grad_by_freq": scale_grad_by_freq}
    places, error = input._array, None
    try:
        if weight._array.ndim != 2:
            raise RuntimeError("'weight' must be 2-D")
        _check_indices(input, "embedding")
        if places.size and (places.min() < 0 or places.max() >= rows):
            raise IndexError("index out of range in self")
    except (RuntimeError, IndexError) as raised:
        error = raised
    if error is not None:
        refuse("embedding", (weight, input), params, error)
    if max_norm is not None:
        _shorten(weight, places, max_norm, norm_type)
    return apply(OPS["embedding"], (weight, input), params)


def _bag_of(input: Tensor, offsets: Any, include_last_offset: bool) -> tuple[Tensor, Array, int]:
    """The indices in one row, the bag of each, and how many bags there are."""
    shape = input._array.shape
    if len(shape) == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a "
                "mini-batch of fixed length sequences. However, found offsets of type "
                f"{type(offsets)}".replace("engine.tensor", "torch")
            )
        return shapes.reshape(input, -1), np.repeat(np.arange(shape[0]), shape[1]), shape[0]
    if len(shape) != 1:
        raise ValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {len(shape)}"
        )
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    starts = offsets._array
    if starts.ndim != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    if starts.size and starts[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start "
            f"from position 0. However, got {starts[0]}"
        )
    if starts.size and starts[-1] > shape[0]:
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {shape[0]} but got offsets[-1] "
            f"of {starts[-1]}"
        )
    bag = np.searchsorted(starts, np.arange(shape[0]), "right") - 1
    if not include_last_offset:
        return input, bag, len(starts)
    count = int(starts[-1])
    return input[:count], bag[:count], len(starts) - 1


def _check_bags(
    input: Tensor, weight: Tensor, per_sample_weights: Tensor | None, mode: str, *, scale: bool
) -> None:
    each = per_sample_weights
    if each is not None and each._array.shape != input._array.shape:
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({each.shape}) is not None, then it must have "
            f"the same shape as the input ({input.shape})"
        )
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and scale:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if each is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only "
            f"supported for mode='sum' (got mode='{mode}'). Please open a feature request on "
            "GitHub."
        )
    _check_indices(input, "embedding_bag")
    if weight._array.dtype.kind != "f":
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: "
            f"Half, BFloat16, Float, Double; but got {dtypes.type_name(weight.dtype)} instead "
            "(while checking arguments for embedding_bag)"
        )
    rows = weight._array.shape[0]
    outside = (input._array < 0) | (input._array >= rows)
    if outside.any():
        place = int(np.flatnonzero(outside)[0])
        value = input._array.ravel()[place]
        if weight.dtype is not dtypes.float32:
            raise RuntimeError(
                "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be "
                f"{value}"
            )
        raise RuntimeError(
            f"Index {place} of input takes value {value} which is not in the valid range "
            f"[0, {rows})"
        )


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """The sum, mean or largest of the rows that each bag of indices looks up.

    A bag is a row of `input`, or begins at each of `offsets` in a vector of indices.
    """
    if sparse:
        raise NotImplementedError("sparse gradients are not supported")
    if weight.dtype is dtypes.int64 and input.dtype.is_floating_point:
        warnings.warn(_TURNED, UserWarning, stacklevel=2)
        weight, input = input, weight
    each = per_sample_weights
    _check_bags(input, weight, each, mode, scale=scale_grad_by_freq)
    flat, bag, bags = _bag_of(input, offsets, include_last_offset)
    rows = weight._array.shape[0]
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, {-rows} through {rows - 1}, "
            f"but got {padding_idx}"
        )
    if max_norm is not None:
        _shorten(weight, flat._array, max_norm, norm_type)
    params = {"bags": bags, "padding_idx": -1 if padding_idx is None else padding_idx % rows}
    if mode == "max":
        none = as_tensor(1.0)
        return apply(OPS["embedding_bag_max"], (weight, none, flat, Tensor(bag)), params)
    if each is None:
        each = as_tensor(1.0)
    elif each._array.shape != flat._array.shape:
        each = shapes.reshape(each, -1)[: flat._array.size]
    params |= {"scale_grad_by_freq": scale_grad_by_freq, "mode": mode}
    return apply(OPS["embedding_bag"], (weight, each, flat, Tensor(bag)), params)
