"""Convolutions as modules."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from engine import dtypes
from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn import init
from engine.nn.module import Module
from engine.nn.modules.linear import bias_of
from engine.nn.parameter import Parameter, blank
from engine.tensor import Tensor

_MODES = ("zeros", "reflect", "replicate", "circular")


def _repeated(value: Any, count: int) -> tuple[int, ...]:
    return (value,) * count if isinstance(value, int) else tuple(value)


class _Convolution(Module):
    _axes: ClassVar[int]
    _transposed: ClassVar[bool] = False
    weight: Parameter
    bias: Parameter | None
    padding: Any

    def _settle(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        output_padding: Any,
        groups: int,
        padding_mode: str,
    ) -> None:
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % groups:
                raise ValueError(f"{name} must be divisible by groups")
        if isinstance(padding, str):
            self._check_padding(padding, _repeated(stride, self._axes))
        if padding_mode not in _MODES:
            raise ValueError(
                f"padding_mode must be one of {set(_MODES)}, but got padding_mode='{padding_mode}'"
            )
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size = _repeated(kernel_size, self._axes)
        self.stride = _repeated(stride, self._axes)
        self.padding = padding if isinstance(padding, str) else _repeated(padding, self._axes)
        self.dilation = _repeated(dilation, self._axes)
        self.output_padding = _repeated(output_padding, self._axes)
        self.groups, self.padding_mode = groups, padding_mode
        self.transposed = self._transposed

    @staticmethod
    def _check_padding(padding: str, stride: tuple[int, ...]) -> None:
        if padding not in ("same", "valid"):
            raise ValueError(
                f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}"
            )
        if padding == "same" and any(s != 1 for s in stride):
            raise ValueError("padding='same' is not supported for strided convolutions")

    def _fill(self, bias: bool, dtype: dtypes.dtype | None) -> None:
        ends = (self.in_channels, self.out_channels)
        first, second = ends if self._transposed else ends[::-1]
        self.weight = blank(first, second // self.groups, *self.kernel_size, dtype=dtype)
        bias_of(self, self.out_channels, bias, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init.fans(self.weight)
            if fan_in:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        nothing = (0,) * self._axes
        told = [
            f"{self.in_channels}, {self.out_channels}",
            f"kernel_size={self.kernel_size}, stride={self.stride}",
        ]
        if self.padding != nothing:
            told.append(f"padding={self.padding}")
        if self.dilation != (1,) * self._axes:
            told.append(f"dilation={self.dilation}")
        if self.output_padding != nothing:
            told.append(f"output_padding={self.output_padding}")
        if self.groups != 1:
            told.append(f"groups={self.groups}")
        if self.bias is None:
            told.append("bias=False")
        if self.padding_mode != "zeros":
            told.append(f"padding_mode={self.padding_mode}")
        return ", ".join(told)


class _Conv(_Convolution):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        sizes = (kernel_size, stride, padding, dilation, 0)
        self._settle(in_channels, out_channels, *sizes, groups, padding_mode)
        self._fill(bias, dtype)

    def _sides(self) -> list[int]:
        """How much is carried on around, last axis first."""
        each: list[int] = []
        for axis in reversed(range(self._axes)):
            if self.padding == "same":
                total = self.dilation[axis] * (self.kernel_size[axis] - 1)
                each += [total // 2, total - total // 2]
            else:
                amount = 0 if self.padding == "valid" else self.padding[axis]
                each += [amount, amount]
        return each

    def forward(self, input: Tensor) -> Tensor:
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._sides(), self.padding_mode), 0
        convolve = getattr(F, f"conv{self._axes}d")
        settings = (self.stride, padding, self.dilation, self.groups)
        return convolve(input, self.weight, self.bias, *settings)  # type: ignore[no-any-return]


class _ConvTranspose(_Convolution):
    _transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        sizes = (kernel_size, stride, padding, dilation, output_padding)
        self._settle(in_channels, out_channels, *sizes, groups, padding_mode)
        self._fill(bias, dtype)

    def _extra(self, input: Tensor, wanted: Any) -> tuple[int, ...]:
        """How much longer than the shortest the output is to be along each axis."""
        if wanted is None:
            return self.output_padding
        given = tuple(wanted)[-self._axes :]
        size = input._array.shape[-self._axes :]
        least = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1
            for n, s, p, d, k in zip(
                size, self.stride, self.padding, self.dilation, self.kernel_size, strict=True
            )
        ]
        most = [n + s - 1 for n, s in zip(least, self.stride, strict=True)]
        if any(not a <= n <= b for a, n, b in zip(least, given, most, strict=True)):
            raise ValueError(
                f"requested an output size of {list(given)}, but valid sizes range from {least} "
                f"to {most} (for an input of {input.shape[2:]})"
            )
        return tuple(n - a for n, a in zip(given, least, strict=True))

    def forward(self, input: Tensor, output_size: Any = None) -> Tensor:
        convolve = getattr(F, f"conv_transpose{self._axes}d")
        extra = self._extra(input, output_size)
        settings = (self.stride, self.padding, extra, self.groups, self.dilation)
        return convolve(input, self.weight, self.bias, *settings)  # type: ignore[no-any-return]


class Conv1d(_Conv):
    """A weight slid along the last axis of (N, C, L)."""

    _axes = 1


class Conv2d(_Conv):
    """A weight slid over the last two axes of (N, C, H, W)."""

    _axes = 2


class Conv3d(_Conv):
    """A weight slid over the last three axes of (N, C, D, H, W)."""

    _axes = 3


class ConvTranspose1d(_ConvTranspose):
    """What Conv1d's gradient does: each element lays the weight down."""

    _axes = 1


class ConvTranspose2d(_ConvTranspose):
    """What Conv2d's gradient does: each element lays the weight down."""

    _axes = 2


class ConvTranspose3d(_ConvTranspose):
    """What Conv3d's gradient does: each element lays the weight down."""

    _axes = 3
