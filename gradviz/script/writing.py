"""Which attributes a script may set and delete, by the type of the object."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from engine.tensor import Tensor
from gradviz.language import N_, _
from gradviz.script import classes, reading

NO_WRITING = N_("the attribute “{name}” of {kind} cannot be changed here")
TENSOR = frozenset({"grad", "data", "requires_grad"})
open_classes: set[type] = set()  # classes of the engine whose instances take any public attribute


def write(owner: Any, name: str, value: Any) -> None:
    """`owner.name = value`. Raises AttributeError where it is refused."""
    _check(owner, name)
    setattr(owner, name, value)


def write_computed(owner: Any, name: Any, value: Any) -> None:
    """`setattr`."""
    reading.check_name(name)
    write(owner, name, value)


def _check(owner: Any, name: str) -> None:
    if not name.startswith("__") and _writable(owner, name):
        return
    kind = f"'{type(owner).__name__}'"
    raise AttributeError(_(NO_WRITING).format(name=name, kind=kind))


def _writable(owner: Any, name: str) -> bool:
    if isinstance(owner, Tensor):
        return name in TENSOR
    if isinstance(owner, np.ndarray):
        return name == "shape"
    kind = type(owner)
    if kind in classes.made or (isinstance(owner, type) and owner in classes.made):
        return not name.startswith("_") or classes.is_own(owner, name)
    if kind is FunctionType:
        return bool(owner.__module__ == "__main__")
    return not name.startswith("_") and any(base in open_classes for base in kind.__mro__)


class Writer:
    """Stands for an object as the target of an assignment: `<write>(a).b = c`."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        object.__setattr__(self, "owner", owner)

    def __getattribute__(self, name: str) -> Any:
        return reading.read(object.__getattribute__(self, "owner"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        write(object.__getattribute__(self, "owner"), name, value)

    def __delattr__(self, name: str) -> None:
        owner = object.__getattribute__(self, "owner")
        _check(owner, name)
        delattr(owner, name)
