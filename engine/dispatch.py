"""NumPy's functions on tensors: a rule's keep history, a script's see the numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.functions import arithmetic, products, reductions, shapes
from engine.ops import OPS
from engine.state import STATE
from engine.tensor import Tensor, apply, as_tensor


def _row(name: str) -> Callable[..., Tensor]:
    op = OPS[name]
    return lambda *inputs: apply(op, tuple(as_tensor(item) for item in inputs), {})


UFUNCS: dict[np.ufunc, Callable[..., Tensor]] = {
    np.add: arithmetic.add,
    np.subtract: lambda a, b: apply(OPS["sub"], (as_tensor(a), as_tensor(b)), {}),
    np.multiply: arithmetic.mul,
    np.true_divide: arithmetic.div,
    np.power: arithmetic.pow,
    np.floor_divide: arithmetic.floor_divide,
    np.remainder: arithmetic.remainder,
    np.negative: _row("neg"),
    np.positive: lambda x: x,
    np.matmul: lambda a, b: as_tensor(a) @ as_tensor(b),
    np.exp: _row("exp"),
    np.log: _row("log"),
    np.sqrt: _row("sqrt"),
    np.sin: _row("sin"),
    np.cos: _row("cos"),
    np.tanh: _row("tanh"),
    np.absolute: _row("abs"),
    np.sign: _row("sign"),
    np.floor: _row("floor"),
    np.ceil: _row("ceil"),
    np.maximum: _row("maximum"),
    np.minimum: _row("minimum"),
    np.greater: _row("gt"),
    np.less: _row("lt"),
    np.greater_equal: _row("ge"),
    np.less_equal: _row("le"),
    np.equal: _row("eq"),
    np.not_equal: _row("ne"),
    np.logical_and: _row("logical_and"),
    np.logical_or: _row("logical_or"),
    np.logical_not: _row("logical_not"),
    np.bitwise_and: _row("bitwise_and"),
    np.bitwise_or: _row("bitwise_or"),
    np.invert: _row("bitwise_not"),
    np.isfinite: _row("isfinite"),
    np.isnan: _row("isnan"),
    np.conjugate: lambda x: as_tensor(x).conj(),
}


def _like(make: Callable[..., Any]) -> Callable[..., Tensor]:
    def function(x: Any, dtype: Any = None, shape: Any = None) -> Tensor:
        return Tensor(make(as_tensor(x)._array, dtype=dtype, shape=shape))

    return function


def _where(condition: Any, a: Any, b: Any) -> Tensor:
    held = as_tensor(condition)
    return apply(OPS["where"], (held, as_tensor(a), as_tensor(b)), {})


def _transpose(x: Tensor, axes: Any = None) -> Tensor:
    return shapes.permute(x, axes if axes is not None else tuple(range(x._array.ndim))[::-1])


def _sum(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    return reductions.sum(x, axis, keepdims)


def _expand_dims(x: Tensor, axis: int) -> Tensor:
    return shapes.unsqueeze(x, axis)


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.where: _where,
    np.zeros_like: _like(np.zeros_like),
    np.ones_like: _like(np.ones_like),
    np.sum: _sum,
    np.mean: lambda x, axis=None, keepdims=False: reductions.mean(x, axis, keepdims),
    np.reshape: lambda x, shape: shapes.reshape(x, shape),
    np.broadcast_to: lambda x, shape: shapes.expand(x, *shape),
    np.swapaxes: shapes.transpose,
    np.outer: products.outer,
    np.transpose: _transpose,
    np.expand_dims: _expand_dims,
    np.squeeze: lambda x, axis=None: shapes.squeeze(x, axis),
    np.tril: lambda x, k=0: OPS["tril"](x, diagonal=k),
    np.triu: lambda x, k=0: OPS["triu"](x, diagonal=k),
    np.concatenate: shapes.cat,
    np.stack: shapes.stack,
    np.real: lambda x: OPS["real"](x),
}


def array_ufunc(self: Tensor, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """A rule's arithmetic keeps history; a script's is done on numbers and gives a tensor.

    Raises RuntimeError, as `.numpy()` does, where a script's tensor requires grad.
    """
    if STATE.in_rules and method == "__call__" and not kwargs and ufunc in UFUNCS:
        return UFUNCS[ufunc](*inputs)
    if any(isinstance(item, np.generic) for item in inputs) and ufunc in UFUNCS and not kwargs:
        # `np.sqrt(2) * x`: NumPy's numbers count as Python's.
        return UFUNCS[ufunc](
            *[item.item() if isinstance(item, np.generic) else item for item in inputs]
        )
    plain = [np.asarray(item) if isinstance(item, Tensor) else item for item in inputs]
    made = getattr(ufunc, method)(*plain, **kwargs)
    if isinstance(made, tuple):
        return tuple(_wrapped(item) for item in made)
    return _wrapped(made)


def _wrapped(made: Any) -> Any:
    if isinstance(made, (np.ndarray, np.generic)):
        return Tensor(np.asarray(made))
    return made


def array_function(self: Tensor, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """As `array_ufunc`, for functions that are no ufuncs; a script's give NumPy's own result."""
    if STATE.in_rules and func in FUNCTIONS:
        return FUNCTIONS[func](*args, **kwargs)
    return func(*_bare(args), **{name: _bare(value) for name, value in kwargs.items()})


def _bare(item: Any) -> Any:
    if isinstance(item, (list, tuple)):
        return type(item)(_bare(i) for i in item)
    return np.asarray(item) if isinstance(item, Tensor) else item


METHODS: dict[str, Any] = {
    "__array_ufunc__": array_ufunc,
    "__array_function__": array_function,
}
