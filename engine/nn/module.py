"""`Module` and `Parameter`: parts of a model that hold what is learned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from engine.tensor import Tensor

M = TypeVar("M", bound="Module")


class Parameter(Tensor):
    """A leaf that a module finds among its attributes; it requires grad unless told not to."""

    def __init__(self, data: Tensor, requires_grad: bool = True) -> None:
        super().__init__(data._array, requires_grad=requires_grad)

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"


class Module:
    """A part of a model: parameters, submodules, and a `forward`."""

    training: bool

    def __init__(self) -> None:
        object.__setattr__(self, "_parameters", {})
        object.__setattr__(self, "_buffers", {})
        object.__setattr__(self, "_modules", {})
        object.__setattr__(self, "training", True)

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]

    def __setattr__(self, name: str, value: Any) -> None:
        table = self.__dict__.get("_parameters")
        if isinstance(value, (Parameter, Module)) and table is None:
            kind = "parameters" if isinstance(value, Parameter) else "module"
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
        if table is not None:
            for held in (self._parameters, self._buffers, self._modules):
                held.pop(name, None)
            if isinstance(value, Parameter):
                self._parameters[name] = value
                self.__dict__.pop(name, None)
                return
            if isinstance(value, Module):
                self._modules[name] = value
                self.__dict__.pop(name, None)
                return
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for table in ("_parameters", "_buffers", "_modules"):
            held = self.__dict__.get(table)
            if held is not None and name in held:
                return held[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for held in (self._parameters, self._buffers, self._modules):
            if name in held:
                del held[name]
                return
        object.__delattr__(self, name)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What calling the module computes."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name; None holds the name free."""
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that belongs to the module's state and is not learned."""
        self._buffers[name] = tensor

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a submodule under a name."""
        self._modules[name] = module

    # Looking inside

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The submodules of this module itself, by name."""
        for name, module in self._modules.items():
            if module is not None:
                yield name, module

    def children(self) -> Iterator[Module]:
        """The submodules of this module itself."""
        for _name, module in self.named_children():
            yield module

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, Module]]:
        """This module and all below it, by dotted name, each once."""
        seen: set[int] = set()
        waiting: list[tuple[str, Module]] = [(prefix, self)]
        while waiting:
            path, module = waiting.pop()
            if id(module) in seen:
                continue
            seen.add(id(module))
            yield path, module
            below = [
                (f"{path}.{name}" if path else name, child)
                for name, child in module.named_children()
            ]
            waiting.extend(reversed(below))

    def modules(self) -> Iterator[Module]:
        """This module and all below it."""
        for _name, module in self.named_modules():
            yield module

    def named_parameters(
        self, prefix: str = "", recurse: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters by dotted name, each once."""
        seen: set[int] = set()
        where = self.named_modules(prefix) if recurse else iter([(prefix, self)])
        for path, module in where:
            for name, parameter in module._parameters.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{path}.{name}" if path else name), parameter

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters, each once."""
        for _name, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def state_dict(self) -> dict[str, Tensor]:
        """Parameters and buffers by dotted name, without history."""
        found: dict[str, Tensor] = {}
        for path, module in self.named_modules():
            for table in (module._parameters, module._buffers):
                for name, tensor in table.items():
                    if tensor is not None:
                        found[f"{path}.{name}" if path else name] = tensor.detach()
        return found

    # Changing it as a whole

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear every parameter's `.grad`, to None or to zeros."""
        for parameter in self.parameters():
            if parameter._grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                parameter._grad.zero_()

    def requires_grad_(self: M, requires_grad: bool = True) -> M:
        """Whether the parameters are learned."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def train(self: M, mode: bool = True) -> M:
        """Whether layers that behave otherwise in training do so."""
        for module in self.modules():
            object.__setattr__(module, "training", mode)
        return self

    def eval(self: M) -> M:
        """As in use, not in training."""
        return self.train(False)

    def apply(self: M, fn: Callable[[Module], Any]) -> M:
        """Call `fn` on every submodule, then on this one."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def to(self: M, *args: Any, **kwargs: Any) -> M:
        """Every parameter and buffer in another dtype."""
        for module in self.modules():
            for table in (module._parameters, module._buffers):
                for tensor in table.values():
                    if tensor is not None and tensor._array.dtype.kind == "f":
                        tensor._array = tensor.detach().to(*args, **kwargs)._array
        return self

    def double(self: M) -> M:
        """Every parameter as float64."""
        from engine.dtypes import float64

        return self.to(float64)

    def float(self: M) -> M:
        """Every parameter as float32."""
        from engine.dtypes import float32

        return self.to(float32)

    # As text

    def extra_repr(self) -> str:
        """The settings shown between the brackets."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = [f"({name}): {module!r}" for name, module in self._modules.items()]
        if not lines:
            return f"{type(self).__name__}({extra})"
        body = "\n".join([extra, *lines] if extra else lines).replace("\n", "\n  ")
        return f"{type(self).__name__}(\n  {body}\n)"
