"""Variance, standard deviation, sums and means that pass over nan, both extremes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.functions.complexes import complex, imag, real
from engine.functions.elementwise import clamp, isnan, logical_not, to
from engine.functions.outputs import named_outputs, together
from engine.functions.reductions import over, sum
from engine.functions.shapes import axis_of, squeeze
from engine.ops import OPS
from engine.tensor import Tensor, apply

Dim = int | Sequence[int] | None
_NOTHING: Any = object()
_AMINMAX = named_outputs("aminmax", "min", "max")


def _spread(
    name: str, input: Tensor, dim: Any, unbiased: Any, keepdim: bool, correction: Any
) -> dict[str, Any]:
    """The params of a variance; `dim` may be `unbiased` where it is a truth value."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if unbiased is not _NOTHING:
        correction = int(unbiased)
    if input._array.dtype.kind not in "fc":
        raise RuntimeError(f"{_FAMILY[name]} only support floating point and complex dtypes")
    params = over(input, dim, keepdim)
    correction = 1 if correction is None else correction
    _warn_of_freedom(name, input._array.shape, params["dim"], correction)
    return params | {"correction": correction}


_FAMILY = {
    "var": "std and var",
    "std": "std and var",
    "var_mean": "var_mean",
    "std_mean": "std_mean",
}


def _warn_of_freedom(
    name: str, shape: tuple[int, ...], dim: tuple[int, ...] | None, correction: float
) -> None:
    count = np.prod([n for axis, n in enumerate(shape) if dim is None or axis in dim])
    results = np.prod([n for axis, n in enumerate(shape) if dim is not None and axis not in dim])
    if count - correction <= 0 and results:
        warnings.warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the "
            "reduction factor (input numel divided by output numel).",
            UserWarning,
            stacklevel=5,
        )


