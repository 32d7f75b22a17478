"""The parts of a module: its parameters, buffers and submodules, by dotted name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.nn import saving
from engine.nn.parameter import Parameter
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.nn.module import Module


class Tree:
    """What a module holds, and how it is found."""

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The submodules of this module itself, by name, each once."""
        seen: set[int] = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def children(self) -> Iterator[Module]:
        """The submodules of this module itself."""
        for _name, module in self.named_children():
            yield module

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module and all below it, by dotted name, each once."""
        seen: set[int] = set()
        waiting: list[tuple[str, Any]] = [(prefix, self)]
        while waiting:
            path, module = waiting.pop()
            if id(module) in seen and remove_duplicate:
                continue
            seen.add(id(module))
            yield path, module
            below = [
                (f"{path}.{name}" if path else name, child)
                for name, child in module._modules.items()
                if child is not None
            ]
            waiting.extend(reversed(below))

    def modules(self) -> Iterator[Module]:
        """This module and all below it."""
        for _name, module in self.named_modules():
            yield module

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters by dotted name, each once."""
        return saving.held(self, "_parameters", prefix, recurse, once=remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, each once."""
        for _name, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers by dotted name, each once."""
        return saving.held(self, "_buffers", prefix, recurse, once=remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers, each once."""
        for _name, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Module:
        """The module below at a dotted name. Raises AttributeError where there is none."""
        found: Module = saving.submodule(self, target)
        return found

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a dotted name. Raises AttributeError where there is none."""
        found: Parameter = saving.item(self, target, Parameter, "nn.Parameter")
        return found

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a dotted name. Raises AttributeError where there is none."""
        found: Tensor = saving.item(self, target, Tensor, "a buffer")
        return found
