"""An op tried on its inputs, called as PyTorch's users call it: what it becomes, or what it says.

PyTorch checks in its functions and the engine's rows compute: a row takes an axis counted from 0
where a person may write -1, and a product of matrices is another row than one of vectors. So a
node is made to fit by calling the function on the inputs and reading which row it applied.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import dtypes
from engine.ops import OPS
from engine.record import Entry as Recorded
from engine.record import record
from engine.state import set_grad_enabled
from engine.tensor import Tensor, apply
from gradviz.diagram import Node
from gradviz.edit.catalogue import entry_of
from gradviz.edit.entry import Entry
from gradviz.language import _


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The row and the parameters that a node has on its inputs, and its result."""

    op: str
    params: Mapping[str, Any]
    result: Tensor


class SeveralNodes(ValueError):
    """The inputs' shapes make of the op a chain of several."""


def tried(node: Node, inputs: Sequence[Tensor]) -> Fit | Exception:
    """What the node is on these inputs, or what PyTorch would raise."""
    entry = entry_of(node.op)
    with warnings.catch_warnings(), set_grad_enabled(False):
        warnings.simplefilter("ignore")
        try:
            if entry is None or not _is_called(entry, node):
                return _applied(node.op, node.params, inputs)
            return _called(entry, node, inputs)
        except Exception as error:  # noqa: BLE001  whatever an op raises is what is told
            return error if entry is None else _worded(entry, node, inputs, error)


def _worded(entry: Entry, node: Node, inputs: Sequence[Tensor], error: Exception) -> Exception:
    """What the function says where the row raised an error, if it says anything."""
    try:
        _call(entry, node, inputs)
    except Exception as said:  # noqa: BLE001  as above
        return said
    return error


def in_pytorch_s_words(node: Node, inputs: Sequence[Tensor], error: Exception) -> Exception:
    """What PyTorch raises for an op where the engine's row raised `error`; else that."""
    found = tried(node, plain(inputs))
    return error if isinstance(found, Fit | SeveralNodes) else found


def plain(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Tensors of the same values that no recording and no history knows."""
    made = [Tensor(tensor._array) for tensor in tensors]
    for tensor, one in zip(tensors, made, strict=True):
        one._wrapped = tensor._wrapped
    return made


def _is_called(entry: Entry, node: Node) -> bool:
    """Whether the function can stand for the row: it takes every parameter that the node has."""
    known = {param.name for param in entry.params}
    return bool(known or entry.exact) and known.issuperset(node.params)


def _called(entry: Entry, node: Node, inputs: Sequence[Tensor]) -> Fit:
    with record() as log:
        numbers = [log.number_of(tensor) for tensor in inputs]
        _call(entry, node, inputs)
        made = [item for item in log.entries if item.inputs]
    found = _found(entry, made, numbers)
    if found is not None:
        return _applied(found.op, found.params, inputs)
    if entry.exact:
        shapes = ", ".join(str(list(tensor.shape)) for tensor in inputs)
        text = _("{op} of the shapes {shapes} is more than one node.")
        raise SeveralNodes(text.format(op=entry.id, shapes=shapes))
    return _applied(node.op, node.params, inputs)


def _call(entry: Entry, node: Node, inputs: Sequence[Tensor]) -> None:
    """Call PyTorch's function; what it gives is read from the recording, if any."""
    given = (list(inputs),) if entry.variadic else inputs
    _function(entry)(*given, **_told(entry, node.params))


def _applied(op: str, params: Mapping[str, Any], inputs: Sequence[Tensor]) -> Fit:
    return Fit(op, params, apply(OPS[op], tuple(inputs), params))


def _found(entry: Entry, made: Sequence[Recorded], numbers: list[int]) -> Recorded | None:
    """The one application of the entry's rows to the inputs, where nothing was built upon it."""
    rows = entry.rows or (entry.id,)
    found = [item for item in made if item.op in rows and list(item.inputs) == numbers]
    read = {number for item in made for number in item.inputs}
    return found[0] if len(found) == 1 and found[0].number not in read else None


def _told(entry: Entry, params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that the function takes."""
    known = {param.name for param in entry.params if not param.derived}
    return {
        name: dtypes.of(value) if isinstance(value, np.dtype) else value
        for name, value in params.items()
        if name in known
    }


def _function(entry: Entry) -> Callable[..., Any]:
    import engine  # its whole namespace, which opening a file does without

    call = entry.call
    if callable(call):
        return lambda *inputs, **params: call(engine, *inputs, **params)
    found: Any = engine
    for name in (call or entry.id).split("."):
        found = getattr(found, name)
    function: Callable[..., Any] = found
    return function
