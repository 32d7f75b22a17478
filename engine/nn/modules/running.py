"""`RunningNorm`: normalization of channels that may keep running statistics."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from engine import dtypes
from engine.nn import init
from engine.nn.module import Module
from engine.nn.parameter import Parameter, blank
from engine.optim.optimizer import moved
from engine.tensor import Tensor


class RunningNorm(Module):
    """A weight and bias, and running statistics, for each channel, as far as they are wanted."""

    _ranks: ClassVar[tuple[int, ...]]  # how many axes an input may have
    _affine: ClassVar[bool] = True
    _tracked: ClassVar[bool] = True
    weight: Parameter | None
    bias: Parameter | None
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool | None = None,
        track_running_stats: bool | None = None,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine = self._affine if affine is None else affine
        tracked = self._tracked if track_running_stats is None else track_running_stats
        self.track_running_stats = tracked
        for name, wanted in (("weight", self.affine), ("bias", self.affine and bias)):
            self.register_parameter(name, blank(num_features, dtype=dtype) if wanted else None)
        kind: Any = (dtype or dtypes.get_default_dtype())._numpy
        buffers = {
            "running_mean": Tensor(np.zeros(num_features, kind)),
            "running_var": Tensor(np.ones(num_features, kind)),
            "num_batches_tracked": Tensor(np.array(0, np.int64)),
        }
        for name, buffer in buffers.items():
            self.register_buffer(name, buffer if tracked else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Mean 0 and variance 1, of no batch."""
        for name, value in (("running_mean", 0), ("running_var", 1), ("num_batches_tracked", 0)):
            buffer = getattr(self, name)
            if buffer is not None:
                moved(buffer, value)

    def reset_parameters(self) -> None:
        """Ones and zeros again."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_rank(self, input: Tensor) -> None:
        ndim = input._array.ndim
        if ndim not in self._ranks:
            wanted = " or ".join(f"{rank}D" for rank in self._ranks)
            raise ValueError(f"expected {wanted} input (got {ndim}D input)")

    def _count_batch(self) -> float:
        """How far the running statistics move: `momentum`, or so that they are plain averages."""
        share = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            count = self.num_batches_tracked
            moved(count, count._array + 1)
            if self.momentum is None:
                share = 1.0 / float(count._array)
        return share

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, bias={self.bias is not None}, "
            f"track_running_stats={self.track_running_stats}"
        )
