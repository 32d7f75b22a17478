"""Activations in pieces, each of which is nearly a straight line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.op import Op, Sample, elementwise
from engine.ops.elementwise import ZERO
from engine.ops.kernels import FLOATING, kernel

# Inputs on both sides of every kink, none on one.
_BOTH = np.array([-4.0, -0.7, -0.2, 0.3, 0.8, 4.0])


_LEAKY = (
    " File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place "
    "leakRelu backward calculation with negative slope"
)


def _sample(**params: Any) -> tuple[Sample, ...]:
    return (Sample((_BOTH,), params),)


@kernel("elu_cpu", FLOATING)
def _elu(x: Any, *, alpha: float, scale: float = 1.0, input_scale: float = 1.0) -> Any:
    low = np.expm1(x * input_scale) * (alpha * scale)
    return np.where(x <= 0, low, x * scale)


def _elu_back(
    g: Any, y: Any, x: Any, *, alpha: float, scale: float = 1.0, input_scale: float = 1.0
) -> Any:
    low = g * (input_scale * alpha * scale * np.exp(x * input_scale))
    return np.where(x <= 0, low, g * scale)


def _refuse_negative(name: str, slope: float, more: str = "") -> None:
    if slope < 0:
        raise RuntimeError(
            f"In-place {name} backward calculation is triggered with a negative slope which is "
            "not supported. This is caused by calling in-place forward function with a negative "
            f"slope, please call out-of-place version instead.{more}"
        )


def _elu_result_back(
    g: Any, y: Any, x: Any, *, alpha: float, scale: float = 1.0, input_scale: float = 1.0
) -> Any:
    _refuse_negative("elu", alpha)
    return np.where(y <= 0, g * (input_scale * (y + alpha * scale)), g * scale)


def _leaky_relu_result_back(g: Any, y: Any, x: Any, *, negative_slope: float) -> Any:
    _refuse_negative("leakyReLu", negative_slope, _LEAKY)
    return g * STEP(y, low=negative_slope)


@kernel("leaky_relu_cpu", FLOATING)
def _leaky_relu(x: Any, *, negative_slope: float) -> Any:
    return np.where(x > 0, x, x * negative_slope)


@kernel("prelu_cpu", FLOATING)
def _prelu(x: Any, weight: Any) -> Any:
    return np.where(x > 0, x, weight * x)


@kernel("clamp is not supported for complex types")
def _hardtanh(x: Any, *, min_val: float, max_val: float) -> Any:
    return np.clip(x, min_val, max_val)


@kernel("threshold_cpu", "bc")
def _threshold(x: Any, *, threshold: float, value: float) -> Any:
    return np.where(x <= threshold, value, x).astype(x.dtype)


@kernel("hardsigmoid_cpu", FLOATING)
def _hardsigmoid(x: Any) -> Any:
    return np.clip(x + 3, 0, 6) / 6


@kernel("hardswish_cpu", FLOATING)
def _hardswish(x: Any) -> Any:
    return x * np.clip(x + 3, 0, 6) / 6


@kernel("hardshrink_cpu", FLOATING)
def _hardshrink(x: Any, *, lambd: float) -> Any:
    return np.where((x >= -lambd) & (x <= lambd), 0, x).astype(x.dtype)


def _between(x: Any, low: float, high: float) -> Any:
    return (x > low) & (x < high)


def _hardswish_back(g: Any, y: Any, x: Any) -> Any:
    bend = np.where(x < 3, g * (x / 3 + 0.5), g)
    return np.where(x <= -3, np.zeros_like(g), bend)


@kernel("softshrink_check", FLOATING)
def _softshrink(x: Any, *, lambd: float) -> Any:
    outside = np.where(x > lambd, x - lambd, x + lambd)
    return np.where((x >= -lambd) & (x <= lambd), x * 0, outside)


ELU = elementwise(
    "elu",
    _elu,
    (_elu_back,),
    samples=(*_sample(alpha=0.7), *_sample(alpha=0.7, scale=1.2, input_scale=0.5)),
)
# These slopes are flat: with them a second derivative is 0, as in PyTorch, and not missing.
STEP = elementwise(
    "step",
    lambda x, *, low: np.where(x > 0, 1, low).astype(x.dtype),
    (lambda g, y, x, *, low: np.zeros_like(g),),
    samples=_sample(low=0.1),
)
LEAKY_RELU = elementwise(
    "leaky_relu",
    _leaky_relu,
    (lambda g, y, x, *, negative_slope: g * STEP(x, low=negative_slope),),
    samples=_sample(negative_slope=0.1),
)
HARDTANH = elementwise(
    "hardtanh",
    _hardtanh,
    (lambda g, y, x, *, min_val, max_val: np.where((x <= min_val) | (x >= max_val), ZERO(x), g),),
    samples=_sample(min_val=-1.0, max_val=0.5),
)

THRESHOLD = elementwise(
    "threshold",
    _threshold,
    (lambda g, y, x, *, threshold, value: np.where(x <= threshold, ZERO(x), g),),
    samples=_sample(threshold=0.1, value=0.05),
)


def _from_result(row: Op, rule: Any) -> Op:
    """The row as it works in place, where its input is gone: the rule reads the result."""
    node = str(row.grad_fn).replace("Backward0", "Backward1")
    return replace(row, name=f"{row.name}_result", grad_fn=node, pullbacks=(rule,))


ELU_RESULT = _from_result(ELU, _elu_result_back)
LEAKY_RELU_RESULT = _from_result(LEAKY_RELU, _leaky_relu_result_back)

ROWS = (
    STEP,
    ELU,
    ELU_RESULT,
    replace(ELU, name="celu", grad_fn="CeluBackward0"),
    replace(ELU_RESULT, name="celu_result", grad_fn="CeluBackward1"),
    LEAKY_RELU,
    LEAKY_RELU_RESULT,
    replace(LEAKY_RELU, name="rrelu", grad_fn="RreluWithNoiseBackward0"),
    replace(LEAKY_RELU_RESULT, name="rrelu_result", grad_fn="RreluWithNoiseBackward1"),
    HARDTANH,
    THRESHOLD,
    replace(THRESHOLD, name="threshold_result", grad_fn="ThresholdBackward1"),
    elementwise(
        "hardsigmoid",
        _hardsigmoid,
        (lambda g, y, x: np.where(_between(x, -3, 3), g / 6, 0),),
        samples=_sample(),
    ),
    elementwise(
        "hardswish",
        _hardswish,
        (_hardswish_back,),
        samples=_sample(),
    ),
    elementwise(
        "hardshrink",
        _hardshrink,
        (lambda g, y, x, *, lambd: np.where((x >= -lambd) & (x <= lambd), ZERO(x), g),),
        samples=_sample(lambd=0.5),
    ),
    elementwise(
        "softshrink",
        _softshrink,
        (lambda g, y, x, *, lambd: np.where((x >= -lambd) & (x <= lambd), ZERO(x), g),),
        samples=_sample(lambd=0.5),
    ),
    elementwise(
        "prelu_kernel",
        _prelu,
        (
            lambda g, y, x, weight: np.where(x > 0, g, weight * g),
            lambda g, y, x, weight: np.where(x > 0, np.zeros_like(g), x * g),
        ),
        samples=(Sample((_BOTH, (6,))),),
    ),
)
