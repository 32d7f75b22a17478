"""Which function of PyTorch's each row of the engine stands for. PyTorch itself comes as `t`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

Torch = Any
Form = Callable[[Any, Sequence[Any], Mapping[str, Any]], Any]

_SPACES = ("", "nn.functional", "special", "linalg")

# Rows whose name, inputs and parameters are those of PyTorch's own function.
SAME = frozenset(
    """
    add sub rsub mul div pow exp log sqrt rsqrt sin cos tanh reciprocal floor ceil round maximum
    minimum clamp clamp_min clamp_max where clone remainder fmod neg abs sign sgn sum mean max min
    amax amin logsumexp vector_norm mm bmm mv dot addmm squeeze unsqueeze t transpose permute select
    masked_fill relu sigmoid softmax log_softmax mse_loss nll_loss flip roll rot90 tril triu
    diagonal diag_embed trace block_diag i0 i0e i1 i1e binary_cross_entropy fmax fmin lerp addcmul
    addcdiv cdist pdist dist erf erfc erfinv erfcx ndtri log_ndtr entr exp2 expm1 log1p log2
    log10 logaddexp logaddexp2 xlogy xlog1py logit ldexp channel_shuffle lgamma digamma
    mvlgamma gelu silu mish softplus glu soft_margin_loss multilabel_margin_loss median
    nanmedian addmv addbmm baddbmm addr vdot leaky_relu hardtanh threshold hardsigmoid hardswish
    hardshrink softshrink smooth_l1_loss huber_loss trunc frac copysign nan_to_num
    cumsum cumprod logcumsumexp cholesky_inverse var std nansum renorm tan asin acos atan
    view_as_real view_as_complex complex polar real imag conj angle
    atan2 sinh cosh asinh acosh atanh sinc deg2rad rad2deg hypot
    """.split()  # noqa: SIM905  a long table of names reads better as text
)


def _cut(torch: Torch, x: Any, p: Mapping[str, Any]) -> Any:
    """The part of `x` from start to stop along an axis."""
    key = (slice(None),) * (p["dim"] % x.ndim)
    return x[(*key, slice(p["start"], p["stop"], p["step"]))]


def _indexed(torch: Torch, x: Any, indices: Sequence[Any], p: Mapping[str, Any]) -> Any:
    key: list[Any] = [slice(None)] * x.ndim
    for axis, index in zip(p["axes"], indices, strict=True):
        key[axis] = index
    return x[tuple(key)]


def _convolved(torch: Torch, inputs: Sequence[Any], p: Mapping[str, Any]) -> Any:
    run = getattr(torch.nn.functional, f"conv{len(p['stride'])}d")
    x, weight, *bias = inputs
    return run(x, weight, *bias, p["stride"], p["padding"], p["dilation"], p["groups"])


def _layer_norm(torch: Torch, inputs: Sequence[Any], p: Mapping[str, Any]) -> Any:
    x, *scale = inputs
    return torch.nn.functional.layer_norm(x, x.shape[x.ndim - p["count"] :], *scale, eps=p["eps"])


def _pooled(torch: Torch, inputs: Sequence[Any], p: Mapping[str, Any]) -> Any:
    """The elements at the places that the pool has chosen, in the last `count` axes."""
    x, places = inputs
    flat = places.flatten(-p["count"])
    return x.flatten(-p["count"]).gather(-1, flat).reshape(places.shape)


def _product(torch: Torch, x: Any, p: Mapping[str, Any]) -> Any:
    if p["dim"] is None:
        return x.prod()
    (dim,) = p["dim"] if isinstance(p["dim"], tuple) else (p["dim"],)
    return x.prod(dim, p["keepdim"])


def _sides(sides: Sequence[tuple[int, int]]) -> list[int]:
    """Pairs for the last axes, in the order of PyTorch's: the last axis first."""
    return [number for pair in reversed(sides) for number in pair]


def _averaged(torch: Torch, inputs: Sequence[Any], p: Mapping[str, Any]) -> Any:
    if "output_size" in p:
        run = getattr(torch.nn.functional, f"adaptive_avg_pool{len(p['output_size'])}d")
        return run(inputs[0], p["output_size"])
    run = getattr(torch.nn.functional, f"avg_pool{len(p['kernel'])}d")
    given = [p[key] for key in ("kernel", "stride", "padding", "ceil_mode", "count_include_pad")]
    divisor = p["divisor_override"]
    return run(inputs[0], *given, **({} if divisor is None else {"divisor_override": divisor}))


def _with_logits(torch: Torch, inputs: Sequence[Any], p: Mapping[str, Any]) -> Any:
    x, target, *more = inputs
    weight = more.pop(0) if p["weighted"] else None
    return torch.nn.functional.binary_cross_entropy_with_logits(
        x, target, weight, pos_weight=more[0] if more else None, reduction=p["reduction"]
    )


