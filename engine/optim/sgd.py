"""Stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.arrays import Array
from engine.optim.optimizer import Optimizer, settings
from engine.tensor import Tensor


class SGD(Optimizer):
    """p -= lr * grad, with momentum (Nesterov's where asked) and weight decay."""

    _settings = settings(lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False)
    _flags = settings(maximize=False, foreach=None, differentiable=False, fused=None)

    def _check(self, given: Mapping[str, Any]) -> None:
        super()._check(given)
        if given["nesterov"] and (given["momentum"] <= 0 or given["dampening"] != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")

    def _moved(self, x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        kind = x.dtype.type
        if group["weight_decay"]:
            g = g + kind(group["weight_decay"]) * x
        if group["momentum"]:
            held = state.get("momentum_buffer")
            if held is None:
                held = Tensor(np.array(g))
            else:
                kept = kind(group["momentum"]) * held._array
                held = Tensor(kept + kind(1 - group["dampening"]) * g)
            state["momentum_buffer"] = held
            step = held._array
            g = g + kind(group["momentum"]) * step if group["nesterov"] else step
        return x - kind(group["lr"]) * g
