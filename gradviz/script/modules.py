"""The table of what a script can import: torch (the engine), numpy, math, and a little more."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Callable
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

from engine import dtypes
from engine.late import Late
from gradviz.script import classes, writing
from gradviz.script.library import LIBRARY
from gradviz.script.namespace import Namespace
from gradviz.script.numeric import math_namespace, numpy_namespace

REFERENCE = "2.13.0"  # the PyTorch whose behaviour the engine has
_TORCH = (
    "autograd",
    "autograd.function",
    "autograd.functional",
    "autograd.grad_mode",
    "autograd.graph",
    "backends",
    "cuda",
    "fft",
    "func",
    "linalg",
    "nn",
    "nn.functional",
    "nn.init",
    "nn.parameter",
    "nn.utils",
    "optim",
    "optim.lr_scheduler",
    "random",
    "special",
    "utils",
    "utils.checkpoint",
    "utils.data",
)


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(f"engine.{name}") is not None
    except ModuleNotFoundError:  # nor is the module that it would be in
        return False


# The modules of the engine that a script can import, by the names that it has for them.
_ENGINE = {"torch": "engine", **{f"torch.{n}": f"engine.{n}" for n in _TORCH if _is_there(n)}}


def _late(module: ModuleType) -> frozenset[str]:
    """The names that the module loads when it is first asked for them."""
    found = vars(module).get("__getattr__")
    return frozenset(found.names) if isinstance(found, Late) else frozenset()


def _public(module: ModuleType) -> dict[str, Any]:
    """What a module of the engine offers at once: its `__all__`, else what it defines itself."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        waiting = {*_late(module), *_ENGINE.values()}
        names = {
            name: getattr(module, name)
            for name in listed
            if name not in waiting and f"{module.__name__}.{name}" not in waiting
        }
    else:
        names = {
            name: value
            for name, value in vars(module).items()
            if not name.startswith("_")
            and (
                isinstance(value, (dtypes.dtype, bool, int, float))
                or (
                    isinstance(value, (type, FunctionType))
                    and value.__module__.startswith("engine")
                )
            )
        }
    names.pop("record", None)
    return {name: value for name, value in names.items() if not inspect.ismodule(value)}


def _torch(name: str) -> Namespace:
    """The namespace of a module of the engine, with those below it; most of it loads late."""
    module = importlib.import_module(_ENGINE[name])
    table = _public(module)
    late: dict[str, Callable[[], Any]] = {
        key: partial(_read, module, key, name) for key in _late(module) - {*table}
    }
    for child in _ENGINE:
        if child.startswith(f"{name}.") and "." not in child.removeprefix(f"{name}."):
            late[child.removeprefix(f"{name}.")] = partial(_namespace, child)
    if name == "torch":
        table["__version__"] = REFERENCE
    if name == "torch.backends":  # switches that scripts set
        writing.open_classes.update(map(type, table.values()))
    _expose(table, name)
    return Namespace(name, table, late=late)


def _read(module: ModuleType, key: str, name: str) -> Any:
    """A late name of a module; a class among them is one that a script may have."""
    value = getattr(module, key)
    _expose({key: value}, name)
    return value


layers: set[type] = set()  # what a script derives from to make a layer of its own, or uses


def _expose(table: dict[str, Any], name: str) -> None:
    """Let a script have the classes of a namespace, and derive from those meant for it."""
    kinds = [value for value in table.values() if isinstance(value, type)]
    classes.exposed.update(kinds)
    for kind in kinds:
        if kind.__module__.startswith("engine"):
            kind.__module__ = name  # as scripts print it: <class 'torch.Tensor'>
        family = {base.__name__ for base in kind.__mro__}
        if "Module" in family:
            layers.add(kind)
        if family & {"Module", "Function", "Dataset"}:
            classes.bases.add(kind)
            writing.open_classes.add(kind)
        if kind.__name__ == "Function":  # whose methods keep what they like on their ctx
            writing.open_classes.add(
                importlib.import_module("engine.autograd.function").FunctionCtx
            )
        if kind.__name__ == "Module":
            classes.hidden[kind] = frozenset(key for key in vars(kind()) if key.startswith("_"))


_MAKERS: dict[str, Callable[[], Namespace]] = {
    "numpy": numpy_namespace,
    "math": math_namespace,
    **LIBRARY,
}
_made: dict[str, Namespace] = {}

NAMES = frozenset({*_ENGINE, *_MAKERS, "numpy.linalg", "numpy.random"})


def _namespace(name: str) -> Namespace:
    found = _made.get(name)
    if found is None:
        made = _torch(name) if name in _ENGINE else _MAKERS[name]()
        found = _made[name] = made
    return found


def take(name: str) -> Namespace:
    """`import name`, for a name in `NAMES`."""
    if name in _ENGINE or name in _MAKERS:
        return _namespace(name)
    parent, _dot, child = name.rpartition(".")
    found: Namespace = take(parent).read(child)
    return found


def take_from(module: str, name: str) -> Any:
    """`from module import name`. Raises ImportError where there is no such name."""
    return take(module).take(name)


def warm() -> None:
    """Make the namespaces that nearly every script imports."""
    for name in ("torch", "numpy", "math"):
        _namespace(name)
