"""In-place variants of elementwise functions, each made when it is first asked for: `x.sin_()`."""

from __future__ import annotations

import importlib
from typing import Any

from engine.functions.in_place import in_place
from engine.tensor import Tensor


def __getattr__(name: str) -> Any:
    """`sin_` writes what the method `sin` gives."""
    function = getattr(Tensor, name.removesuffix("_"), None)
    if function is None or name.startswith("_") or not name.endswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = in_place(function)
    setattr(importlib.import_module(__name__), name, made)
    return made