def var(
    input: Tensor,
    dim: Dim | bool = None,
    unbiased: bool = _NOTHING,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The mean square distance from the mean, over n - `correction` (1 unless given).

    Warns and gives nan (or inf) where no degree of freedom is left.
    """
    params = _spread("var", input, dim, unbiased, keepdim, correction)
    return apply(OPS["var"], (input,), params)


def std(
    input: Tensor,
    dim: Dim | bool = None,
    unbiased: bool = _NOTHING,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The root of `var`; its gradient is 0 where all elements are equal."""
    params = _spread("std", input, dim, unbiased, keepdim, correction)
    return apply(OPS["std"], (input,), params)


def var_mean(
    input: Tensor,
    dim: Dim | bool = None,
    unbiased: bool = _NOTHING,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> tuple[Tensor, ...]:
    """The variance and the mean."""
    return _with_mean("var", input, dim, unbiased, keepdim, correction)


def std_mean(
    input: Tensor,
    dim: Dim | bool = None,
    unbiased: bool = _NOTHING,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> tuple[Tensor, ...]:
    """The standard deviation and the mean."""
    return _with_mean("std", input, dim, unbiased, keepdim, correction)


def _with_mean(
    kind: str, input: Tensor, dim: Any, unbiased: Any, keepdim: bool, correction: Any
) -> tuple[Tensor, ...]:
    params = _spread(f"{kind}_mean", input, dim, unbiased, keepdim, correction)
    spread = apply(OPS[f"{kind}_mean_{kind}"], (input,), params)
    plain = {"dim": params["dim"], "keepdim": params["keepdim"]}
    return together([spread, apply(OPS[f"{kind}_mean_mean"], (input,), plain)])


def nansum(
    input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: dtypes.dtype | None = None
) -> Tensor:
    """The sum of the elements that are not nan."""
    kind = input.dtype if dtype is None else dtype
    if kind._numpy.kind == "c":
        raise RuntimeError("nansum on CPU does not support complex inputs")
    if input._array.dtype.kind in "iub":
        return sum(input, dim, keepdim, dtype=dtype)
    typed = {} if dtype is None else {"dtype": dtype._numpy}
    return apply(OPS["nansum"], (input,), over(input, dim, keepdim) | typed)


def nanmean(
    input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: dtypes.dtype | None = None
) -> Tensor:
    """The mean of the elements that are not nan."""
    if input._array.dtype.kind not in "fc":
        raise RuntimeError(
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{dtypes.word(input.dtype)}"
        )
    count = sum(logical_not(isnan(input.detach())), dim, keepdim)
    return nansum(input, dim, keepdim, dtype=dtype) / count


def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    """The smallest and the largest element; equal ones share the gradient."""
    ndim = input._array.ndim
    if dim is None:
        if not input._array.size:
            raise RuntimeError(
                "aminmax(): cannot compute aminmax over an empty dimension as the operation has "
                "no identity."
            )
        axes = tuple(range(ndim))
    else:
        axis = axis_of(dim, ndim)
        if ndim and not input._array.shape[axis]:
            raise IndexError(f"aminmax: Expected reduction dim {axis} to have non-zero size.")
        axes = (axis,) if ndim else ()
    params = {"dim": axes, "keepdim": bool(keepdim)}
    outputs = [apply(OPS[f"aminmax_{end}"], (input,), params) for end in ("min", "max")]
    return _AMINMAX(*together(outputs))


def count_nonzero(input: Tensor, dim: Dim = None) -> Tensor:
    """How many elements are not 0, over the axes `dim` or over all."""
    there = Tensor(np.asarray(input._array != 0))
    return sum(there, dim)


def renorm(input: Tensor, p: float, dim: int, maxnorm: float) -> Tensor:
    """Each slice at a place of the axis `dim` scaled down to the p-norm `maxnorm` at most."""
    ndim = input._array.ndim
    if p <= 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    if ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {ndim} dimensions")
    if input.requires_grad and input._array.dtype.kind == "c":
        raise NotImplementedError("renorm has no gradient for complex numbers here")
    params = {"p": float(p), "dim": axis_of(dim, ndim), "maxnorm": float(maxnorm)}
    return apply(OPS["renorm"], (input,), params)


def cov(
    input: Tensor,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """The covariance matrix of variables in rows, observations in columns.

    `fweights` count how often an observation occurred, `aweights` weigh it.
    """
    if input._array.dtype.kind == "b":
        raise RuntimeError("cov(): bool dtype is not supported for input")
    x = input if input._array.dtype.kind in "fc" else to(input, dtypes.get_default_dtype())
    if x._array.ndim > 2:
        raise RuntimeError(
            "cov(): expected input to have two or fewer dimensions but got an input with "
            f"{x._array.ndim} dimensions"
        )
    x = x.view(1, -1) if x._array.ndim < 2 else x
    w = _weights(fweights, aweights)
    total, average = _average(x, w)
    freedom = _freedom(x, w, aweights, total, correction)
    off = x - average.unsqueeze(1)
    weighed = off if w is None else off * w
    return squeeze((off @ weighed.t().conj()) / freedom)


def _weights(fweights: Tensor | None, aweights: Tensor | None) -> Tensor | None:
    if fweights is None:
        return aweights
    return fweights if aweights is None else fweights * aweights


def _average(x: Tensor, w: Tensor | None) -> tuple[Any, Tensor]:
    if w is None:
        count = x._array.shape[1]
        return count, sum(x, 1) / Tensor(np.asarray(count, x._array.real.dtype))
    total = w.sum()
    return total, (x * w).sum(1) / total


def _freedom(
    x: Tensor, w: Tensor | None, aweights: Tensor | None, total: Any, correction: int
) -> Any:
    """What the squares are divided by; never less than 0."""
    if w is None:
        left: Any = max(total - correction, 0)
        return Tensor(np.asarray(left, x._array.real.dtype))
    if aweights is None or not correction:
        left = total - correction
    else:
        left = total - correction * (w * aweights).sum() / total
    if left._array <= 0:
        warnings.warn("cov(): degrees of freedom is <= 0", UserWarning, stacklevel=3)
        left = Tensor(np.zeros((), left._array.dtype))
    return left


def corrcoef(input: Tensor) -> Tensor:
    """The correlation matrix of variables in rows, its real parts within -1 and 1."""
    if input._array.ndim > 2:
        raise RuntimeError(
            "corrcoef(): expected input to have two or fewer dimensions but got an input with "
            f"{input._array.ndim} dimensions"
        )
    c = cov(input)
    if not c._array.ndim:
        return c / c
    root = c.diagonal().sqrt()
    scaled = c / root.view(-1, 1) / root.view(1, -1)
    if scaled._array.dtype.kind != "c":
        return clamp(scaled, -1, 1)
    return complex(clamp(real(scaled), -1, 1), clamp(imag(scaled), -1, 1))
