"""`Scope`: the names that a script text has: imports, variables, functions."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gradviz.script.namespace import Namespace

_IMPORT = re.compile(r"^\s*import\s+([\w.]+)(?:\s+as\s+(\w+))?", re.MULTILINE)
_FROM = re.compile(r"^\s*from\s+([\w.]+)\s+import\s+(.+)$", re.MULTILINE)
_PART = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")
_BOUND = re.compile(
    r"^\s*(?:for\s+)?((?:\w+\s*,\s*)*\w+)\s*(?:=(?!=)|\s+in\s|:\s*\w+\s*=)"
    r"|\b(?:def|class)\s+(\w+)|\bas\s+(\w+)|\bfor\s+((?:\w+\s*,\s*)*\w+)\s+in\b",
    re.MULTILINE,
)
_STRING = re.compile(
    r"(\"\"\"|''')(?:.|\n)*?(?:\1|\Z)|\"(?:\\.|[^\"\n])*\"?|'(?:\\.|[^'\n])*'?|#.*"
)


@dataclass(frozen=True, slots=True)
class Scope:
    """`modules` maps a name of the script to what it imported, `names` are those it binds."""

    modules: Mapping[str, str]
    members: Mapping[str, tuple[str, str]]  # from MODULE import NAME, by the script's name
    names: frozenset[str]

    def namespace(self, dotted: str) -> Namespace | None:
        """The module that an expression such as `torch.nn` or `F` is; None for anything else."""
        head, *rest = dotted.split(".")
        name = self.modules.get(head)
        if name is None and head in self.members:
            name = ".".join(self.members[head])
        if name is None:
            return None
        from gradviz.script import (
            modules,
        )  # it takes the engine along: not before the first window is painted

        full = ".".join([name, *rest])
        if full not in modules.NAMES:
            return None
        try:
            return modules.take(full)
        except (AttributeError, ImportError):
            return None

    def value(self, dotted: str) -> Any:
        """The function or class that an expression of the library is; None where it is none."""
        owner, _dot, name = dotted.rpartition(".")
        from gradviz.script import modules

        try:
            if owner:
                space = self.namespace(owner)
                return None if space is None else space.read(name)
            if name in self.members:
                module, member = self.members[name]
                return modules.take(module).read(member)
        except (AttributeError, ImportError):
            return None
        return None


def blanked(text: str) -> str:
    """The text with strings and comments as spaces of the same length."""
    return _STRING.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def scope_of(text: str) -> Scope:
    """What the whole text imports and binds, wherever in it that is."""
    code = blanked(text)
    imported: dict[str, str] = {}
    members: dict[str, tuple[str, str]] = {}
    for found in _IMPORT.finditer(code):
        name, alias = found.groups()
        imported[alias or name.split(".")[0]] = name if alias else name.split(".")[0]
    for found in _FROM.finditer(code):
        for part in _PART.finditer(found.group(2)):
            members[part.group(2) or part.group(1)] = (found.group(1), part.group(1))
    names: set[str] = {*imported, *members}
    for found in _BOUND.finditer(code):
        for group in found.groups():
            names.update(re.findall(r"\w+", group or ""))
    names = {name for name in names if name.isidentifier() and not keyword.iskeyword(name)}
    return Scope(imported, members, frozenset(names))
