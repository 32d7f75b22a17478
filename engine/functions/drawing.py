"""Tensors like another one, and tensors drawn from PyTorch's random streams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import dtypes
from engine.functions.arguments import check_tensors
from engine.functions.creation import _checked, _leaf, drawn
from engine.functions.shapes import sizes_from
from engine.tensor import Tensor, as_tensor

if TYPE_CHECKING:
    from engine.random import Generator

_integers, _permutation = drawn("integers"), drawn("permutation")
_normal_numbers, _uniform_numbers = drawn("normal"), drawn("uniform")


def _like(name: str, make: Any, text: str) -> Any:
    def function(
        input: Tensor,
        *,
        dtype: dtypes.dtype | None = None,
        device: Any = None,
        requires_grad: bool = False,
        memory_format: Any = None,
    ) -> Tensor:
        check_tensors(name, input=input)
        kind = input._array.dtype if dtype is None else dtype._numpy
        return _leaf(make(input._array.shape, kind), requires_grad, device)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


ones_like = _like("ones_like", np.ones, "Ones in the shape and dtype of `input`.")
zeros_like = _like("zeros_like", np.zeros, "Zeros in the shape and dtype of `input`.")
empty_like = _like("empty_like", np.zeros, "A tensor like `input` to be written to.")
rand_like = _like("rand_like", _uniform_numbers, "Uniform numbers in the shape of `input`.")
randn_like = _like("randn_like", _normal_numbers, "Normal numbers in the shape of `input`.")


def full_like(
    input: Tensor,
    fill_value: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """One value in the shape and dtype of `input`."""
    kind = input._array.dtype if dtype is None else dtype._numpy
    value = fill_value._array if isinstance(fill_value, Tensor) else fill_value
    return _leaf(np.full(input._array.shape, value, kind), requires_grad, device)


def randint(
    low: int = 0,
    high: Any = None,
    size: Sequence[int] | None = None,
    *,
    dtype: dtypes.dtype | None = None,
    generator: Generator | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Integers from `low` (0 where only one bound is given) up to, not including, `high`."""
    if size is None:
        low, high, size = (0, low, high) if not isinstance(high, int) else (low, high, ())
    elif high is None:
        low, high = 0, low
    shape = _checked(sizes_from((size,)))
    kind = dtypes.int64._numpy if dtype is None else dtype._numpy
    made = _integers(low, high, shape=shape, dtype=kind, generator=generator)
    return _leaf(made, requires_grad, device)


def randperm(
    n: int,
    *,
    dtype: dtypes.dtype | None = None,
    generator: Generator | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The integers below `n`, shuffled."""
    kind = None if dtype is None else dtype._numpy
    return _leaf(_permutation(n, dtype=kind, generator=generator), requires_grad, device)


def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: Sequence[int] | None = None,
    *,
    generator: Generator | None = None,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Normal numbers; `mean` and `std` are numbers, or tensors that give the shape."""
    if size is not None:
        kind = (dtype or dtypes.get_default_dtype())._numpy
        shape = _checked(sizes_from((size,)))
        made = _normal_numbers(shape, kind, mean=mean, std=std, generator=generator)
        return _leaf(made, requires_grad, device)
    a, b = as_tensor(mean)._array, as_tensor(std)._array
    shape = np.broadcast_shapes(a.shape, b.shape)
    kind = a.dtype if isinstance(mean, Tensor) else b.dtype
    drawn = _normal_numbers(shape, kind, generator=generator)
    return _leaf((drawn * b + a).astype(kind), requires_grad, device)


def _drawn_in_place(draw: Any, node: str, text: str) -> Any:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        from engine.functions.in_place import check_writable, redraw

        check_writable(self)
        return redraw(self, draw(self._array, *args, **kwargs), node)

    method.__doc__ = text
    return method


def _uniform(array: Any, low: float = 0.0, high: float = 1.0, **given: Any) -> Any:
    bounds = {"low": given.pop("from", low), "high": given.pop("to", high)}
    return _uniform_numbers(array.shape, array.dtype, **bounds, **given)


def _normal(array: Any, mean: float = 0.0, std: float = 1.0, **given: Any) -> Any:
    return _normal_numbers(array.shape, array.dtype, mean=mean, std=std, **given)


uniform_ = _drawn_in_place(
    _uniform, "UniformBackward0", "Fill it with numbers drawn from between two bounds."
)
normal_ = _drawn_in_place(_normal, "NormalBackward0", "Fill it with normal numbers.")
