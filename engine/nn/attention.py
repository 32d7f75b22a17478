"""Attention of `torch.nn.functional`."""

from __future__ import annotations

import math
import warnings

import numpy as np

from engine import dtypes
from engine.functions import arithmetic, elementwise, products, shapes
from engine.functions.arithmetic import check_broadcast
from engine.nn.dropout import check_seeded, dropout
from engine.ops import OPS
from engine.tensor import Tensor, apply


def _check(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> None:
    ranks = [t._array.ndim for t in (q, k, v)]
    if min(ranks) < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got "
            f"query.dim: {ranks[0]} key.dim: {ranks[1]} and value.dim: {ranks[2]} instead."
        )
    kinds = [dtypes.c_name(t.dtype) for t in (q, k, v)]
    if len(set(kinds)) > 1:
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{kinds[0]} key.dtype: {kinds[1]} and value.dtype: {kinds[2]} instead."
        )
    if q._array.dtype.kind not in "fc":
        raise RuntimeError(f"expected scalar type Float but found {dtypes.word(q.dtype)}")
    if mask is not None and mask.dtype not in (dtypes.bool_, dtypes.float32, q.dtype):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
            f"attn_mask.dtype: {dtypes.c_name(mask.dtype)} and  query.dtype: {kinds[0]} instead."
        )
    if mask is not None:
        scores = (*(1,) * (ranks[0] - 2), q._array.shape[-2], k._array.shape[-2])
        check_broadcast((*q._array.shape[:-2], *scores[-2:]), mask._array.shape)


def _is_fused(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, *, gqa: bool) -> bool:
    """Whether PyTorch's processor kernel takes these."""
    arrays = [t._array for t in (q, k, v)]
    if any(a.ndim != 4 or not a.size or a.dtype.kind != "f" for a in arrays):
        return False
    a, b, c = (x.shape for x in arrays)
    if a[-1] != b[-1] or a[-1] != c[-1] or a[0] != b[0] or a[0] != c[0] or b[2] != c[2]:
        return False
    if (a[1] != b[1] or a[1] != c[1]) and not gqa:
        return False
    if any(x.strides[-1] != x.itemsize and x.shape[-1] > 1 for x in arrays):
        return False
    return mask is None or (not mask.requires_grad and mask._array.ndim in (2, 4))


def _repeated(k: Tensor, heads: int) -> Tensor:
    """Each head of keys or values for several heads of queries."""
    shape = k._array.shape
    times = heads // shape[-3]
    if times == 1:
        return k
    wide = shapes.expand(shapes.unsqueeze(k, -3), *shape[:-2], times, *shape[-2:])
    return shapes.reshape(wide, *shape[:-3], heads, *shape[-2:])


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(query @ key.T * scale + mask) @ value, over the last two axes.

    A mask of truth values keeps what is true, one of numbers is added; `scale` is by default one
    over the root of the features. Raises RuntimeError where shapes or dtypes do not fit, and
    NotImplementedError for dropout without a seed.
    """
    _check(query, key, value, attn_mask)
    check_seeded(dropout_p)
    size = query._array.shape[-1]
    factor = (1 / math.sqrt(size) if size else 0.0) if scale is None else scale
    fused = not dropout_p and _is_fused(query, key, value, attn_mask, gqa=enable_gqa)
    if enable_gqa:
        key, value = (_repeated(t, query._array.shape[-3]) for t in (key, value))
    if fused:
        mask = Tensor(np.array(True)) if attn_mask is None else attn_mask
        params = {"scale": float(factor), "causal": is_causal}
        return apply(OPS["flash_attention"], (query, key, value, mask), params)
    if is_causal and attn_mask is not None:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            "is_causal=True"
        )
    return _spelled_out(query, key, value, attn_mask, dropout_p, is_causal, factor)


def _spelled_out(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    dropout_p: float,
    causal: bool,
    scale: float,
) -> Tensor:
    """Step by step, as PyTorch does what its kernels do not take."""
    root = {"value": math.sqrt(scale) if scale >= 0 else math.sqrt(-scale)}
    q, k = (apply(OPS["mul_number"], (t,), root) for t in (q, shapes.transpose(k, -2, -1)))
    scores = products.matmul(q, k)
    if scale < 0:
        scores = elementwise.neg(scores)
    if causal:
        mask = Tensor(np.tri(*scores._array.shape[-2:], dtype=bool))
    if mask is not None:
        scores = arithmetic.add(scores, _added(mask, q))
    weights = apply(OPS["safe_softmax"], (scores,), {"dim": scores._array.ndim - 1})
    return products.matmul(dropout(weights, dropout_p), v)


def _added(mask: Tensor, like: Tensor) -> Tensor:
    if mask._array.dtype.kind != "b":
        return mask
    return Tensor(np.where(mask._array, 0, -np.inf).astype(like._array.dtype))


def canonical_mask(
    mask: Tensor | None, name: str, other: Tensor | None, other_name: str, like: Tensor
) -> Tensor | None:
    """A mask as numbers to be added: truth values *leave out* here."""
    if mask is None:
        return None
    if mask.dtype is not dtypes.bool_ and not mask.dtype.is_floating_point:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if other is not None and other.dtype is not mask.dtype:
        warnings.warn(
            f"Support for mismatched {name} and {other_name} is deprecated. Use same type for "
            "both instead.",
            UserWarning,
            stacklevel=3,
        )
    if mask.dtype.is_floating_point:
        return mask
    return Tensor(np.where(mask._array, -np.inf, 0).astype(like._array.dtype))


def heads_of(x: Tensor, count: int) -> Tensor:
    """(length, batch, features) as (batch * heads, length, features of a head)."""
    length, batch, features = x._array.shape
    split = shapes.view(x, length, batch * count, features // count)
    return shapes.transpose(split, 0, 1)
