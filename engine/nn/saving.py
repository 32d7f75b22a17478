"""What a module holds: found by name, saved, loaded, converted, and written as text."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.optim.optimizer import moved
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.nn.module import Module


class IncompatibleKeys(NamedTuple):
    """Which keys a loaded state lacked, and which it had that the module does not."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return (
            f"_IncompatibleKeys(missing_keys={self.missing_keys}, "
            f"unexpected_keys={self.unexpected_keys})"
        )

    def __str__(self) -> str:
        return repr(self)


def type_of(value: Any) -> str:
    """The type's name in PyTorch's messages."""
    if isinstance(value, Tensor):
        from engine import dtypes

        return dtypes.type_name(value.dtype)
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def check_name(module: Module, kind: str, name: str, table: str) -> None:
    """Raise PyTorch's errors where something cannot be held under a name."""
    if table not in module.__dict__:
        raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
    if not isinstance(name, str):
        raise TypeError(f"{kind} name should be a string. Got {type_of(name)}")
    if hasattr(module, name) and name not in module.__dict__[table]:
        raise KeyError(f"attribute '{name}' already exists")
    if "." in name:
        told = f", got: {name}" if kind == "module" else ""
        raise KeyError(f'{kind} name can\'t contain "."{told}')
    if not name:
        told = ", got: " if kind == "module" else ""
        raise KeyError(f'{kind} name can\'t be empty string ""{told}')


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def held(
    module: Any, table: str, prefix: str, recurse: bool, *, once: bool
) -> Iterator[tuple[str, Any]]:
    """The tensors in a table of the module and of those below, by dotted name."""
    seen: set[int] = set()
    below = module.named_modules(prefix=prefix, remove_duplicate=once)
    for path, part in below if recurse else iter([(prefix, module)]):
        for name, tensor in part.__dict__[table].items():
            if tensor is None or (once and id(tensor) in seen):
                continue
            seen.add(id(tensor))
            yield _joined(path, name), tensor


def submodule(module: Any, target: str) -> Any:
    """The module below at a dotted name."""
    from engine.nn.module import Module as Kind

    found = module
    for name in target.split(".") if target else ():
        if not hasattr(found, name):
            raise AttributeError(f"{found._get_name()} has no attribute `{name}`")
        below = getattr(found, name)
        if not isinstance(below, Kind):
            raise AttributeError(f"`{name}` is not an nn.Module")
        found = below
    return found


def item(module: Any, target: str, kind: Any, word: str) -> Any:
    """The parameter or buffer at a dotted name."""
    path, _, name = target.rpartition(".")
    holder = submodule(module, path)
    if not hasattr(holder, name):
        raise AttributeError(f"{holder._get_name()} has no attribute `{name}`")
    found = getattr(holder, name)
    if not isinstance(found, kind) or (kind is Tensor and name not in holder._buffers):
        raise AttributeError(f"`{name}` is not {'an ' if word[0] != 'a' else ''}{word}")
    return found


def state_of(
    module: Module, into: dict[str, Any] | None, prefix: str, *, keep_vars: bool
) -> dict[str, Tensor]:
    """Parameters and lasting buffers by dotted name."""
    found: dict[str, Tensor] = OrderedDict() if into is None else into
    for table in (module._parameters, module._buffers):
        for name, tensor in table.items():
            if tensor is not None and name not in module._unsaved:
                found[prefix + name] = tensor if keep_vars else tensor.detach()
    for name, below in module._modules.items():
        if below is not None:
            below.state_dict(destination=found, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
    return found


def load(
    module: Module, state: Mapping[str, Any], *, strict: bool, assign: bool
) -> IncompatibleKeys:
    """Take over what was saved. Raises RuntimeError with PyTorch's text where it does not fit."""
    if not isinstance(state, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state)}.")
    missing: list[str] = []
    problems: list[str] = []
    known: set[str] = set()
    for path, part in module.named_modules(remove_duplicate=False):
        for table in (part._parameters, part._buffers):
            for name, tensor in table.items():
                if tensor is None or name in part._unsaved:
                    continue
                key = _joined(path, name)
                known.add(key)
                if key not in state:
                    missing.append(key)
                else:
                    problem = _take(table, name, tensor, state[key], key, assign=assign)
                    problems += [problem] if problem else []
    unexpected = [key for key in state if key not in known]
    if strict:
        problems = [*_listed("Missing", missing), *_listed("Unexpected", unexpected), *problems]
    if problems:
        told = "\n\t".join(problems)
        raise RuntimeError(f"Error(s) in loading state_dict for {module._get_name()}:\n\t{told}")
    return IncompatibleKeys(missing, unexpected)


def _listed(word: str, keys: list[str]) -> list[str]:
    told = ", ".join(f'"{key}"' for key in keys)
    return [f"{word} key(s) in state_dict: {told}. "] if keys else []


def _take(
    table: dict[str, Any], name: str, tensor: Tensor, given: Any, key: str, *, assign: bool
) -> str:
    """Write one saved tensor into its place; what is wrong with it where it does not fit."""
    if not isinstance(given, Tensor):
        return (
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
            f"object from checkpoint but received {type(given)}"
        )
    if given._array.shape != tensor._array.shape:
        return (
            f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, "
            f"the shape in current model is {tensor.shape}."
        )
    if assign:
        from engine.nn.parameter import Parameter

        learned = isinstance(tensor, Parameter) and not isinstance(given, Parameter)
        table[name] = Parameter(given, tensor.requires_grad) if learned else given
    else:
        moved(tensor, given._array)
    return ""


def convert(module: Module, args: Any, kwargs: Any) -> None:
    """The module's own floating tensors in another dtype, with their gradients."""
    for table in (module._parameters, module._buffers):
        for tensor in table.values():
            if tensor is None or tensor._array.dtype.kind not in "fc":
                continue
            tensor._array = tensor.detach().to(*args, **kwargs)._array
            if tensor._grad is not None:
                tensor._grad = tensor._grad.detach().to(*args, **kwargs)


def text_of(module: Module) -> str:
    """The module's settings and submodules, as PyTorch prints them."""
    extra = module.extra_repr()
    above = extra.split("\n") if extra else []
    below = [f"({name}): {_indented(repr(child))}" for name, child in module._modules.items()]
    return framed(module._get_name(), above, below)


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")


def framed(name: str, above: list[str], below: list[str]) -> str:
    """A name with lines between its brackets; a single line of settings stays beside it."""
    if not above and not below:
        return f"{name}()"
    if len(above) == 1 and not below:
        return f"{name}({above[0]})"
    return f"{name}(\n  " + "\n  ".join([*above, *below]) + "\n)"
