"""Activations as modules."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn import init
from engine.nn.module import Module
from engine.nn.modules.applied import NEEDED, Applied, settings
from engine.nn.parameter import blank
from engine.tensor import Tensor

_IN_PLACE = {"inplace": False}


class ReLU(Module):
    """The input where it is positive, else 0."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return input.relu_() if self.inplace else F.relu(input)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class Sigmoid(Applied):
    """1 / (1 + exp(-x))."""

    _function = "sigmoid"


class Tanh(Applied):
    """The hyperbolic tangent."""

    _function = "tanh"


class Softmax(Applied):
    """softmax along an axis."""

    _function = "softmax"
    _settings = settings(dim=None)
    _shown = ("dim",)


class LogSoftmax(Softmax):
    """log_softmax along an axis."""

    _function = "log_softmax"


class Softmin(Softmax):
    """softmax of the negative, along an axis."""

    _function = "softmin"


class Softmax2d(Module):
    """softmax over the channels of (N, C, H, W) or (C, H, W)."""

    def forward(self, input: Tensor) -> Tensor:
        ndim = input._array.ndim
        if ndim not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {ndim}D instead")
        return F.softmax(input, -3)


class GELU(Applied):
    """x times the normal distribution at x."""

    _function = "gelu"
    _settings = settings(approximate="none")
    _shown = ("approximate",)


class LeakyReLU(Applied):
    """The input where it is positive, else a small part of it."""

    _function = "leaky_relu"
    _settings = settings(negative_slope=0.01, **_IN_PLACE)
    _shown = ("negative_slope", "inplace")


class RReLU(Applied):
    """A leaky ReLU whose slope is drawn anew for each element in training."""

    _function = "rrelu"
    _settings = settings(lower=1.0 / 8, upper=1.0 / 3, **_IN_PLACE)
    _shown = ("lower", "upper", "inplace")

    def forward(self, *inputs: Any) -> Any:
        return F.rrelu(*inputs, self.lower, self.upper, self.training, self.inplace)


class ELU(Applied):
    """The input where it is positive, else alpha * (exp(x) - 1)."""

    _function = "elu"
    _settings = settings(alpha=1.0, **_IN_PLACE)
    _shown = ("alpha", "inplace")


class CELU(ELU):
    """ELU of x / alpha, without a kink."""

    _function = "celu"


class SELU(Applied):
    """ELU scaled so that mean 0 and variance 1 stay."""

    _function = "selu"
    _settings = _IN_PLACE
    _shown = ("inplace",)


class ReLU6(SELU):
    """ReLU up to 6."""

    _function = "relu6"


class SiLU(SELU):
    """x * sigmoid(x)."""

    _function = "silu"


class Mish(SELU):
    """x * tanh(softplus(x))."""

    _function = "mish"


class Hardsigmoid(Applied):
    """A sigmoid of straight lines."""

    _function = "hardsigmoid"
    _settings = _IN_PLACE


class Hardswish(Hardsigmoid):
    """x * hardsigmoid(x)."""

    _function = "hardswish"


class Hardtanh(Applied):
    """The input between two bounds."""

    _function = "hardtanh"
    _settings = settings(min_val=-1.0, max_val=1.0, **_IN_PLACE)
    _shown = ("min_val", "max_val", "inplace")


class Threshold(Applied):
    """The input above a threshold, else a fixed value."""

    _function = "threshold"
    _settings = settings(threshold=NEEDED, value=NEEDED, **_IN_PLACE)
    _shown = ("threshold", "value", "inplace")


class Hardshrink(Applied):
    """0 between -lambd and lambd."""

    _function = "hardshrink"
    _settings = settings(lambd=0.5)

    def extra_repr(self) -> str:
        return f"{self.lambd}"


class Softshrink(Hardshrink):
    """The input brought lambd closer to 0."""

    _function = "softshrink"


class Softplus(Applied):
    """log(1 + exp(beta * x)) / beta; above the threshold the input itself."""

    _function = "softplus"
    _settings = settings(beta=1.0, threshold=20.0)
    _shown = ("beta", "threshold")


class LogSigmoid(Applied):
    """The logarithm of the sigmoid."""

    _function = "logsigmoid"


class Softsign(Applied):
    """x / (1 + |x|)."""

    _function = "softsign"


class Tanhshrink(Applied):
    """x - tanh(x)."""

    _function = "tanhshrink"


class GLU(Applied):
    """Half of the features times the sigmoid of the other half."""

    _function = "glu"
    _settings = settings(dim=-1)
    _shown = ("dim",)


class PReLU(Module):
    """A leaky ReLU whose slope is learned, one or one for each channel."""

    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = blank(num_parameters, dtype=dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """The slope that it starts from."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"
