"""Learning rates that rise and fall, and momenta that do the opposite (Smith, 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from engine.optim.optimizer import Optimizer
from engine.optim.schedule import LRScheduler


def _each(name: str, optimizer: Optimizer, value: float | Sequence[float]) -> list[float]:
    """One number for each group."""
    count = len(optimizer.param_groups)
    if isinstance(value, (int, float)):
        return [value] * count
    if len(value) != count:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} "
            f"values, param_groups has {count}."
        )
    return list(value)


class _Cycle(LRScheduler):
    _from_start = False
    cycle_momentum: bool

    def _find_momentum(self, optimizer: Optimizer) -> None:
        if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            )

    @staticmethod
    def _set_momentum(group: dict[str, Any], value: float) -> None:
        if "betas" in group:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


def _cosine(start: float, end: float, part: float) -> float:
    return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)


def _line(start: float, end: float, part: float) -> float:
    return (end - start) * part + start


class OneCycleLR(_Cycle):
    """Up to `max_lr` and down to far below the start, over all the steps of a training."""

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | Sequence[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | Sequence[float] = 0.85,
        max_momentum: float | Sequence[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        if total_steps is None and epochs is not None and steps_per_epoch is not None:
            total_steps = epochs * steps_per_epoch
        if total_steps is None:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        if total_steps <= 0 or not isinstance(total_steps, int):
            raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self.total_steps, self.cycle_momentum = total_steps, cycle_momentum
        self._curve = _cosine if anneal_strategy == "cos" else _line
        self._phases = self._turns(pct_start * total_steps, three_phase)
        self._begin(optimizer, _each("max_lr", optimizer, max_lr), div_factor, final_div_factor)
        if cycle_momentum:
            self._find_momentum(optimizer)
            high = _each("max_momentum", optimizer, max_momentum)
            low = _each("base_momentum", optimizer, base_momentum)
            for group, most, least in zip(optimizer.param_groups, high, low, strict=True):
                self._set_momentum(group, most)
                group["max_momentum"], group["base_momentum"] = most, least
        super().__init__(optimizer, last_epoch)

    @staticmethod
    def _begin(
        optimizer: Optimizer, highest: list[float], div_factor: float, final_div_factor: float
    ) -> None:
        for group, most in zip(optimizer.param_groups, highest, strict=True):
            group["initial_lr"] = group["lr"] = most / div_factor
            group["max_lr"] = most
            group["min_lr"] = group["initial_lr"] / final_div_factor

    def _turns(self, rise: float, three_phase: bool) -> list[tuple[float, str, str, str, str]]:
        """Where each phase ends, and between which rates and momenta it leads."""
        last, up = self.total_steps - 1, ("max_momentum", "base_momentum")
        phases: list[tuple[float, str, str, str, str]] = [
            (float(rise) - 1, "initial_lr", "max_lr", *up)
        ]
        if not three_phase:
            return [*phases, (last, "max_lr", "min_lr", *up[::-1])]
        return [
            *phases,
            (float(2 * rise) - 2, "max_lr", "initial_lr", *up[::-1]),
            (last, "initial_lr", "min_lr", "max_momentum", "max_momentum"),
        ]

    def get_lr(self) -> list[float]:
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        start = 0.0
        for phase in self._phases[:-1]:
            if step <= phase[0]:
                break
            start = phase[0]
        else:
            phase = self._phases[-1]
        end, *names = phase
        part = (step - start) / (end - start)
        rates = []
        for group in self.optimizer.param_groups:
            first, last, fast, slow = (group.get(name, 0.0) for name in names)
            rates.append(self._curve(first, last, part))
            if self.cycle_momentum:
                self._set_momentum(group, self._curve(fast, slow, part))
        return rates


class CyclicLR(_Cycle):
    """Up and down between two rates, again and again."""

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | Sequence[float],
        max_lr: float | Sequence[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | Sequence[float] = 0.8,
        max_momentum: float | Sequence[float] = 0.9,
        last_epoch: int = -1,
    ) -> None:
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up + down)
        self.step_ratio = float(step_size_up) / self.total_size
        self.max_lrs = _each("max_lr", optimizer, max_lr)
        self._scale: Callable[[float], float]
        self.scale_mode: str
        scales: dict[str, Any] = {
            "triangular": (lambda x: 1.0, "cycle"),
            "triangular2": (lambda x: 1 / (2.0 ** (x - 1)), "cycle"),
            "exp_range": (lambda x: gamma**x, "iterations"),
        }
        self._scale, self.scale_mode = scales[mode] if scale_fn is None else (scale_fn, scale_mode)
        self.lowest = _each("base_lr", optimizer, base_lr)
        for group, rate in zip(optimizer.param_groups, self.lowest, strict=True):
            group["lr"] = rate
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._find_momentum(optimizer)
            self.base_momentums = _each("base_momentum", optimizer, base_momentum)
            self.max_momentums = _each("max_momentum", optimizer, max_momentum)
            bounds = zip(self.base_momentums, self.max_momentums, strict=True)
            for group, (least, most) in zip(optimizer.param_groups, bounds, strict=True):
                self._set_momentum(group, most)
                group["max_momentum"], group["base_momentum"] = most, least
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        ratio = self.step_ratio
        part = place / ratio if place <= ratio else (place - 1) / (ratio - 1)
        scale = self._scale(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            bounds = zip(self.base_momentums, self.max_momentums, strict=True)
            for group, (low, high) in zip(self.optimizer.param_groups, bounds, strict=True):
                self._set_momentum(group, high - (high - low) * part * scale)
        pairs = zip(self.lowest, self.max_lrs, strict=True)
        return [low + (high - low) * part * scale for low, high in pairs]
