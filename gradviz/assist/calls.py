"""The call that a place of a script is in, and the word that is there, with what they are."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gradviz.assist.known import Known, known
from gradviz.assist.scope import Scope, blanked, scope_of

_CALLEE = re.compile(r"((?:[\w]+\s*\.\s*)*\w+)\s*\Z")
_METHOD = re.compile(r"[\])]\s*\.\s*(\w+)\s*\Z")
_OPEN, _CLOSE = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Call:
    """What is called, and which of its parameters is written here, from 0; None: unknown."""

    known: Known | None
    parameter: int | None


def call_at(text: str, at: int) -> Call | None:
    """The innermost call whose parentheses hold the place; None outside of any."""
    code = blanked(text[:at])
    depth, commas, place, end = 0, 0, len(code), len(code)
    while place > 0:
        place -= 1
        letter = code[place]
        if letter in _CLOSE:
            depth += 1
        elif letter in _OPEN and depth:
            depth -= 1
        elif letter == "(":
            callee = _CALLEE.search(code[:place])
            if callee is None:
                return None
            found = _known(code[:place], callee.group(1), scope_of(text))
            return Call(found, _index(found, code[place + 1 : end], commas))
        elif letter in _OPEN:
            commas, end = 0, place  # a list within the call: it counts as one
        elif letter == "," and not depth:
            commas += 1
    return None


def known_at(text: str, at: int) -> Known | None:
    """What the word under the place is, where it is one of the library's."""
    start, end = at, at
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_."):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    word = text[start:end].strip(".")
    if not word or blanked(text)[start:end].strip() == "":
        return None
    return _known(text[:end], word, scope_of(text))


def _known(before: str, word: str, scope: Scope) -> Known | None:
    """What a dotted word is that ends `before`: of a module, or else a tensor's method."""
    word = re.sub(r"\s", "", word)
    value = scope.value(word)
    name = word.rpartition(".")[2]
    if value is not None:
        return known(name, value)
    head = word.partition(".")[0]
    if ("." in word and head not in scope.modules) or _METHOD.search(before):
        from gradviz.script import modules

        method = getattr(modules.take("torch").read("Tensor"), name, None)
        if callable(method) and not name.startswith("_"):
            return known(name, method, method=True)
    return None


def _index(found: Known | None, inside: str, commas: int) -> int | None:
    """Which parameter is written: by its name, else by how many commas stand before it."""
    if found is None or not found.parameters:
        return None
    names = [one.lstrip("*").partition("=")[0] for one in found.parameters]
    named = re.search(r"(\w+)\s*=(?!=)[^,()\[\]{}]*\Z", inside)
    if named is not None and named.group(1) in names:
        return names.index(named.group(1))
    for at, one in enumerate(found.parameters):
        if one == "*":  # those after it are written by their names
            return None
        if at == commas or one.startswith("*"):
            return at
    return None
