"""A value as it is typed: numbers in brackets, a table, `torch.tensor(...)`, or a rule."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gradviz.diagram import Array
from gradviz.edit.generators import from_text
from gradviz.edit.outcome import Refusal
from gradviz.edit.shapes import MAX_ELEMENTS, too_many
from gradviz.files.codec import DTYPES
from gradviz.language import _

MAX_TEXT, MAX_DEPTH = 20_000_000, 16
_MAKERS = ("torch.tensor", "tensor", "np.array", "numpy.array", "array", "torch.Tensor")
_NAMED: Mapping[str, float] = {"nan": math.nan, "inf": math.inf}
_TORCH_NAMES: Mapping[str, str] = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "cfloat": "complex64",
    "cdouble": "complex128",
}


Kind = np.dtype[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """A value that was typed. `requires_grad` is None where the text does not say."""

    array: Array
    requires_grad: bool | None = None
    dtype_said: bool = False


class _Slip(ValueError):
    """What is wrong in a text; its text is the sentence."""


def typed(text: str, like: Kind | None = None, *, floating: bool = False) -> Typed | Refusal:
    """The value that a text stands for, where it says no dtype in that of `torch.tensor`.

    Numbers that the dtype `like` can stand for are of that one. `floating`: whole numbers are
    float32 else, as those of a leaf have to be.
    """
    word = text.strip()
    if not word:
        return Refusal(_("There are no numbers in the text."))
    if len(word) > MAX_TEXT:
        return Refusal(_("The text is too long."))
    by_rule = from_text(word, like.name if like is not None and like.kind in "fc" else "float32")
    if by_rule is not None:
        return by_rule if isinstance(by_rule, Refusal) else Typed(by_rule)
    try:
        found = _read(word, like)
    except _Slip as slip:
        return Refusal(str(slip))
    except (RecursionError, OverflowError):
        return Refusal(_unreadable(word))
    if floating and not found.dtype_said and found.array.dtype.kind in "iub":
        return replace(found, array=found.array.astype(np.float32))
    return found


def _read(word: str, like: Kind | None) -> Typed:
    """Raises _Slip."""
    if _is_table(word):
        return Typed(_array(_table(word), None, like))
    try:
        tree = ast.parse(word, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _Slip(_unreadable(word)) from None
    if isinstance(tree, ast.Call) and _dotted(tree.func) in _MAKERS:
        return _made(tree, like)
    return Typed(_array(_nested(tree, ""), None, like))


def _unreadable(word: str) -> str:
    opened, closed = word.count("[") + word.count("("), word.count("]") + word.count(")")
    if opened > closed:
        return _("A bracket is not closed.")
    if opened < closed:
        return _("A bracket is closed that was not opened.")
    text = _("“{text}” is not a value: write numbers, as [1, 2.5], or a rule, as zeros 2x3.")
    return text.format(text=word[:40])


def _is_table(word: str) -> bool:
    bare = "[" not in word and "(" not in word
    return bare and bool(re.search(r"[\t\n;]|[\d.]\s+[-+]?\.?\d", word))


def _table(word: str) -> list[list[float | int]] | list[float | int]:
    lines = [line for line in re.split(r"[\n;]", word.replace("\r", "\n")) if line.strip()]
    rows = []
    for number, line in enumerate(lines, 1):
        cells = [cell for cell in re.split(r"[\t, ]+", line.strip()) if cell]
        rows.append([_number(cell, number, at) for at, cell in enumerate(cells, 1)])
        if len(rows[-1]) != len(rows[0]):
            text = _("Line {line} has {found} numbers, the first line has {wanted}.")
            raise _Slip(text.format(line=number, found=len(rows[-1]), wanted=len(rows[0])))
    return rows if len(rows) > 1 else rows[0]


def _number(cell: str, line: int, at: int) -> float | int:
    try:
        return int(cell)
    except ValueError:
        pass
    try:
        return float(cell)
    except ValueError:
        text = _("Line {line}, number {at}: “{text}” is not a number.")
        raise _Slip(text.format(line=line, at=at, text=cell[:40])) from None


def _made(tree: ast.Call, like: Kind | None) -> Typed:
    """`torch.tensor(data, dtype=…, requires_grad=…)`."""
    if len(tree.args) != 1:
        raise _Slip(_("tensor(…) takes the numbers, and dtype and requires_grad by name."))
    kind, wanted = None, None
    for keyword in tree.keywords:
        value = keyword.value
        if keyword.arg == "dtype":
            kind = _dtype(_dotted(value))
        elif keyword.arg == "requires_grad" and isinstance(value, ast.Constant):
            wanted = bool(value.value)
        elif keyword.arg != "device":
            raise _Slip(_("tensor(…) takes the numbers, and dtype and requires_grad by name."))
    return Typed(_array(_nested(tree.args[0], ""), kind, like), wanted, kind is not None)


def _dtype(name: str) -> Kind:
    bare = name.rpartition(".")[2]
    bare = _TORCH_NAMES.get(bare, bare)
    if bare not in DTYPES:
        raise _Slip(_("There is no dtype “{name}”.").format(name=name[:40]))
    found: Kind = np.dtype(str(bare))
    return found


def _dotted(tree: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(tree, ast.Attribute):
        parts.append(tree.attr)
        tree = tree.value
    return ".".join([tree.id, *reversed(parts)]) if isinstance(tree, ast.Name) else ""


def _nested(tree: ast.expr, place: str) -> Any:
    """Lists of lists of numbers, of one length each; the place is told as `[1][0]`."""
    if not isinstance(tree, ast.List | ast.Tuple):
        return _value(tree, place)
    if place.count("[") >= MAX_DEPTH:
        raise _Slip(_("There are more than {count} brackets in brackets.").format(count=MAX_DEPTH))
    items = [_nested(item, f"{place}[{at}]") for at, item in enumerate(tree.elts)]
    for at, item in enumerate(items):
        if _length(item) != _length(items[0]):
            raise _Slip(_ragged(place, at, item, items[0]))
    return items


def _length(item: Any) -> int | None:
    return len(item) if isinstance(item, list) else None


def _ragged(place: str, at: int, item: Any, first: Any) -> str:
    if isinstance(item, list) and isinstance(first, list):
        text = _("{place}[{at}] has {found} elements, {place}[0] has {wanted}.")
        return text.format(place=place, at=at, found=len(item), wanted=len(first))
    text = _("{place}[{at}] is {one}, {place}[0] is {other}: they have to be alike.")
    kinds = {True: _("a row"), False: _("a number")}
    one, other = (kinds[isinstance(each, list)] for each in (item, first))
    return text.format(place=place, at=at, one=one, other=other)


def _value(tree: ast.expr, place: str) -> Any:
    """A number: a constant, with a sign, inf, nan, a fraction or a complex number."""
    match tree:
        case ast.Constant(value=bool() | int() | float() | complex() as value):
            return value
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=inner):
            value = _value(inner, place)
            return -value if isinstance(sign, ast.USub) else value
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Div() as op, right=right):
            return _computed(_value(left, place), op, _value(right, place))
        case ast.Name() | ast.Attribute():
            name = _dotted(tree).rpartition(".")[2].lower()
            if name in _NAMED:
                return _NAMED[name]
    text = _("“{text}” is not a number.")
    at = _("{place}: {sentence}")
    found = text.format(text=ast.unparse(tree)[:40])
    raise _Slip(at.format(place=place, sentence=found) if place else found)


def _computed(left: Any, op: ast.operator, right: Any) -> Any:
    if isinstance(op, ast.Div):
        return left / right if right else math.nan
    return left + right if isinstance(op, ast.Add) else left - right


def _array(data: Any, kind: Kind | None, like: Kind | None) -> Array:
    """The numbers as `torch.tensor` takes them. Raises _Slip with what it says."""
    from engine import dtypes, tensor

    try:
        made = tensor(data, dtype=None if kind is None else dtypes.of(kind))._array
        if kind is None and like is not None and _stands_for(like, made.dtype):
            made = tensor(data, dtype=dtypes.of(like))._array
    except Exception as problem:  # noqa: BLE001  whatever it raises is what is told
        raise _Slip(str(problem) or type(problem).__name__) from None
    if made.size > MAX_ELEMENTS:
        raise _Slip(too_many(made.size))
    return made


def _stands_for(like: Kind, found: Kind) -> bool:
    """Whether numbers that are read as `found` may be of the dtype `like`."""
    wider = {"f": "iuf", "c": "iufc", "i": "iu"}
    return found.kind in wider.get(like.kind, "")
