"""Multi-head attention of `torch.nn.functional`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.functions import arithmetic, products, reductions, shapes
from engine.functions.pieces import chunk, contiguous, split
from engine.nn.attention import canonical_mask, heads_of, scaled_dot_product_attention
from engine.nn.dropout import check_seeded, dropout
from engine.nn.padding import pad
from engine.tensor import Tensor

Three = tuple[Tensor, Tensor, Tensor]


def _pieces(x: Tensor, w: Tensor, b: Tensor | None, count: int) -> list[Tensor]:
    """Several projections of one input by one product."""
    made = shapes.unflatten(products.linear(x, w, b), -1, (count, -1))
    turned = shapes.squeeze(shapes.transpose(shapes.unsqueeze(made, 0), 0, -2), -2)
    flat = contiguous(turned)
    return [flat[i] for i in range(count)]


def _projected(q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Tensor | None) -> Three:
    """Queries, keys and values by the thirds of one weight."""
    size = q._array.shape[-1]
    if k is v and q is k:
        first, second, third = _pieces(q, w, b, 3)
        return first, second, third
    if k is v:
        w_q, w_rest = split(w, [size, 2 * size])
        b_q, b_rest = (None, None) if b is None else split(b, [size, 2 * size])
        first = products.linear(q, w_q, b_q)
        second, third = _pieces(k, w_rest, b_rest, 2)
        return first, second, third
    return _each(q, k, v, chunk(w, 3), b)


def _each(q: Tensor, k: Tensor, v: Tensor, weights: Any, b: Tensor | None) -> Three:
    biases: Any = (None,) * 3 if b is None else chunk(b, 3)
    made = [
        products.linear(x, w, shift) for x, w, shift in zip((q, k, v), weights, biases, strict=True)
    ]
    return made[0], made[1], made[2]


def _check_mask(mask: Tensor, heads: int, rows: int, columns: int) -> Tensor:
    """A mask of one matrix, or one for each sample and head."""
    ndim = mask._array.ndim
    if ndim not in (2, 3):
        raise RuntimeError(f"attn_mask's dimension {ndim} is not supported")
    wanted = (rows, columns) if ndim == 2 else (heads, rows, columns)
    if mask._array.shape != wanted:
        raise RuntimeError(
            f"The shape of the {ndim}D attn_mask is {mask.shape}, but should be {wanted}."
        )
    return shapes.unsqueeze(mask, 0) if ndim == 2 else mask


def _check_sizes(q: Tensor, k: Tensor, v: Tensor, wanted: int, heads: int, separate: bool) -> None:
    size = q._array.shape[-1]
    if size != wanted:
        raise AssertionError(f"was expecting embedding dimension of {wanted}, but got {size}")
    if size % heads:
        raise AssertionError(f"embed_dim {size} not divisible by num_heads {heads}")
    a, b = k.shape, v.shape
    if separate and a[:2] != b[:2]:
        raise AssertionError(f"key's sequence and batch dims {a[:2]} do not match value's {b[:2]}")
    if not separate and a != b:
        raise AssertionError(f"key shape {a} does not match value shape {b}")


def _widened(mask: Tensor | None) -> Tensor | None:
    """One more key, which is seen."""
    return None if mask is None else pad(mask, (0, 1))


def _merged(mask: Tensor | None, padding: Tensor | None, batch: int, heads: int) -> Tensor | None:
    """The mask of places and that of keys as one, for each sample and head."""
    if padding is None:
        return mask
    columns = padding._array.shape[-1]
    wide = shapes.expand(shapes.view(padding, batch, 1, 1, columns), -1, heads, -1, -1)
    keys = shapes.reshape(wide, batch * heads, 1, columns)
    return keys if mask is None else arithmetic.add(mask, keys)


def _weighed(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, p: float) -> tuple[Any, Any]:
    """Attention that shows its weights."""
    scaled = arithmetic.mul(q, math.sqrt(1.0 / q._array.shape[-1]))
    scores = products.bmm(scaled, shapes.transpose(k, -2, -1))
    if mask is not None:
        scores = arithmetic.add(scores, mask)
    weights = dropout(reductions.softmax(scores, -1), p)
    return products.bmm(weights, v), weights


def _unweighed(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, p: float, *, batch: int, causal: bool
) -> Tensor:
    """Attention alone: (batch, heads, length, features)."""
    if mask is not None:
        one = mask._array.shape[0] == 1
        split_up = (1,) if one else (batch, -1)
        mask = shapes.view(mask, *split_up, *(1,) * one, *mask._array.shape[1:])
    q, k, v = (shapes.view(t, batch, -1, *t._array.shape[1:]) for t in (q, k, v))
    return scaled_dot_product_attention(q, k, v, mask, p, causal)


def _extended(
    k: Tensor, v: Tensor, bias_k: Tensor | None, bias_v: Tensor | None, batch: int
) -> tuple[Tensor, Tensor]:
    """A learned key and value behind the others."""
    if (bias_k is None) != (bias_v is None):
        raise AssertionError(
            "bias_k is set but bias_v is None"
            if bias_v is None
            else "bias_v is set but bias_k is None"
        )
    if bias_k is None or bias_v is None:
        return k, v
    more = (bias_k.repeat(1, batch, 1), bias_v.repeat(1, batch, 1))
    return shapes.cat([k, more[0]]), shapes.cat([v, more[1]])


def _with_zero(x: Tensor) -> Tensor:
    shape = x._array.shape
    zero = Tensor(np.zeros((shape[0], 1, shape[2]), x._array.dtype))
    return shapes.cat([x, zero], 1)


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Attention of several heads, each on its share of the features, projected again.

    Inputs are (length, batch, features), or without the batch. Gives the output and, where asked
    for, the weights. Raises AssertionError and RuntimeError where sizes do not fit.
    """
    if static_k is not None or static_v is not None:
        raise NotImplementedError("static keys and values are not supported")
    alone = query._array.ndim == 2
    if alone:
        query, key, value, key_padding_mask = _as_batch(query, key, value, key_padding_mask)
    masks = _masks(
        query,
        attn_mask,
        key_padding_mask,
        is_causal=is_causal,
        need_weights=need_weights,
    )
    attn_mask, key_padding_mask, is_causal = masks
    rows, batch, size = query._array.shape
    _check_sizes(query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight)
    if use_separate_proj_weight:
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        q, k, v = _each(query, key, value, weights, in_proj_bias)
    else:
        assert in_proj_weight is not None
        q, k, v = _projected(query, key, value, in_proj_weight, in_proj_bias)
    if attn_mask is not None:
        columns = key._array.shape[0]
        attn_mask = _check_mask(attn_mask, batch * num_heads, rows, columns)
    k, v = _extended(k, v, bias_k, bias_v, batch)
    q, k, v = (heads_of(t, num_heads) for t in (q, k, v))
    if add_zero_attn:
        k, v = _with_zero(k), _with_zero(v)
    for _ in range((bias_k is not None) + bool(add_zero_attn)):
        attn_mask, key_padding_mask = _widened(attn_mask), _widened(key_padding_mask)
    mask = _merged(attn_mask, key_padding_mask, batch, num_heads)
    p = dropout_p if training else 0.0
    check_seeded(p)
    out_proj = (out_proj_weight, out_proj_bias)
    if not need_weights:
        seen = _unweighed(q, k, v, mask, p, batch=batch, causal=is_causal)
        flat = shapes.reshape(shapes.permute(seen, (2, 0, 1, 3)), rows * batch, size)
        return _projected_out(flat, rows, batch, out_proj, alone=alone), None
    seen, shown = _weighed(q, k, v, mask, p)
    flat = shapes.reshape(shapes.transpose(seen, 0, 1), rows * batch, size)
    out = _projected_out(flat, rows, batch, out_proj, alone=alone)
    shown = shapes.view(shown, batch, num_heads, rows, -1)
    if average_attn_weights:
        shown = reductions.mean(shown, 1)
    return out, shapes.squeeze(shown, 0) if alone else shown


