"""Nodes as PyTorch itself computes them, where it is installed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import LEAF, Diagram, Node, NodeId

Array = npt.NDArray[Any]
Torch = Any  # the module and its tensors: it is imported here only, and late
Form = Callable[[Any, Sequence[Any], Mapping[str, Any]], Any]

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
    atan2 sinh cosh asinh acosh atanh sinc deg2rad rad2deg hypot
    """.split()  # noqa: SIM905  a long table of names reads better as text
)
_SPACES = ("", "nn.functional", "special", "linalg")


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
}
# Parameters with which a row is no longer the function that its form stands for.
_OTHERWISE = {"embedding": ("scale_grad_by_freq", True)}


def installed() -> bool:
    """Whether there is a PyTorch to compare with."""
    return find_spec("torch") is not None


def known(node: Node) -> bool:
    """Whether the node's op has a counterpart in PyTorch."""
    param, value = _OTHERWISE.get(node.op, ("", True))
    return (node.op in SAME or node.op in FORMS) and node.params.get(param) != value


def applied(node: Node, inputs: Sequence[Any]) -> Any:
    """The node's op on PyTorch's tensors. Raises KeyError where it has no counterpart."""
    import torch

    params = {key: _value(torch, item) for key, item in node.params.items()}
    form = FORMS.get(node.op)
    if form is not None:
        return form(torch, inputs, params)
    if node.op not in SAME:
        raise KeyError(node.op)
    return _function(node.op)(*inputs, **params)


@cache
def _function(name: str) -> Any:
    import torch

    for space in _SPACES:
        owner: Any = torch
        for part in filter(None, space.split(".")):
            owner = getattr(owner, part)
        found = getattr(owner, name, None)
        if callable(found):
            return found
    raise KeyError(name)


def _value(torch: Torch, item: Any) -> Any:
    return tensor(item) if isinstance(item, np.ndarray) else item


def tensor(array: Array, *, tracked: bool = False) -> Any:
    """A tensor of PyTorch with these numbers."""
    import torch

    return torch.tensor(np.array(array), requires_grad=tracked)


def pulled_back(node: Node, inputs: Sequence[Array], seed: Array, slots: Sequence[int]) -> Any:
    """What PyTorch sends to each of the slots of one node, zeros where it sends nothing."""
    import torch

    given = [tensor(array, tracked=slot in slots) for slot, array in enumerate(inputs)]
    wanted = [given[slot] for slot in slots]
    made = applied(node, given)
    if not made.requires_grad:
        return [np.zeros_like(inputs[slot]) for slot in slots]
    found = torch.autograd.grad(made, wanted, tensor(seed).to(made.dtype), allow_unused=True)
    return [
        np.zeros_like(inputs[slot]) if grad is None else grad.numpy(force=True)
        for slot, grad in zip(slots, found, strict=True)
    ]


def gradients(
    diagram: Diagram,
    root: NodeId,
    seed: Array,
    leaves: Collection[NodeId],
    fixed: Mapping[NodeId, Array],
) -> dict[NodeId, Array]:
    """The leaves' gradients of <seed, root>, as PyTorch finds them for the same computation.

    `fixed` are the results of nodes without a history, which are taken as they are. Raises
    KeyError where a node on the way has no counterpart.
    """
    import torch

    made: dict[NodeId, Any] = {key: tensor(array) for key, array in fixed.items()}
    wanted = diagram.ancestors(root)
    for key, node in diagram.nodes.items():
        if key in wanted and key not in made:
            made[key] = _made(torch, node, made)
    ends = [made[leaf] for leaf in leaves]
    found = torch.autograd.grad(made[root], ends, tensor(seed), allow_unused=True)
    return {
        leaf: np.zeros_like(end.numpy(force=True)) if grad is None else grad.numpy(force=True)
        for leaf, end, grad in zip(leaves, ends, found, strict=True)
    }


def _made(torch: Torch, node: Node, made: Mapping[NodeId, Any]) -> Any:
    if node.is_source:
        if node.data is None:
            raise KeyError(node.id)
        return node.data.item() if node.is_number else tensor(node.data, tracked=node.op == LEAF)
    if not known(node):
        raise KeyError(node.op)
    inputs = [made[key or ""] for key in node.inputs]
    with torch.set_grad_enabled(not node.no_grad):
        return applied(node, inputs)
