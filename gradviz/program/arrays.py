"""How ops are called on NumPy's arrays and on JAX's, which have nearly the same functions.

`np.` stands for the library; what JAX calls otherwise is in a table of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gradviz.program import arrays_layers, phrase, torch_forms, torch_pieces
from gradviz.program.call import Call, Form
from gradviz.program.phrase import Phrase

_AXES = "{axis=None}{keepdims=False}"
_NUMPY: Mapping[str, str] = {
    "sum": f"{{0}}.sum({_AXES})",
    "mean": f"{{0}}.mean({_AXES})",
    "prod": f"{{0}}.prod({_AXES})",
    "max": "{0}.max()",
    "min": "{0}.min()",
    "amax": f"{{0}}.max({_AXES})",
    "amin": f"{{0}}.min({_AXES})",
    "max_dim": f"{{0}}.max({_AXES})",
    "min_dim": f"{{0}}.min({_AXES})",
    "all": f"{{0}}.all({_AXES})",
    "any": f"{{0}}.any({_AXES})",
    "argmax": f"np.argmax({{0}}{_AXES})",
    "argmin": f"np.argmin({{0}}{_AXES})",
    "logsumexp": f"special.logsumexp({{0}}{_AXES})",
    "softmax": "special.softmax({0}{axis=})",
    "log_softmax": "special.log_softmax({0}{axis=})",
    "cumsum": "np.cumsum({0}{axis=})",
    "cumprod": "np.cumprod({0}{axis=})",
    "relu": "np.maximum({0}, 0)",
    "sigmoid": "1 / (1 + np.exp(-{0.}))",
    "abs": "np.abs({0})",
    "bmm": "{0.} @ {1.}",
    "dot": "np.dot({0}, {1})",
    "t": "{0}.T",
    "transpose": "np.swapaxes({0}, {dim0}, {dim1})",
    "expand": "np.broadcast_to({0}, {shape})",
    "unsqueeze": "np.expand_dims({0}, {dim})",
    "cat": "np.concatenate([{*}]{axis=0})",
    "stack": "np.stack([{*}]{axis=0})",
    "where": "np.where({0}, {1}, {2})",
    "clone": "{0}.copy()",
    "keep_grad": "{0}.copy()",
    "to": "{0}.astype({dtype})",
    "flip": "np.flip({0}, {dims})",
    "maximum": "np.maximum({0}, {1})",
    "minimum": "np.minimum({0}, {1})",
    "rsqrt": "1 / np.sqrt({0})",
    "reciprocal": "1 / {0.}",
    "sign": "np.sign({0})",
    "floor": "np.floor({0})",
    "ceil": "np.ceil({0})",
    "trunc": "np.trunc({0})",
    "masked_fill": "np.where({1}, {value}, {0})",
    "erf": "special.erf({0})",
    "erfc": "special.erfc({0})",
    "lgamma": "special.gammaln({0})",
    "digamma": "special.digamma({0})",
    "logical_not": "np.logical_not({0})",
    "linalg_inv": "np.linalg.inv({0})",
    "linalg_det": "np.linalg.det({0})",
    "tril": "np.tril({0}, {diagonal})",
    "triu": "np.triu({0}, {diagonal})",
    "repeat": "np.tile({0}, {repeats})",
    "nansum": f"np.nansum({{0}}{_AXES})",
    "diagonal": "np.diagonal({0}, {offset}, {dim1}, {dim2})",
    "trace": "np.trace({0})",
    "embedding": "{0}[{1}]",
    "index_select": "np.take({0}, {1}{axis=})",
    "polygamma": "special.polygamma({n}, {0})",
    "var_mean_mean": f"{{0}}.mean({_AXES})",
    "std_mean_mean": f"{{0}}.mean({_AXES})",
}
_JAX: Mapping[str, str] = {
    "softmax": "jax.nn.softmax({0}{axis=})",
    "log_softmax": "jax.nn.log_softmax({0}{axis=})",
    "logsumexp": f"jax.nn.logsumexp({{0}}{_AXES})",
    "relu": "jax.nn.relu({0})",
    "sigmoid": "jax.nn.sigmoid({0})",
    "silu": "jax.nn.silu({0})",
    "rsqrt": "jax.lax.rsqrt({0})",
    "detach": "jax.lax.stop_gradient({0})",
    "safe_softmax": "jax.nn.softmax({0}{axis=})",
    "erf": "jax.scipy.special.erf({0})",
    "erfc": "jax.scipy.special.erfc({0})",
    "lgamma": "jax.scipy.special.gammaln({0})",
    "digamma": "jax.scipy.special.digamma({0})",
    "polygamma": "jax.scipy.special.polygamma({n}, {0})",
    "vector_norm": "np.linalg.norm({0}{ord=None}{axis=None}{keepdims=False})",
}
_OPERATORS = (
    "add", "sub", "mul", "div", "mm", "mv", "pow", "pow_tensor", "pow_number", "neg", "gt", "lt",
    "ge", "le", "eq", "ne", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not",
    "floor_divide_number", "remainder_number", "add_number", "sub_number", "mul_number",
    "div_number", "rsub_number",
)  # fmt: skip


def _fill(c: Call, template: str, **more: Any) -> Phrase:
    """The template with the library's own name for `np`."""
    return c.fill(template.replace("np.", f"{c.library.name}."), **more)


