"""Arithmetic with a number that is no tensor, as PyTorch's own composite functions use it."""

from __future__ import annotations

from engine.op import Sample, elementwise
from engine.ops.elementwise import beside

_TWO = (Sample(((2,),), {"value": 2.0}),)

ROWS = (
    elementwise(
        "add_number",
        lambda x, *, value: beside(x, value) + value,
        (lambda g, y, x, *, value: g,),
        "AddBackward1",
        samples=_TWO,
    ),
    elementwise(
        "sub_number",
        lambda x, *, value: beside(x, value) - value,
        (lambda g, y, x, *, value: g,),
        "SubBackward1",
        samples=_TWO,
    ),
    elementwise(
        "mul_number",
        lambda x, *, value: beside(x, value) * value,
        (lambda g, y, x, *, value: g * value,),
        "MulBackward1",
        samples=_TWO,
    ),
    elementwise(
        "div_number",
        lambda x, *, value: x / value,
        (lambda g, y, x, *, value: g / value,),
        "DivBackward1",
        promote="float",
        samples=_TWO,
    ),
    elementwise(
        "rsub_number",
        lambda x, *, value: value - beside(x, value),
        (lambda g, y, x, *, value: -g,),
        "RsubBackward1",
        samples=_TWO,
    ),
    elementwise(
        "rsub_tensor",
        lambda a, b, *, alpha: b - alpha * a,
        (lambda g, y, a, b, *, alpha: -alpha * g, lambda g, y, a, b, *, alpha: g),
        "RsubBackward0",
        samples=(Sample(((2,), (2,)), {"alpha": 2}),),
    ),
)