def _put(x: Any, values: Any, indices: Sequence[Any], p: Mapping[str, Any]) -> Any:
    key: list[Any] = [None] * x.ndim
    for axis, index in zip(p["axes"], indices, strict=True):
        key[axis] = index
    return x.index_put([index for index in key if index is not None], values, p["accumulate"])


def _chosen(torch: Torch, inputs: Sequence[Any], p: Mapping[str, Any]) -> Any:
    """The elements at places along an axis, one for each row."""
    x, places = inputs
    if p["keepdim"]:
        return x.gather(p["dim"], places)
    return x.gather(p["dim"], places.unsqueeze(p["dim"])).squeeze(p["dim"])


def _written(torch: Torch, inputs: Sequence[Any], p: Mapping[str, Any]) -> Any:
    """The first input, the second written over a view of it."""
    view = made = inputs[0].clone()
    for op, params in p["chain"]:
        view = called(torch, op.name, [view], params)
    view.copy_(inputs[1])
    return made


# Rows that PyTorch's users reach by another name or with other arguments.
FORMS: Mapping[str, Form] = {
    "add_scaled": lambda t, i, p: t.add(i[0], i[1], alpha=p["alpha"]),
    "sub_scaled": lambda t, i, p: t.sub(i[0], i[1], alpha=p["alpha"]),
    "add_number": lambda t, i, p: i[0] + p["value"],
    "sub_number": lambda t, i, p: i[0] - p["value"],
    "mul_number": lambda t, i, p: i[0] * p["value"],
    "div_number": lambda t, i, p: i[0] / p["value"],
    "rsub_number": lambda t, i, p: p["value"] - i[0],
    "pow_tensor": lambda t, i, p: t.pow(i[0], i[1]),
    "pow_number": lambda t, i, p: t.pow(p["base"], i[0]),
    "to": lambda t, i, p: i[0].to(getattr(t, np.dtype(p["dtype"]).name)),
    "alias": lambda t, i, p: i[0].view_as(i[0]),
    "max_dim": lambda t, i, p: t.max(i[0], p["dim"], p["keepdim"]).values,
    "min_dim": lambda t, i, p: t.min(i[0], p["dim"], p["keepdim"]).values,
    "view": lambda t, i, p: i[0].reshape(p["shape"]),
    "reshape_alias": lambda t, i, p: i[0].reshape(p["shape"]),
    "unsafe_view": lambda t, i, p: i[0].reshape(p["shape"]),
    "expand": lambda t, i, p: i[0].expand(p["shape"]),
    "repeat": lambda t, i, p: i[0].repeat(p["repeats"]),
    "slice": lambda t, i, p: _cut(t, i[0], p),
    "split": lambda t, i, p: _cut(t, i[0], p),
    "split_with_sizes": lambda t, i, p: _cut(t, i[0], p),
    "unbind": lambda t, i, p: i[0].select(p["dim"], p["index"]),
    "index": lambda t, i, p: _indexed(t, i[0], i[1:], p),
    "index_select": lambda t, i, p: i[0].index_select(p["dim"], i[1]),
    "gather": lambda t, i, p: i[0].gather(p["dim"], i[1]),
    "scatter_add": lambda t, i, p: i[0].scatter_add(p["dim"], i[1], i[2]),
    "masked_fill_tensor": lambda t, i, p: i[0].masked_fill(i[1], i[2]),
    "cat": lambda t, i, p: t.cat(list(i), p["dim"]),
    "stack": lambda t, i, p: t.stack(list(i), p["dim"]),
    "prod": lambda t, i, p: _product(t, i[0], p),
    "safe_softmax": lambda t, i, p: t.softmax(i[0], p["dim"]),
    "log_sigmoid": lambda t, i, p: t.nn.functional.logsigmoid(i[0]),
    "embedding": lambda t, i, p: t.nn.functional.embedding(i[1], i[0]),
    "detach": lambda t, i, p: i[0].detach(),
    "copy": lambda t, i, p: t.as_tensor(i[1]).to(i[0].dtype).expand_as(i[0]).clone(),
    "layer_norm": _layer_norm,
    "batch_norm": lambda t, i, p: t.nn.functional.batch_norm(
        i[0], None, None, *i[1:], training=True, eps=p["eps"]
    ),
    "group_norm": lambda t, i, p: t.nn.functional.group_norm(
        i[0], p["groups"], *i[1:], eps=p["eps"]
    ),
    "max_pool": _pooled,
    "convolution": _convolved,
    "linalg_inv": lambda t, i, p: t.linalg.inv(i[0]),
    "linalg_det": lambda t, i, p: t.linalg.det(i[0]),
    "linalg_cross": lambda t, i, p: t.linalg.cross(i[0], i[1], dim=p["dim"]),
    "squeeze": lambda t, i, p: i[0].squeeze(p["dim"]),
    "zero": lambda t, i, p: i[0].clone().zero_(),
    "fill": lambda t, i, p: i[0].clone().fill_(p["value"]),
    "fill_value": lambda t, i, p: i[0].clone().fill_(p["value"]),
    "fill_tensor": lambda t, i, p: i[0].clone().fill_(i[1]),
    "keep_grad": lambda t, i, p: i[0].clone(),
    "put_view": _written,
    "remainder_number": lambda t, i, p: t.remainder(i[0], i[1]),
    "fmod_number": lambda t, i, p: t.fmod(i[0], i[1]),
    "rsub_tensor": lambda t, i, p: t.rsub(i[0], i[1], alpha=p["alpha"]),
    "div_rounded": lambda t, i, p: t.div(i[0], i[1], rounding_mode=p["mode"]),
    "sort": lambda t, i, p: i[0].gather(p["dim"], i[1]),
    "topk": lambda t, i, p: i[0].gather(p["dim"], i[1]),
    "cummax": lambda t, i, p: i[0].gather(p["dim"], i[1]),
    "cummin": lambda t, i, p: i[0].gather(p["dim"], i[1]),
    "median_dim": _chosen,
    "nanmedian_dim": _chosen,
    "kthvalue": _chosen,
    "aminmax_max": lambda t, i, p: t.amax(i[0], p["dim"], p["keepdim"]),
    "aminmax_min": lambda t, i, p: t.amin(i[0], p["dim"], p["keepdim"]),
    "batch_norm_settled": lambda t, i, p: t.nn.functional.batch_norm(
        i[0], t.as_tensor(p["mean"]), t.as_tensor(p["var"]), *i[1:], eps=p["eps"]
    ),
    "constant_pad_nd": lambda t, i, p: t.nn.functional.pad(
        i[0], _sides(p["sides"]), value=p["value"]
    ),
    "pad": lambda t, i, p: t.nn.functional.pad(i[0], _sides(p["sides"]), p["mode"]),
    "avg_pool": _averaged,
    "prelu_kernel": lambda t, i, p: t.where(i[0] > 0, i[0], i[1] * i[0]),
    "linalg_solve": lambda t, i, p: t.linalg.solve(i[0], i[1], left=p["left"]),
    "linalg_eigh": lambda t, i, p: t.linalg.eigh(i[0], p["UPLO"])[p["output"]],
    "linalg_qr": lambda t, i, p: t.linalg.qr(i[0], p["mode"])[p["output"]],
    "linalg_svd": lambda t, i, p: t.linalg.svd(i[0], p["full"])[p["output"]],
    "linalg_cholesky": lambda t, i, p: (
        t.cholesky(i[0], upper=p["upper"])
        if p["name"] == "cholesky"
        else t.linalg.cholesky(i[0], upper=p["upper"])
    ),
    "index_add": lambda t, i, p: i[0].index_add(p["dim"], i[1], i[2], alpha=p["alpha"]),
    "index_copy": lambda t, i, p: i[0].index_copy(p["dim"], i[1], i[2]),
    "index_fill": lambda t, i, p: i[0].index_fill(p["dim"], i[1], p["value"]),
    "index_put": lambda t, i, p: _put(i[0], i[1], i[2:], p),
    "scatter": lambda t, i, p: i[0].scatter(p["dim"], i[1], i[2]),
    "scatter_value": lambda t, i, p: i[0].scatter(p["dim"], i[1], p["value"]),
    "masked_select": lambda t, i, p: i[0].masked_select(i[1]),
    "take": lambda t, i, p: i[0].take(i[1]),
    "unfold": lambda t, i, p: i[0].unfold(p["dim"], p["size"], p["step"]),
    "pixel_shuffle": lambda t, i, p: t.pixel_shuffle(i[0], p["factor"]),
    "pixel_unshuffle": lambda t, i, p: t.pixel_unshuffle(i[0], p["factor"]),
    "binary_cross_entropy_with_logits": _with_logits,
}
# Parameters with which a row is no longer the function that its form stands for.
OTHERWISE = {"embedding": ("scale_grad_by_freq", True)}


def called(torch: Torch, name: str, inputs: Sequence[Any], params: Mapping[str, Any]) -> Any:
    """What the row of this name is in PyTorch. Raises KeyError where it is nothing there."""
    form = FORMS.get(name)
    if form is not None:
        return form(torch, inputs, params)
    if name not in SAME:
        raise KeyError(name)
    return _function(torch, name)(*inputs, **params)


@cache
def _function(torch: Torch, name: str) -> Any:
    for space in _SPACES:
        owner: Any = torch
        for part in filter(None, space.split(".")):
            owner = getattr(owner, part)
        found = getattr(owner, name, None)
        if callable(found):
            return found
    raise KeyError(name)
