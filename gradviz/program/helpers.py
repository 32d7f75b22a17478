"""Functions that a NumPy program brings along: what a rule does that NumPy has no function for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradviz.program import phrase, templates
from gradviz.program.call import Call, Form
from gradviz.program.literals import NUMPY
from gradviz.program.phrase import Phrase

DEFINITIONS: Mapping[str, str] = {
    "put": """\
def put(g, key, shape):
    made = np.zeros(shape, g.dtype)
    np.add.at(made, key, g)
    return made""",
    "put_along": """\
def put_along(g, index, axis, shape):
    made = np.zeros(shape, g.dtype)
    places = list(np.indices(index.shape))
    places[axis] = index
    np.add.at(made, tuple(places), g)
    return made""",
    "put_diagonal": """\
def put_diagonal(g, shape, offset, axis1, axis2):
    made = np.zeros(shape, g.dtype)
    places = np.diagonal(np.arange(made.size).reshape(shape), offset, axis1, axis2)
    made.reshape(-1)[places] = g
    return made""",
}


def _put(c: Call) -> Phrase:
    key = ", ".join(_item(item) for item in c.params["key"])
    key = f"({key},)" if len(c.params["key"]) == 1 else f"({key})"
    return Phrase(f"put({c.inputs[0].text}, {key}, {phrase.tuple_text(c.params['shape'])})")


def _item(item: Any) -> str:
    if not isinstance(item, slice):
        return "..." if item is Ellipsis else str(item)
    bounds = (
        (item.start, item.stop) if item.step in (None, 1) else (item.start, item.stop, item.step)
    )
    return "slice(None)" if bounds == (None, None) else f"slice{phrase.tuple_text(bounds)}"


def _index_put(c: Call) -> Phrase:
    """Cotangents among zeros; what is put into anything else is no derivative of a piece."""
    if not c.params["accumulate"] or c.arrays[0].any():
        raise KeyError("base")
    items: list[str] = []
    axis = 0
    for text, index, at in zip(c.inputs[2:], c.arrays[2:], c.params["axes"], strict=True):
        items += ["slice(None)"] * (at - axis)
        items.append(text.text)
        axis = at + (index.ndim if index.dtype.kind == "b" else 1)
    shape = phrase.tuple_text(c.arrays[0].shape)
    return Phrase(f"put({c.inputs[1].text}, {phrase.tuple_text(items)}, {shape})")


def _scatter_add(c: Call) -> Phrase:
    fits = c.arrays[1].shape == c.arrays[2].shape and c.arrays[1].ndim
    if c.arrays[0].any() or not fits:
        raise KeyError("base")
    shape = phrase.tuple_text(c.arrays[0].shape)
    rest = f"{templates.value(c.params['dim'], c.library)}, {shape}"
    return Phrase(f"put_along({c.inputs[2].text}, {c.inputs[1].text}, {rest})")


def _index_add(c: Call) -> Phrase:
    if c.arrays[0].any() or c.params.get("alpha", 1) != 1:
        raise KeyError("base")
    key = ", ".join(["slice(None)"] * c.params["dim"] + [c.inputs[1].text])
    shape = phrase.tuple_text(c.arrays[0].shape)
    return Phrase(f"put({c.inputs[2].text}, ({key},), {shape})")


_FORMS: Mapping[str, Form] = {
    "index_add": _index_add,
    "put_diagonal": lambda c: c.fill("put_diagonal({0}, {shape}, {offset}, {dim1}, {dim2})"),
    "put": _put,
    "index_put": _index_put,
    "scatter_add": _scatter_add,
    "threshold_backward": lambda c: c.fill("{0} * ({1} > 0)"),
    "zero": lambda c: c.fill("np.zeros_like({0})"),
}


def written(c: Call) -> Phrase | None:
    """A row within a rule as a call of such a function; None for other rows."""
    form = _FORMS.get(c.node.op) if c.library is NUMPY else None
    try:
        return None if form is None else form(c)
    except KeyError:
        return None
