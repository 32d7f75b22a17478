"""Matrix products."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample


def turned(x: Any) -> Any:
    """The transpose of each matrix."""
    return np.swapaxes(x, -1, -2)


def is_complex(x: Any) -> bool:
    """Whether an array, a name or a tensor is complex."""
    kind = x.dtype
    return bool(kind.kind == "c" if isinstance(kind, np.dtype) else kind.is_complex)


def conjugated(x: Any) -> Any:
    """The complex conjugate; real numbers as they are, so that formulas of them stay short."""
    return np.conjugate(x) if is_complex(x) else x


def adjoint(x: Any) -> Any:
    """The conjugate transpose of each matrix."""
    return turned(conjugated(x))


def scaled(x: Any, factor: Any) -> Any:
    """The product, left out where the factor is 1."""
    return x if factor == 1 else x * factor


def plus(c: Any, product: Any, *, beta: Any, alpha: Any) -> Any:
    """`beta` c + `alpha` product in the product's dtype; with `beta` 0, c may hold anything."""
    if product.dtype.kind in "iu":
        beta, alpha = int(beta), int(alpha)
    product = scaled(product, alpha)
    if beta == 0:
        return product
    return scaled(c, beta) + product


def _rows_many(g: Any, y: Any, a: Any, b: Any) -> Any:
    """`g @ b.T` of many matrices g, as one product with a tall one."""
    many, rows, columns = g.shape
    tall = np.reshape(g, (many * rows, columns)) @ turned(b)
    return np.reshape(tall, (many, rows, b.shape[0]))


def _addmm(c: Any, a: Any, b: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return plus(c, np.matmul(a, b), beta=beta, alpha=alpha)


ROWS = (
    Op(
        "mm",
        np.matmul,
        (lambda g, y, a, b: g @ turned(b), lambda g, y, a, b: turned(a) @ g),
        many=(_rows_many, lambda g, y, a, b: turned(a) @ g),
        promote="none",
        samples=(Sample(((2, 3), (3, 4))),),
    ),
    Op(
        "bmm",
        np.matmul,
        (lambda g, y, a, b: g @ turned(b), lambda g, y, a, b: turned(a) @ g),
        batched=True,
        promote="none",
        samples=(Sample(((2, 2, 3), (2, 3, 4))),),
    ),
    Op(
        "mv",
        np.matmul,
        (lambda g, y, a, b: np.outer(g, b), lambda g, y, a, b: turned(a) @ g),
        many=(
            lambda g, y, a, b: np.expand_dims(g, -1) * b,
            lambda g, y, a, b: g @ a,
        ),
        promote="none",
        samples=(Sample(((2, 3), (3,))),),
    ),
    Op(
        "dot",
        np.dot,
        (lambda g, y, a, b: g * b, lambda g, y, a, b: g * a),
        many=(
            lambda g, y, a, b: np.expand_dims(g, -1) * b,
            lambda g, y, a, b: np.expand_dims(g, -1) * a,
        ),
        promote="none",
        samples=(Sample(((3,), (3,))),),
    ),
    Op(
        "addmm",
        _addmm,
        (
            lambda g, y, c, a, b, *, beta=1, alpha=1: scaled(g, beta),
            lambda g, y, c, a, b, *, beta=1, alpha=1: scaled(g @ turned(b), alpha),
            lambda g, y, c, a, b, *, beta=1, alpha=1: scaled(turned(a) @ g, alpha),
        ),
        batched=True,
        promote="none",
        samples=(
            Sample(((4,), (2, 3), (3, 4))),
            Sample(((2, 4), (2, 3), (3, 4)), {"beta": 0.5, "alpha": 2}),
        ),
    ),
)
