"""`torch.optim.lr_scheduler`: learning rates that change from epoch to epoch."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

from engine.optim.cycles import CyclicLR, OneCycleLR
from engine.optim.optimizer import Optimizer
from engine.optim.plateau import ReduceLROnPlateau
from engine.optim.schedule import LRScheduler
from engine.optim.sequences import ChainedScheduler, SequentialLR

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]


class LambdaLR(LRScheduler):
    """The first rates times a function of the epoch."""

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        count = len(optimizer.param_groups)
        self.lr_lambdas = [lr_lambda] * count if callable(lr_lambda) else list(lr_lambda)
        if len(self.lr_lambdas) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(self.lr_lambdas)}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        pairs = zip(self.base_lrs, self.lr_lambdas, strict=True)
        return [rate * factor(self.last_epoch) for rate, factor in pairs]


class MultiplicativeLR(LambdaLR):
    """The last rates times a function of the epoch."""

    _from_start = False

    def get_lr(self) -> list[float]:
        if self.last_epoch <= 0:
            return self._rates
        pairs = zip(self._rates, self.lr_lambdas, strict=True)
        return [rate * factor(self.last_epoch) for rate, factor in pairs]


class _Scaled(LRScheduler):
    """The last rates times one factor for all."""

    def _factor(self) -> float:
        raise NotImplementedError

    def get_lr(self) -> list[float]:
        factor = self._factor()
        return [rate * factor for rate in self._rates]


class StepLR(_Scaled):
    """Smaller by `gamma` every `step_size` epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float:
        falls = self.last_epoch != 0 and self.last_epoch % self.step_size == 0
        return self.gamma if falls else 1.0


class MultiStepLR(_Scaled):
    """Smaller by `gamma` at each of the `milestones`."""

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float:
        return float(self.gamma ** self.milestones[self.last_epoch])


class ExponentialLR(_Scaled):
    """Smaller by `gamma` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float:
        return self.gamma if self.last_epoch else 1.0


class ConstantLR(_Scaled):
    """A part of the rate until so many epochs have passed."""

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 <= factor <= 1.0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float:
        if self.last_epoch == 0:
            return self.factor
        return 1.0 / self.factor if self.last_epoch == self.total_iters else 1.0


class LinearLR(_Scaled):
    """From one part of the rate to another in a straight line."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1.0:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal "
                "to 1."
            )
        if not 0 <= end_factor <= 1.0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float:
        if self.last_epoch == 0:
            return self.start_factor
        if self.last_epoch > self.total_iters:
            return 1.0
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return 1.0 + rise / before


class PolynomialLR(_Scaled):
    """Down to 0 as a power of what is left."""

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def _factor(self) -> float:
        if not 0 < self.last_epoch <= self.total_iters:
            return 1.0
        left = 1.0 - self.last_epoch / self.total_iters
        before = 1.0 - (self.last_epoch - 1) / self.total_iters
        return float((left / before) ** self.power)


class CosineAnnealingLR(LRScheduler):
    """Down to `eta_min` and up again along a cosine of half period `T_max`."""

    def __init__(
        self,
        optimizer: Optimizer,
        T_max: int,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        epoch, half, low = self.last_epoch, self.T_max, self.eta_min
        if epoch == 0:
            return self._rates
        if (epoch - 1 - half) % (2 * half) == 0:
            rise = (1 - math.cos(math.pi / half)) / 2
            pairs = zip(self.base_lrs, self._rates, strict=True)
            return [rate + (base - low) * rise for base, rate in pairs]
        now, before = (1 + math.cos(math.pi * e / half) for e in (epoch, epoch - 1))
        return [now / before * (rate - low) + low for rate in self._rates]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Along half a cosine, again and again, each time `T_mult` times as long."""

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        place, length = self.last_epoch, self.T_0
        while place >= length:
            place, length = place - length, length * self.T_mult
        share = (1 + math.cos(math.pi * place / length)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]
