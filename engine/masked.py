"""`torch.masked`: reductions and normalisations of the elements where a mask holds.

What the mask leaves out is replaced by the number that the reduction starts from, so that it does
not count: 0 for a sum, 1 for a product, -inf for a maximum or a softmax. Where nothing is left
there is that number; nan for mean and median.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import dtypes
from engine.functions import ordering, reductions, scans
from engine.functions.arithmetic import div, maximum
from engine.functions.elementwise import neg, sqrt, to
from engine.functions.exponential import logaddexp as _logaddexp
from engine.functions.masks import full_mask, highest, lowest, masked_axes, masked_with
from engine.functions.shapes import axis_of
from engine.tensor import Tensor

Dim = int | Sequence[int] | None
Dtype = dtypes.dtype | None
Mask = Tensor | None


def _summed(input: Tensor, dtype: Dtype) -> dtypes.dtype:
    """The dtype that a sum or product has: int64 for smaller integers."""
    if dtype is not None:
        return dtype
    return dtypes.int64 if input._array.dtype.kind in "iub" else input.dtype


def _cast(found: Tensor, dtype: Dtype) -> Tensor:
    return found if dtype is None else to(found, dtype)


def sum(
    input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Dtype = None, mask: Mask = None
) -> Tensor:
    """The sum over axes of the elements where the mask holds."""
    axes = masked_axes(dim, input._array.ndim)
    filled = masked_with(input, mask, 0)
    return reductions.sum(filled, axes, bool(keepdim), dtype=_summed(input, dtype))


def prod(
    input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Dtype = None, mask: Mask = None
) -> Tensor:
    """The product over axes of the elements where the mask holds."""
    found = _cast(masked_with(input, mask, 1), _summed(input, dtype))
    for axis in reversed(masked_axes(dim, input._array.ndim)):
        found = scans.prod(found, axis, bool(keepdim))
    return found


def cumsum(input: Tensor, dim: int, *, dtype: Dtype = None, mask: Mask = None) -> Tensor:
    """Running sums of the elements where the mask holds."""
    return scans.cumsum(masked_with(input, mask, 0), dim, dtype=dtype or input.dtype)


def cumprod(input: Tensor, dim: int, *, dtype: Dtype = None, mask: Mask = None) -> Tensor:
    """Running products of the elements where the mask holds."""
    return scans.cumprod(masked_with(input, mask, 1), dim, dtype=dtype or input.dtype)


def amax(
    input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Dtype = None, mask: Mask = None
) -> Tensor:
    """The largest element over axes where the mask holds."""
    filled = masked_with(input, mask, lowest(input))
    return _cast(reductions.amax(filled, masked_axes(dim, input._array.ndim), bool(keepdim)), dtype)


def amin(
    input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Dtype = None, mask: Mask = None
) -> Tensor:
    """The smallest element over axes where the mask holds."""
    filled = masked_with(input, mask, highest(input))
    return _cast(reductions.amin(filled, masked_axes(dim, input._array.ndim), bool(keepdim)), dtype)


def argmax(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool = False,
    dtype: Dtype = None,
    mask: Mask = None,
) -> Tensor:
    """The place of the largest element where the mask holds, in the input's dtype."""
    filled = masked_with(input, mask, lowest(input))
    return _cast(reductions.argmax(filled, dim, bool(keepdim)), dtype or input.dtype)


def argmin(
    input: Tensor,
    dim: int | None = None,
    *,
    keepdim: bool = False,
    dtype: Dtype = None,
    mask: Mask = None,
) -> Tensor:
    """The place of the smallest element where the mask holds, in the input's dtype."""
    filled = masked_with(input, mask, highest(input))
    return _cast(reductions.argmin(filled, dim, bool(keepdim)), dtype or input.dtype)


def _count(input: Tensor, axes: tuple[int, ...], keepdim: bool, mask: Mask) -> Tensor:
    """How many elements of each slice the mask holds for."""
    whole = np.ones(input._array.shape, bool) if mask is None else full_mask(input, mask)._array
    over = axes if whole.ndim else ()
    return Tensor(np.asarray(np.sum(whole, axis=over, keepdims=keepdim)))


def mean(
    input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Dtype = None, mask: Mask = None
) -> Tensor:
    """The mean over axes of the elements where the mask holds. Raises ValueError for integers."""
    kind, source = (input.dtype, "Input") if dtype is None else (dtype, "Optional")
    if kind._numpy.kind not in "fc":
        raise ValueError(
            f"mean(): Could not infer output dtype. {source} dtype must be either a floating "
            f"point or complex dtype. Got: {kind}"
        )
    axes = masked_axes(dim, input._array.ndim)
    total = sum(input, axes, keepdim=keepdim, dtype=kind, mask=mask)
    return total / _count(input, axes, bool(keepdim), mask)


