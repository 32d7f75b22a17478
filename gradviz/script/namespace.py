"""`Namespace`: what a script sees where Python has a module: names to read, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gradviz.language import N_, _

MISSING = N_("“{module}.{name}” is not available here; it is outside the supported subset")
NOT_IMPORTABLE = N_(
    "cannot import “{name}” from “{module}” here; it is outside the supported subset"
)


class Namespace:
    """A read-only table of names. `late` makes a value when its name is first read."""

    __slots__ = ("_late", "_name", "_table")

    def __init__(
        self,
        name: str,
        table: Mapping[str, Any],
        *,
        late: Mapping[str, Callable[[], Any]] | None = None,
    ) -> None:
        self._name = name
        self._table = dict(table)
        self._late = dict(late or {})

    def read(self, name: str) -> Any:
        """What the name stands for. Raises AttributeError where there is no such name."""
        late = self._late.pop(name, None)
        if late is not None:
            self._table[name] = late()
        try:
            return self._table[name]
        except KeyError:
            text = _(MISSING).format(module=self._name, name=name)
            raise AttributeError(text, name=name, obj=None) from None

    def take(self, name: str) -> Any:
        """What `from … import name` gives. Raises ImportError where there is no such name."""
        try:
            return self.read(name)
        except AttributeError:
            text = _(NOT_IMPORTABLE).format(module=self._name, name=name)
            raise ImportError(text) from None

    def names(self) -> list[str]:
        return sorted({*self._table, *self._late})

    def __repr__(self) -> str:
        return f"<module '{self._name}'>"
