"""Diagrams and runs as bytes: msgpack, with arrays as raw bytes beside it.

What is read may come from a worker that a script has taken over: every type, dtype, shape and
length is checked, and nothing is executed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from engine.op import Op
from engine.ops import OPS
from gradviz.diagram import Diagram, Node
from gradviz.storeys import is_there

Array = npt.NDArray[Any]

_WIDTHS = {"int": (8, 16, 32, 64), "uint": (8, 16, 32, 64), "float": (16, 32, 64)}
DTYPES = frozenset(f"{kind}{width}" for kind, widths in _WIDTHS.items() for width in widths) | {
    "bool",
    "complex64",
    "complex128",
}
MAX_DIMENSIONS = 32
_ARRAY, _SLICE, _ELLIPSIS, _COMPLEX, _DTYPE, _OP = range(1, 7)
# What decoding raises for bytes that are not what they should be.
_WRONG = (
    msgspec.MsgspecError,
    ArithmeticError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class CodecError(ValueError):
    """Bytes that are not what they should be."""


class _Packed(msgspec.Struct, array_like=True):
    body: msgspec.Raw
    arrays: list[tuple[str, tuple[int, ...], int]]  # dtype, shape, where its bytes begin


def pack(value: Any) -> bytes:
    """A value of dataclasses, structs, arrays and plain data as bytes.

    An array that occurs several times is written once. Raises TypeError or OverflowError for
    what has no such form.
    """
    arrays: list[tuple[str, tuple[int, ...], int]] = []
    chunks: list[bytes] = []
    known: dict[int, tuple[Array, int]] = {}  # keeps the array alive: its id() stays its own
    size = 0

    def hook(item: Any) -> Any:
        nonlocal size
        if isinstance(item, np.generic):
            item = np.asarray(item)
        if not isinstance(item, np.ndarray):
            return _plain(item)
        seen = known.get(id(item))
        if seen is None:
            if item.dtype.name not in DTYPES:
                raise TypeError(f"an array of {item.dtype} has no form as bytes")
            known[id(item)] = seen = (item, len(arrays))
            arrays.append((item.dtype.name, item.shape, size))
            chunks.append(item.tobytes())
            size += len(chunks[-1])
        return msgspec.msgpack.Ext(_ARRAY, seen[1].to_bytes(4, "little"))

    body = msgspec.msgpack.Encoder(enc_hook=hook).encode(value)
    head = msgspec.msgpack.encode(_Packed(msgspec.Raw(body), arrays))
    return b"".join((len(head).to_bytes(8, "little"), head, *chunks))


def unpack(raw: bytes, kind: Any) -> Any:
    """The value of type `kind` that `pack` made these bytes from; arrays are read-only.

    Raises CodecError where they are anything else.
    """
    try:
        at = 8 + int.from_bytes(raw[:8], "little")
        packed = msgspec.msgpack.decode(memoryview(raw)[8:at], type=_Packed)
        arrays = [_array(raw, at, *entry) for entry in packed.arrays]

        def extension(code: int, data: memoryview) -> Any:
            if code == _ARRAY:
                return arrays[int.from_bytes(data, "little")]
            return _special(code, data)

        return msgspec.msgpack.decode(
            packed.body, type=kind, dec_hook=_expected, ext_hook=extension
        )
    except _WRONG as problem:
        raise CodecError(str(problem)) from problem


def _array(raw: bytes, base: int, dtype: str, shape: tuple[int, ...], offset: int) -> Array:
    if (
        dtype not in DTYPES
        or len(shape) > MAX_DIMENSIONS
        or offset < 0
        or min(shape, default=0) < 0
    ):
        raise CodecError("not an array")
    count = math.prod(shape)
    kind = np.dtype(dtype)
    if base + offset + count * kind.itemsize > len(raw):
        raise CodecError("an array ends before its last element")
    if not count:
        return np.empty(shape, kind)
    return np.frombuffer(raw, kind, count, base + offset).reshape(shape)


def _expected(kind: Any, item: Any) -> Any:
    """A value for a field whose type msgspec does not know: an array."""
    if isinstance(item, (float, int)):  # a number of NumPy that msgpack has a form for
        return np.asarray(item)
    if not isinstance(item, np.ndarray):
        raise CodecError(f"an array was expected, not {type(item).__name__}")
    return item


def _plain(item: Any) -> Any:
    """What stands in the bytes for a value that msgpack has no form for."""
    if isinstance(item, slice):
        return _extension(_SLICE, (item.start, item.stop, item.step))
    if item is Ellipsis:
        return _extension(_ELLIPSIS, None)
    if isinstance(item, complex):
        return _extension(_COMPLEX, (item.real, item.imag))
    if isinstance(item, np.dtype):
        return _extension(_DTYPE, item.name)
    for kind in (bool, int, float, str):  # a script's own class of numbers, as a number
        if isinstance(item, kind):
            return kind(item)
    if isinstance(item, Mapping):
        return dict(item)
    if isinstance(item, tuple):
        return list(item)
    raise TypeError(f"{type(item).__name__} has no form as bytes")


def _extension(code: int, value: Any) -> msgspec.msgpack.Ext:
    return msgspec.msgpack.Ext(code, msgspec.msgpack.encode(value, enc_hook=_plain))


def _special(code: int, data: memoryview) -> Any:
    if code == _SLICE:
        return slice(*msgspec.msgpack.decode(data, type=tuple[Any, Any, Any]))
    if code == _ELLIPSIS:
        return Ellipsis
    if code == _COMPLEX:
        return complex(*msgspec.msgpack.decode(data, type=tuple[float, float]))
    if code == _DTYPE:
        name = msgspec.msgpack.decode(data, type=str)
        if name in DTYPES:
            return np.dtype(name)
    if code == _OP:
        name = msgspec.msgpack.decode(data, type=str)
        if name in OPS:
            return OPS[name]
    raise CodecError("an unknown kind of value")


def portable(diagram: Diagram) -> Diagram:
    """The diagram as `pack` takes it: ops among its parameters stand by their names."""
    nodes = {
        key: node if found is node.params else replace(node, params=found)
        for key, node in diagram.nodes.items()
        for found in [_by_name(node.params)]
    }
    return replace(diagram, nodes=nodes)


def _by_name(value: Any) -> Any:
    """The value with ops named; itself where there are none."""
    if isinstance(value, Op):
        return _extension(_OP, value.name)
    if isinstance(value, (tuple, list)):
        items = [_by_name(item) for item in value]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    if isinstance(value, Mapping):
        named = {key: _by_name(item) for key, item in value.items()}
        return named if any(named[key] is not value[key] for key in named) else value
    return value


def checked(diagram: Diagram) -> Diagram:
    """The diagram, its parameters' lists made tuples, its invariants held.

    Raises CodecError where a node's input is unknown or comes later, or ids do not match.
    """
    nodes: dict[str, Node] = {}
    for key, node in diagram.nodes.items():
        if node.id != key or any(source not in nodes for source in node.inputs if source):
            raise CodecError(f"the node {key!r} does not fit into its diagram")
        nodes[key] = node if not node.params else _with_tuples(node)
    for at, call in enumerate(diagram.calls):
        if not is_there(call.target, nodes, diagram.calls[:at]):
            raise CodecError(f"a backward call starts at {call.target!r}, which is not there")
    return replace(diagram, nodes=nodes)


def _with_tuples(node: Node) -> Node:
    """Msgpack has one kind of sequence; an op's parameters have tuples only."""
    return replace(node, params={key: tuples(value) for key, value in node.params.items()})


def tuples(value: Any) -> Any:
    """The value with tuples for lists, however deep."""
    if isinstance(value, list):
        return tuple(tuples(item) for item in value)
    if isinstance(value, dict):
        return {key: tuples(item) for key, item in value.items()}
    return value
