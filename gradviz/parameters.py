"""Parameters and subscripts of ops as a script writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradviz.cells import array_text, number
from gradviz.diagram import Node


def clean(text: str) -> str:
    """The text without control characters and line breaks."""
    return "".join(c if c.isprintable() else " " for c in text).strip()


def told(params: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The parameters worth a word: defaults that say "no" stay out, and so does `keepdim`."""
    plain = ((k, v) for k, v in params.items() if k != "keepdim")
    return [
        (k, v) for k, v in plain if not (v is None or v is False or (type(v) is tuple and not v))
    ]


def subscript(node: Node) -> str:
    params = node.params
    for key in ("index", "key", "item"):
        if key in params:
            return index(params[key])
    return ", ".join(param(value) for value in params.values())


def index(item: Any) -> str:
    if isinstance(item, tuple):
        return ", ".join(index(part) for part in item)
    if isinstance(item, slice):
        step = "" if item.step is None else f":{item.step}"
        start = "" if item.start is None else item.start
        stop = "" if item.stop is None else item.stop
        return f"{start}:{stop}{step}"
    return "…" if item is Ellipsis else param(item)


def param(value: Any) -> str:
    if isinstance(value, (bool, int, float)):
        return number(value)
    if hasattr(value, "ndim") and hasattr(value, "dtype"):
        return array_text(value)
    if isinstance(value, (tuple, list)):
        if len(value) == 1:
            return param(value[0])
        return "(" + ", ".join(param(item) for item in value) + ")"
    return clean(str(value))
