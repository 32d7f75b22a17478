"""Classes in a script: which it may have, derive from and define."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import ModuleType
from typing import Any

from gradviz.language import N_, _
from gradviz.script.namespace import Namespace

NO_KEYWORDS = N_("a class can only name its bases here, no keywords")
NO_BASE = N_("a class cannot derive from {kind} here")

made: set[type] = set()  # what the script defined
exposed: set[type] = set()  # what it was given
stand_ins: dict[Callable[..., Any], type] = {}  # functions that a script has in place of a class
bases: set[type] = {object, dict, list, set, tuple}  # what it may derive from, exceptions apart


class Sealed:
    """Stands for a class that a script may compare with and print, but not call or look into."""

    __slots__ = ("kind",)

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def __repr__(self) -> str:
        return repr(ModuleType if self.kind is Namespace else self.kind)


_seals: dict[type, Sealed] = {}


def sealed(kind: type) -> Sealed:
    """The stand-in of a class, the same one each time."""
    return _seals.setdefault(kind, Sealed(kind))


def type_of(value: Any) -> Any:
    """`type(value)`: the class where a script may have it, else its stand-in."""
    kind = type(value)
    return kind if kind in made or kind in exposed else sealed(kind)


def unsealed(classinfo: Any) -> Any:
    """The classes that a second argument of `isinstance` stands for."""
    if isinstance(classinfo, tuple):
        return tuple(unsealed(item) for item in classinfo)
    if isinstance(classinfo, Sealed):
        return classinfo.kind
    return stand_ins.get(classinfo, classinfo) if callable(classinfo) else classinfo


def is_instance(value: Any, classinfo: Any) -> bool:
    """`isinstance`."""
    return isinstance(value, unsealed(classinfo))


def is_subclass(kind: Any, classinfo: Any) -> bool:
    """`issubclass`."""
    return issubclass(unsealed(kind), unsealed(classinfo))


def build_class(body: Callable[..., Any], name: str, *parents: Any, **keywords: Any) -> type:
    """What a `class` statement does. Raises TypeError for a base that a script may not extend."""
    if keywords:
        raise TypeError(_(NO_KEYWORDS))
    for parent in parents:
        if not isinstance(parent, type) or not (
            parent in made or parent in bases or _is_exception(parent)
        ):
            kind = parent.__name__ if isinstance(parent, type) else repr(parent)
            raise TypeError(_(NO_BASE).format(kind=kind))
    built: type = builtins.__build_class__(body, name, *parents)
    made.add(built)
    return built


def _is_exception(kind: type) -> bool:
    return issubclass(kind, BaseException) and not issubclass(kind, BaseExceptionGroup)


def is_own(owner: Any, name: str) -> bool:
    """Whether an underscore name is the script's own, not one of a class that it derives from."""
    kind = owner if isinstance(owner, type) else type(owner)
    if kind not in made:
        return False
    foreign = [base for base in kind.__mro__ if base not in made]
    return not any(name in vars(base) or name in hidden.get(base, ()) for base in foreign)


hidden: dict[type, frozenset[str]] = {}  # underscore attributes that a class gives its instances
