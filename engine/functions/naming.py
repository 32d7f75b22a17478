"""NumPy's names for arguments, which PyTorch's functions take as well: `axis`, `keepdims`."""

from __future__ import annotations

from functools import wraps
from typing import Any, TypeVar

F = TypeVar("F")
_NAMES = {"axis": "dim", "keepdims": "keepdim"}


def numpy_names(function: F) -> F:
    """The function, which takes `axis` for its `dim` and `keepdims` for its `keepdim`."""
    code = getattr(function, "__code__", None)
    if code is None or "dim" not in code.co_varnames:
        return function
    plain: Any = function

    @wraps(plain)
    def named(*args: Any, **kwargs: Any) -> Any:
        if kwargs and ("axis" in kwargs or "keepdims" in kwargs):
            kwargs = {_NAMES.get(name, name): value for name, value in kwargs.items()}
        return plain(*args, **kwargs)

    return named  # type: ignore[return-value]