def median(
    input: Tensor, dim: int = -1, *, keepdim: bool = False, dtype: Dtype = None, mask: Mask = None
) -> Tensor:
    """The lower middle of the elements of a slice where the mask holds."""
    axis = masked_axes(dim, input._array.ndim)[0]
    floating = input._array.dtype.kind == "f"
    x = input if floating else to(input, dtypes.float32)
    found: Tensor = ordering.nanmedian(masked_with(x, mask, np.nan), axis, keepdim)[0]
    if floating:
        return found
    if np.isnan(found._array).any():
        raise ValueError(
            "masked median expects no fully masked out rows if dtype is not floating point"
        )
    return _cast(found, dtype or input.dtype)


def norm(
    input: Tensor,
    ord: float = 2.0,
    dim: Dim = None,
    *,
    keepdim: bool = False,
    dtype: Dtype = None,
    mask: Mask = None,
) -> Tensor:
    """The vector norm over axes of the elements where the mask holds."""
    from engine.linalg import vector_norm

    filled = masked_with(input, mask, np.inf if ord == -np.inf else 0)
    axes = masked_axes(dim, input._array.ndim)
    found: Tensor = vector_norm(filled, ord, axes, bool(keepdim), dtype=dtype)
    return found


def var(
    input: Tensor,
    dim: Dim = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    dtype: Dtype = None,
    mask: Mask = None,
) -> Tensor:
    """The variance over axes of the elements where the mask holds."""
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    less = 1.0 if unbiased is None else float(unbiased)
    less = less if correction is None else float(correction)
    if dtype is None:
        dtype = input.dtype if input._array.dtype.kind in "fc" else dtypes.float32
    axes = masked_axes(dim, input._array.ndim)
    count = _count(input, axes, True, mask)
    total = sum(input, axes, keepdim=True, dtype=dtype, mask=mask)
    off = input - div(total, count)
    squares = sum(off * off.conj(), axes, keepdim=keepdim, dtype=dtype, mask=mask)
    return _cast(div(squares, _freedom(count, less, squares, dtype)), dtype)


def _freedom(count: Tensor, less: float, like: Tensor, dtype: dtypes.dtype) -> Tensor:
    """What the squares are divided by; never less than 0."""
    left = count._array.reshape(like._array.shape)
    if less:
        left = np.maximum(left.astype(dtype.to_real()._numpy) - less, 0)
    return Tensor(np.asarray(left, count._array.dtype if not less else dtype.to_real()._numpy))


def std(
    input: Tensor,
    dim: Dim = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    dtype: Dtype = None,
    mask: Mask = None,
) -> Tensor:
    """The root of the variance of the elements where the mask holds."""
    found = var(
        input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask
    )
    return sqrt(found)  # type: ignore[no-any-return]


def softmax(input: Tensor, dim: int, *, dtype: Dtype = None, mask: Mask = None) -> Tensor:
    """Softmax along an axis of the elements where the mask holds; 0 elsewhere."""
    filled = masked_with(input, mask, lowest(input))
    return reductions.softmax(filled, axis_of(dim, input._array.ndim), dtype)


def log_softmax(input: Tensor, dim: int, *, dtype: Dtype = None, mask: Mask = None) -> Tensor:
    """The logarithm of softmax of the elements where the mask holds; -inf elsewhere."""
    filled = masked_with(input, mask, lowest(input))
    return reductions.log_softmax(filled, axis_of(dim, input._array.ndim), dtype)


def softmin(input: Tensor, dim: int, *, dtype: Dtype = None, mask: Mask = None) -> Tensor:
    """Softmax of the negatives of the elements where the mask holds."""
    filled = neg(masked_with(input, mask, highest(input)))
    return reductions.softmax(filled, axis_of(dim, input._array.ndim), dtype)


def logsumexp(
    input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Dtype = None, mask: Mask = None
) -> Tensor:
    """The logarithm of the sum of exponentials of the elements where the mask holds."""
    filled = masked_with(input, mask, lowest(input))
    return _cast(reductions.logsumexp(filled, masked_axes(dim, input._array.ndim), keepdim), dtype)


def logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: Dtype = None,
    input_mask: Mask = None,
    other_mask: Mask = None,
) -> Tensor:
    """The logarithm of exp(input) + exp(other), each where its mask holds."""
    a = masked_with(input, input_mask, lowest(input))
    b = masked_with(other, other_mask, lowest(other))
    return _cast(_logaddexp(a, b), dtype)


def normalize(
    input: Tensor,
    ord: float,
    dim: int,
    *,
    eps: float = 1e-12,
    dtype: Dtype = None,
    mask: Mask = None,
) -> Tensor:
    """The elements where the mask holds divided by their norm along an axis; 0 elsewhere."""
    size = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    least = Tensor(np.asarray(eps, size._array.dtype))
    return div(masked_with(input, mask, 0), maximum(size, least))
