"""Modules and parameters in rows, lists and dicts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from engine import dtypes
from engine.nn import saving
from engine.nn.module import Module
from engine.nn.parameter import Parameter
from engine.tensor import Tensor


class _Listed(Module):
    """Modules whose names count from 0."""

    def _place(self, index: int) -> str:
        count = len(self._modules)
        if not -count <= index < count:
            raise IndexError(f"index {index} is out of range")
        return list(self._modules)[index]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._of(list(self._modules.items())[index])
        return self._modules[self._place(index)]

    def _of(self, items: list[tuple[str, Any]]) -> Any:
        return type(self)(module for _name, module in items)  # type: ignore[call-arg]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._place(index), module)

    def __delitem__(self, index: int) -> None:
        del self._modules[self._place(index)]
        self._renumber()

    def _renumber(self) -> None:
        kept = list(self._modules.values())
        self._modules.clear()
        self._modules.update({str(place): module for place, module in enumerate(kept)})

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._modules.values()))

    def append(self, module: Module) -> Any:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Any:
        """Add modules at the end."""
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Add a module before a place."""
        kept = list(self._modules.values())
        kept.insert(index, module)
        self._modules.update({str(place): held for place, held in enumerate(kept)})
        return self

    def pop(self, key: Any) -> Any:
        """Take a module out."""
        found = self[key]
        del self[key]
        return found


class Sequential(_Listed):
    """Modules that feed one another in turn."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        named = (
            args[0].items()
            if len(args) == 1 and isinstance(args[0], OrderedDict)
            else ((str(place), module) for place, module in enumerate(args))
        )
        for name, module in named:
            self.add_module(name, module)

    def _of(self, items: list[tuple[str, Any]]) -> Any:
        return type(self)(OrderedDict(items))

    def __add__(self, other: Sequential) -> Sequential:
        return Sequential(*self, *other)

    def __mul__(self, times: int) -> Sequential:
        return Sequential(*[module for _ in range(times) for module in self])

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)  # type: ignore[misc]
        return input


class ModuleList(_Listed):
    """Modules in a list."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def __iadd__(self, modules: Iterable[Module]) -> Any:
        return self.extend(modules)

    def __repr__(self) -> str:
        """Equal neighbours are written once, with their count."""
        below, place = [], 0
        for text, same in groupby(repr(module) for module in self):
            count = len(list(same))
            name = f"({place})" if count == 1 else f"({place}-{place + count - 1})"
            times = "" if count == 1 else f"{count} x "
            below.append(f"{name}: {times}{text}".replace("\n", "\n  "))
            place += count
        return saving.framed(self._get_name(), [], below)


class _Named:
    """The ways of a dict, for what `_table` holds."""

    def _table(self) -> dict[str, Any]:
        raise NotImplementedError

    def __getitem__(self, key: str) -> Any:
        return self._table()[key]

    def __len__(self) -> int:
        return len(self._table())

    def __iter__(self) -> Iterator[str]:
        return iter(self._table())

    def __contains__(self, key: object) -> bool:
        return key in self._table()

    def keys(self) -> Any:
        """The names."""
        return self._table().keys()

    def values(self) -> Any:
        """What is held."""
        return self._table().values()

    def items(self) -> Any:
        """Names and what they hold."""
        return self._table().items()

    def update(self, more: Any) -> None:
        """Add what another dict, or pairs, hold."""
        for name, value in more.items() if isinstance(more, Mapping) else more:
            self[name] = value

    def pop(self, key: str) -> Any:
        """Take one out."""
        return self._table().pop(key)

    def clear(self) -> None:
        """Take all out."""
        self._table().clear()

    def __setitem__(self, key: str, value: Any) -> None:
        setattr(self, key, value)

    def __delitem__(self, key: str) -> None:
        del self._table()[key]


class ModuleDict(_Named, Module):
    """Modules by name."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def _table(self) -> dict[str, Any]:
        return self._modules

    def __setitem__(self, key: str, value: Any) -> None:
        self.add_module(key, value)


def _told(name: str, parameter: Tensor, word: str) -> str:
    sizes = "x".join(map(str, parameter.shape))
    return f"({name}): Parameter containing: [{word} of size {sizes}]"


def _listing(name: str, lines: list[str]) -> str:
    """PyTorch's layout: one line stays beside the name, several stand far in."""
    if len(lines) < 2:
        return f"{name}({''.join(f'  {line}' for line in lines)})"
    return f"{name}(\n" + "".join(f"    {line}\n" for line in lines) + ")"


def _learned(value: Any) -> Parameter:
    return value if isinstance(value, Parameter) else Parameter(value)


class ParameterList(Module):
    """Parameters in a list."""

    def __init__(self, values: Iterable[Tensor] | None = None) -> None:
        super().__init__()
        self.extend(values or ())

    def __getitem__(self, index: Any) -> Any:
        return list(self._parameters.values())[index]

    def __setitem__(self, index: int, value: Tensor) -> None:
        self._parameters[list(self._parameters)[index]] = _learned(value)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._parameters.values()))

    def append(self, value: Tensor) -> ParameterList:
        """Add a parameter at the end; a plain tensor becomes one."""
        self.register_parameter(str(len(self)), _learned(value))
        return self

    def extend(self, values: Iterable[Tensor]) -> ParameterList:
        """Add parameters at the end."""
        for value in values:
            self.append(value)
        return self

    def __repr__(self) -> str:
        lines = [_told(str(i), p, str(p.dtype)) for i, p in enumerate(self)]
        return _listing(self._get_name(), lines)


class ParameterDict(_Named, Module):
    """Parameters by name."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        if parameters is not None:
            self.update(parameters)

    def _table(self) -> dict[str, Any]:
        return self._parameters

    def __setitem__(self, key: str, value: Any) -> None:
        self.register_parameter(key, _learned(value))

    def __repr__(self) -> str:
        lines = [_told(name, p, dtypes.type_name(p.dtype)) for name, p in self.items()]
        return _listing(self._get_name(), lines)
