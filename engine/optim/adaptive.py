"""Steps that every element scales for itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.optim.optimizer import Optimizer, counted, kept, lerp, number, settings
from engine.tensor import Tensor


def _decayed(x: Array, g: Any, group: dict[str, Any]) -> Any:
    decay = group["weight_decay"]
    return g + x.dtype.type(decay) * x if decay else g


class RMSprop(Optimizer):
    """Steps of the gradient over the root of its mean square (Hinton)."""

    _settings = settings(
        lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False,
        capturable=False, foreach=None, maximize=False, differentiable=False,
    )  # fmt: skip
    _flags = settings()

    def _moved(self, x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        kind, alpha = x.dtype.type, group["alpha"]
        counted(state)
        g = _decayed(x, g, group)
        square = kept(state, "square_avg", x)
        square._array = square._array * kind(alpha) + kind(1 - alpha) * g * g
        spread = square._array
        held = kept(state, "momentum_buffer", x) if group["momentum"] > 0 else None
        if group["centered"]:
            mean = kept(state, "grad_avg", x)
            mean._array = lerp(mean._array, g, 1 - alpha)
            spread = spread - mean._array * mean._array
        size = np.sqrt(spread) + kind(group["eps"])
        if held is None:
            return x + kind(-group["lr"]) * g / size
        held._array = held._array * kind(group["momentum"]) + g / size
        return x + kind(-group["lr"]) * held._array


class Adagrad(Optimizer):
    """Steps of the gradient over the root of the sum of its squares (Duchi et al., 2011)."""

    _settings = settings(
        lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None
    )
    _flags = settings(maximize=False, differentiable=False, fused=None)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["step"] = Tensor(number(0.0))
                kept(state, "sum", p._array, group["initial_accumulator_value"])

    def _moved(self, x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        kind, step = x.dtype.type, counted(state)
        g = _decayed(x, g, group)
        total = kept(state, "sum", x, group["initial_accumulator_value"])
        total._array = total._array + g * g
        size = np.sqrt(total._array) + kind(group["eps"])
        return x + kind(-group["lr"] / (1 + (step - 1) * group["lr_decay"])) * g / size


class Adadelta(Optimizer):
    """Steps as long as those before them were, over the gradient's size (Zeiler, 2012)."""

    _settings = settings(lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None)
    _flags = settings(capturable=False, maximize=False, differentiable=False)

    def _check(self, given: Any) -> None:
        super()._check(given)
        if not 0.0 <= given["rho"] <= 1.0:
            raise ValueError(f"Invalid rho value: {given['rho']}")

    def _moved(self, x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        kind, rho = x.dtype.type, group["rho"]
        eps, counts = kind(group["eps"]), counted(state)
        assert counts > 0
        g = _decayed(x, g, group)
        square, steps = kept(state, "square_avg", x), kept(state, "acc_delta", x)
        square._array = square._array * kind(rho) + kind(1 - rho) * g * g
        step = np.sqrt(steps._array + eps) / np.sqrt(square._array + eps) * g
        steps._array = steps._array * kind(rho) + kind(1 - rho) * step * step
        return x + kind(-group["lr"]) * step


class Rprop(Optimizer):
    """Steps by the gradient's sign, longer while it stays (Riedmiller and Braun, 1993)."""

    _settings = settings(lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50))
    _flags = settings(capturable=False, foreach=None, maximize=False, differentiable=False)

    def _check(self, given: Any) -> None:
        super()._check(given)
        less, more = given["etas"]
        if not 0.0 < less < 1.0 < more:
            raise ValueError(f"Invalid eta values: {less}, {more}")

    def _moved(self, x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        kind = x.dtype.type
        counted(state)
        less, more = group["etas"]
        before, size = kept(state, "prev", x), kept(state, "step_size", x, group["lr"])
        turn = np.sign(g * before._array)
        factor = np.where(turn > 0, kind(more), np.where(turn < 0, kind(less), kind(1)))
        size._array = np.clip(size._array * factor, *map(kind, group["step_sizes"]))
        g = np.where(turn < 0, kind(0), g)
        before._array = np.array(g)
        return x - np.sign(g) * size._array
