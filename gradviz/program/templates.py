"""A small language for how an op is called: `torch.addmm({0}, {1}, {2}{beta=1}{alpha=1})`.

`{0}` is an input, `{*}` all of them, `{dim}` a parameter, `{beta=1}` a keyword argument that is
left out where it has this default, `{dim=}` one that is never left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from gradviz.program import literals
from gradviz.program.literals import Library
from gradviz.program.phrase import ATOM, Phrase, tuple_text

_HOLE = re.compile(r"\{([^}]*)\}")
_MISSING = object()


def filled(
    template: str, inputs: Sequence[Phrase], params: Mapping[str, Any], library: Library
) -> Phrase:
    """The call that a template stands for. Raises KeyError for a parameter that is not there."""
    made = ""
    for text, hole in _parts(template):
        made += text
        if hole:
            made += _hole(hole, inputs, params, library, made)
    return Phrase(made.replace("(, ", "("), ATOM)


@cache
def _parts(template: str) -> Sequence[tuple[str, str]]:
    return tuple(_split(template))


def _split(template: str) -> Iterator[tuple[str, str]]:
    at = 0
    for found in _HOLE.finditer(template):
        owner = "." if template[found.end() : found.end() + 1] in (".", "[") else ""
        yield template[at : found.start()], found[1] + owner
        at = found.end()
    yield template[at:], ""


def _hole(
    hole: str, inputs: Sequence[Phrase], params: Mapping[str, Any], library: Library, before: str
) -> str:
    if hole == "*":
        return ", ".join(phrase.text for phrase in inputs)
    if hole[0].isdigit():
        phrase = inputs[int(hole.rstrip("."))]
        return phrase.owner if hole.endswith(".") else phrase.text
    name, equals, default = hole.partition("=")
    if not equals:
        return value(params[name], library, name)
    given = params.get(name, _MISSING)
    if given is _MISSING or (default and _same(given, ast.literal_eval(default))):
        return ""
    return f", {name}={value(given, library, name)}"


def _same(given: Any, default: Any) -> bool:
    return type(given) in (type(default), int, float) and bool(given == default)


def value(item: Any, library: Library, name: str = "") -> str:
    """A parameter written out; `dim` of one axis as a number."""
    if isinstance(item, tuple):
        if name == "dim" and len(item) == 1:
            return str(item[0])
        return tuple_text(value(each, library) for each in item)
    if isinstance(item, np.dtype):
        return library.dtype(item)
    if isinstance(item, np.ndarray):
        return literals.array(item, library).text
    if isinstance(item, str):
        return f'"{item}"'
    if item is None or isinstance(item, bool):
        return str(item)
    if isinstance(item, list):
        return f"[{', '.join(value(each, library) for each in item)}]"
    return literals.number(item, library).text


def key(items: Sequence[Any]) -> str:
    """An index between brackets: `0, 1:, ::2`."""
    return ", ".join(_index(item) for item in items)


def _index(item: Any) -> str:
    if item is Ellipsis:
        return "..."
    if not isinstance(item, slice):
        return item if isinstance(item, str) else str(item)
    start, stop = ("" if bound is None else str(bound) for bound in (item.start, item.stop))
    step = "" if item.step in (None, 1) else f":{item.step}"
    return f"{start}:{stop}{step}"
