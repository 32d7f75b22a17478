"""`Operators`: Python's operators as calls of NumPy's functions, which a class then dispatches."""

from __future__ import annotations

from typing import Any

import numpy as np

_np: Any = np  # by its types, NumPy does not know that others dispatch its functions


class Operators:
    """What is derived from it has `__array_ufunc__`."""

    def __add__(self, other: Any) -> Any:
        return _np.add(self, other)

    def __radd__(self, other: Any) -> Any:
        return _np.add(other, self)

    def __sub__(self, other: Any) -> Any:
        return _np.subtract(self, other)

    def __rsub__(self, other: Any) -> Any:
        return _np.subtract(other, self)

    def __mul__(self, other: Any) -> Any:
        return _np.multiply(self, other)

    def __rmul__(self, other: Any) -> Any:
        return _np.multiply(other, self)

    def __truediv__(self, other: Any) -> Any:
        return _np.true_divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _np.true_divide(other, self)

    def __floordiv__(self, other: Any) -> Any:
        return _np.floor_divide(self, other)

    def __mod__(self, other: Any) -> Any:
        return _np.remainder(self, other)

    def __pow__(self, other: Any) -> Any:
        return _np.power(self, other)

    def __rpow__(self, other: Any) -> Any:
        return _np.power(other, self)

    def __matmul__(self, other: Any) -> Any:
        return _np.matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _np.matmul(other, self)

    def __neg__(self) -> Any:
        return _np.negative(self)

    def __invert__(self) -> Any:
        return _np.invert(self)

    def __abs__(self) -> Any:
        return _np.absolute(self)

    def __gt__(self, other: Any) -> Any:
        return _np.greater(self, other)

    def __lt__(self, other: Any) -> Any:
        return _np.less(self, other)

    def __ge__(self, other: Any) -> Any:
        return _np.greater_equal(self, other)

    def __le__(self, other: Any) -> Any:
        return _np.less_equal(self, other)

    def __eq__(self, other: object) -> Any:
        return _np.equal(self, other)

    def __ne__(self, other: object) -> Any:
        return _np.not_equal(self, other)

    def __and__(self, other: Any) -> Any:
        return _np.bitwise_and(self, other)

    def __or__(self, other: Any) -> Any:
        return _np.bitwise_or(self, other)

    __hash__ = None  # type: ignore[assignment]  # equality is elementwise, as for arrays
