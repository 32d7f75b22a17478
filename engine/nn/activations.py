"""Activations of `torch.nn.functional`, beside the ones that every network has."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.functions import reductions, shapes
from engine.functions.elementwise import refuse_complex_gradient
from engine.functions.in_place import in_place
from engine.functions.shapes import axis_of
from engine.ops import OPS
from engine.tensor import Tensor, apply

_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


_FROM_RESULT = {"elu", "celu", "leaky_relu", "rrelu", "threshold"}  # rows of their own


def _applied(name: str, input: Tensor, inplace: bool, **params: Any) -> Tensor:
    """The row on the input, into whose memory the result is written with `inplace`."""
    if not inplace:
        return apply(OPS[name], (input,), params)
    op = OPS[f"{name}_result" if name in _FROM_RESULT else name]
    return in_place(lambda x: apply(op, (x,), params))(input)  # type: ignore[no-any-return]


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """The element where it is above the threshold, else `value`."""
    return _applied("threshold", input, inplace, threshold=threshold, value=value)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """The element held between 0 and 6."""
    return hardtanh(input, 0, 6, inplace)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """The element held between two bounds, at which the slope is 0."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    kind = input._array.dtype.kind
    if kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if kind in "iu":
        min_val, max_val = int(min_val), int(max_val)
        if kind == "u" and min_val < 0:
            raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    return _applied("hardtanh", input, inplace, min_val=min_val, max_val=max_val)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """The element where it is positive, else alpha * (exp(x) - 1)."""
    return _applied("elu", input, inplace, alpha=alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """A scaled elu whose outputs keep mean 0 and variance 1 (Klambauer et al. 2017)."""
    return _applied("elu", input, inplace, alpha=_SELU_ALPHA, scale=_SELU_SCALE)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """The element where it is positive, else alpha * (exp(x / alpha) - 1)."""
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    return _applied("celu", input, inplace, alpha=alpha, input_scale=1 / alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """The element, times `negative_slope` where it is not positive."""
    return _applied("leaky_relu", input, inplace, negative_slope=negative_slope)


def rrelu(
    input: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """leaky_relu whose slope is drawn in training and otherwise halfway between its bounds."""
    if training:
        raise NotImplementedError("rrelu with training=True, which draws slopes, is not available")
    return _applied("rrelu", input, inplace, negative_slope=(lower + upper) / 2)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """leaky_relu whose slope is learnt: one `weight`, or one for each channel (axis 1)."""
    _check_slopes(input, weight)
    axes, slopes = input._array.ndim, weight._array
    if axes > 1:
        weight = shapes.view(weight, 1, slopes.size, *[1] * (axes - 2))
    elif axes != slopes.ndim:
        weight = shapes.view(weight, *[1] * axes) if axes else shapes.view(weight, ())
    return apply(OPS["prelu_kernel"], (input, weight), {})


def _check_slopes(input: Tensor, weight: Tensor) -> None:
    shape, slopes = input._array.shape, weight._array
    if input._array.dtype != slopes.dtype:
        raise RuntimeError(
            f"prelu: Type promoting not supported. Got {dtypes.word(input.dtype)} and "
            f"{dtypes.word(weight.dtype)}"
        )
    if slopes.ndim > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {slopes.ndim}"
        )
    if slopes.size != 1:
        if not shape:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = shape[1] if len(shape) > 1 else 1
        if channels != slopes.size:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{slopes.size} and channel size = {channels}."
            )


def gelu(input: Tensor, *, approximate: str = "none") -> Tensor:
    """The element times the normal probability below it (or its tanh form)."""
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return apply(OPS["gelu"], (input,), {"approximate": approximate})


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """The element times its sigmoid."""
    refuse_complex_gradient("silu", input)
    return _applied("silu", input, inplace)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """The element times tanh(softplus(x))."""
    return _applied("mish", input, inplace)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """The element times hardsigmoid."""
    return _applied("hardswish", input, inplace)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """X / 6 + 1/2, held between 0 and 1."""
    return _applied("hardsigmoid", input, inplace)


def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """0 within [-lambd, lambd], else the element."""
    return apply(OPS["hardshrink"], (input,), {"lambd": lambd})


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """The element moved by `lambd` towards 0, and 0 where it is nearer than that."""
    if lambd < 0 and input._array.dtype.kind == "f":
        most = np.finfo(input._array.dtype).max
        raise RuntimeError(
            f"lambda must be in range [0, {most:g}] for input dtype {dtypes.word(input.dtype)}, "
            f"but found {lambd:g}"
        )
    return apply(OPS["softshrink"], (input,), {"lambd": lambd})


def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """log(1 + exp(beta x)) / beta, and x where beta x is above the threshold."""
    return apply(OPS["softplus"], (input,), {"beta": beta, "threshold": threshold})


def logsigmoid(input: Tensor) -> Tensor:
    """The logarithm of the sigmoid."""
    return apply(OPS["log_sigmoid"], (input,), {})


def softsign(input: Tensor) -> Tensor:
    """X / (1 + |x|)."""
    return input / (input.abs() + 1)  # type: ignore[no-any-return]


def tanhshrink(input: Tensor) -> Tensor:
    """X - tanh(x)."""
    return input - input.tanh()  # type: ignore[no-any-return]


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along an axis times the sigmoid of the second."""
    shape = input._array.shape
    if not shape:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    axis = axis_of(dim, len(shape))
    if shape[axis] % 2:
        raise RuntimeError(
            f"Halving dimension must be even, but dimension {axis} is size {shape[axis]}"
        )
    return apply(OPS["glu"], (input,), {"dim": axis})


def softmin(
    input: Tensor,
    dim: int | None = None,
    _stacklevel: int = 3,
    dtype: dtypes.dtype | None = None,
) -> Tensor:
    """The softmax of -x."""
    from engine.nn.functional import _implied_dim

    axis = _implied_dim("softmin", input._array.ndim) if dim is None else dim
    return reductions.softmax(-input, axis, dtype)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """Declined: it draws exponential numbers."""
    raise NotImplementedError("gumbel_softmax, which draws exponential numbers, is not available")


def _written(function: Any) -> Any:
    def variant(input: Tensor, *args: Any, **given: Any) -> Tensor:
        return function(input, *args, inplace=True, **given)  # type: ignore[no-any-return]

    variant.__name__ = variant.__qualname__ = f"{function.__name__}_"
    variant.__doc__ = f"As {function.__name__}, written into the input's memory."
    return variant


threshold_, hardtanh_, elu_, selu_ = (_written(f) for f in (threshold, hardtanh, elu, selu))
celu_, leaky_relu_, rrelu_ = (_written(f) for f in (celu, leaky_relu, rrelu))
