"""Pooling as modules."""

from __future__ import annotations

from typing import Any

from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn.modules.applied import NEEDED, Applied, settings
from engine.tensor import Tensor


class _Windowed(Applied):
    """Pooling whose windows lie side by side unless a stride is given."""

    kernel_size: Any
    stride: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.stride is None:
            self.stride = self.kernel_size


class _MaxPool(_Windowed):
    _settings = settings(
        kernel_size=NEEDED,
        stride=None,
        padding=0,
        dilation=1,
        return_indices=False,
        ceil_mode=False,
    )
    _shown = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")


class MaxPool1d(_MaxPool):
    """The largest element of each window along the last axis."""

    _function = "max_pool1d"


class MaxPool2d(_MaxPool):
    """The largest element of each window over the last two axes."""

    _function = "max_pool2d"


class MaxPool3d(_MaxPool):
    """The largest element of each window over the last three axes."""

    _function = "max_pool3d"


class _AvgPool(_Windowed):
    _settings = settings(
        kernel_size=NEEDED,
        stride=None,
        padding=0,
        ceil_mode=False,
        count_include_pad=True,
        divisor_override=None,
    )
    _shown = ("kernel_size", "stride", "padding")


class AvgPool1d(_AvgPool):
    """The average of each window along the last axis."""

    _function = "avg_pool1d"
    _settings = settings(
        kernel_size=NEEDED, stride=None, padding=0, ceil_mode=False, count_include_pad=True
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self._shown:
            value = getattr(self, name)
            setattr(self, name, (value,) if isinstance(value, int) else value)


class AvgPool2d(_AvgPool):
    """The average of each window over the last two axes."""

    _function = "avg_pool2d"


class AvgPool3d(_AvgPool):
    """The average of each window over the last three axes."""

    _function = "avg_pool3d"


class _Adaptive(Applied):
    _settings = settings(output_size=NEEDED)
    _shown = ("output_size",)


class AdaptiveAvgPool1d(_Adaptive):
    """The averages of so many stretches that cover the last axis."""

    _function = "adaptive_avg_pool1d"


class AdaptiveAvgPool2d(_Adaptive):
    """The averages of so many windows that cover the last two axes."""

    _function = "adaptive_avg_pool2d"


class AdaptiveAvgPool3d(_Adaptive):
    """The averages of so many windows that cover the last three axes."""

    _function = "adaptive_avg_pool3d"


class _AdaptiveMax(_Adaptive):
    _settings = settings(output_size=NEEDED, return_indices=False)


class AdaptiveMaxPool1d(_AdaptiveMax):
    """The largest elements of so many stretches that cover the last axis."""

    _function = "adaptive_max_pool1d"


class AdaptiveMaxPool2d(_AdaptiveMax):
    """The largest elements of so many windows that cover the last two axes."""

    _function = "adaptive_max_pool2d"


class AdaptiveMaxPool3d(_AdaptiveMax):
    """The largest elements of so many windows that cover the last three axes."""

    _function = "adaptive_max_pool3d"


class _MaxUnpool(_Windowed):
    _settings = settings(kernel_size=NEEDED, stride=None, padding=0)
    _shown = ("kernel_size", "stride", "padding")
    _axes = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self._shown:
            value = getattr(self, name)
            setattr(self, name, (value,) * self._axes if isinstance(value, int) else value)

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Any:
        settings = (self.kernel_size, self.stride, self.padding, output_size)
        return getattr(F, self._function)(input, indices, *settings)


class MaxUnpool1d(_MaxUnpool):
    """What MaxPool1d took, back at its places."""

    _function, _axes = "max_unpool1d", 1


class MaxUnpool2d(_MaxUnpool):
    """What MaxPool2d took, back at its places."""

    _function, _axes = "max_unpool2d", 2


class MaxUnpool3d(_MaxUnpool):
    """What MaxPool3d took, back at its places."""

    _function, _axes = "max_unpool3d", 3


class _LPPool(Applied):
    _settings = settings(norm_type=NEEDED, kernel_size=NEEDED, stride=None, ceil_mode=False)
    _shown = ("norm_type", "kernel_size", "stride", "ceil_mode")


class LPPool1d(_LPPool):
    """The p-norm of each window along the last axis."""

    _function = "lp_pool1d"


class LPPool2d(_LPPool):
    """The p-norm of each window over the last two axes."""

    _function = "lp_pool2d"


class LPPool3d(_LPPool):
    """The p-norm of each window over the last three axes."""

    _function = "lp_pool3d"
