"""A function of the library in one line: its signature without types, and what it does."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_FIRST = frozenset({"self", "input", "cls"})


@dataclass(frozen=True, slots=True)
class Known:
    """`parameters` are as one writes them, "dim=None"; `text` is the first line of the docs."""

    name: str
    parameters: tuple[str, ...] | None
    text: str

    @property
    def signature(self) -> str:
        """The name and what it takes; the name alone for what is not called."""
        if self.parameters is None:
            return self.name
        return f"{self.name}({', '.join(self.parameters)})"


@lru_cache(maxsize=4096)
def known(name: str, value: Any, *, method: bool = False) -> Known:
    """What can be said of a value. Of a method the tensor itself is not among the parameters."""
    text = (inspect.getdoc(value) or "").partition("\n")[0] if callable(value) else ""
    return Known(name, _parameters(value, method=method), text)


def _parameters(value: Any, *, method: bool) -> tuple[str, ...] | None:
    if not callable(value):
        return None
    try:
        found = list(inspect.signature(value).parameters.values())
    except (ValueError, TypeError):
        return ("…",)
    if method and found and found[0].name in _FIRST:
        found = found[1:]
    shown: list[str] = []
    starred = False
    for one in found:
        if one.kind is one.KEYWORD_ONLY and not starred:
            shown.append("*")
        starred = starred or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        mark = "*" if one.kind is one.VAR_POSITIONAL else ""
        mark = "**" if one.kind is one.VAR_KEYWORD else mark
        default = "" if one.default is one.empty else f"={_default(one.default)}"
        shown.append(f"{mark}{one.name}{default}")
    return tuple(shown)


def _default(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 20 and "<" not in text else "…"
