"""Parts of tensors in PyTorch: `x[0, 1:]`, and what is written over a part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.op import Op
from gradviz.program import phrase, templates, torch_pools
from gradviz.program.bundles import PICKED, PLACES
from gradviz.program.call import Call, Form
from gradviz.program.phrase import Phrase

Chain = Sequence[tuple[Op, Mapping[str, Any]]]


def _selected(c: Call) -> Phrase:
    return _piece(c.inputs[0], c.params["dim"], c.params["index"])


def _sliced(c: Call) -> Phrase:
    p, size = c.params, c.arrays[0].shape[c.params["dim"]]
    if (p["start"], p["stop"], p["step"]) == (0, size, 1):  # an index would be left out
        return c.fill("{0}.narrow({dim}, 0, {size})", size=size)
    return sliced(c)


def sliced(c: Call) -> Phrase:
    """`x[:, 1:]`."""
    p = c.params
    return _piece(c.inputs[0], p["dim"], _bounds(p, c.arrays[0].shape[p["dim"]]))


def _bounds(params: Mapping[str, Any], size: int) -> slice:
    start, stop = params["start"] or None, params["stop"]
    return slice(start, None if stop == size else stop, params["step"])


def _piece(of: Phrase, dim: int, item: Any) -> Phrase:
    """One more index; behind those that the phrase ends with where it comes after them."""
    items = list(of.key)
    kept = [at for at, known in enumerate(items) if isinstance(known, slice)]
    if items and dim >= len(kept):
        base, items = of.base, items + [slice(None)] * (dim - len(kept)) + [item]
    else:
        base, items = of.owner, [slice(None)] * dim + [item]
    return Phrase(f"{base}[{templates.key(items)}]", base=base, key=tuple(items))


def _narrowed(c: Call) -> Phrase:
    if c.params["step"] != 1:
        return c.fill("torch.slice_copy({0}, {dim}, {start}, {stop}, {step})")
    length = c.params["stop"] - c.params["start"]
    return c.fill("torch.narrow_copy({0}, {dim}, {start}, {length})", length=length)


def _narrow(c: Call) -> Phrase:
    if c.params["step"] != 1:
        return _sliced(c)
    length = c.params["stop"] - c.params["start"]
    return c.fill("{0}.narrow({dim}, {start}, {length})", length=length)


def _indexed(c: Call) -> Phrase:
    return Phrase(f"{c.inputs[0].owner}[{_index_key(c, 1)}]")


def _index_key(c: Call, first: int) -> str:
    """The index tensors from input `first` on, whole slices before and between them."""
    items: list[Any] = []
    axis = 0
    pairs = zip(c.inputs[first:], c.arrays[first:], c.params["axes"], strict=True)
    for text, index, at in pairs:
        items += [slice(None)] * (at - axis)
        items.append(text.text)
        axis = at + (index.ndim if index.dtype.kind == "b" else 1)
    return templates.key(items)


def _index_put(c: Call) -> Phrase:
    p, axes = c.params, c.params["axes"]
    if axes == tuple(range(len(axes))):
        indices = phrase.tuple_text(text.text for text in c.inputs[2:])
        more = "{accumulate=False}"
        return c.fill("{0}.index_put(" + indices + ", {1}" + more + ")")
    key = f"({_index_key(c, 2)})".replace(":", "slice(None)")
    return c.fill(f"put({{0}}, {key}, {{1}}{{accumulate=False}})", accumulate=p["accumulate"])


def _viewed(of: Phrase, chain: Chain, shape: tuple[int, ...], c: Call) -> Phrase:
    """The view that a chain of shape ops leads to."""
    from gradviz.diagram import Node
    from gradviz.program.pytorch import written

    array = np.zeros(shape)
    for op, params in chain:
        node = Node(c.node.id, op.name, params=params, line=c.node.line, name=c.node.name)
        result = op(array, **params)
        of = written(Call(node, [of], [array], result, c.library, [False]))
        array = result
    return of


def _as_view(c: Call) -> Phrase:
    return _viewed(c.inputs[0], c.params["chain"], c.arrays[0].shape, c)


def _put_view(c: Call) -> Phrase:
    part = _viewed(Phrase("t"), c.params["chain"], c.arrays[0].shape, c)
    return c.fill("put_view({0}, lambda t: " + part.text + ", {1})")


def _scattered(c: Call) -> Phrase:
    ((op, p),) = c.params["chain"]
    if op.name == "select":
        return c.fill("torch.select_scatter({0}, {1}, {dim}, {index})", **p)
    if op.name == "diagonal":
        return c.fill("torch.diagonal_scatter({0}, {1}{offset=0}{dim1=0}{dim2=1})", **p)
    return c.fill("torch.slice_scatter({0}, {1}, {dim}, {start}, {stop}, {step})", **p)


def _placed(c: Call) -> Phrase:
    """Zeros but for a piece."""
    key, shape = c.params["key"], phrase.tuple_text(c.params["shape"])
    dtype = f", dtype={c.library.dtype(c.arrays[0].dtype)}"
    zeros = f"torch.zeros({shape}{dtype})"
    dim = len(key) - 1
    if isinstance(key[-1], slice):
        at = key[-1]
        bounds = f"{dim}, {at.start}, {at.stop}, {at.step or 1}"
        return c.fill(f"torch.slice_scatter({zeros}, {{0}}, {bounds})")
    return c.fill(f"torch.select_scatter({zeros}, {{0}}, {dim}, {key[-1]})")


def _taken(c: Call) -> Phrase:
    return Phrase(f"{c.inputs[0].owner}[{templates.key(c.params['key'])}]")


def _diagonal_placed(c: Call) -> Phrase:
    dtype = f", dtype={c.library.dtype(c.arrays[0].dtype)}"
    zeros = f"torch.zeros({phrase.tuple_text(c.params['shape'])}{dtype})"
    return c.fill(f"torch.diagonal_scatter({zeros}, {{0}}{{offset=0}}{{dim1=0}}{{dim2=1}})")


def _pooled(c: Call) -> Phrase:
    if "window" in c.params:
        return torch_pools.pooled(c)
    count = c.params["count"]
    shape = ", ".join(map(str, c.arrays[1].shape))
    return c.fill(f"{{0}}.flatten(-{count}).gather(-1, {{1}}.flatten(-{count})).reshape({shape})")


def _unpooled(c: Call) -> Phrase:
    count, size = len(c.params["size"]), c.result.shape
    front = c.result.shape[: c.result.ndim - count]
    zeros = f"torch.zeros({phrase.tuple_text((*front, int(np.prod(size[-count:]))))}"
    zeros += f", dtype={c.library.dtype(c.result.dtype)})"
    put = "scatter_add" if c.params["add"] else "scatter"
    places = f"{{1}}.flatten(-{count}), {{0}}.flatten(-{count})"
    return c.fill(f"{zeros}.{put}(-1, {places}).reshape({', '.join(map(str, size))})")


def _picked(c: Call) -> Phrase:
    """The elements at given places along an axis, where they are not those that a sort found."""
    if not c.arrays[0].ndim:
        return c.fill("{0}.clone()")
    if c.params.get("keepdim", True):
        return c.fill("{0}.gather({dim}, {1})")
    return c.fill("{0}.gather({dim}, {1}.unsqueeze({dim})).squeeze({dim})")


def _places(template: str) -> Form:
    """The places alone."""
    return lambda c: c.fill(f"{template}.indices")


HELPERS: Mapping[str, str] = {
    "put": """\