def _squared_error(c: Call) -> Phrase:
    inside = f"({c.inputs[0].within(phrase.SUM)} - {c.inputs[1].within(phrase.PRODUCT)}) ** 2"
    if c.params["reduction"] == "none":
        return Phrase(inside, phrase.POWER)
    return Phrase(f"({inside}).{c.params['reduction']}()")


def _reshaped(c: Call) -> Phrase:
    return Phrase(f"{c.inputs[0].owner}.reshape({', '.join(map(str, c.result.shape)) or '()'})")


def _transposed(c: Call) -> Phrase:
    whole = c.params["dims"] == tuple(reversed(range(c.arrays[0].ndim)))
    return _fill(c, "{0}.T" if whole else "np.transpose({0}, {dims})")


def _clamped(c: Call) -> Phrase:
    """The nearer bound where the input is outside."""
    low, high = c.params.get("min"), c.params.get("max")
    if low is not None and high is not None:
        return _fill(c, "np.clip({0}, {min}, {max})")
    return _fill(c, "np.maximum({0}, {min})" if high is None else "np.minimum({0}, {max})")


def _negative_log(c: Call) -> Phrase:
    """What is picked for each class, where every target counts once."""
    plain = len(c.inputs) == 2 and c.arrays[0].ndim == 2 and (c.arrays[1] >= 0).all()
    if not plain or c.params["ignore_index"] >= 0:
        raise KeyError("weight")
    picked = _fill(c, f"{{0}}[np.arange({c.arrays[1].size}), {{1}}]")
    if c.params["reduction"] == "none":
        return phrase.prefix("-", picked)
    return phrase.prefix("-", Phrase(f"{picked.text}.{c.params['reduction']}()"))


def _gathered(c: Call) -> Phrase:
    dim = c.params["dim"]
    sizes = [n for axis, n in enumerate(c.arrays[0].shape) if axis != dim]
    if [n for axis, n in enumerate(c.arrays[1].shape) if axis != dim] != sizes:
        raise KeyError("dim")
    return _fill(c, "np.take_along_axis({0}, {1}{axis=})", axis=dim)


def _solved(c: Call) -> Phrase:
    if not c.params["left"] or c.params["vector"]:
        raise KeyError("left")
    return _fill(c, "np.linalg.solve({0}, {1})")


def _lower(c: Call) -> Phrase:
    if c.params["upper"] or c.library.name != "jnp":
        raise KeyError("upper")
    return _fill(c, "np.linalg.cholesky({0})")


def _subtracted_from(c: Call) -> Phrase:
    return phrase.infix(c.inputs[1], "-", c.inputs[0], phrase.SUM)


def _operator(op: str) -> Form:
    """As in PyTorch; a comparison with its sign, whatever it is called."""
    form = torch_forms.FORMS[op]
    return lambda c: form(replace(c, node=replace(c.node, name=None)))


_FORMS: dict[str, Form] = {
    "mse_loss": _squared_error,
    "nll_loss": _negative_log,
    "view": _reshaped,
    "reshape_alias": _reshaped,
    "unsafe_view": _reshaped,
    "squeeze": _reshaped,
    "permute": _transposed,
    "clamp": _clamped,
    "clamp_min": _clamped,
    "clamp_max": _clamped,
    "gather": _gathered,
    "rsub": _subtracted_from,
    **arrays_layers.FORMS,
    "linalg_solve": _solved,
    "linalg_cholesky": _lower,
    **dict.fromkeys(("split", "split_with_sizes", "narrow_copy"), torch_pieces.sliced),
    "unbind": torch_pieces.FORMS["select"],
    "detach": lambda c: c.inputs[0],
    **{op: _operator(op) for op in _OPERATORS},
    **{op: torch_pieces.FORMS[op] for op in ("select", "index", "piece")},
    "slice": torch_pieces.sliced,
}
# On these a Python number is as good as an array.
NUMBERS = frozenset({*_OPERATORS, "rsub", "where", "maximum", "minimum"})


NO_JAX = frozenset({"nextafter"})  # JAX cannot differentiate it


def written(c: Call) -> Phrase | None:
    """The op on arrays of the library; None where the tables do not say it."""
    try:
        return _from_tables(c)
    except (KeyError, IndexError):
        return None


def _from_tables(c: Call) -> Phrase | None:
    if c.node.op.endswith("_copy") and c.node.op not in _FORMS:
        c = replace(c, node=replace(c.node, op=c.node.op.removesuffix("_copy")))
    own = _JAX.get(c.node.op) if c.library.name == "jnp" else None
    if c.node.op == "vector_norm" and c.arrays[0].ndim > 1 and c.params["dim"] is None:
        own = None  # of a matrix that would be another norm
    form = _FORMS.get(c.node.op)
    if own is None and form is not None:
        return form(c)
    template = own or _NUMPY.get(c.node.op)
    if template is None:
        return None
    keepdims = c.params.get("keepdim", False)
    return _fill(c, template, axis=_axis(c.params.get("dim")), keepdims=keepdims)


def _axis(dim: Any) -> Any:
    return dim[0] if isinstance(dim, tuple) and len(dim) == 1 else dim
