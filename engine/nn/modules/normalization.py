"""Normalization as modules."""

from __future__ import annotations

from typing import Any, ClassVar

from engine import dtypes
from engine.functions import shapes
from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn import init
from engine.nn.module import Module
from engine.nn.modules.running import RunningNorm
from engine.nn.parameter import Parameter, blank
from engine.tensor import Tensor


class BatchNorm1d(RunningNorm):
    """Each channel of (N, C) or (N, C, L) with mean 0 and variance 1 over the batch."""

    _ranks: ClassVar[tuple[int, ...]] = (2, 3)

    def forward(self, input: Tensor) -> Tensor:
        self._check_rank(input)
        own = self.training or self.running_mean is None
        kept = not self.training or self.track_running_stats
        statistics = (self.running_mean, self.running_var) if kept else (None, None)
        share = self._count_batch()
        learned = (self.weight, self.bias)
        return F.batch_norm(input, *statistics, *learned, own, share, self.eps)  # type: ignore[no-any-return]


class BatchNorm2d(BatchNorm1d):
    """Each channel of (N, C, H, W) with mean 0 and variance 1 over the batch."""

    _ranks = (4,)


class BatchNorm3d(BatchNorm1d):
    """Each channel of (N, C, D, H, W) with mean 0 and variance 1 over the batch."""

    _ranks = (5,)


class InstanceNorm1d(RunningNorm):
    """Each channel of each sample of (N, C, L) with mean 0 and variance 1."""

    _ranks = (2, 3)
    _affine = False
    _tracked = False

    def forward(self, input: Tensor) -> Tensor:
        self._check_rank(input)
        alone = input._array.ndim == self._ranks[0]
        x = shapes.unsqueeze(input, 0) if alone else input
        channels = x._array.shape[1]
        if channels != self.num_features and self.affine:
            raise ValueError(
                f"expected input's size at dim={0 if alone else 1} to match num_features "
                f"({self.num_features}), but got: {channels}."
            )
        statistics = (self.running_mean, self.running_var)
        own = self.training or not self.track_running_stats
        share = 0.0 if self.momentum is None else self.momentum
        learned = (self.weight, self.bias)
        out = F.instance_norm(x, *statistics, *learned, own, share, self.eps)
        return shapes.squeeze(out, 0) if alone else out


class InstanceNorm2d(InstanceNorm1d):
    """Each channel of each sample of (N, C, H, W) with mean 0 and variance 1."""

    _ranks = (3, 4)


class InstanceNorm3d(InstanceNorm1d):
    """Each channel of each sample of (N, C, D, H, W) with mean 0 and variance 1."""

    _ranks = (4, 5)


class _Learned(Module):
    """A weight of ones and a bias of zeros, or neither."""

    weight: Parameter | None
    bias: Parameter | None

    def _start(self, shape: Any, wanted: tuple[bool, bool], dtype: dtypes.dtype | None) -> None:
        for name, needed in zip(("weight", "bias"), wanted, strict=True):
            self.register_parameter(name, blank(*shape, dtype=dtype) if needed else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Ones and zeros again."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


class LayerNorm(_Learned):
    """Over the last axes, mean 0 and variance 1."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        whole = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if whole else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        wanted = (elementwise_affine, elementwise_affine and bias)
        self._start(self.normalized_shape, wanted, dtype)

    def forward(self, input: Tensor) -> Tensor:
        learned = (self.weight, self.bias)
        return F.layer_norm(input, self.normalized_shape, *learned, self.eps)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )


class RMSNorm(_Learned):
    """Over the last axes, divided by the root of the mean square."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        whole = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if whole else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        shape = self.normalized_shape
        weight = blank(*shape, dtype=dtype) if elementwise_affine else None
        self.register_parameter("weight", weight)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Ones again."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, input: Tensor) -> Tensor:
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class GroupNorm(_Learned):
    """Each group of channels with mean 0 and variance 1."""

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        self._start((num_channels,), (affine, affine and bias), dtype)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class LocalResponseNorm(Module):
    """Divided by a power of the mean square of neighbouring channels."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        settings = (self.size, self.alpha, self.beta, self.k)
        return F.local_response_norm(input, *settings)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
