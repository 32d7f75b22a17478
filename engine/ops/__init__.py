"""The table of operator rows, by name."""

from __future__ import annotations

import importlib
from typing import Any

from engine.op import Op
from engine.ops import (
    activation,
    division,
    elementwise,
    index,
    linalg,
    loss,
    reduction,
    shape,
    signs,
)

# Families that few programs use: they are loaded when a name is not found among the others.
LATE = (
    "arrangement",
    "attention",
    "bessel",
    "binary_losses",
    "bounds",
    "combined",
    "complexes",
    "convolution",
    "copies",
    "ctc",
    "custom",
    "distances",
    "drawn",
    "embedding",
    "error",
    "exponential",
    "factorization",
    "folding",
    "fourier",
    "gamma",
    "gates",
    "inner",
    "integers",
    "least_squares",
    "logic",
    "lu",
    "margin_losses",
    "masking",
    "max_pooling",
    "normalization",
    "norms",
    "numbers",
    "ordering",
    "padding",
    "pooling",
    "products",
    "rectifiers",
    "reflections",
    "resampling",
    "robust_losses",
    "rounding",
    "sampling",
    "scan",
    "scatter",
    "scatter_reduce",
    "solving",
    "spectral",
    "statistics",
    "strided",
    "trigonometric",
)


class Table(dict[str, Op]):
    """Rows by name, all of them; those of a late family are read when first asked for."""

    _waiting: tuple[str, ...] = LATE

    def __missing__(self, name: str) -> Op:
        self._load()
        return dict.__getitem__(self, name) if dict.__contains__(self, name) else self._fail(name)

    def __contains__(self, name: object) -> bool:
        if not dict.__contains__(self, name):
            self._load()
        return dict.__contains__(self, name)

    def items(self) -> Any:
        self._load()
        return super().items()

    def _load(self) -> None:
        families, self._waiting = self._waiting, ()
        for family in families:
            module = importlib.import_module(f"engine.ops.{family}")
            self.update({row.name: row for row in module.ROWS})

    @staticmethod
    def _fail(name: str) -> Op:
        raise KeyError(name)


OPS = Table(
    {
        row.name: row
        for family in (
            elementwise,
            division,
            signs,
            reduction,
            linalg,
            shape,
            index,
            activation,
            loss,
        )
        for row in family.ROWS
    }
)
