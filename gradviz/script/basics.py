"""Python's basic functions and classes, as far as a script may have them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from typing import Any

from gradviz.script import classes, reading, sizes, writing

AS_THEY_ARE = (
    "abs all any ascii bin bool bytes callable chr classmethod complex dict divmod enumerate "
    "filter float format frozenset hash hex id int len list map max min next object oct ord "
    "property repr reversed round set slice sorted staticmethod str sum super tuple zip "
    "Ellipsis NotImplemented"
).split()
EXCEPTIONS = (
    "ArithmeticError AssertionError AttributeError BaseException DeprecationWarning EOFError "
    "Exception FloatingPointError FutureWarning GeneratorExit ImportError ImportWarning "
    "IndexError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError "
    "NotImplementedError OSError OverflowError PendingDeprecationWarning RecursionError "
    "RuntimeError RuntimeWarning StopIteration SyntaxError SyntaxWarning SystemExit TimeoutError "
    "TypeError UnboundLocalError UnicodeError UserWarning ValueError Warning ZeroDivisionError"
).split()


def _iterate(iterable: Iterable[Any]) -> Any:
    """`iter`, without the form that calls a function for ever."""
    return iter(iterable)


def _leave(code: Any = None) -> None:
    raise SystemExit(code)


def _type(value: Any) -> Any:
    """`type` with one argument."""
    return classes.type_of(value)


_REPLACED: dict[str, Any] = {
    "exit": _leave,
    "getattr": reading.read_computed,
    "hasattr": reading.has,
    "isinstance": classes.is_instance,
    "issubclass": classes.is_subclass,
    "iter": _iterate,
    "pow": sizes.power,
    "quit": _leave,
    "range": sizes.number_range,
    "setattr": writing.write_computed,
    "type": _type,
}
NAMES = frozenset([*AS_THEY_ARE, *EXCEPTIONS, *_REPLACED, "print", "None", "True", "False"])


def table(
    *,
    show: Callable[..., None],
    name: Callable[[str, Any], Any],
    take: Callable[[str], Any],
    take_from: Callable[[str, str], Any],
) -> dict[str, Any]:
    """The `__builtins__` of a script: what it may name, and the guards that only the policy names.

    `show` is its print, `name` tells a value its variable's name and returns the value, `take`
    imports a module, `take_from` a name of one.
    """
    found = {key: getattr(builtins, key) for key in (*AS_THEY_ARE, *EXCEPTIONS)}
    classes.exposed.update(value for value in found.values() if isinstance(value, type))
    classes.stand_ins.update({_type: type, sizes.number_range: range})
    return {
        **found,
        **_REPLACED,
        **sizes.OPERATORS,
        "print": show,
        "__build_class__": classes.build_class,
        "__import__": __import__,  # for C code called from a script; no script can name it
        "<read>": reading.read,
        "<write>": writing.Writer,
        "<name>": name,
        "<import>": take,
        "<import from>": take_from,
    }
