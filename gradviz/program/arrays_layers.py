"""How layers are written for arrays: as JAX's functions, or as expressions."""

from __future__ import annotations

from gradviz.program import phrase, templates
from gradviz.program.call import Call, Form
from gradviz.program.phrase import Phrase


def _normalized(c: Call, axes: tuple[int, ...], shape: tuple[int, ...]) -> Phrase:
    """The input less its mean, over its deviation; then scaled and moved by what there is."""
    x = c.inputs[0].owner
    over = f"axis={templates.value(axes, c.library, 'dim')}, keepdims=True"
    eps = templates.value(c.params["eps"], c.library)
    made = f"({x} - {x}.mean({over})) / {c.library.name}.sqrt({x}.var({over}) + {eps})"
    for sign, at in (("*", 1), ("+", 2)):
        if at < len(c.inputs) and c.arrays[at].ndim:
            there = c.arrays[at].shape == shape
            part = c.inputs[at].owner if there else _reshaped_to(c.inputs[at], shape)
            made = f"{made} {sign} {part}"
    return Phrase(made, phrase.SUM)


def _reshaped_to(of: Phrase, shape: tuple[int, ...]) -> str:
    return f"{of.owner}.reshape({', '.join(map(str, shape))})"


def _layer_norm(c: Call) -> Phrase:
    count, shape = c.params["count"], c.arrays[0].shape
    return _normalized(c, tuple(range(-count, 0)), shape[len(shape) - count :])


def _batch_norm(c: Call) -> Phrase:
    shape = c.arrays[0].shape
    axes = (0, *range(2, len(shape)))
    return _normalized(c, axes, (shape[1], *(1,) * (len(shape) - 2)))


def _attention(c: Call) -> Phrase:
    """softmax(q k' / sqrt(d)) v, what the mask hides left out."""
    if c.library.name != "jnp":
        raise KeyError("softmax")
    scale = templates.value(c.params["scale"], c.library)
    scores = f"{c.inputs[0].owner} @ jnp.swapaxes({c.inputs[1].text}, -1, -2) * {scale}"
    seen = _seen(c)
    if seen:
        scores = f"jnp.where({' & '.join(seen)}, {scores}, -jnp.inf)"
    return Phrase(f"jax.nn.softmax({scores}, axis=-1) @ {c.inputs[2].owner}", phrase.PRODUCT)


def _seen(c: Call) -> list[str]:
    """The conditions under which a query sees a key."""
    found = []
    if len(c.inputs) > 3 and not c.arrays[3].all():
        if c.arrays[3].dtype.kind != "b":
            raise KeyError("mask")
        found.append(c.inputs[3].within(phrase.BIT_AND))
    if c.params["causal"]:
        size = (c.arrays[0].shape[-2], c.arrays[1].shape[-2])
        found.append(f"jnp.tril(jnp.ones({size}, dtype=bool))")
    return found


def _convolved(c: Call) -> Phrase:
    if c.library.name != "jnp":
        raise KeyError("convolution")
    p = c.params
    sides = [(n, n) for n in p["padding"]]
    form = (
        "jax.lax.conv_general_dilated({0}, {1}, {stride}, {sides}"
        "{rhs_dilation=}{feature_group_count=1})"
    )
    made = c.fill(form, sides=sides, rhs_dilation=p["dilation"], feature_group_count=p["groups"])
    if len(c.inputs) < 3 or not c.arrays[2].ndim:
        return made
    bias = _reshaped_to(c.inputs[2], (-1, *(1,) * len(sides)))
    return phrase.infix(made, "+", Phrase(bias), phrase.SUM)


def _pooled(c: Call) -> Phrase:
    """The elements at the places that the pool has chosen, among the last axes laid out flat."""
    if c.library.name != "jnp":
        raise KeyError("max_pool")
    count = c.params["count"]
    flat = [_reshaped_to(c.inputs[at], (*c.arrays[at].shape[:-count], -1)) for at in (0, 1)]
    shape = ", ".join(map(str, c.result.shape))
    return Phrase(f"jnp.take_along_axis({flat[0]}, {flat[1]}, axis=-1).reshape({shape})")


FORMS: dict[str, Form] = {
    "layer_norm": _layer_norm,
    "batch_norm": _batch_norm,
    "flash_attention": _attention,
    "convolution": _convolved,
    "max_pool": _pooled,
}
