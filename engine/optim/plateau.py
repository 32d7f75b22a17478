"""A learning rate that follows a measure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine.optim.optimizer import Optimizer


class ReduceLROnPlateau:
    """Smaller by `factor` once a measure has not improved for more than `patience` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | Sequence[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.cooldown, self.eps = cooldown, eps
        count = len(optimizer.param_groups)
        self.min_lrs = [min_lr] * count if isinstance(min_lr, (int, float)) else list(min_lr)
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def _better(self, now: float) -> bool:
        down = self.mode == "min"
        if self.threshold_mode == "abs":
            bound = self.best - self.threshold if down else self.best + self.threshold
        else:
            bound = self.best * (1.0 - self.threshold if down else 1.0 + self.threshold)
        return now < bound if down else now > bound

    def step(self, metrics: Any) -> None:
        """Tell the measure of an epoch."""
        now = float(metrics)
        self.last_epoch += 1
        if self._better(now):
            self.best, self.num_bad_epochs = now, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def _reduce(self) -> None:
        for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
            rate = max(group["lr"] * self.factor, least)
            if group["lr"] - rate > self.eps:
                group["lr"] = rate

    def get_last_lr(self) -> list[float]:
        """The rates that were set last."""
        return self._last_lr
