"""Give `Tensor` its methods and operators: the functions of every family, under their names."""

from __future__ import annotations

from typing import Any

from engine import conversions, dispatch, late, start
from engine.functions import (
    arithmetic,
    elementwise,
    in_place,
    indexing,
    pieces,
    products,
    reductions,
)
from engine.tensor import Tensor

FUNCTIONS: dict[str, Any] = {
    **arithmetic.FUNCTIONS,
    **elementwise.FUNCTIONS,
    **reductions.FUNCTIONS,
    **pieces.FUNCTIONS,
    **products.FUNCTIONS,
}
# Functions that take a list of tensors first are no methods.
_NOT_METHODS = {"cat", "concat", "concatenate", "stack", "where"}


def attach() -> None:
    """Set them on the class; done once, when the engine is imported."""
    tables: tuple[dict[str, Any], ...] = (
        {name: f for name, f in FUNCTIONS.items() if name not in _NOT_METHODS},
        arithmetic.OPERATORS,
        elementwise.METHODS,
        pieces.METHODS,
        products.METHODS,
        in_place.METHODS,
        conversions.METHODS,
        dispatch.METHODS,
        {"__getitem__": indexing.getitem, "backward": start.backward},
    )
    for table in tables:
        for name, value in table.items():
            setattr(Tensor, name, value)
    for name, module in late.places(late.BOTH, late.METHODS).items():
        setattr(Tensor, name, late.LateMethod(module, name))
