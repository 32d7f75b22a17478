"""Functions that make axes disappear: sums, means, extremes."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import dtypes, errors
from engine.functions.arithmetic import maximum, minimum
from engine.functions.elementwise import to
from engine.functions.naming import numpy_names
from engine.functions.shapes import axes_of, axis_of
from engine.ops import OPS
from engine.plain import single
from engine.tensor import Tensor, apply

Dim = int | Sequence[int] | None
_SUM = OPS["sum"]
_ALL = {"dim": None, "keepdim": False}


class Extremes(NamedTuple):
    """The extreme value of each slice and its place."""

    values: Tensor
    indices: Tensor

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"torch.return_types.{name}(\nvalues={self.values!r},\nindices={self.indices!r})"


def over(input: Tensor, dim: Dim, keepdim: bool) -> dict[str, Any]:
    if dim is None and not keepdim:
        return {"dim": None, "keepdim": False}
    if dim is None or (isinstance(dim, Sequence) and not len(dim)):
        return {"dim": tuple(range(input._array.ndim)), "keepdim": bool(keepdim)}
    return {"dim": axes_of(dim, input._array.ndim), "keepdim": bool(keepdim)}


def sum(
    input: Tensor,
    dim: Dim = None,
    keepdim: bool = False,
    *,
    dtype: dtypes.dtype | None = None,
    axis: Dim = None,
    keepdims: bool = False,
) -> Tensor:
    """The sum over the axes `dim`, or over all; integers are summed as int64.

    `axis` and `keepdims` are NumPy's names for `dim` and `keepdim`.
    """
    if dim is None and axis is None and keepdim is False and keepdims is False and dtype is None:
        return single(_SUM, input, _ALL)
    dim, keepdim = dim if axis is None else axis, keepdim or keepdims
    if not isinstance(keepdim, bool):
        raise TypeError(
            f"sum(): argument 'keepdim' (position 2) must be bool, not {type(keepdim).__name__}"
        )
    return apply(_SUM, (input,), over(input, dim, keepdim) | _typed(dtype))


def _typed(dtype: dtypes.dtype | None) -> dict[str, Any]:
    return {} if dtype is None else {"dtype": dtype._numpy}


@numpy_names
def mean(
    input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: dtypes.dtype | None = None
) -> Tensor:
    """The mean over the axes `dim`, or over all. Raises RuntimeError for integers."""
    kind = input.dtype if dtype is None else dtype
    if kind._numpy.kind not in "fc":
        word = dtypes.word(kind)
        raise RuntimeError(errors.MEAN_OF_INTEGERS.format(dtype=word))
    return apply(OPS["mean"], (input,), over(input, dim, keepdim) | _typed(dtype))


def _extreme(name: str, pairwise: Any) -> Any:
    kind = type(name, (Extremes,), {})  # its name is what PyTorch prints
    full, along, places = OPS[name], OPS[f"{name}_dim"], OPS[f"arg{name}"]

    def function(
        input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Tensor | None = None
    ) -> Any:
        if other is not None or isinstance(dim, Tensor):
            return pairwise(input, dim if other is None else other)
        if dim is None:
            if not input._array.size:
                raise RuntimeError(errors.EMPTY_EXTREME.format(name=name))
            return apply(full, (input,), {})
        axis = axis_of(dim, input._array.ndim)
        check_filled(name, input, (axis,))
        params = {"dim": axis, "keepdim": builtins.bool(keepdim)}
        return kind(apply(along, (input,), params), apply(places, (input,), params))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"The {name}imum of all elements; with `dim`, that of each slice and its index; "
        f"with a second tensor, elementwise."
    )
    return numpy_names(function)


max = _extreme("max", maximum)
min = _extreme("min", minimum)


def check_filled(name: str, input: Tensor, axes: Sequence[int]) -> None:
    """Raise IndexError where an axis to be reduced is empty and the reduction has no start."""
    shape = input._array.shape
    for axis in axes:
        if shape and not shape[axis]:
            raise IndexError(f"{name}(): Expected reduction dim {axis} to have non-zero size.")


@numpy_names
def amax(input: Tensor, dim: Dim = (), keepdim: bool = False) -> Tensor:
    """The largest element over the axes `dim`; equal ones share the gradient."""
    return _extreme_over("amax", input, dim, keepdim)


@numpy_names
def amin(input: Tensor, dim: Dim = (), keepdim: bool = False) -> Tensor:
    """The smallest element over the axes `dim`; equal ones share the gradient."""
    return _extreme_over("amin", input, dim, keepdim)


def _extreme_over(name: str, input: Tensor, dim: Dim, keepdim: bool) -> Tensor:
    params = _every_axis(input, dim, keepdim)
    if dim is None or dim == ():
        if not input._array.size:
            raise RuntimeError(errors.EMPTY_EXTREME.format(name=name))
    else:
        check_filled(name, input, params["dim"])
    return apply(OPS[name], (input,), params)


def _every_axis(input: Tensor, dim: Dim, keepdim: bool) -> dict[str, Any]:
    params = over(input, dim, keepdim)
    return params if params["dim"] is not None else _every_axis(input, (), keepdim)


@numpy_names
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the largest element, in the flattened tensor or along an axis."""
    return _place("argmax", input, dim, keepdim)


