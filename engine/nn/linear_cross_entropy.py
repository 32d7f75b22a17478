"""Cross entropy of what a linear layer gives."""

from __future__ import annotations

from math import prod
from typing import Any

from engine.functions.products import linear
from engine.functions.shapes import reshape
from engine.nn.cross_entropy import cross_entropy
from engine.tensor import Tensor


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """cross_entropy of linear(input, linear_weight, linear_bias).

    `input` is (N, in) or (in,), `linear_weight` (C, in) or (C, d1, …, in). Options, which split
    the computation to save memory, are declined.
    """
    if options is not None:
        raise NotImplementedError("linear_cross_entropy in chunks is not available")
    _check_shapes(input, linear_weight, linear_bias)
    classes, *outer, features = linear_weight._array.shape
    shape = (*input._array.shape[:-1], classes, *outer)
    if target._array.shape == shape and ignore_index is not None:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    if outer:
        linear_weight = reshape(linear_weight, prod(outer) * classes, features)
        if linear_bias is not None:
            linear_bias = reshape(linear_bias, prod(outer) * classes)
    return cross_entropy(
        reshape(linear(input, linear_weight, linear_bias), *shape),
        target,
        weight=weight,
        reduction=reduction,
        ignore_index=-100 if ignore_index is None else ignore_index,
        label_smoothing=label_smoothing,
    )


def _check_shapes(input: Tensor, linear_weight: Tensor, linear_bias: Tensor | None) -> None:
    x, w = input._array.shape, linear_weight._array.shape
    if len(x) not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {len(x)}")
    if len(w) < 2:
        raise RuntimeError(f"expected linear_weight with dimensionality at least 2, got {len(w)}")
    if x[-1] != w[-1]:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), "
            f"got {x[-1]} and {w[-1]}, respectively"
        )
    if linear_bias is not None and linear_bias._array.shape != w[:-1]:
        raise RuntimeError(f"expected linear_bias shape {w[:-1]}, got {linear_bias._array.shape}")
    if len(w) > 2 and len(x) == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {w} requires batched input, "
            f"(N, {x[-1]}), got unbatched input with shape {x}"
        )