def put(base, key, value, accumulate=False):
    made = base.clone()
    made[key] = made[key] + value if accumulate else value
    return made""",
    "put_view": """\
def put_view(base, view, value):
    made = base.clone()
    view(made).copy_(value)
    return made""",
}
FORMS: dict[str, Form] = {
    "select": _selected,
    "slice": _sliced,
    "narrow_copy": _narrowed,
    "split": _narrow,
    "split_with_sizes": _narrow,
    "unsafe_split": _narrowed,
    "unsafe_split_with_sizes": _narrowed,
    "split_copy": _narrowed,
    "split_with_sizes_copy": _narrowed,
    "unbind": lambda c: c.fill("{0}.select({dim}, {index})"),
    "unbind_copy": lambda c: c.fill("torch.select_copy({0}, {dim}, {index})"),
    "index": _indexed,
    "index_put": _index_put,
    "as_view": _as_view,
    "put_view": _put_view,
    "slice_scatter": _scattered,
    "select_scatter": _scattered,
    "diagonal_scatter": _scattered,
    "put": _placed,
    "piece": _taken,
    "put_diagonal": _diagonal_placed,
    "max_pool": _pooled,
    "max_unpool": _unpooled,
}
FORMS |= dict.fromkeys(PLACES, _picked)
FORMS |= {PLACES[op]: _places(template) for op, template in PICKED.items()}
