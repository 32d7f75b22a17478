"""Elementwise operators: arithmetic, powers, exponentials, comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.op import Sample, elementwise
from engine.ops.kernels import kernel


def is_complex(x: Any) -> bool:
    """Whether an array, a name of a formula or a tensor holds complex numbers."""
    kind = x.dtype
    return bool(kind.kind == "c") if isinstance(kind, np.dtype) else bool(kind.is_complex)


def _pow_base(g: Any, y: Any, x: Any, *, exponent: Any) -> Any:
    """d(x^p)/dx = p x^(p-1), and exactly 0 for p = 0 even where x is 0."""
    if exponent == 2:
        return g * (x + x if type(x) is np.ndarray else 2 * x)
    if exponent == 0:
        return np.zeros_like(g)
    if exponent == 1:
        return g
    if exponent == 0.5:
        return g * (0.5 / np.sqrt(x))
    return g * (exponent * x ** (exponent - 1))


def _pow_tensor_base(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where(b == 0, np.zeros_like(a), g * (b * a ** (b - 1)))


def _pow_tensor_exponent(g: Any, y: Any, a: Any, b: Any) -> Any:
    # 0 to a power of at least 0 is flat in the exponent: PyTorch gives 0 there, not nan.
    return g * np.where((a == 0) & (b >= 0), np.zeros_like(y), y * np.log(a))


def _pow_number_base(g: Any, y: Any, x: Any, *, base: Any) -> Any:
    if base == 0:
        return np.where(x >= 0, np.zeros_like(y), g * (y * np.log(base)))
    return g * (y * np.log(base))


def beside(x: Any, number: Any) -> Any:
    """The array in the dtype that it takes next to a Python number."""
    kind = np.asarray(number).dtype
    if x.dtype.kind == kind.kind or x.dtype.kind == "c" or (x.dtype.kind, kind.kind) == ("f", "i"):
        return x
    return x.astype(dtypes.result_type([(x.dtype, x.ndim, False), (kind, 0, True)]))


def _power_of(x: Any, *, exponent: Any) -> Any:
    if x.dtype.kind == "f" and type(exponent) is int:
        return x**exponent  # nearly all powers there are
    return _any_power_of(x, exponent=exponent)


@kernel("pow", "")
def _any_power_of(x: Any, *, exponent: Any) -> Any:
    if type(exponent) is int and x.dtype.kind == "f":
        return x**exponent
    x = beside(x, exponent)
    if x.dtype.kind in "iu" and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    if exponent == -0.5 and x.dtype.kind == "f":
        return 1 / np.sqrt(x)  # not the power: they differ at -0 and -inf
    if type(exponent) in (int, float):
        return x**exponent  # a Python number takes the array's dtype
    return np.power(x, np.asarray(exponent).astype(x.dtype))


def _base_to(x: Any, *, base: Any) -> Any:
    x = beside(x, base)
    return _power(np.asarray(base).astype(x.dtype), x)


@kernel("pow", "b")
def _power(a: Any, b: Any) -> Any:
    """Powers of integers too: a negative one is the inverse, rounded towards 0."""
    if a.dtype.kind != "i":
        return np.power(a, b)
    whole = np.power(a, np.maximum(b, 0))
    inverse = np.where(np.absolute(a) == 1, np.where(b % 2 == 0, 1, a), 0).astype(a.dtype)
    return np.where(b < 0, inverse, whole)


def _div_denominator(g: Any, y: Any, a: Any, b: Any) -> Any:
    return -g * (a / b / b)


def extreme(name: str) -> Any:
    """The kernel of an extreme of two operands."""
    return kernel(f"{name} not implemented for complex tensors.", error=RuntimeError)


def _larger(g: Any, y: Any, a: Any, b: Any) -> Any:
    # PyTorch halves the gradient between equal operands, and gives it to both where one is nan.
    return np.where(a < b, np.zeros_like(g), np.where(a == b, g / 2, g))


def _smaller(g: Any, y: Any, a: Any, b: Any) -> Any:
    return np.where(a > b, np.zeros_like(g), np.where(a == b, g / 2, g))


def _copied(x: Any) -> Any:
    """A copy in the same order, row by row where the same memory is shown again and again."""
    return x.copy("C" if 0 in x.strides else "K")


@kernel("clamp is not supported for complex types")
def _clamp(x: Any, *, min: Any = None, max: Any = None) -> Any:
    return (
        np.minimum(x if min is None else np.maximum(x, min), max)
        if max is not None
        else (np.maximum(x, min))
    )


def _clamp_back(g: Any, y: Any, x: Any, *, min: Any = None, max: Any = None) -> Any:
    if min is None:
        return np.where(x <= max, g, 0)
    return np.where(x >= min if max is None else (x >= min) & (x <= max), g, 0)


def whole(function: Any) -> Any:
    """A rounding function, which leaves integers as they are."""

    @kernel(f"{function.__name__}_vml_cpu", "b")
    @kernel(f"{function.__name__} is not supported for complex inputs")
    def rounded(x: Any) -> Any:
        return function(x) if x.dtype.kind == "f" else np.copy(x)

    return rounded


_SCALED = (Sample(((2,), (2,)), {"alpha": 3}),)
ZERO = elementwise("zero", np.zeros_like, (lambda g, y, x: np.zeros_like(g),))
POW_NUMBER = elementwise(
    "pow_number",
    _base_to,
    (_pow_number_base,),
    "PowBackward2",
    reads=(frozenset({"y", 0}),),  # the input matters for the base 0 only
    samples=(Sample(((2,),), {"base": 2}),),
)

ROWS = (
    elementwise("add", np.add, (lambda g, y, a, b: g, lambda g, y, a, b: g)),
    elementwise("sub", np.subtract, (lambda g, y, a, b: g, lambda g, y, a, b: -g)),
    elementwise(
        "add_scaled",
        lambda a, b, *, alpha: a + alpha * b,
        (lambda g, y, a, b, *, alpha: g, lambda g, y, a, b, *, alpha: g * alpha),
        "AddBackward0",
        samples=_SCALED,
    ),
    elementwise(
        "sub_scaled",
        lambda a, b, *, alpha: a - alpha * b,
        (lambda g, y, a, b, *, alpha: g, lambda g, y, a, b, *, alpha: -g * alpha),
        "SubBackward0",
        samples=_SCALED,
    ),
    elementwise(
        "rsub",
        lambda a, b: b - a,
        (lambda g, y, a, b: -g, None),
        "RsubBackward1",
        samples=(Sample(((2,), np.array(3))),),
    ),
    elementwise("mul", np.multiply, (lambda g, y, a, b: g * b, lambda g, y, a, b: g * a)),
    elementwise(
        "div", np.true_divide, (lambda g, y, a, b: g / b, _div_denominator), promote="float"
    ),
    elementwise(
        "pow",
        _power_of,
        (_pow_base,),
        reads=(frozenset({0}),),
        samples=(
            Sample(((2,),), {"exponent": 3}),
            Sample(((2, 2),), {"exponent": 2}),
            Sample(((2,),), {"exponent": -0.5}),
        ),
    ),
    elementwise("pow_tensor", _power, (_pow_tensor_base, _pow_tensor_exponent), "PowBackward1"),
    POW_NUMBER,
    elementwise("exp", np.exp, (lambda g, y, x: g * y,), promote="float"),
    elementwise("log", np.log, (lambda g, y, x: g / x,), promote="float"),
    elementwise("sqrt", np.sqrt, (lambda g, y, x: g / (2 * y),), promote="float"),
    elementwise(
        "rsqrt", lambda x: 1 / np.sqrt(x), (lambda g, y, x: -0.5 * g * y**3,), promote="float"
    ),
    elementwise("sin", np.sin, (lambda g, y, x: g * np.cos(x),), promote="float"),
    elementwise("cos", np.cos, (lambda g, y, x: g * -np.sin(x),), promote="float"),
    elementwise("tanh", np.tanh, (lambda g, y, x: g * (1 - y * y),), promote="float"),
    elementwise("reciprocal", lambda x: 1 / x, (lambda g, y, x: -g * (y * y),), promote="float"),
    elementwise("floor", whole(np.floor), (lambda g, y, x: np.zeros_like(g),)),
    elementwise("ceil", whole(np.ceil), (lambda g, y, x: np.zeros_like(g),)),
    elementwise(
        "round", kernel("round_vml_cpu", "bc")(np.round), (lambda g, y, x: np.zeros_like(g),)
    ),
    elementwise(
        "maximum", extreme("maximum")(np.maximum), (_larger, lambda g, y, a, b: _larger(g, y, b, a))
    ),
    elementwise(
        "minimum",
        extreme("minimum")(np.minimum),
        (_smaller, lambda g, y, a, b: _smaller(g, y, b, a)),
    ),
    elementwise(
        "clamp",
        _clamp,
        (_clamp_back,),
        "ClampBackward1",
        samples=(Sample(((3,),), {"min": 0.9, "max": 1.1}), Sample(((3,),), {"max": 1.1})),
    ),
    elementwise(
        "clamp_min",
        _clamp,
        (_clamp_back,),
        samples=(Sample(((3,),), {"min": 0.9}),),
    ),
    elementwise(
        "clamp_max",
        _clamp,
        (_clamp_back,),
        samples=(Sample(((3,),), {"max": 0.9}),),
    ),
    elementwise("gt", kernel("gt_cpu")(np.greater), (None, None)),
    elementwise("lt", kernel("lt_cpu")(np.less), (None, None)),
    elementwise("ge", kernel("ge_cpu")(np.greater_equal), (None, None)),
    elementwise("le", kernel("le_cpu")(np.less_equal), (None, None)),
    elementwise("eq", np.equal, (None, None)),
    elementwise("ne", np.not_equal, (None, None)),
    elementwise("logical_and", np.logical_and, (None, None)),
    elementwise("logical_or", np.logical_or, (None, None)),
    elementwise("logical_not", np.logical_not, (None,)),
    elementwise("bitwise_and", kernel("bitwise_and_cpu", "fc")(np.bitwise_and), (None, None)),
    elementwise("bitwise_or", kernel("bitwise_or_cpu", "fc")(np.bitwise_or), (None, None)),
    elementwise("bitwise_xor", kernel("bitwise_xor_cpu", "fc")(np.bitwise_xor), (None, None)),
    elementwise("bitwise_not", kernel("bitwise_not_cpu", "fc")(np.invert), (None,)),
    elementwise("isnan", np.isnan, (None,)),
    elementwise("isinf", np.isinf, (None,)),
    elementwise("isfinite", np.isfinite, (None,)),
    elementwise(
        "where",
        np.where,
        (None, lambda g, y, c, a, b: np.where(c, g, 0), lambda g, y, c, a, b: np.where(c, 0, g)),
        promote="rest",
        samples=(Sample((np.array([True, False]), (2,), (2,))),),
    ),
    ZERO,
    elementwise(
        "fill",
        lambda x, *, value: np.full_like(x, value),
        (lambda g, y, x, *, value: np.zeros_like(g),),
        "FillBackward2",
        samples=(Sample(((2,),), {"value": 3}),),
    ),
    elementwise(
        "copy",
        lambda x, source: np.broadcast_to(source, x.shape).astype(x.dtype),
        (lambda g, y, x, source: np.zeros_like(g), lambda g, y, x, source: g),
        "torch::autograd::CopyBackwards",
        promote="none",
        samples=(Sample(((2, 3), (3,))),),
    ),
    elementwise("clone", _copied, (lambda g, y, x: g,)),
    elementwise("keep_grad", np.copy, (lambda g, y, x: g,), "torch::autograd::CopyBackwards"),
    elementwise("detach", lambda x: x, (None,), is_view=True),
    elementwise(
        "to",
        lambda x, *, dtype: x.astype(dtype),
        (lambda g, y, x, *, dtype: g,),
        "ToCopyBackward0",
        samples=(Sample(((2,),), {"dtype": np.dtype("float64")}),),
    ),
)
