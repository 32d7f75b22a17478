"""`LRScheduler`: learning rates that change from epoch to epoch."""

from __future__ import annotations

import warnings
from typing import Any

from engine.optim.optimizer import Optimizer

_TOO_EARLY = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, "
    "you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  "
    "Failure to do this will result in PyTorch skipping the first value of the learning rate "
    "schedule. See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-"
    "learning-rate"
)


class LRScheduler:
    """The learning rates of an optimizer's groups, epoch by epoch.

    A subclass writes `get_lr`: the rates of the epoch `last_epoch`, from those that the groups
    have now or from the `base_lrs` that they began with.
    """

    _from_start = True  # whether the rates of epoch 0 are known from the first ones

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for place, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    "param 'initial_lr' is not specified in "
                    f"param_groups[{place}] when resuming an optimizer"
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._step_count = 0
        self.step()

    @property
    def _rates(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]

    def get_lr(self) -> list[float]:
        """The rates of this epoch."""
        raise NotImplementedError

    def get_last_lr(self) -> list[float]:
        """The rates that were set last."""
        return self._last_lr

    def step(self) -> None:
        """Go on to the next epoch."""
        if self._step_count == 1 and not self.optimizer.steps_taken:
            warnings.warn(_TOO_EARLY, UserWarning, stacklevel=2)
        self._step_count += 1
        self.last_epoch += 1
        self._set()

    def _set(self) -> None:
        for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"] = rate
        self._last_lr = self._rates

    def begin(self) -> None:
        """Start over at epoch 0, with the rates that the groups began with."""
        self.last_epoch = 0
        if self._from_start:
            for group, rate in zip(self.optimizer.param_groups, self.base_lrs, strict=True):
                group["lr"] = rate
        self._set()

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {n: v for n, v in self.__dict__.items() if n != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what was saved."""
        self.__dict__.update(state_dict)
