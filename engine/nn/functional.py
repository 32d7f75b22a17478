"""`torch.nn.functional`: layers and losses as functions."""

from __future__ import annotations

import warnings

import numpy as np

from engine import dtypes, errors, late
from engine.functions import elementwise, reductions
from engine.functions.elementwise import sigmoid, tanh
from engine.functions.in_place import in_place
from engine.functions.products import linear
from engine.nn.cross_entropy import cross_entropy, nll_loss
from engine.nn.loss_checks import reduction_of, same_size, sized_weight, weighted
from engine.ops import OPS
from engine.tensor import Tensor, apply

__all__ = [
    "cross_entropy",
    "linear",
    "log_softmax",
    "mse_loss",
    "nll_loss",
    "one_hot",
    "relu",
    "sigmoid",
    "softmax",
    "tanh",
]


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The element where it is positive, else 0."""
    return relu_(input) if inplace else elementwise.relu(input)  # type: ignore[no-any-return]


relu_ = in_place(elementwise.relu)


def _implied_dim(name: str, ndim: int) -> int:
    warnings.warn(errors.IMPLICIT_DIM.format(name=name), UserWarning, stacklevel=3)
    return 0 if ndim in (0, 1, 3) else 1


def softmax(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """exp(x) / sum exp(x) along an axis."""
    axis = _implied_dim("softmax", input._array.ndim) if dim is None else dim
    return reductions.softmax(input, axis, dtype)


def log_softmax(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """The logarithm of softmax along an axis."""
    axis = _implied_dim("log_softmax", input._array.ndim) if dim is None else dim
    return reductions.log_softmax(input, axis, dtype)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The squared difference, averaged, summed, or left as it is.

    With `weight`, which has the input's shape, the mean divides by the sum of the weights.
    """
    x, t = same_size(input, target)
    reduction = reduction_of(reduction, size_average, reduce)
    if weight is not None:
        return weighted((x - t) ** 2, sized_weight(weight, input), reduction)
    return apply(OPS["mse_loss"], (x, t), {"reduction": reduction})


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """A row of zeros with a one at each index, along a new last axis."""
    places = tensor._array
    if places.size and int(places.min()) < 0:
        raise RuntimeError("Class values must be non-negative.")
    count = int(places.max()) + 1 if num_classes == -1 else num_classes
    if places.size and int(places.max()) >= count:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return Tensor((places[..., None] == np.arange(count)).astype(np.int64))


__getattr__ = late.Late(__name__, late.places(late.NN))
