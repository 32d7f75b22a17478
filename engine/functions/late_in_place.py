"""In-place variants of elementwise functions, each made when it is first asked for: `x.sin_()`."""

from __future__ import annotations

import importlib
from typing import Any

from engine.functions.in_place import in_place
from engine.state import is_grad_enabled
from engine.tensor import Tensor

# Their results carry no gradient; PyTorch differs on what is left of the history that was.
_QUESTIONS = frozenset(
    [
        *("eq_", "ne_", "gt_", "ge_", "lt_", "le_", "not_equal_", "heaviside_"),
        *("greater_", "greater_equal_", "less_", "less_equal_"),
        *("logical_not_", "logical_and_", "logical_or_", "logical_xor_"),
    ]
)


def _untracked(name: str, method: Any) -> Any:
    def checked(self: Tensor, *args: Any) -> Tensor:
        if self.requires_grad and is_grad_enabled():
            raise NotImplementedError(f"{name} on a tensor that requires grad is not available")
        return method(self, *args)  # type: ignore[no-any-return]

    checked.__name__ = checked.__qualname__ = name
    checked.__doc__ = method.__doc__
    return checked


def __getattr__(name: str) -> Any:
    """`sin_` writes what the method `sin` gives."""
    function = getattr(Tensor, name.removesuffix("_"), None)
    if function is None or name.startswith("_") or not name.endswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = in_place(function)
    if name in _QUESTIONS:
        made = _untracked(name, made)
    setattr(importlib.import_module(__name__), name, made)
    return made
