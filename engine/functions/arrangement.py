"""Elements in another order, repeated, or on and off diagonals; and conjugate transposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions.pieces import contiguous
from engine.functions.shapes import (
    axes_of,
    axis_of,
    expand,
    flatten,
    sizes_from,
    transpose,
    unsqueeze,
)
from engine.ops import OPS
from engine.tensor import Tensor, apply, as_tensor

Dims = int | Sequence[int]


def _asked(name: str, word: str, args: tuple[Any, ...], given: dict[str, Any]) -> tuple[int, ...]:
    """Numbers given one by one, as one sequence, or by their name."""
    if args:
        return sizes_from(args)
    if word not in given:
        raise TypeError(f'{name}() missing 1 required positional arguments: "{word}"')
    return sizes_from((given[word],))


def flip(input: Tensor, *dims: Any, **given: Any) -> Tensor:
    """The elements in reverse order along the axes `dims`. A copy."""
    axes = axes_of(_asked("flip", "dims", dims, given), input._array.ndim)
    return apply(OPS["flip"], (input,), {"dims": axes})


def fliplr(input: Tensor) -> Tensor:
    """The elements in reverse order along the second axis."""
    if input._array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip(input, 1)


def flipud(input: Tensor) -> Tensor:
    """The elements in reverse order along the first axis."""
    if input._array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip(input, 0)


def _several(given: Any) -> tuple[int, ...]:
    return (given,) if isinstance(given, int) else tuple(given)


def roll(input: Tensor, shifts: Dims, dims: Dims | None = None) -> Tensor:
    """The elements moved on along axes, or in the flattened tensor; the last come first again."""
    by = _several(shifts)
    axes = () if dims is None else _several(dims)
    if (axes or len(by) != 1) and len(by) != len(axes):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(by)}, dims:{len(axes)}")
    if axes and not input._array.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    where = tuple([axis_of(d, input._array.ndim) for d in axes])
    return apply(OPS["roll"], (input,), {"shifts": by, "dims": where})


def rot90(input: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """The plane of two axes turned by `k` right angles, from the first axis to the second."""
    ndim, given = input._array.ndim, list(dims)
    if len(given) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(given)}")
    if ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {ndim}")
    first, second = (axis_of(d, ndim) for d in given)
    if first == second:
        raise RuntimeError(
            "expected rotation dims to be different, but got dim0 = "
            f"{given[0]} and dim1 = {given[1]}"
        )
    return apply(OPS["rot90"], (input,), {"k": int(k), "dims": (first, second)})


def repeat(self: Tensor, *repeats: Any, **given: Any) -> Tensor:
    """Copies side by side, so many along each axis; further axes come in front."""
    counts = _asked("repeat", "repeats", repeats, given)
    shape = self._array.shape
    if len(counts) < len(shape):
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    made = [n * k for n, k in zip((1,) * (len(counts) - len(shape)) + shape, counts, strict=True)]
    if any(n < 0 for n in made):
        bad = next(n for n in made if n < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {bad}: {made}")
    return apply(OPS["repeat"], (self,), {"repeats": counts})


def tile(input: Tensor, *dims: Any, **given: Any) -> Tensor:
    """As `repeat`, where too few counts are for the last axes."""
    counts = _asked("tile", "dims", dims, given)
    return repeat(input, (*(1,) * (input._array.ndim - len(counts)), *counts))


def repeat_interleave(
    input: Tensor,
    repeats: Any = None,
    dim: int | None = None,
    *,
    output_size: int | None = None,
) -> Tensor:
    """Each element (or slice along an axis) several times in a row.

    `repeats` is a count, or a tensor of one count for each. Without it the tensor holds counts,
    and each index is repeated so many times.
    """
    if repeats is None:
        return _counted_out(input)
    x, axis = (input, dim) if dim is not None else (input.reshape(-1), 0)
    axis = axis_of(axis, x._array.ndim)
    if not isinstance(repeats, Tensor):
        return _stretched(x, int(repeats), axis)
    counts = repeats if repeats._array.ndim else repeats.reshape(1)
    size = x._array.shape[axis] if x._array.ndim else 1
    if counts._array.size == 1:
        counts = counts.expand(size)
    if counts._array.size != size:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{counts._array.size} and input.size({axis}) = {size}"
        )
    return apply(OPS["index_select"], (x, _counted_out(counts)), {"dim": axis})


def _stretched(x: Tensor, count: int, axis: int) -> Tensor:
    if count < 0:
        raise RuntimeError("Repeats must be non-negative")
    if not x._array.ndim:
        x = x.reshape(1)
    shape = list(x._array.shape)
    wide = expand(unsqueeze(x, axis + 1), *shape[: axis + 1], count, *shape[axis + 1 :])
    return flatten(contiguous(wide), axis, axis + 1)


def _counted_out(counts: Tensor) -> Tensor:
    array = counts._array
    if array.dtype not in (np.int32, np.int64):
        word = dtypes.word(counts.dtype)
        raise NotImplementedError(f"\"repeat_interleave_cpu\" not implemented for '{word}'")
    if (array < 0).any():
        raise RuntimeError("repeats can not be negative")
    return Tensor(np.repeat(np.arange(array.size), array))


def _triangle(name: str) -> Any:
    side = "below" if name == "tril" else "above"

    def function(input: Tensor, diagonal: int = 0) -> Tensor:
        if input._array.ndim < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        return apply(OPS[name], (input,), {"diagonal": int(diagonal)})

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The elements of each matrix on and {side} a diagonal, zeros elsewhere."
    return function


tril = _triangle("tril")
triu = _triangle("triu")


def diagonal_params(offset: int, dim1: int, dim2: int, ndim: int) -> dict[str, int]:
    """The params of a diagonal. Raises where the two axes are one."""
    first, second = axis_of(dim1, ndim), axis_of(dim2, ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return {"offset": int(offset), "dim1": first, "dim2": second}


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """A view of a diagonal of the planes of two axes, as a new last axis."""
    params = diagonal_params(offset, dim1, dim2, input._array.ndim)
    return apply(OPS["diagonal"], (input,), params)


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices with the last axis on a diagonal and zeros elsewhere."""
    params = diagonal_params(offset, dim1, dim2, input._array.ndim + 1)
    return apply(OPS["diag_embed"], (input,), params)


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """A vector as the diagonal of a matrix; of a matrix, a copy of its diagonal."""
    ndim = input._array.ndim
    if ndim not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {ndim}D")
    if ndim == 1:
        return diag_embed(input, diagonal)
    return apply(OPS["diagonal_copy"], (input,), diagonal_params(diagonal, 0, 1, 2))


