"""Tensors made from data, from a shape, or like another tensor."""

from __future__ import annotations

import warnings
from functools import reduce
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.arrays import Array
from engine.functions.arguments import refuse_type
from engine.functions.elementwise import check_device
from engine.functions.shapes import sizes_from
from engine.record import ACTIVE
from engine.tensor import Tensor


def _leaf(array: Array, requires_grad: bool, device: Any = None) -> Tensor:
    """A new tensor. Raises RuntimeError where its dtype cannot require grad."""
    if device is not None:
        if str(device) == "meta":
            return _without_numbers(array)
        check_device(device)
    if requires_grad and array.dtype.kind not in "fc":
        raise RuntimeError(errors.ONLY_FLOATING_NEW)
    limit = ACTIVE.record._max_elements if ACTIVE.record is not None else None
    if limit is not None and array.size > limit:
        raise MemoryError(f"a tensor of {array.size} elements is over the limit of {limit}")
    return Tensor(array, requires_grad=bool(requires_grad))


def _without_numbers(array: Array) -> Tensor:
    from engine.meta import MetaTensor

    return MetaTensor(array.shape, array.dtype)


def _plain(data: Any, tensors: list[Tensor], *, whole: bool = True) -> Any:
    """Nested data with its tensors, which are listed, as arrays; among others, as numbers."""
    if isinstance(data, Tensor):
        if data._requires_grad and data._array.size == 1:
            errors.warn_scalar_conversion()
        tensors.append(data)
        return data._array if whole else _element(data)
    if isinstance(data, (list, tuple)):
        return [_plain(item, tensors, whole=False) for item in data]
    return data


def _element(tensor: Tensor) -> Array:
    """A tensor's only element, without axes."""
    array: Array = tensor._array
    if array.size != 1:
        if array.dtype.kind in "iub":
            raise TypeError(errors.NOT_AN_INDEX)
        raise ValueError(errors.ONE_ELEMENT)
    return array.reshape(())


def _joint_type(data: Any) -> np.dtype[Any]:
    """The smallest dtype for all tensors and numbers in nested lists."""
    if isinstance(data, (list, tuple)):
        kinds = [dtypes.of(_joint_type(item)) for item in data]
        return reduce(dtypes.promote_types, kinds)._numpy
    array: Array = data._array if isinstance(data, Tensor) else _array_of(data, None)
    return array.dtype


def _array_of(data: Any, dtype: dtypes.dtype | None) -> Array:
    """Data as an array of its own. Floats take the default dtype, integers int64."""
    if isinstance(data, (np.ndarray, np.generic)):
        made = np.array(data)
        dtypes.of(made.dtype)
    else:
        tensors: list[Tensor] = []
        made = _from_nested(_plain(data, tensors), data)
        if tensors and dtype is None and isinstance(data, (list, tuple)):
            return made.astype(_joint_type(data))
    if dtype is not None:
        return made.astype(dtype._numpy)
    if not isinstance(data, (np.ndarray, np.generic)) and not _holds_arrays(data):
        if made.dtype.kind == "f" or not made.size:
            return made.astype(dtypes.get_default_dtype()._numpy)
        if made.dtype.kind == "c":
            return made.astype(dtypes.get_default_dtype().to_complex()._numpy)
    return made


def _holds_arrays(data: Any) -> bool:
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return isinstance(data, (np.ndarray, np.generic, Tensor))


def _from_nested(plain: Any, data: Any) -> Array:
    try:
        made = np.array(plain)
    except ValueError:
        raise ValueError(_ragged(plain)) from None
    if made.dtype.kind in "OUS":
        raise _unusable(made)
    if made.dtype.kind == "u" and not _holds_arrays(data):
        raise ValueError("Overflow when unpacking long long")
    return made


def _unusable(made: Array) -> Exception:
    first = made.ravel()[0] if made.size else None
    if made.dtype.kind in "US" and not made.ndim:
        return TypeError("new(): invalid data type 'str'")
    if made.dtype.kind in "US":
        return ValueError("too many dimensions 'str'")
    if isinstance(first, int):
        return ValueError("Overflow when unpacking long long")
    return RuntimeError(f"Could not infer dtype of {type(first).__name__}")