@numpy_names
def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the smallest element, in the flattened tensor or along an axis."""
    return _place("argmin", input, dim, keepdim)


def _place(name: str, input: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    kind = {"b": "bool", "c": "complex"}.get(input._array.dtype.kind)
    if kind is not None:
        raise RuntimeError(f"{name}(): does not support {kind} input")
    axis = None if dim is None else axis_of(dim, input._array.ndim)
    if dim is None and not input._array.size:
        raise IndexError(errors.EMPTY_PLACE.format(name=name))
    if axis is not None:
        check_filled(name, input, (axis,))
    return apply(OPS[name], (input,), {"dim": axis, "keepdim": builtins.bool(keepdim)})


@numpy_names
def logsumexp(input: Tensor, dim: int | Sequence[int], keepdim: bool = False) -> Tensor:
    """The logarithm of the sum of exponentials over the axes `dim`."""
    return apply(OPS["logsumexp"], (input,), _every_axis(input, dim, keepdim))


def _truth(name: str) -> Any:
    op = OPS[name]

    def function(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
        params = over(input, dim, keepdim)
        if dim is not None and not isinstance(dim, int) and not len(dim):
            params["dim"] = ()  # PyTorch reduces nothing here, unlike everywhere else
        return apply(op, (input,), params)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Whether {name} elements hold, over the axes `dim` or over the whole."
    return numpy_names(function)


all = _truth("all")
any = _truth("any")


@numpy_names
def softmax(input: Tensor, dim: int, dtype: dtypes.dtype | None = None) -> Tensor:
    """exp(x) / sum exp(x) along an axis."""
    return _row_wise("softmax", input, dim, dtype)


@numpy_names
def log_softmax(input: Tensor, dim: int, dtype: dtypes.dtype | None = None) -> Tensor:
    """The logarithm of softmax along an axis."""
    return _row_wise("log_softmax", input, dim, dtype)


def _row_wise(name: str, input: Tensor, dim: int, dtype: dtypes.dtype | None) -> Tensor:
    if dtype is not None:
        input = to(input, dtype)
    if input._array.dtype.kind != "f":
        word = dtypes.word(input.dtype)
        last = axis_of(dim, input._array.ndim) in (input._array.ndim - 1, 0 - input._array.ndim)
        kernel = f"{name}_lastdim_kernel_impl" if last else f"{name}_kernel_impl"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{word}'")
    axis = axis_of(dim, input._array.ndim)
    return single(OPS[name], input, {"dim": axis})


FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        sum, mean, max, min, amax, amin, argmax, argmin, logsumexp, all, any, softmax,
        log_softmax,
    )
}  # fmt: skip
