"""`Optimizer`: parameters in groups, and what a step makes of their gradients."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from inspect import Parameter, Signature
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from engine import dtypes, errors
from engine.arrays import Array
from engine.record import ACTIVE
from engine.state import enable_grad
from engine.tensor import Tensor

_POSITIVE = {
    "lr": "learning rate",
    "eps": "epsilon value",
    "momentum": "momentum value",
    "weight_decay": "weight_decay value",
    "alpha": "alpha value",
    "lr_decay": "lr_decay value",
    "initial_accumulator_value": "initial_accumulator_value value",
    "momentum_decay": "momentum_decay value",
}


def settings(**given: Any) -> Mapping[str, Any]:
    """Names of settings in order, with their defaults."""
    return MappingProxyType(given)


def moved(p: Tensor, array: Any) -> None:
    """Write new values into a parameter, apart from any history."""
    p._array[...] = array
    p._written()
    if ACTIVE.record is not None:
        ACTIVE.record.forget(p)


class Optimizer:
    """Parameters in groups, each with its settings, and what `step` makes of their `.grad`.

    A subclass names its `_settings` with their defaults, the `_flags` that are given by keyword
    only, and writes `_moved`. `state` holds what is remembered of each parameter.
    """

    _settings: ClassVar[Mapping[str, Any]] = settings()
    _flags: ClassVar[Mapping[str, Any]] = settings(
        foreach=None, maximize=False, capturable=False, differentiable=False
    )
    __signature__: ClassVar[Signature]
    steps_taken = 0

    def __init_subclass__(cls) -> None:
        kinds = (
            (cls._settings, Parameter.POSITIONAL_OR_KEYWORD),
            (cls._flags, Parameter.KEYWORD_ONLY),
        )
        arguments = [
            Parameter(name, kind, default=default)
            for names, kind in kinds
            for name, default in names.items()
        ]
        first = Parameter("params", Parameter.POSITIONAL_OR_KEYWORD)
        cls.__signature__ = Signature([first, *arguments])

    def __init__(self, params: Iterable[Any], *args: Any, **kwargs: Any) -> None:
        if type(self) is Optimizer:
            given = args[0] if args else kwargs["defaults"]
        else:
            bound = type(self).__signature__.bind(params, *args, **kwargs)
            bound.apply_defaults()
            given = {n: v for n, v in bound.arguments.items() if n != "params"}
            self._check(given)
        self.defaults: dict[str, Any] = dict(given)
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        if isinstance(params, Tensor):
            raise TypeError(errors.OPTIMIZER_ONE_TENSOR)
        listed = list(params)
        if not listed:
            raise ValueError(errors.OPTIMIZER_EMPTY)
        for group in listed if isinstance(listed[0], dict) else [{"params": listed}]:
            self.add_param_group(dict(group))

    def _check(self, given: Mapping[str, Any]) -> None:
        """Raise ValueError for a setting outside its bounds."""
        for name, word in _POSITIVE.items():
            if name in given and not given[name] >= 0.0:
                raise ValueError(f"Invalid {word}: {given[name]}")
        for place, beta in enumerate(given.get("betas", ())):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"Invalid beta parameter at index {place}: {beta}")
        if given.get("differentiable"):
            raise NotImplementedError("a differentiable step is not supported")

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with settings of their own."""
        given: Any = param_group["params"]
        if isinstance(given, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the "
                "ordering of tensors in sets will change between runs. Please use a list instead."
            )
        tensors: list[Any] = [given] if isinstance(given, Tensor) else list(given)
        if tensors and isinstance(tensors[0], tuple):  # named parameters
            param_group["param_names"] = [name for name, _tensor in tensors]
            tensors = [tensor for _name, tensor in tensors]
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise TypeError(
                    "optimizer can only optimize Tensors, but one of the params is "
                    f"{type(tensor).__name__}"
                )
            if not tensor.is_leaf:
                raise ValueError(errors.OPTIMIZER_NON_LEAF)
        if len({id(t) for t in tensors}) != len(tensors):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this "
                "will cause an error; see github.com/pytorch/pytorch/issues/40967 for more "
                "information",
                UserWarning,
                stacklevel=3,
            )
        known = {id(t) for group in self.param_groups for t in group["params"]}
        if any(id(t) in known for t in tensors):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append({**self.defaults, **param_group, "params": tensors})

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear every parameter's `.grad`, to None or to zeros."""
        for group in self.param_groups:
            for p in group["params"]:
                if p._grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                else:
                    p._grad.detach_().zero_() if p._grad._node is not None else p._grad.zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter that has a `.grad`; returns what the closure returned."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        self.steps_taken += 1
        for group in self.param_groups:
            for p in group["params"]:
                if p._grad is not None:
                    grad = p._grad._array
                    self._update(p, -grad if group.get("maximize") else grad, group)
        return loss

    def _update(self, p: Tensor, grad: Array, group: dict[str, Any]) -> None:
        moved(p, self._moved(p._array, grad, group, self.state[p]))

    def _moved(self, x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        """The parameter's new values."""
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """State and settings, with numbers in the place of the parameters."""
        number = {
            id(p): place
            for place, p in enumerate(p for group in self.param_groups for p in group["params"])
        }
        groups = [
            {**{n: v for n, v in g.items() if n != "params"},
             "params": [number[id(p)] for p in g["params"]]}
            for g in self.param_groups
        ]  # fmt: skip
        return {
            "state": {number[id(p)]: held for p, held in self.state.items() if held},
            "param_groups": groups,
        }

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over saved state and settings. Raises ValueError where the groups do not fit."""
        groups = state_dict["param_groups"]
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(
            len(a["params"]) != len(b["params"])
            for a, b in zip(groups, self.param_groups, strict=True)
        ):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                "optimizer's group"
            )
        whose: dict[int, Tensor] = {}
        for saved, group in zip(groups, self.param_groups, strict=True):
            whose.update(zip(saved["params"], group["params"], strict=True))
            group.update({n: deepcopy(v) for n, v in saved.items() if n != "params"})
        self.state.clear()
        for number, held in state_dict["state"].items():
            self.state[whose[number]] = deepcopy(held)

    def __repr__(self) -> str:
        told = []
        for number, group in enumerate(self.param_groups):
            names = [name for name in sorted(group) if name != "params"]
            lines = [f"    {name}: {group[name]}" for name in names]
            told.append("\n".join([f"Parameter Group {number}", *lines]))
        return f"{type(self).__name__} (\n" + "\n\n".join(told) + "\n)"


def number(value: float) -> Array:
    """A number in the dtype in which PyTorch keeps those that belong to no element."""
    whole = dtypes.get_default_dtype() is dtypes.float64
    return np.array(value, np.float64 if whole else np.float32)


def counted(state: dict[str, Any]) -> float:
    """The number of this step, kept in the state as PyTorch keeps it."""
    step = state.setdefault("step", Tensor(number(0.0)))
    if not isinstance(step, Tensor):
        step = state["step"] = Tensor(number(step))
    step._array += 1
    return float(step._array)


def kept(state: dict[str, Any], name: str, like: Array, value: float = 0.0) -> Tensor:
    """What is remembered under a name; at first the same number everywhere."""
    if name not in state:
        state[name] = Tensor(np.full_like(like, value))
    found: Tensor = state[name]
    return found


def lerp(a: Any, b: Any, weight: float) -> Any:
    """Part of the way from one to the other, as PyTorch computes it."""
    kind = a.dtype.type
    if weight < 0.5:
        return a + kind(weight) * (b - a)
    return b - (b - a) * kind(1 - weight)