def _ragged(data: Any, depth: int = 0) -> str:
    """Why nested lists are not a tensor."""
    lengths = [len(row) if isinstance(row, (list, tuple)) else None for row in data]
    for row, length in zip(data, lengths, strict=True):
        if length != lengths[0]:
            if length is None or lengths[0] is None:
                return f"expected sequence of length {lengths[0] or 1} at dim {depth + 1}"
            return f"expected sequence of length {lengths[0]} at dim {depth + 1} (got {length})"
        if isinstance(row, (list, tuple)) and row and isinstance(row[0], (list, tuple)):
            inner = _ragged(row, depth + 1)
            if inner:
                return inner
    return ""


def tensor(
    data: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A leaf tensor that holds a copy of the data: numbers, nested lists, or an array."""
    if isinstance(data, Tensor):
        warnings.warn(errors.COPY_CONSTRUCT, UserWarning, stacklevel=2)
        return _leaf(_array_of(data._array, dtype), requires_grad, device)
    return _leaf(_array_of(data, dtype), requires_grad, device)


def as_tensor(data: Any, dtype: dtypes.dtype | None = None, device: Any = None) -> Tensor:
    """The tensor itself, an array's memory, or a copy of other data."""
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    if isinstance(data, np.ndarray) and (dtype is None or dtype._numpy == data.dtype):
        return from_numpy(data)
    return _leaf(_array_of(data, dtype), False, device)


def from_numpy(ndarray: Array) -> Tensor:
    """A tensor on the array's own memory."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    dtypes.of(ndarray.dtype)
    return Tensor(ndarray)


def from_array(value: Any) -> Any:
    """An operand that NumPy made as a number or tensor; NotImplemented for anything else."""
    if isinstance(value, np.generic):
        return value.item()
    return Tensor(value) if isinstance(value, np.ndarray) else NotImplemented


def _numpy_type(dtype: dtypes.dtype | None) -> np.dtype[Any]:
    return (dtype or dtypes.get_default_dtype())._numpy


def _checked(shape: tuple[int, ...], name: str = "") -> tuple[int, ...]:
    for n in shape:
        if n < 0 and name in ("zeros", "ones"):
            raise RuntimeError(f"{name}: Dimension size must be non-negative.")
        if n < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {n}: {list(shape)}"
            )
    limit = ACTIVE.record._max_elements if ACTIVE.record is not None else None
    if limit is not None:
        count = 1
        for n in shape:
            count *= n
        if count > limit:
            raise MemoryError(f"a tensor of {count} elements is over the limit of {limit}")
    return shape


def _sized(name: str, size: tuple[Any, ...], given: Any = None) -> tuple[int, ...]:
    """The shape that a function was called with. Raises TypeError for what are no sizes."""
    for item in size:
        if isinstance(item, (bool, float, str)):
            refuse_type(name, "size", 1, "tuple of ints", item)
    return _checked(sizes_from(size if given is None else (given,)), name)


def drawn(name: str) -> Any:
    """A function of `engine.random`, which loads with its first use: many scripts draw nothing."""

    def draw(*args: Any, **given: Any) -> Any:
        from engine import random

        return getattr(random, name)(*args, **given)

    return draw


def _constant(name: str, make: Any, text: str) -> Any:
    def function(
        *size: Any,
        dtype: dtypes.dtype | None = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
        **given: Any,
    ) -> Tensor:
        shape = _sized(name, size, given.get("size"))
        source = {"generator": given["generator"]} if "generator" in given else {}
        return _leaf(make(shape, _numpy_type(dtype), **source), requires_grad, device)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


ones = _constant("ones", np.ones, "A tensor of ones.")
zeros = _constant("zeros", np.zeros, "A tensor of zeros.")
empty = _constant("empty", np.zeros, "A tensor to be written to; here it holds zeros.")
rand = _constant("rand", drawn("uniform"), "Uniform numbers in [0, 1).")
randn = _constant("randn", drawn("normal"), "Standard normal numbers.")


def full(
    size: Any,
    fill_value: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of one value, whose type gives the dtype unless one is given."""
    value = fill_value._array if isinstance(fill_value, Tensor) else fill_value
    kind = _array_of(fill_value, dtype).dtype
    if isinstance(size, int):
        refuse_type("full", "size", 1, "tuple of ints", size)
    shape = _sized("full", (size,))
    return _leaf(np.full(shape, value, kind), requires_grad, device)
