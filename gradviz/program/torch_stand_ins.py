"""Ops that PyTorch's users cannot call: what has the same value and the same gradients.

They come about where something was written in place, or a gradient is itself differentiated. What
is read from such a program has other nodes for them.
"""

from __future__ import annotations

from gradviz.program import literals
from gradviz.program.call import Call, Form
from gradviz.program.phrase import Phrase, tuple_text
from gradviz.program.torch_forms import exponential_unit


def _template(text: str) -> Form:
    return lambda c: c.fill(text)


def _part(c: Call) -> Phrase:
    start, shape = c.params["start"], c.params["shape"]
    stop = start + c.result.size
    return c.fill("{0}.flatten()[{start}:{stop}].reshape({shape})", stop=stop, shape=shape)


def _spread_part(c: Call) -> Phrase:
    start = c.params["start"]
    rest = c.params["size"] - start - c.arrays[0].size
    return c.fill(f"F.pad({{0}}.flatten(), ({start}, {rest}))")


def _settled(c: Call) -> Phrase:
    outcome = literals.array(c.params["outcome"].astype(c.result.dtype), c.library).text
    return c.fill("{0}.clone().copy_(" + outcome + ")")


def _stepped(c: Call) -> Phrase:
    like = "torch.ones_like({0})"
    return c.fill(f"torch.where({{0}} > 0, {like}, {{low}} * {like}) + 0 * {{0}}")


def _normed(c: Call) -> Phrase:
    kind = c.library.dtype(c.params["kind"])
    return c.fill(
        f"torch.linalg.vector_norm({{0}}{{ord=2}}{{dim=None}}{{keepdim=False}}, dtype={kind})"
    )


def _statistic(c: Call) -> Phrase:
    return c.fill("{0}.clone().copy_({1})")


def _unit(c: Call) -> Phrase:
    axes = c.params["axes"]
    return c.fill(
        "({0} - {0}.mean({axes}, keepdim=True)) / "
        "torch.sqrt({0}.var({axes}, correction=0, keepdim=True) + {eps})",
        axes=axes,
    )


def _spread_of(c: Call) -> Phrase:
    return c.fill("torch.sqrt({0}.var({axes}, correction=0, keepdim=True) + {eps})")


def _solved_by_factors(c: Call) -> Phrase:
    if c.params["back"]:
        raise KeyError("back")
    return c.fill("torch.linalg.lu_solve({0}, {1}, {2}{left=True})")


def _triangle(c: Call) -> Phrase:
    """The unit lower or the upper triangle of a packed factorization."""
    rows, columns = c.arrays[0].shape[-2:]
    least = min(rows, columns)
    if c.params["output"] == 2:
        return c.fill("{0}.triu()" + (f"[..., :{least}, :]" if rows > least else ""))
    eye = f"torch.eye({rows}, {columns}, dtype={c.library.dtype(c.result.dtype)})"
    cut = f"[..., :{least}]" if columns > least else ""
    return c.fill(f"({{0}}.tril(-1) + {eye}){cut}" if cut else f"{{0}}.tril(-1) + {eye}")


def _bagged(c: Call) -> Phrase:
    if c.params["mode"] != "sum" or c.params["scale_grad_by_freq"]:
        raise KeyError("mode")
    shape = (c.params["bags"], *c.arrays[0].shape[1:])
    zeros = f"torch.zeros({tuple_text(shape)}, dtype={c.library.dtype(c.result.dtype)})"
    padding = c.params["padding_idx"]
    kept = "" if padding < 0 else f" * ({{2}} != {padding}).unsqueeze(1)"
    return c.fill(f"{zeros}.index_add(0, {{3}}, {{0}}[{{2}}] * {{1}}.unsqueeze(1){kept})")


_RECTIFIED = {
    "leaky_relu_result": "F.leaky_relu({0}{negative_slope=0.01})",
    "rrelu": "F.leaky_relu({0}{negative_slope=0.01})",
    "rrelu_result": "F.leaky_relu({0}{negative_slope=0.01})",
    "threshold_result": "F.threshold({0}, {threshold}, {value})",
    "prelu_kernel": "torch.where({0} > 0, {0}, {1} * {0})",
}
FORMS: dict[str, Form] = {name: _template(text) for name, text in _RECTIFIED.items()} | {
    "zero": _template("{0}.clone().zero_()"),
    "fill": _template("{0}.clone().fill_({value})"),
    "fill_value": _template("torch.fill({0}, {value})"),
    "fill_tensor": _template("torch.fill({0}, {1})"),
    "copy": _template("{0}.clone().copy_({1})"),
    "keep_grad": _template("{0}.clone()"),
    "threshold_backward": _template("{0}.masked_fill({1} <= 0, 0)"),
    "safe_softmax": _template("torch.softmax({0}{dim=})"),
    "part": _part,
    "spread_part": _spread_part,
    "euclidean_dist": _template('torch.cdist({0}, {1}, compute_mode="use_mm_for_euclid_dist")'),
    "bernoulli": _settled,
    "drawn": _settled,
    "copyltu": _template("{0}.tril() + {0}.tril(-1).mT"),
    "off_diagonal": _template("{0} - torch.diag_embed({0}.diagonal(dim1=-2, dim2=-1))"),
    "transpose_frames": _template("{0}.transpose(-1, -2)"),
    "unsqueeze_inside": _template("{0}.unsqueeze({dim})"),
    "transpose_inside": _template("{0}.transpose({dim0}, {dim1})"),
    "t_inside": _template("{0}.t()"),
    "step": _stepped,
    "vector_norm_in": _normed,
    "group_norm_statistic": _statistic,
    "unit": _unit,
    "std_of": _spread_of,
    "elu_result": exponential_unit,
    "celu_result": exponential_unit,
    "linalg_lu_solve": _solved_by_factors,
    "lu_unpack": _triangle,
    "embedding_bag": _bagged,
    "trilinear": _template('torch.einsum("ni,kij,nj->nk", {0}, {1}, {2})'),
}
