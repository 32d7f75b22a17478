"""Items put together into a batch."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.functions.creation import as_tensor, tensor
from engine.functions.shapes import stack
from engine.tensor import Tensor

_UNKNOWN = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; "
    "found {kind}"
)


def default_collate(batch: Sequence[Any]) -> Any:
    """Tensors stacked, numbers made a tensor, texts left; within tuples, lists and dicts too.

    Raises TypeError for anything else and RuntimeError for lists of different lengths.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(list(batch))
    if isinstance(first, np.ndarray):
        return stack([as_tensor(item) for item in batch])
    if isinstance(first, np.generic):
        return as_tensor(np.array(batch))
    if isinstance(first, float):
        return tensor(list(batch), dtype=dtypes.float64)
    if isinstance(first, int):
        return tensor(list(batch))
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        made: Any = copy.copy(first)
        made.update({key: default_collate([item[key] for item in batch]) for key in first})
        return made
    if isinstance(first, Sequence):
        return _columns(first, batch)
    raise TypeError(_UNKNOWN.format(kind=type(first)))


def _columns(first: Sequence[Any], batch: Sequence[Any]) -> Any:
    if any(len(item) != len(first) for item in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    columns = [default_collate(column) for column in zip(*batch, strict=True)]
    return type(first)(*columns) if hasattr(first, "_fields") else columns


def default_convert(data: Any) -> Any:
    """NumPy's arrays as tensors, within tuples, lists and dicts too; anything else as it is."""
    if isinstance(data, (np.ndarray, np.generic)):
        return as_tensor(np.asarray(data))
    if isinstance(data, Mapping):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*[default_convert(item) for item in data])
    if isinstance(data, (list, tuple)):
        return [default_convert(item) for item in data]
    return data