def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """All elements as the diagonal of a matrix."""
    return diag_embed(input.reshape(-1), offset)


def trace(input: Tensor) -> Tensor:
    """The sum of a matrix' diagonal."""
    if input._array.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input._array.ndim}")
    if input._array.dtype.kind == "b":
        raise NotImplementedError("\"trace\" not implemented for 'Bool'")
    return apply(OPS["trace"], (input,), {})


_OF_A_NUMBER = "Tensor.{name} is deprecated on 0-D tensors. Consider using x.conj()."


def _adjoint(input: Tensor) -> Tensor:
    turned = transpose(input, -2, -1)
    return turned.conj() if input._array.dtype.kind == "c" else turned


def adjoint(input: Tensor) -> Tensor:
    """The conjugate transpose of each matrix."""
    if input._array.ndim < 2:
        raise RuntimeError(
            "tensor.adjoint() is only supported on matrices or batches of matrices. Got "
            f"{input._array.ndim}-D tensor."
        )
    return _adjoint(input)


def _h(self: Tensor) -> Tensor:
    ndim = self._array.ndim
    if ndim not in (0, 2):
        batches = " For batches of matrices, consider using tensor.mH" if ndim > 2 else ""
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor.{batches}"
        )
    if not ndim:
        errors.warn_once(_OF_A_NUMBER.format(name="H"))
        return self
    return _adjoint(self)


def _mh(self: Tensor) -> Tensor:
    ndim = self._array.ndim
    if not ndim:
        errors.warn_once(_OF_A_NUMBER.format(name="mH"))
        return self
    if ndim < 2:
        raise RuntimeError(
            f"tensor.mH is only supported on matrices or batches of matrices. Got {ndim}-D tensor."
        )
    return _adjoint(self)


H = property(_h, doc="The conjugate transpose of a matrix.")
mH = property(_mh, doc="The conjugate transpose of each matrix.")  # noqa: N816


def fill(input: Tensor, value: Any) -> Tensor:
    """A tensor of the same shape and dtype, filled with a number or a 0-d tensor."""
    if not isinstance(value, Tensor):
        return apply(OPS["fill_value"], (input,), {"value": value})
    if value._array.ndim:
        raise RuntimeError(errors.FILL_SHAPE.format(n=value._array.ndim))
    return apply(OPS["fill_tensor"], (input, as_tensor(value)), {})


def block_diag(*tensors: Tensor) -> Tensor:
    """A matrix with the matrices along its diagonal, zeros elsewhere."""
    for i, t in enumerate(tensors):
        if t._array.ndim > 2:
            raise RuntimeError(
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input "
                f"{i} has {t._array.ndim} dimensions"
            )
    if not tensors:
        return Tensor(np.zeros((1, 0), dtypes.get_default_dtype()._numpy))
    return apply(OPS["block_diag"], tuple(tensors), {})
