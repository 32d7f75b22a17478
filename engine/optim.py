"""`torch.optim`: gradient descent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from engine import errors
from engine.record import ACTIVE
from engine.state import enable_grad
from engine.tensor import Tensor

__all__ = ["SGD", "Optimizer"]


class Optimizer:
    """Parameters in groups, each with its settings, and what `step` makes of their `.grad`."""

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(errors.OPTIMIZER_ONE_TENSOR)
        listed = list(params)
        if not listed:
            raise ValueError(errors.OPTIMIZER_EMPTY)
        groups = listed if isinstance(listed[0], dict) else [{"params": listed}]
        self.defaults = defaults
        self.state: dict[Tensor, dict[str, Any]] = {}
        self.param_groups: list[dict[str, Any]] = []
        for group in groups:
            given = group["params"]
            tensors = [given] if isinstance(given, Tensor) else list(given)
            for tensor in tensors:
                if not tensor.is_leaf:
                    raise ValueError(errors.OPTIMIZER_NON_LEAF)
            self.param_groups.append({**defaults, **group, "params": tensors})

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
        for group in self.param_groups:
            for p in group["params"]:
                if p._grad is not None:
                    self._update(p, p._grad._array, group)
        return loss

    def _update(self, p: Tensor, grad: Any, group: dict[str, Any]) -> None:
        raise NotImplementedError


def moved(p: Tensor, array: Any) -> None:
    """Write new values into a parameter, apart from any history."""
    p._array[...] = array
    p._written()
    if ACTIVE.record is not None:
        ACTIVE.record.forget(p)


class SGD(Optimizer):
    """p -= lr * grad, with momentum (Nesterov's where asked) and weight decay."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        if lr < 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        settings = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
        }
        super().__init__(params, settings)

    def _update(self, p: Tensor, grad: Any, group: dict[str, Any]) -> None:
        kind = p._array.dtype.type
        g = -grad if group["maximize"] else grad
        if group["weight_decay"]:
            g = g + kind(group["weight_decay"]) * p._array
        if group["momentum"]:
            state = self.state.setdefault(p, {})
            held = state.get("momentum_buffer")
            if held is None:
                held = np.array(g)
            else:
                held = kind(group["momentum"]) * held + kind(1 - group["dampening"]) * g
            state["momentum_buffer"] = held
            g = g + kind(group["momentum"]) * held if group["nesterov"] else held
        moved(p, p._array - kind(group["lr"]) * g)
