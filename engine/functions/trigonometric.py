"""Trigonometric and hyperbolic functions, and their inverses."""

from __future__ import annotations

from typing import Any

from engine.functions.arguments import check_two_tensors
from engine.functions.arithmetic import named
from engine.functions.elementwise import unary
from engine.tensor import Tensor

tan = unary("tan", "The tangent.")
asin = arcsin = unary("asin", "The angle whose sine the element is; nan outside [-1, 1].")
acos = arccos = unary("acos", "The angle whose cosine the element is; nan outside [-1, 1].")
atan = arctan = unary("atan", "The angle whose tangent the element is.")
sinh = unary("sinh", "The hyperbolic sine.")
cosh = unary("cosh", "The hyperbolic cosine.")
asinh = arcsinh = unary("asinh", "The inverse of the hyperbolic sine.")
acosh = arccosh = unary("acosh", "The inverse of the hyperbolic cosine; nan below 1.")
atanh = arctanh = unary("atanh", "The inverse of the hyperbolic tangent; nan outside [-1, 1].")
sinc = unary("sinc", "sin(pi x) / (pi x), and 1 at 0.")


def _turned(name: str, text: str) -> Any:
    real = unary(name, text)

    def function(input: Tensor) -> Tensor:
        if isinstance(input, Tensor) and input._array.dtype.kind == "c":
            raise RuntimeError(f"{name} is not supported for complex tensors.")
        return real(input)  # type: ignore[no-any-return]

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


deg2rad = _turned("deg2rad", "Degrees as radians.")
rad2deg = _turned("rad2deg", "Radians as degrees.")


atan2 = arctan2 = named(
    "atan2",
    "The angle of the point (other, input), in (-pi, pi]; at the origin it has no gradient.",
    check_two_tensors,
)
hypot = named(
    "hypot", "sqrt(input² + other²); its gradient at the origin is nan.", check_two_tensors
)
