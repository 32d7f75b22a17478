"""Shape operators: the numbers stay, the axes change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.index import SELECT, SLICE
from engine.ops.layout import row_major

Chain = tuple[tuple[Op, Mapping[str, Any]], ...]


def _back(g: Any, y: Any, x: Any, **params: Any) -> Any:
    """Whatever was done to the axes, the cotangent takes the input's shape again."""
    return np.reshape(g, x.shape)


def _back_many(g: Any, y: Any, x: Any, **params: Any) -> Any:
    return np.reshape(g, (g.shape[0], *x.shape))


def _swapped(x: Any, *, dim0: int, dim1: int) -> Any:
    return np.swapaxes(x, dim0, dim1) if dim0 != dim1 else np.reshape(x, x.shape)


def _permute_back(g: Any, y: Any, x: Any, *, dims: tuple[int, ...]) -> Any:
    return np.transpose(g, tuple(int(i) for i in np.argsort(dims)))


def _permute_many(g: Any, y: Any, x: Any, *, dims: tuple[int, ...]) -> Any:
    return np.transpose(g, (0, *(int(i) + 1 for i in np.argsort(dims))))


@row_major
def _cat(*xs: Any, dim: int) -> Any:
    ndim = max(x.ndim for x in xs)
    return np.concatenate([x for x in xs if x.ndim == ndim], axis=dim)


def _cat_back(g: Any, y: Any, *xs: Any, slot: int, dim: int) -> Any:
    if len(xs[slot].shape) < len(g.shape):  # an empty vector, which may stand with any others
        return np.zeros_like(g, shape=(0,))
    start = sum(x.shape[dim] for x in xs[:slot] if len(x.shape) == len(g.shape))
    return SLICE(g, dim=dim, start=start, stop=start + xs[slot].shape[dim], step=1)


def _stack_back(g: Any, y: Any, *xs: Any, slot: int, dim: int) -> Any:
    return SELECT(g, dim=dim, index=slot)


def _squeeze_name(params: Mapping[str, Any]) -> str:
    return f"SqueezeBackward{params.get('kind', 0)}"


def _squeeze(x: Any, *, dim: tuple[int, ...], kind: int = 0) -> Any:
    return np.reshape(x, tuple(n for axis, n in enumerate(x.shape) if axis not in dim or n != 1))


def _expanded(x: Any, *, shape: tuple[int, ...]) -> Any:
    made = np.broadcast_to(x, shape)
    made.flags.writeable = x.flags.writeable  # what may not be written to is found out then
    return made


def follow(array: Any, chain: Chain) -> Any:
    """The view that a chain of shape ops leads to."""
    for op, params in chain:
        array = op(array, **params)
    return array


def _put_view(base: Any, value: Any, *, chain: Chain) -> Any:
    made = np.array(base)
    view = follow(made, chain)
    if np.may_share_memory(view, made):
        view[...] = value
        return made
    # A cotangent may lie otherwise in memory than the base does, and a reshape of it be a copy.
    flat = made.reshape(-1)
    flat[follow(np.arange(flat.size).reshape(made.shape), chain)] = value
    return flat.reshape(made.shape)


def _put_view_base(g: Any, y: Any, base: Any, value: Any, *, chain: Chain) -> Any:
    zeros = np.zeros_like(g, dtype=value.dtype, shape=value.shape)
    return PUT_VIEW(g, zeros, chain=chain)


def _as_view_back(g: Any, y: Any, base: Any, *, chain: Chain) -> Any:
    zeros = np.zeros_like(g, dtype=base.dtype, shape=base.shape)
    return PUT_VIEW(zeros, g, chain=chain)


_FIRST: Chain = ((SELECT, {"dim": 0, "index": 0}),)

# A view of a tensor that was since written to in place.
AS_VIEW = Op(
    "as_view",
    lambda base, *, chain: follow(base, chain),
    (_as_view_back,),
    "AsStridedBackward0",
    promote="none",
    is_view=True,
    conjugate=False,  # the chain may take complex numbers apart
    samples=(Sample(((2, 3),), {"chain": _FIRST}),),
)
# A tensor one of whose views was written to in place.
PUT_VIEW = Op(
    "put_view",
    _put_view,
    (_put_view_base, lambda g, y, base, value, *, chain: follow(g, chain)),
    "torch::autograd::CopySlices",
    promote="none",
    conjugate=False,
    extra=lambda *_, **__: {},  # PyTorch keeps the op that wrote, and frees it: no second pass
    samples=(Sample(((2, 3), (3,)), {"chain": _FIRST}),),
)

ROWS = (
    Op(
        "view",
        lambda x, *, shape: np.reshape(x, shape),
        (_back,),
        many=(_back_many,),
        promote="none",
        is_view=True,
        samples=(Sample(((2, 3),), {"shape": (6,)}),),
    ),
    Op(
        "reshape_alias",
        lambda x, *, shape: np.reshape(x, shape),
        (_back,),
        many=(_back_many,),
        promote="none",
        is_view=True,
        samples=(Sample(((2, 3),), {"shape": (6,)}),),
    ),
    Op(
        "unsafe_view",
        lambda x, *, shape: np.reshape(x, shape),
        (_back,),
        many=(_back_many,),
        promote="none",
        samples=(Sample(((2, 3),), {"shape": (6,)}),),
    ),
    Op(
        "squeeze",
        _squeeze,
        (_back,),
        _squeeze_name,
        many=(_back_many,),
        promote="none",
        is_view=True,
        samples=(Sample(((2, 1, 3),), {"dim": (1,)}),),
    ),
    Op(
        "unsqueeze",
        lambda x, *, dim: np.expand_dims(x, dim),
        (_back,),
        many=(_back_many,),
        promote="none",
        is_view=True,
        samples=(Sample(((2, 3),), {"dim": 1}),),
    ),
    Op(
        "t",
        np.transpose,
        (lambda g, y, x: np.transpose(g),),
        many=(lambda g, y, x: np.swapaxes(g, 1, -1) if g.ndim > 2 else g,),
        promote="none",
        is_view=True,
        samples=(Sample(((2, 3),)),),
    ),
    Op(
        "transpose",
        _swapped,
        (lambda g, y, x, *, dim0, dim1: _swapped(g, dim0=dim0, dim1=dim1),),
        many=(lambda g, y, x, *, dim0, dim1: _swapped(g, dim0=dim0 + 1, dim1=dim1 + 1),),
        promote="none",
        is_view=True,
        samples=(Sample(((2, 3),), {"dim0": 0, "dim1": 1}),),
    ),
    Op(
        "permute",
        lambda x, *, dims: np.transpose(x, dims),
        (_permute_back,),
        many=(_permute_many,),
        promote="none",
        is_view=True,
        samples=(Sample(((2, 3, 2),), {"dims": (2, 0, 1)}),),
    ),
    Op(
        "expand",
        _expanded,
        (lambda g, y, x, *, shape: g,),
        batched=True,
        promote="none",
        is_view=True,
        samples=(Sample(((3,),), {"shape": (2, 3)}),),
    ),
    Op("alias", lambda x: x[...], (lambda g, y, x: g,), promote="none", is_view=True),
    Op(
        "cat",
        _cat,
        (_cat_back,),
        variadic=True,
        samples=(Sample(((2, 3), (2, 3)), {"dim": 0}),),
    ),
    Op(
        "stack",
        row_major(lambda *xs, dim: np.stack(xs, axis=dim)),
        (_stack_back,),
        variadic=True,
        samples=(Sample(((2, 3), (2, 3)), {"dim": 1}),),
    ),
    AS_VIEW,
    PUT_VIEW,
)
