"""What the palette knows of an op: how it is called and found, its slots, its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from gradviz.language import _

Kind = Literal["int", "float", "number", "bool", "choice", "axis", "axes", "shape", "dtype", "any"]


@dataclass(frozen=True, slots=True)
class Param:
    """A keyword parameter of an op.

    "axes" are one axis, several, or None for all; "shape" is a tuple of integers. `optional`:
    may be None. `choices` are the values of a "choice". What is `derived` follows from the others
    and the inputs: nobody sets it, and PyTorch's function does not take it.
    """

    name: str
    kind: Kind
    default: Any = None
    optional: bool = False
    choices: tuple[str, ...] = ()
    derived: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One node of an entry that adds several: its op, and what fills its slots.

    That is a slot of the entry by its name, an earlier step by its number, or a number by "=0.5".
    """

    op: str
    inputs: tuple[str | int, ...]
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """One op of the palette; `name` and `about` are marked for translation.

    `rows` are the rows of the engine's table that it may become, by the shapes of its inputs; a
    new node has the first. `call` is how PyTorch's users call it: a name in the engine's
    namespace, or a function of that namespace, the inputs and the parameters. `words` are what
    else it is found by, in any language. `slots` are the inputs' names; an entry whose last one
    is starred takes any number of them. `exact`: only shapes that make it one of the `rows`.
    With `steps` it adds these nodes, and the last one's output is its own.
    """

    id: str
    name: str
    about: str
    words: tuple[str, ...] = ()
    slots: tuple[str, ...] = ("x",)
    params: tuple[Param, ...] = ()
    call: str | Callable[..., Any] = ""
    rows: tuple[str, ...] = ()
    exact: bool = False
    steps: tuple[Step, ...] = ()
    family: str = ""

    @property
    def op(self) -> str:
        """The row of a new node."""
        return self.rows[0] if self.rows else self.id

    @property
    def title(self) -> str:
        """The name in the current language."""
        return _(self.name)

    @property
    def text(self) -> str:
        """What it does, in the current language."""
        return _(self.about)

    @property
    def is_source(self) -> bool:
        return not self.slots

    @property
    def variadic(self) -> bool:
        return bool(self.slots) and self.slots[-1].startswith("*")

    def slot_name(self, slot: int) -> str:
        """What the input in this slot is called."""
        if slot < len(self.slots) and not self.slots[slot].startswith("*"):
            return self.slots[slot]
        stem = self.slots[-1].lstrip("*") if self.slots else "x"
        return f"{stem}{slot + 1}"

    def defaults(self) -> Mapping[str, Any]:
        """The parameters of a new node."""
        return {param.name: param.default for param in self.params}

    def param(self, name: str) -> Param | None:
        return next((param for param in self.params if param.name == name), None)
