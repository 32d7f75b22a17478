"""Which attributes a script may read, by the type of the object."""

from __future__ import annotations

import string
from _string import formatter_field_name_split  # type: ignore[import-not-found]
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import (
    BuiltinFunctionType,
    CodeType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodType,
    ModuleType,
    TracebackType,
)
from typing import Any

import numpy as np
from RestrictedPython.transformer import INSPECT_ATTRIBUTES

from engine.history import Leaf, Node
from gradviz.language import N_, _
from gradviz.script import classes
from gradviz.script.namespace import Namespace
from gradviz.script.policy import MAGIC_METHODS, READABLE

NO_ATTRIBUTE = N_("the attribute “{name}” is not available here")

ARRAY = frozenset(
    "shape ndim size dtype T real imag flat itemsize nbytes strides item tolist copy astype "
    "reshape ravel flatten transpose squeeze swapaxes repeat take sum mean std var min max argmin "
    "argmax argsort sort prod cumsum cumprod dot any all clip round fill nonzero diagonal trace "
    "conj conjugate searchsorted".split()
)
RANDOM = frozenset(
    "random normal standard_normal uniform integers choice permutation shuffle "
    "exponential poisson binomial".split()
)
# The first class that an object's type derives from decides; without one, every public name.
ALLOWED: Sequence[tuple[type, frozenset[str]]] = (
    (np.ndarray, ARRAY),
    (np.generic, ARRAY),
    (np.dtype, frozenset({"name", "kind", "itemsize", "type", "char", "str"})),
    (np.ufunc, frozenset({"reduce", "accumulate", "outer", "at"})),
    (GeneratorType, frozenset({"send", "throw", "close"})),
    (BaseException, frozenset({"args", "add_note", "value", "name"})),
    (Node, frozenset({"name", "next_functions", "register_hook", "register_prehook"})),
    (Leaf, frozenset({"name", "next_functions", "variable"})),
    (BuiltinFunctionType, frozenset()),
    (MethodType, frozenset()),
    (classes.Sealed, frozenset()),
)
_INTERNAL = (ModuleType, FrameType, CodeType, TracebackType)

Rule = Callable[[Any, str], Any]
_rules: dict[type, Rule] = {}


def read(owner: Any, name: str) -> Any:
    """`owner.name`, the name having been written in the script and checked by the policy.

    Raises AttributeError where it is refused or there is none.
    """
    kind = type(owner)
    rule = _rules.get(kind)
    if rule is None:
        rule = _rules[kind] = _rule(kind)
    return rule(owner, name)


def check_name(name: Any) -> None:
    """What the policy checks of a name in the script, for one that was computed."""
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not '{type(name).__name__}'")
    if name in INSPECT_ATTRIBUTES or (name.startswith("__") and name not in READABLE):
        raise refused(name)


def read_computed(owner: Any, name: Any, *default: Any) -> Any:
    """`getattr`."""
    check_name(name)
    try:
        return read(owner, name)
    except AttributeError:
        if not default:
            raise
        return default[0]


def has(owner: Any, name: Any) -> bool:
    """`hasattr`."""
    check_name(name)
    try:
        read(owner, name)
    except AttributeError:
        return False
    return True


def refused(name: str) -> AttributeError:
    return AttributeError(_(NO_ATTRIBUTE).format(name=name))


def _rule(kind: type) -> Rule:
    if kind is Namespace:
        return _of_namespace
    if kind is super:
        return _of_super
    if kind is FunctionType:
        return _of_function
    if issubclass(kind, type):
        return _of_class
    if issubclass(kind, str):
        return _of_text
    names = _allowed(kind)
    if kind.__module__.startswith("numpy.random"):
        names = RANDOM
    return _of_any if names is None else _only(names)


def _allowed(kind: type) -> frozenset[str] | None:
    return next((names for base, names in ALLOWED if issubclass(kind, base)), None)


def _only(names: frozenset[str]) -> Rule:
    def of_listed(owner: Any, name: str) -> Any:
        if name in names:
            return getattr(owner, name)
        kind = type(owner)
        if kind in classes.made and (
            name in vars(owner) or any(name in vars(c) for c in kind.__mro__ if c in classes.made)
        ):
            return getattr(owner, name)
        if name.startswith("__"):
            return _dunder(owner, name)
        if hasattr(kind, name) or name in getattr(owner, "__dict__", ()):
            raise refused(name)
        return getattr(owner, name)  # raises what Python raises

    return of_listed


def _of_any(owner: Any, name: str) -> Any:
    if name.startswith("_"):
        if name.startswith("__"):
            return _dunder(owner, name)
        if not classes.is_own(owner, name):
            raise refused(name)
    found = getattr(owner, name)
    if isinstance(found, _INTERNAL):
        raise refused(name)
    return found


def _dunder(owner: Any, name: str) -> Any:
    if name == "__class__":
        return classes.type_of(owner)
    if name in ("__name__", "__doc__"):
        if isinstance(owner, classes.Sealed):
            return getattr(owner.kind, name)
        return getattr(owner, name)
    raise refused(name)


def _of_namespace(owner: Namespace, name: str) -> Any:
    return owner.read(name)


def _of_text(owner: str, name: str) -> Any:
    if name == "format":
        return lambda *values, **named: formatted(owner, values, named)
    if name == "format_map":
        return lambda mapping: formatted(owner, (), mapping)
    return _of_any(owner, name)


def _of_function(owner: FunctionType, name: str) -> Any:
    if name.startswith("_"):
        return _dunder(owner, name)
    return getattr(owner, name)


def _of_class(owner: type, name: str) -> Any:
    if name == "__init__" and (owner in classes.made or owner in classes.bases):
        return getattr(owner, name)
    if name.startswith("__"):
        return _dunder(owner, name)
    if name == "mro" or (name.startswith("_") and not classes.is_own(owner, name)):
        raise refused(name)
    if issubclass(owner, str) and name in ("format", "format_map"):
        return lambda template, *values, **named: _of_text(template, name)(*values, **named)
    names = _allowed(owner)
    if names is not None and name not in names and owner not in classes.made:
        raise refused(name)
    return getattr(owner, name)


def _of_super(owner: Any, name: str) -> Any:
    this = owner.__self__
    if type(this) not in classes.made and this not in classes.made:
        raise refused(name)
    if name.startswith("_") and name not in MAGIC_METHODS:
        raise refused(name)
    return getattr(owner, name)


class _Formatter(string.Formatter):
    """`str.format`, its fields reading attributes as the script itself may."""

    def __init__(self) -> None:
        self._unnumbered = 0

    def parse(self, format_string: str) -> Iterator[tuple[str, str | None, str | None, str | None]]:
        """Number the fields without a number, `{.x}` among them."""
        for text, field, spec, conversion in super().parse(format_string):
            if field is not None and field[:1] in ("", ".", "["):
                field = f"{self._unnumbered}{field}"
                self._unnumbered += 1
            yield text, field, spec, conversion

    def get_field(
        self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> tuple[Any, int | str]:
        first, rest = formatter_field_name_split(field_name)
        value = self.get_value(first, args, kwargs)
        for is_attribute, key in rest:
            value = read_computed(value, key) if is_attribute else value[key]
        return value, first


def formatted(template: str, values: Sequence[Any], named: Mapping[str, Any]) -> str:
    """`template.format(*values, **named)`."""
    return _Formatter().vformat(str(template), values, named)
