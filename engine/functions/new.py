"""Tensors made in the dtype of another: `x.new_zeros(3)`; and by formulas of their places."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.functions import creation, ranges
from engine.tensor import Tensor


def _sized(name: str, make: Any) -> Any:
    def method(
        self: Tensor,
        *size: Any,
        dtype: dtypes.dtype | None = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
    ) -> Tensor:
        kind = self.dtype if dtype is None else dtype
        return make(*size, dtype=kind, device=device, requires_grad=requires_grad)  # type: ignore[no-any-return]

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"As torch.{name.removeprefix('new_')}, in this tensor's dtype."
    return method


new_zeros, new_ones = _sized("new_zeros", creation.zeros), _sized("new_ones", creation.ones)
new_empty = _sized("new_empty", creation.empty)


def new_full(
    self: Tensor,
    size: Any,
    fill_value: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """As torch.full, in this tensor's dtype."""
    kind = self.dtype if dtype is None else dtype
    return creation.full(size, fill_value, dtype=kind, device=device, requires_grad=requires_grad)


def new_tensor(
    self: Tensor,
    data: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """As torch.tensor, in this tensor's dtype."""
    kind = self.dtype if dtype is None else dtype
    return creation.tensor(data, dtype=kind, device=device, requires_grad=requires_grad)


def scalar_tensor(
    s: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor without axes, of the default dtype unless one is given."""
    kind = dtypes.get_default_dtype() if dtype is None else dtype
    return creation.tensor(s, dtype=kind, device=device, requires_grad=requires_grad)


def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """`steps` powers of `base`, the exponents evenly spaced from `start` to `end`."""
    kind = dtypes.get_default_dtype() if dtype is None else dtype
    exponents = ranges.linspace(start, end, steps, dtype=kind, device=device)._array
    made = np.power(np.asarray(base, exponents.dtype), exponents)
    return Tensor(made, requires_grad=requires_grad)


def asarray(
    obj: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The data as a tensor, on the memory that it has where that can be, or else (`copy`) apart."""
    made = creation.as_tensor(obj, dtype, device)
    if copy and isinstance(obj, (Tensor, np.ndarray)):
        made = Tensor(made._array.copy())
    if requires_grad and not made.requires_grad:
        made = made.detach().requires_grad_()
    return made
