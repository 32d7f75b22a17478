"""What the palette's tables share: frequent parameters, and how PyTorch's functions are called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gradviz.edit.entry import Entry, Param

AXES = Param("dim", "axes")
LAST = Param("dim", "axis", -1)
FIRST = Param("dim", "axis", 0)
ANY_AXIS = Param("dim", "axis", optional=True)
KEEPDIM = Param("keepdim", "bool", False)
REDUCTION = Param("reduction", "choice", "mean", choices=("mean", "sum", "none"))


def words(text: str) -> tuple[str, ...]:
    """Search words, with spaces between."""
    return tuple(text.split())


def family(name: str, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The entries as members of a family."""
    return tuple(replace(entry, family=name) for entry in entries)


def method(name: str) -> Callable[..., Any]:
    """A call of the input's own method, with the parameters in their order."""

    def call(torch: Any, x: Any, **params: Any) -> Any:
        return getattr(x, name)(*params.values())

    return call


def dim_second(name: str) -> Callable[..., Any]:
    """A call of a function whose second argument is the axis."""

    def call(torch: Any, x: Any, *inputs: Any, dim: int, **params: Any) -> Any:
        return getattr(torch, name)(x, dim, *inputs, **params)

    return call


def div_rounded(torch: Any, a: Any, b: Any, *, mode: str) -> Any:
    return torch.div(a, b, rounding_mode=mode)


def matmul(torch: Any, a: Any, b: Any) -> Any:
    """Stacks of one height by `bmm`: `matmul` would take four nodes for them."""
    return torch.bmm(a, b) if a.ndim == b.ndim == 3 else torch.matmul(a, b)


def convolution(torch: Any, x: Any, weight: Any, bias: Any, **params: Any) -> Any:
    """By as many axes as the weights have beyond those of channels."""
    by_axes = {3: "conv1d", 4: "conv2d", 5: "conv3d"}
    return getattr(torch.nn.functional, by_axes.get(weight.ndim, "conv2d"))(
        x, weight, bias, **params
    )


def average_pool(torch: Any, x: Any, *, kernel: Any, **params: Any) -> Any:
    by_axes = {1: "avg_pool1d", 2: "avg_pool2d", 3: "avg_pool3d"}
    return getattr(torch.nn.functional, by_axes.get(len(kernel), "avg_pool2d"))(x, kernel, **params)


def logabsdet(torch: Any, x: Any) -> Any:
    return torch.linalg.slogdet(x)[1]


def product(torch: Any, x: Any, *, dim: Any, keepdim: bool) -> Any:
    if dim is None:
        return torch.prod(x)
    return torch.prod(x, dim[0] if isinstance(dim, tuple) else dim, keepdim)


def power_of(torch: Any, x: Any, *, base: Any) -> Any:
    return torch.pow(base, x)


def sliced(torch: Any, x: Any, *, dim: int, start: int, stop: int, step: int) -> Any:
    before = (slice(None),) * (dim % max(x.ndim, 1))
    return x[(*before, slice(start, stop, step))]


def embedding(torch: Any, weight: Any, indices: Any, **params: Any) -> Any:
    padding = params.get("padding_idx", -1)
    return torch.nn.functional.embedding(
        indices,
        weight,
        padding_idx=None if padding == -1 else padding,
        scale_grad_by_freq=params.get("scale_grad_by_freq", False),
    )


def logits(torch: Any, x: Any, target: Any, *, reduction: str) -> Any:
    loss = torch.nn.functional.binary_cross_entropy_with_logits
    return loss(x, target, reduction=reduction)


def layer_norm(torch: Any, x: Any, weight: Any, bias: Any, *, count: int, eps: float) -> Any:
    last = x.shape[max(x.ndim - count, 0) :]
    return torch.nn.functional.layer_norm(x, last, weight, bias, eps)


def batch_norm(torch: Any, x: Any, weight: Any, bias: Any, *, eps: float) -> Any:
    norm = torch.nn.functional.batch_norm
    return norm(x, None, None, weight, bias, training=True, eps=eps)
