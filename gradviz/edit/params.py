"""Parameters of an op: read from typed text, set where the op takes them, else left as they are."""

from __future__ import annotations

import ast
import contextlib
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gradviz.diagram import Array, Diagram, Node, NodeId
from gradviz.edit.catalogue import entry_of
from gradviz.edit.entry import Param
from gradviz.edit.outcome import Refusal, missing
from gradviz.files.codec import DTYPES
from gradviz.labels import titles
from gradviz.language import N_, _

MAX_TEXT = 1000
_WANTED: Mapping[str, str] = {
    "int": N_("{name} is a whole number, as 1 or -1."),
    "axis": N_("{name} is an axis: a whole number, as 0 or -1."),
    "float": N_("{name} is a number, as 0.5."),
    "number": N_("{name} is a number, as 2 or 0.5."),
    "bool": N_("{name} is True or False."),
    "choice": N_("{name} is one of {choices}."),
    "axes": N_("{name} is an axis, several as (0, 1), or None for all."),
    "shape": N_("{name} is a row of whole numbers, as (2, 3)."),
    "dtype": N_("{name} is a dtype, as float64."),
    "any": N_("{name} follows from the inputs and is not set."),
}


def set_text(
    diagram: Diagram, key: NodeId, name: str, text: str, values: Mapping[NodeId, Array]
) -> Diagram | Refusal:
    """Set a parameter to what was typed; see `set_param`."""
    wrong = missing(diagram, key)
    if wrong is not None:
        return wrong
    entry = entry_of(diagram.nodes[key].op)
    param = entry.param(name) if entry is not None else None
    if param is None:
        return _no_param(diagram, key, name)
    value = read(param, text)
    if isinstance(value, Refusal):
        return replace(value, node=key)
    return set_param(diagram, key, name, value, values)


def set_param(
    diagram: Diagram, key: NodeId, name: str, value: Any, values: Mapping[NodeId, Array]
) -> Diagram | Refusal:
    """Set a parameter of a node.

    Where all its inputs are in `values` the op is tried on them: what it says against the value is
    the refusal, and what it makes of it is kept, an axis of -1 as the one that it is.
    """
    wrong = missing(diagram, key)
    if wrong is not None:
        return wrong
    node = diagram.nodes[key]
    entry = entry_of(node.op)
    if entry is None or entry.param(name) is None:
        return _no_param(diagram, key, name)
    changed = replace(node, params={**entry.defaults(), **node.params, name: value})
    found = _checked(diagram, changed, values)
    if isinstance(found, Refusal):
        return found
    if found.op == node.op and found.params == node.params:
        return diagram
    return replace(diagram, nodes={**diagram.nodes, key: found})


def _checked(diagram: Diagram, node: Node, values: Mapping[NodeId, Array]) -> Node | Refusal:
    arrays = [values.get(source) if source is not None else None for source in node.inputs]
    known = [array for array in arrays if array is not None]
    if not node.inputs or len(known) < len(node.inputs):
        return node
    from engine.tensor import Tensor
    from gradviz.edit.trial import tried

    tensors = [Tensor(np.asarray(array)) for array in known]
    for tensor, source in zip(tensors, node.inputs, strict=True):
        tensor._wrapped = source is not None and diagram.nodes[source].is_number
    found = tried(node, tensors)
    if isinstance(found, Exception):
        return Refusal(str(found) or type(found).__name__, node.id)
    return replace(node, op=found.op, params=dict(found.params))


def _no_param(diagram: Diagram, key: NodeId, name: str) -> Refusal:
    text = _("{node} has no parameter {name}.")
    return Refusal(text.format(node=titles(diagram)[key], name=name), key)


def read(param: Param, text: str) -> Any:
    """The value that a text stands for, or a refusal that says what is wanted."""
    refusal = Refusal(
        _(_WANTED[param.kind]).format(name=param.name, choices=", ".join(param.choices))
    )
    word = text.strip()
    if len(word) > MAX_TEXT or param.derived:
        return refusal
    if word in ("", "None") and (param.optional or param.kind == "axes"):
        return None
    if param.kind == "choice":
        return word if word in param.choices else refusal
    if param.kind == "dtype":
        name = word.removeprefix("torch.")
        return np.dtype(name) if name in DTYPES else refusal
    if param.kind == "bool":
        return {"true": True, "false": False, "1": True, "0": False}.get(word.lower(), refusal)
    value = _literal(word)
    fits = value is not None and _FITS[param.kind](value)
    return _settled(param, value) if fits else refusal


def _literal(word: str) -> Any:
    if word in ("inf", "-inf", "nan"):
        return float(word)
    with contextlib.suppress(ValueError, SyntaxError, MemoryError, RecursionError):
        return ast.literal_eval(word)
    return None


def _is_int(value: Any) -> bool:
    return type(value) is int and abs(value) < 2**63


def _is_number(value: Any) -> bool:
    return _is_int(value) or type(value) is float


def _are_ints(value: Any) -> bool:
    return _is_int(value) or (isinstance(value, (tuple, list)) and all(map(_is_int, value)))


_FITS = {
    "int": _is_int,
    "axis": _is_int,
    "float": lambda value: _is_number(value) and not math.isnan(value),
    "number": _is_number,
    "axes": _are_ints,
    "shape": _are_ints,
}


def _settled(param: Param, value: Any) -> Any:
    if param.kind in ("axes", "shape"):
        return (value,) if _is_int(value) else tuple(value)
    return float(value) if param.kind == "float" else value


def shown(value: Any) -> str:
    """A parameter's value as it is typed."""
    if isinstance(value, np.dtype):
        return str(value.name)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, (tuple, list)) and len(value) == 1:
        return f"({value[0]!r},)"
    return value if isinstance(value, str) else repr(value)
