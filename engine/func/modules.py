"""`functional_call` and `stack_module_state`: modules as functions of their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from engine.functions.shapes import stack
from engine.nn.module import Module, Parameter
from engine.tensor import Tensor

_TABLES = ("_parameters", "_buffers")


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """What the module returns where the named tensors stand in for its own.

    The names are those of `named_parameters` and `named_buffers`. Raises ValueError and
    RuntimeError with PyTorch's messages.
    """
    given = _merged(parameter_and_buffer_dicts)
    places = _places(module)
    if strict:
        _check_keys(given, places, type(module).__name__)
    if tie_weights:
        given = _tied(given, places)
    positional = () if args is None else args if isinstance(args, tuple) else (args,)
    with _standing_in(given, places):
        return module(*positional, **(kwargs or {}))


def _merged(dicts: Any) -> dict[str, Tensor]:
    if isinstance(dicts, dict):
        return dicts
    if not isinstance(dicts, Sequence):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, "
            f"but got {type(dicts)}"
        )
    if not all(isinstance(item, dict) for item in dicts):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    names = [name for item in dicts for name in item]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if repeated:
        raise ValueError(
            f"{repeated} appeared in multiple dictionaries; "
            "behavior of functional call is ambiguous"
        )
    return {name: tensor for item in dicts for name, tensor in item.items()}


Place = tuple[dict[str, Any], str]


def _places(module: Module, prefix: str = "") -> dict[str, Place]:
    """Where each parameter and buffer is kept, by its full name."""
    found: dict[str, Place] = {}
    for table in _TABLES:
        held = getattr(module, table)
        found.update({prefix + name: (held, name) for name in held})
    for name, child in module._modules.items():
        if child is not None:
            found.update(_places(child, f"{prefix}{name}."))
    return found


def _check_keys(given: Mapping[str, Tensor], places: Mapping[str, Place], kind: str) -> None:
    unexpected = [name for name in given if name not in places]
    missing = [name for name, (held, key) in places.items()
               if name not in given and held[key] is not None]  # fmt: skip
    if unexpected or missing:
        lines = [
            f"\t{what} key(s): " + ", ".join(f"'{name}'" for name in names) + "."
            for what, names in (("Unexpected", unexpected), ("Missing", missing))
            if names
        ]
        raise RuntimeError(f"Error(s) in reparametrizing for {kind}:\n" + "\n".join(lines))


def _tied(given: Mapping[str, Tensor], places: Mapping[str, Place]) -> dict[str, Tensor]:
    """What is given, for every name under which the same tensor is kept."""
    by_tensor: dict[int, list[str]] = {}
    for name, (held, key) in places.items():
        if held[key] is not None:
            by_tensor.setdefault(id(held[key]), []).append(name)
    full = dict(given)
    for names in by_tensor.values():
        new = {id(given[name]) for name in names if name in given}
        if len(new) > 1:
            raise ValueError(
                "functional_call got multiple values for keys "
                f"{sorted(name for name in names if name in given)}, which are tied. "
                "Consider using tie_weights=False"
            )
        if new:
            tensor = next(given[name] for name in names if name in given)
            full.update(dict.fromkeys(names, tensor))
    return full


@contextmanager
def _standing_in(given: Mapping[str, Tensor], places: Mapping[str, Place]) -> Iterator[None]:
    own = []
    try:
        for name, tensor in given.items():
            if name not in places:
                raise AttributeError(f"{name} is not a parameter or buffer of the module")
            held, key = places[name]
            own.append((held, key, held[key]))
            held[key] = tensor
        yield
    finally:
        for held, key, tensor in reversed(own):
            held[key] = tensor


def stack_module_state(models: Sequence[Module]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters and buffers of modules of one kind, each stacked along a new first axis.

    The parameters are new leaves that require grad. Raises RuntimeError with PyTorch's messages.
    """
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if not (all(m.training for m in models) or not any(m.training for m in models)):
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if any(type(m) is not type(models[0]) for m in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    tables = [_places(model) for model in models]
    params: dict[str, Any] = {}
    buffers: dict[str, Any] = {}
    for name, (held, key) in tables[0].items():
        tensors = [table[name][0][table[name][1]] for table in tables]
        if tensors[0] is None:
            continue
        together: Tensor = stack([t.detach() for t in tensors])
        if isinstance(held[key], Parameter):
            params[name] = together.requires_grad_(tensors[0].requires_grad)
        else:
            buffers[name] = together
    return params, buffers
