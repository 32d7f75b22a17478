"""`complete`: the names that may stand at a place of a script, best first."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from gradviz.assist.calls import call_at
from gradviz.assist.known import Known, known
from gradviz.assist.scope import Scope, blanked, scope_of
from gradviz.fuzzy import score

_WORD = re.compile(r"((?:\w+\s*\.\s*)*)(\w*)\Z")
_AFTER = re.compile(r"[\])\w\"']\s*\.\s*(\w*)\Z")  # an attribute of what is not a plain name
_NUMBER = re.compile(r"(?<![\w.])\d[\d_]*\.?\w*\Z")
_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Completion:
    """A name to put in; `kind` is "module", "function", "class", "value", "name" or "keyword"."""

    name: str
    kind: str
    known: Known | None = None


def complete(text: str, at: int) -> tuple[int, list[Completion]]:
    """Where the word at `at` begins (both in characters), and what may stand there.

    Nothing within a string or a comment.
    """
    before = text[:at]
    code = blanked(before)
    if len(code.rstrip()) < len(before.rstrip()) or _NUMBER.search(code):
        return at, []
    found = _WORD.search(code)
    assert found is not None
    owner, typed = re.sub(r"\s", "", found.group(1)).rstrip("."), found.group(2)
    scope = scope_of(text)
    rows: Iterator[Completion]
    if owner:
        rows = _members(scope, owner)
    elif (other := _AFTER.search(code)) is not None:
        typed, rows = other.group(1), _of_tensor()
    else:
        if not typed and not code.rstrip().endswith(("(", ",")):
            return at, []
        rows = _free(text, at, scope)
    fitting = [(fit, row) for row in rows if (fit := score(typed, row.name)) is not None]
    private = typed.startswith("_")
    kept = [
        (fit, row)
        for fit, row in fitting
        if (private or not row.name.startswith("_")) and row.name != typed
    ]
    kept.sort(key=lambda pair: (pair[0], not pair[1].name.startswith(typed)))
    return at - len(typed), [row for _fit, row in kept[:_LIMIT]]


def _members(scope: Scope, owner: str) -> Iterator[Completion]:
    """What a module has; of anything else, what a tensor has."""
    space = scope.namespace(owner)
    if space is None:
        head = owner.partition(".")[0]
        if head not in scope.modules:
            yield from _of_tensor()
        return
    for name in space.names():
        child = scope.namespace(f"{owner}.{name}")
        if child is not None:
            yield Completion(name, "module")
            continue
        value = scope.value(f"{owner}.{name}")
        if value is not None:
            yield Completion(name, _kind(value), known(name, value))


@cache
def _tensor() -> tuple[Completion, ...]:
    from gradviz.script import modules

    kind = modules.take("torch").read("Tensor")
    rows = []
    for name in sorted(dir(kind)):
        if name.startswith("_"):
            continue
        value = getattr(kind, name)
        made = known(name, value, method=True) if callable(value) else None
        rows.append(Completion(name, "function" if callable(value) else "value", made))
    return tuple(rows)


def _of_tensor() -> Iterator[Completion]:
    yield from _tensor()


def _free(text: str, at: int, scope: Scope) -> Iterator[Completion]:
    """Parameters of the call that the place is in, names of the script, Python's own."""
    call = call_at(text, at)
    if call is not None and call.known is not None:
        for parameter in call.known.parameters or ():
            if not parameter.startswith(("*", "…")):
                yield Completion(f"{parameter.partition('=')[0]}=", "name")
    for name in sorted(scope.names):
        if scope.namespace(name) is not None:
            yield Completion(name, "module")
            continue
        value = scope.value(name)
        yield Completion(
            name,
            "name" if value is None else _kind(value),
            None if value is None else known(name, value),
        )
    from gradviz.script import basics

    for name in keyword.kwlist:
        yield Completion(name, "keyword")
    for name in sorted(basics.NAMES - {"None", "True", "False"}):
        value = getattr(builtins, name, None)
        yield Completion(name, "function" if callable(value) else "value")


def _kind(value: Any) -> str:
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else "value"
