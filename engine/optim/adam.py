"""Adam (Kingma and Ba, 2015) and what came of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.arrays import Array
from engine.optim.optimizer import Optimizer, counted, kept, lerp, number, settings

_BETAS = (0.9, 0.999)


def _decayed(x: Array, g: Any, group: dict[str, Any]) -> tuple[Any, Any]:
    """Weight decay: of the parameter itself where it is decoupled, else in the gradient."""
    decay, kind = group["weight_decay"], x.dtype.type
    if not decay:
        return x, g
    if group.get("decoupled_weight_decay"):
        return x * kind(1 - group["lr"] * decay), g
    return x, g + kind(decay) * x


def _means(x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> tuple[Any, Any]:
    """The running means of the gradient and of its square."""
    first, second = group["betas"]
    kind = x.dtype.type
    mean, square = kept(state, "exp_avg", x), kept(state, "exp_avg_sq", x)
    mean._array = lerp(mean._array, g, 1 - first)
    square._array = square._array * kind(second) + kind(1 - second) * g * g
    return mean._array, square._array


class Adam(Optimizer):
    """Steps of the gradient's mean over the root of its mean square, both corrected for start."""

    _settings = settings(lr=1e-3, betas=_BETAS, eps=1e-8, weight_decay=0, amsgrad=False)
    _flags = settings(
        foreach=None,
        maximize=False,
        capturable=False,
        differentiable=False,
        fused=None,
        decoupled_weight_decay=False,
    )

    def _moved(self, x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        kind, step = x.dtype.type, counted(state)
        first, second = group["betas"]
        x, g = _decayed(x, g, group)
        mean, square = _means(x, g, group, state)
        if group["amsgrad"]:
            most = kept(state, "max_exp_avg_sq", x)
            most._array = square = np.maximum(most._array, square)
        size = np.sqrt(square) / kind((1 - second**step) ** 0.5) + kind(group["eps"])
        return x + kind(-group["lr"] / (1 - first**step)) * mean / size


class AdamW(Adam):
    """Adam with weight decay that is apart from the gradient (Loshchilov and Hutter, 2019)."""

    _settings = settings(lr=1e-3, betas=_BETAS, eps=1e-8, weight_decay=1e-2, amsgrad=False)
    _flags = settings(
        maximize=False, foreach=None, capturable=False, differentiable=False, fused=None
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.defaults["decoupled_weight_decay"] = True
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True


class Adamax(Optimizer):
    """Adam with the largest gradient so far in the place of the mean square."""

    _settings = settings(lr=2e-3, betas=_BETAS, eps=1e-8, weight_decay=0)

    def _moved(self, x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        kind, step = x.dtype.type, counted(state)
        first, second = group["betas"]
        x, g = _decayed(x, g, group)
        mean, most = kept(state, "exp_avg", x), kept(state, "exp_inf", x)
        mean._array = lerp(mean._array, g, 1 - first)
        size = np.absolute(g) + kind(group["eps"])
        most._array = np.maximum(most._array * kind(second), size)
        return x + kind(-group["lr"] / (1 - first**step)) * mean._array / most._array


class NAdam(Optimizer):
    """Adam with Nesterov's momentum (Dozat, 2016)."""

    _settings = settings(
        lr=2e-3,
        betas=_BETAS,
        eps=1e-8,
        weight_decay=0,
        momentum_decay=4e-3,
        decoupled_weight_decay=False,
    )

    def _moved(self, x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        kind, step = x.dtype.type, counted(state)
        first, second = group["betas"]
        decay, lr = group["momentum_decay"], group["lr"]
        x, g = _decayed(x, g, group)
        now, following = (
            first * (1.0 - 0.5 * 0.96 ** (place * decay)) for place in (step, step + 1)
        )
        product = kept(state, "mu_product", number(1.0), 1.0)
        product._array = np.asarray(product._array * product._array.dtype.type(now))
        total = float(product._array)
        mean, square = _means(x, g, group, state)
        size = np.sqrt(square / kind(1 - second**step)) + kind(group["eps"])
        x = x + kind(-lr * (1.0 - now) / (1.0 - total)) * g / size
        return x + kind(-lr * following / (1.0 - total * following)) * mean / size


class RAdam(Optimizer):
    """Adam that steps by the mean alone until its mean square can be trusted (Liu et al., 2020)."""

    _settings = settings(
        lr=1e-3, betas=_BETAS, eps=1e-8, weight_decay=0, decoupled_weight_decay=False
    )

    def _moved(self, x: Array, g: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        kind, step = x.dtype.type, counted(state)
        first, second = group["betas"]
        x, g = _decayed(x, g, group)
        mean, square = _means(x, g, group, state)
        corrected = mean / kind(1 - first**step)
        limit = 2 / (1 - second) - 1
        length = limit - 2 * step * second**step / (1 - second**step)
        change = corrected * kind(group["lr"])
        if length > 5.0:
            trust = (length - 4) * (length - 2) * limit / ((limit - 4) * (limit - 2) * length)
            size = np.sqrt(square) + kind(group["eps"])
            change = change * (kind((1 - second**step) ** 0.5) / size) * kind(trust**0.5)
        return x - change
