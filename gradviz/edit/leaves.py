"""Sources edited: their values, single elements, shape, dtype, and whether they require grad."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gradviz.diagram import CONSTANT, LEAF, Array, Diagram, Node, NodeId
from gradviz.edit.outcome import Refusal, missing
from gradviz.edit.shapes import Shape, checked
from gradviz.edit.typed import typed
from gradviz.files.codec import DTYPES
from gradviz.labels import titles
from gradviz.language import _

Edit = Diagram | Refusal


def set_text(diagram: Diagram, key: NodeId, text: str) -> Edit:
    """Give a source the value that was typed; `torch.tensor(…)` may say its dtype and kind too.

    Where no dtype is said the one that it had stays, if the numbers can be of that.
    """
    node = _source(diagram, key)
    if isinstance(node, Refusal):
        return node
    like = None if node.data is None else node.data.dtype
    found = typed(text, like, floating=node.op == LEAF)
    if isinstance(found, Refusal):
        return replace(found, node=key)
    op = {True: LEAF, False: CONSTANT, None: node.op}[found.requires_grad]
    return _with(diagram, replace(node, op=op), found.array)


def set_data(diagram: Diagram, key: NodeId, array: Array) -> Edit:
    """Give a source this value. A leaf has to be of a floating or complex dtype."""
    node = _source(diagram, key)
    return node if isinstance(node, Refusal) else _with(diagram, node, array)


def set_element(diagram: Diagram, key: NodeId, index: tuple[int, ...], text: str) -> Edit:
    """Give one element of a source's value the number that was typed."""
    node = _source(diagram, key)
    if isinstance(node, Refusal):
        return node
    array = node.data
    if array is None or len(index) != array.ndim or not _is_inside(index, array.shape):
        place = ", ".join(map(str, index))
        return Refusal(_("There is no element [{place}].").format(place=place), key)
    found = typed(text, array.dtype if array.dtype.kind in "fc" else None)
    if isinstance(found, Refusal):
        return replace(found, node=key)
    if found.array.ndim:
        return Refusal(_("One element is one number."), key)
    number = found.array
    if not _holds(array.dtype, number):
        sentence = _("{number} is not a value of {dtype}.")
        return Refusal(sentence.format(number=number.item(), dtype=array.dtype.name), key)
    changed = array.copy()
    with np.errstate(over="ignore"):
        changed[index] = number.astype(array.dtype)
    return _with(diagram, node, changed)


def _holds(dtype: np.dtype[Any], number: Array) -> bool:
    """Whether a number can be an element of this dtype: whole ones of integers within its range."""
    if dtype.kind in "fc":
        return number.dtype.kind != "c" or dtype.kind == "c"
    if number.dtype.kind not in "iub" or (dtype.kind == "b" and number.item() not in (0, 1)):
        return False
    return dtype.kind == "b" or np.iinfo(dtype).min <= number.item() <= np.iinfo(dtype).max


def _is_inside(index: tuple[int, ...], shape: Shape) -> bool:
    return all(0 <= at < size for at, size in zip(index, shape, strict=True))


def resize(diagram: Diagram, key: NodeId, shape: Shape) -> Edit:
    """Give a source another shape: elements stay at their places, new ones are 0.

    Where the count stays the elements stay in their order instead.
    """
    node = _source(diagram, key)
    if isinstance(node, Refusal):
        return node
    room = checked(shape)
    if isinstance(room, Refusal):
        return replace(room, node=key)
    old = node.data if node.data is not None else np.zeros((), np.float32)
    made = np.zeros(shape, old.dtype)
    if made.size == old.size:
        made = old.reshape(shape).copy()
    else:
        ndim = max(old.ndim, made.ndim)
        wide = old.reshape((1,) * (ndim - old.ndim) + old.shape)
        room_of = made.reshape((1,) * (ndim - made.ndim) + made.shape)
        both = tuple(slice(min(a, b)) for a, b in zip(wide.shape, room_of.shape, strict=True))
        room_of[both] = wide[both]
    return _with(diagram, node, made)


def set_dtype(diagram: Diagram, key: NodeId, dtype: str) -> Edit:
    """Give a source's value another dtype. Integers cannot require grad, as PyTorch says."""
    node = _source(diagram, key)
    if isinstance(node, Refusal):
        return node
    if dtype not in DTYPES:
        return Refusal(_("There is no dtype “{name}”.").format(name=dtype), key)
    array = node.data if node.data is not None else np.zeros((), np.float32)
    with np.errstate(all="ignore"):
        return _with(diagram, node, _cast(array, np.dtype(dtype)))


def _cast(array: Array, dtype: np.dtype[Any]) -> Array:
    real = array.real if array.dtype.kind == "c" and dtype.kind != "c" else array
    return real.astype(dtype)


def set_requires_grad(diagram: Diagram, key: NodeId, *, wanted: bool) -> Edit:
    """Have a source keep gradients, as a leaf, or not, as a constant."""
    node = _source(diagram, key)
    if isinstance(node, Refusal):
        return node
    changed = replace(
        node, op=LEAF if wanted else CONSTANT, is_number=node.is_number and not wanted
    )
    if node.data is None:
        return _put(diagram, changed) if changed.op != node.op else diagram
    return _with(diagram, changed, node.data)


def _source(diagram: Diagram, key: NodeId) -> Node | Refusal:
    wrong = missing(diagram, key)
    if wrong is not None:
        return wrong
    node = diagram.nodes[key]
    if node.is_source:
        return node
    name = titles(diagram)[key]
    return Refusal(_("{name} is computed: it has no value of its own.").format(name=name), key)


def _with(diagram: Diagram, node: Node, array: Array) -> Edit:
    """The diagram with a source of this value, where it may have it."""
    room = checked(array.shape)
    if isinstance(room, Refusal):
        return replace(room, node=node.id)
    if array.dtype.name not in DTYPES:
        text = _("There is no dtype “{name}”.")
        return Refusal(text.format(name=array.dtype.name), node.id)
    if node.op == LEAF and array.dtype.kind not in "fc":
        from engine.errors import ONLY_FLOATING_SET

        return Refusal(ONLY_FLOATING_SET, node.id)
    old = diagram.nodes.get(node.id)
    if old is not None and old.op == node.op and old.data is not None and same(old.data, array):
        return diagram
    own = np.array(array, order="C")
    own.flags.writeable = False
    is_number = node.is_number and own.ndim == 0 and node.op == CONSTANT
    return _put(diagram, replace(node, data=own, is_number=is_number))


def _put(diagram: Diagram, node: Node) -> Diagram:
    return replace(diagram, nodes={**diagram.nodes, node.id: node})


def same(one: Array, other: Array) -> bool:
    """Whether two values are the same to the last bit."""
    return (
        one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    )