def _projected_out(
    flat: Tensor, rows: int, batch: int, weights: tuple[Tensor, Tensor | None], *, alone: bool
) -> Tensor:
    made = products.linear(flat, *weights)
    out = shapes.view(made, rows, batch, made._array.shape[1])
    return shapes.squeeze(out, 1) if alone else out


def _as_batch(
    query: Tensor, key: Tensor, value: Tensor, padding: Tensor | None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """One sample as a batch of one; what is one tensor stays one."""
    q = shapes.unsqueeze(query, 1)
    k = q if key is query else shapes.unsqueeze(key, 1)
    v = k if value is key else shapes.unsqueeze(value, 1)
    return q, k, v, None if padding is None else shapes.unsqueeze(padding, 0)


def _masks(
    query: Tensor,
    attn_mask: Tensor | None,
    padding: Tensor | None,
    *,
    is_causal: bool,
    need_weights: bool,
) -> tuple[Tensor | None, Tensor | None, bool]:
    """Both masks as numbers to be added, and whether the hint alone says what is masked."""
    padding = canonical_mask(padding, "key_padding_mask", attn_mask, "attn_mask", query)
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module "
            "method `generate_square_subsequent_mask` to create this mask."
        )
    if is_causal and padding is None and not need_weights:
        return None, None, True
    mask = canonical_mask(attn_mask, "attn_mask", None, "", query)
    return mask, padding, is_causal and padding is None and mask is None
