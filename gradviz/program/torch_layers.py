"""How layers and losses are written in PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradviz.program.call import Call, Form
from gradviz.program.phrase import Phrase, tuple_text


def _convolved(c: Call) -> Phrase:
    count = len(c.params["stride"])
    bias = _bias(c)
    form = f"F.conv{count}d({{0}}, {{1}}{bias}{{stride=1}}{{padding=0}}{{dilation=1}}{{groups=1}})"
    return c.fill(form, **_short(c.params))


def _bias(c: Call) -> str:
    """The third input as an argument; a number there stands for none."""
    return ", {2}" if len(c.inputs) > 2 and not c.numbers[2] else ""


def _short(params: Mapping[str, Any]) -> dict[str, Any]:
    """Sizes that are the same along each axis as one number."""
    found = {}
    for name in ("stride", "padding", "dilation", "kernel", "output_padding"):
        size = params.get(name)
        if isinstance(size, tuple) and len(set(size)) == 1:
            found[name] = size[0]
    return found


def _transposed_convolution(c: Call) -> Phrase:
    p, kernel = c.params, c.arrays[1].shape[2:]
    given = c.arrays[0].shape[-len(kernel) :]
    sizes = zip(p["size"], given, kernel, p["stride"], p["padding"], p["dilation"], strict=True)
    more = tuple(s - ((n - 1) * st - 2 * pad + d * (k - 1) + 1) for s, n, k, st, pad, d in sizes)
    bias = _bias(c)
    form = (
        f"F.conv_transpose{len(kernel)}d({{0}}, {{1}}{bias}"
        "{stride=1}{padding=0}{output_padding=0}{groups=1}{dilation=1})"
    )
    return c.fill(form, **{"output_padding": more, **_short({**p, "output_padding": more})})


def _affine(c: Call) -> str:
    """Weight and bias as far as they are tensors: a number stands for none."""
    names = ("weight", "bias")
    given = [at for at in range(1, len(c.inputs)) if not c.numbers[at]]
    return "".join(f", {names[at - 1]}={{{at}}}" for at in given)


def _layer_norm(c: Call) -> Phrase:
    shape = c.arrays[0].shape[c.arrays[0].ndim - c.params["count"] :]
    return c.fill(f"F.layer_norm({{0}}, {tuple_text(shape)}{_affine(c)}{{eps=1e-05}})")


def _group_norm(c: Call) -> Phrase:
    return c.fill(f"F.group_norm({{0}}, {{groups}}{_affine(c)}{{eps=1e-05}})")


def _batch_norm(c: Call) -> Phrase:
    return c.fill(f"F.batch_norm({{0}}, None, None{_affine(c)}, training=True{{eps=1e-05}})")


def _batch_norm_settled(c: Call) -> Phrase:
    return c.fill(f"F.batch_norm({{0}}, {{mean}}, {{var}}{_affine(c)}{{eps=1e-05}})")


def _attention(c: Call) -> Phrase:
    mask = ", attn_mask={3}" if len(c.inputs) > 3 and not c.params["causal"] else ""
    form = f"F.scaled_dot_product_attention({{0}}, {{1}}, {{2}}{mask}{{is_causal=False}}{{scale=}})"
    return c.fill(form, is_causal=c.params["causal"])


def _padded(c: Call) -> Phrase:
    sides = [n for pair in reversed(c.params["sides"]) for n in pair]
    mode = c.params.get("mode", "constant")
    return c.fill("F.pad({0}, {given}{mode='constant'}{value=0})", given=tuple(sides), mode=mode)


def _averaged(c: Call) -> Phrase:
    if "output_size" in c.params:
        size = c.params["output_size"]
        return c.fill(f"F.adaptive_avg_pool{len(size)}d({{0}}, {{output_size}})")
    form = (
        f"F.avg_pool{len(c.params['kernel'])}d({{0}}, {{kernel}}{{stride=}}{{padding=0}}"
        "{ceil_mode=False}{count_include_pad=True}{divisor_override=None})"
    )
    return c.fill(form, **_short(c.params))


def _upsampled(c: Call) -> Phrase:
    p = c.params
    flags = {} if p.get("align_corners") else {"align_corners": None}
    size = "{size=}" if None in p["scales"] else "{scale_factor=}"
    form = f"{size}{{mode='nearest'}}{{align_corners=None}}{{antialias=False}})"
    if c.arrays[0].ndim == len(p["size"]) + 2:
        return c.fill("F.interpolate({0}" + form, scale_factor=p["scales"], **flags)
    form = "F.interpolate({0}.unsqueeze(0)" + form + ".squeeze(0)"
    return c.fill(form, scale_factor=p["scales"], **flags)


def _sampled(c: Call) -> Phrase:
    form = "F.grid_sample({0}, {1}{mode='bilinear'}{padding_mode='zeros'}{align_corners=})"
    return c.fill(form, padding_mode=c.params["padding"])


def _affine_grid(c: Call) -> Phrase:
    count = c.arrays[0].shape[0]
    size = (count, 1, *c.params["size"])
    return c.fill("F.affine_grid({0}, {whole}{align_corners=})", whole=size)


def _unfolded(c: Call) -> Phrase:
    return c.fill("F.unfold({0}, {kernel}{dilation=1}{padding=0}{stride=1})", **_short(c.params))


def _folded(c: Call) -> Phrase:
    form = "F.fold({0}, {size}, {kernel}{dilation=1}{padding=0}{stride=1})"
    return c.fill(form, **_short(c.params))


def _embedded(c: Call) -> Phrase:
    padding = c.params["padding_idx"]
    form = "F.embedding({1}, {0}{padding_idx=None}{scale_grad_by_freq=False})"
    return c.fill(form, padding_idx=None if padding < 0 else padding)


def _nll(c: Call) -> Phrase:
    weight = ", weight={2}" if len(c.inputs) > 2 else ""
    return c.fill(f"F.nll_loss({{0}}, {{1}}{weight}{{ignore_index=-100}}{{reduction='mean'}})")


def _binary(c: Call) -> Phrase:
    weight = ", weight={2}" if len(c.inputs) > 2 else ""
    return c.fill(f"F.binary_cross_entropy({{0}}, {{1}}{weight}{{reduction='mean'}})")


def _binary_logits(c: Call) -> Phrase:
    names = (["weight"] if c.params["weighted"] else []) + ["pos_weight"]
    more = "".join(f", {n}={{{at}}}" for at, n in enumerate(names[: len(c.inputs) - 2], 2))
    return c.fill(f"F.binary_cross_entropy_with_logits({{0}}, {{1}}{more}{{reduction='mean'}})")


def _margins(c: Call) -> Phrase:
    weight = ", weight={2}" if len(c.inputs) > 2 else ""
    return c.fill(
        f"F.multi_margin_loss({{0}}, {{1}}{weight}{{p=1}}{{margin=1.0}}{{reduction='mean'}})"
    )


def _ctc(c: Call) -> Phrase:
    form = (
        "F.ctc_loss({0}, {1}, {lengths}, {sizes}{blank=0}{reduction='mean'}{zero_infinity=False})"
    )
    return c.fill(form, reduction="none")


FORMS: dict[str, Form] = {
    "convolution": _convolved,
    "convolution_transpose": _transposed_convolution,
    "nll_loss": _nll,
    "nll_loss2d": _nll,
    "binary_cross_entropy": _binary,
    "binary_cross_entropy_with_logits": _binary_logits,
    "multi_margin_loss": _margins,
    "layer_norm": _layer_norm,
    "group_norm": _group_norm,
    "batch_norm": _batch_norm,
    "batch_norm_settled": _batch_norm_settled,
    "flash_attention": _attention,
    "constant_pad_nd": _padded,
    "pad": _padded,
    "avg_pool": _averaged,
    "upsample": _upsampled,
    "grid_sample": _sampled,
    "affine_grid": _affine_grid,
    "im2col": _unfolded,
    "col2im": _folded,
    "ctc_loss": _ctc,
    "embedding": _embedded,
}
