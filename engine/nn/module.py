"""`Module`: a part of a model that holds what is learned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from engine import dtypes
from engine.hooks import RemovableHandle
from engine.nn import hooked, saving
from engine.nn.parameter import Buffer, Parameter
from engine.nn.tree import Tree
from engine.tensor import Tensor

__all__ = ["Module", "Parameter"]

M = TypeVar("M", bound="Module")
_TABLES = ("_parameters", "_buffers", "_modules")


class Module(Tree):
    """A part of a model: parameters, buffers, submodules, and a `forward`."""

    training: bool
    _forward_hooks: dict[int, Callable[..., Any]]
    _forward_pre_hooks: dict[int, Callable[..., Any]]
    _unsaved: set[str]  # names of buffers that are not part of the saved state

    def __init__(self) -> None:
        tables = (*_TABLES, "_forward_hooks", "_forward_pre_hooks")
        self.__dict__.update({table: {} for table in tables})
        self.__dict__.update(_unsaved=set(), training=True)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, (Parameter, Module)) and "_parameters" not in self.__dict__:
            kind = "parameters" if isinstance(value, Parameter) else "module"
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
        table = self.__dict__.get("_parameters")
        if table is None or (
            not isinstance(value, (Tensor, Module))
            and value is not None
            and not any(name in self.__dict__[held] for held in _TABLES)
        ):
            object.__setattr__(self, name, value)
        elif isinstance(value, Parameter):
            self._hold(name, self._parameters, value)
        elif isinstance(value, Module):
            self._hold(name, self._modules, value)
        elif isinstance(value, Buffer):
            self.register_buffer(name, value, value.persistent)
        else:
            self._assign(name, value)

    def _hold(self, name: str, table: dict[str, Any], value: Any) -> None:
        self.__dict__.pop(name, None)
        for held in _TABLES:
            if self.__dict__[held] is not table:
                self.__dict__[held].pop(name, None)
        table[name] = value

    def _assign(self, name: str, value: Any) -> None:
        """A plain tensor, or None: it may stand where a parameter, module or buffer stood."""
        kinds = {
            "_parameters": ("parameter", "torch.nn.Parameter or None expected"),
            "_modules": ("child module", "torch.nn.Module or None expected"),
            "_buffers": ("buffer", "torch.nn.Buffer, torch.Tensor or None expected"),
        }
        for table, (word, wanted) in kinds.items():
            held = self.__dict__[table]
            if name in held:
                fits = value is None or (table == "_buffers" and isinstance(value, Tensor))
                if not fits:
                    raise TypeError(
                        f"cannot assign '{saving.type_of(value)}' as {word} '{name}' ({wanted})"
                    )
                held[name] = value
                return
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for table in _TABLES:
            held = self.__dict__.get(table)
            if held is not None and name in held:
                return held[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for table in _TABLES:
            if name in self.__dict__[table]:
                del self.__dict__[table][name]
                self._unsaved.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        held = [name for table in _TABLES for name in self.__dict__[table]]
        return sorted({*object.__dir__(self), *held})

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What calling the module computes."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self._forward_pre_hooks and not self._forward_hooks:
            return self.forward(*args, **kwargs)
        for hook in list(self._forward_pre_hooks.values()):
            args, kwargs = hook(self, args, kwargs)
        made = self.forward(*args, **kwargs)
        for hook in list(self._forward_hooks.values()):
            given = hook(self, args, kwargs, made)
            made = made if given is None else given
        return made

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns stands for the arguments.

        `with_kwargs` it is told the keywords too, and returns both.
        """
        asked = hooked.before(hook, with_kwargs=with_kwargs)
        return hooked.placed(self._forward_pre_hooks, asked, first=prepend)

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns is the output."""
        if always_call:
            raise NotImplementedError("hooks that are called after an error are not supported")
        asked = hooked.after(hook, with_kwargs=with_kwargs)
        return hooked.placed(self._forward_hooks, asked, first=prepend)

    def register_full_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Not offered: hooks on tensors (`Tensor.register_hook`) see the same gradients."""
        raise NotImplementedError("backward hooks of modules are not supported")

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name; None holds the name free."""
        saving.check_name(self, "parameter", name, "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{saving.type_of(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be "
                "created explicitly. To express 'x' as a function of another Tensor, compute the "
                "value in the forward() method."
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that belongs to the module's state and is not learned."""
        saving.check_name(self, "buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{saving.type_of(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        (self._unsaved.discard if persistent else self._unsaved.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a submodule under a name."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{saving.type_of(module)} is not a Module subclass")
        saving.check_name(self, "module", name, "_modules")
        self._modules[name] = module

    register_module = add_module

    def state_dict(
        self,
        destination: dict[str, Any] | None = None,
        prefix: str = "",
        keep_vars: bool = False,
    ) -> dict[str, Tensor]:
        """Parameters and buffers by dotted name, without history."""
        return saving.state_of(self, destination, prefix, keep_vars=keep_vars)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> saving.IncompatibleKeys:
        """Take over saved parameters and buffers. Raises RuntimeError where they do not fit."""
        return saving.load(self, state_dict, strict=strict, assign=assign)

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
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.__dict__["training"] = mode
        for child in self.children():
            child.train(mode)
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
        """Every floating parameter and buffer in another dtype."""
        for module in self.modules():
            saving.convert(module, args, kwargs)
        return self

    def double(self: M) -> M:
        """Every parameter as float64."""
        return self.to(dtypes.float64)

    def float(self: M) -> M:
        """Every parameter as float32."""
        return self.to(dtypes.float32)

    def half(self: M) -> M:
        """Every parameter as float16."""
        return self.to(dtypes.float16)

    def type(self: M, dst_type: dtypes.dtype) -> M:
        """Every parameter in another dtype."""
        return self.to(dst_type)

    def cpu(self: M) -> M:
        """The module itself: there is no other device."""
        return self

    # As text

    def extra_repr(self) -> str:
        """The settings shown between the brackets."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        return saving.text_of(self)
