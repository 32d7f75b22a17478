"""Elements in another order or place: flipped, rolled, repeated, triangles, diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops.index import PIECE
from engine.ops.layout import row_major

Axes = tuple[int, ...]


@row_major
def _roll(x: Any, *, shifts: Axes, dims: Axes) -> Any:
    if not dims:
        return np.roll(x, shifts[0] if shifts else 0)
    return np.roll(x, shifts, dims)


def _roll_back(g: Any, y: Any, x: Any, *, shifts: Axes, dims: Axes) -> Any:
    return ROLL(g, shifts=tuple([-n for n in shifts]), dims=dims)


def _rot90(x: Any, *, k: int, dims: Axes) -> Any:
    """A flip, and for odd k a transposition that only changes strides, as in PyTorch."""
    turns = k % 4
    if turns in (0, 2):
        return (np.flip(x, dims) if turns else x).copy()
    return np.swapaxes(np.flip(x, dims[turns == 1]).copy(), *dims)


def _repeat(x: Any, *, repeats: Axes) -> Any:
    return np.tile(x, repeats)


def _repeat_back(g: Any, y: Any, x: Any, *, repeats: Axes) -> Any:
    """Every copy of an element sends its cotangent to it."""
    shape = (1,) * (len(repeats) - len(x.shape)) + x.shape
    both = tuple([n for pair in zip(repeats, shape, strict=True) for n in pair])
    total = np.sum(np.reshape(g, both), axis=tuple(range(0, len(both), 2))) if both else g
    return np.reshape(total, x.shape)


def _diagonal(x: Any, *, offset: int, dim1: int, dim2: int) -> Any:
    found = np.diagonal(x, offset, dim1, dim2)
    if x.flags.writeable:
        found.flags.writeable = True  # as a view of PyTorch's is
    return found


def _put_diagonal(x: Any, *, shape: tuple[int, ...], offset: int, dim1: int, dim2: int) -> Any:
    made = np.zeros(shape, x.dtype)
    _diagonal(made, offset=offset, dim1=dim1, dim2=dim2)[...] = x
    return made


def _diagonal_back(g: Any, y: Any, x: Any, **where: int) -> Any:
    return PUT_DIAGONAL(g, shape=x.shape, **where)


def _put_diagonal_back(g: Any, y: Any, x: Any, *, shape: tuple[int, ...], **where: int) -> Any:
    return DIAGONAL(g, **where)


def _diag_embed(x: Any, *, offset: int, dim1: int, dim2: int) -> Any:
    n = x.shape[-1] + abs(offset)
    shape = list(x.shape[:-1])
    for axis in sorted((dim1, dim2)):
        shape.insert(axis, n)
    return _put_diagonal(x, shape=tuple(shape), offset=offset, dim1=dim1, dim2=dim2)


def _trace(x: Any) -> Any:
    return np.trace(x, dtype=np.int64 if x.dtype.kind in "iub" else x.dtype)


def _trace_back(g: Any, y: Any, x: Any) -> Any:
    along = np.broadcast_to(g, (min(x.shape),))
    return PUT_DIAGONAL(along, shape=x.shape, offset=0, dim1=0, dim2=1)


def _corners(shapes: list[tuple[int, ...]]) -> list[tuple[slice, slice]]:
    """Where the blocks of a block-diagonal matrix lie."""
    found, row, column = [], 0, 0
    for shape in shapes:
        height, width = (1, 1, *shape)[-2:]
        found.append((slice(row, row + height), slice(column, column + width)))
        row, column = row + height, column + width
    return found


def _block_diag(*xs: Any) -> Any:
    blocks = _corners([x.shape for x in xs])
    made = np.zeros((blocks[-1][0].stop, blocks[-1][1].stop), np.result_type(*xs))
    for x, key in zip(xs, blocks, strict=True):
        made[key] = x
    return made


def _block_diag_back(g: Any, y: Any, *xs: Any, slot: int) -> Any:
    key = _corners([x.shape for x in xs])[slot]
    return np.reshape(PIECE(g, key=key), xs[slot].shape)


_MATRIX = (Sample(((2, 3),), {"diagonal": 0}), Sample(((2, 3, 3),), {"diagonal": -1}))
_WHERE = {"offset": 1, "dim1": 0, "dim2": 1}

FLIP: Op = Op(
    "flip",
    lambda x, *, dims: np.flip(x, dims).copy("K"),
    (lambda g, y, x, *, dims: FLIP(g, dims=dims),),
    promote="none",
    samples=(Sample(((2, 3),), {"dims": (1,)}),),
)
ROLL = Op(
    "roll",
    _roll,
    (_roll_back,),
    promote="none",
    samples=(
        Sample(((2, 3),), {"shifts": (1,), "dims": ()}),
        Sample(((2, 3),), {"shifts": (1, -1), "dims": (1, 0)}),
    ),
)
ROT90: Op = Op(
    "rot90",
    _rot90,
    (lambda g, y, x, *, k, dims: ROT90(g, k=-k, dims=dims),),
    promote="none",
    samples=(Sample(((2, 3),), {"k": 1, "dims": (0, 1)}),),
)
TRIL: Op = Op(
    "tril",
    row_major(lambda x, *, diagonal: np.tril(x, diagonal)),
    (lambda g, y, x, *, diagonal: TRIL(g, diagonal=diagonal),),
    promote="none",
    samples=_MATRIX,
)
TRIU: Op = Op(
    "triu",
    row_major(lambda x, *, diagonal: np.triu(x, diagonal)),
    (lambda g, y, x, *, diagonal: TRIU(g, diagonal=diagonal),),
    promote="none",
    samples=_MATRIX,
)
DIAGONAL = Op(
    "diagonal",
    _diagonal,
    (_diagonal_back,),
    promote="none",
    is_view=True,
    samples=(
        Sample(((2, 3),), {"offset": 0, "dim1": 0, "dim2": 1}),
        Sample(((3, 2, 3),), {"offset": -1, "dim1": 2, "dim2": 0}),
    ),
)
# A cotangent on a diagonal, zeros elsewhere.
PUT_DIAGONAL = Op(
    "put_diagonal",
    _put_diagonal,
    (_put_diagonal_back,),
    "DiagonalBackwardBackward0",
    promote="none",
    samples=(Sample(((2,),), {"shape": (2, 3), **_WHERE}),),
)
DIAG_EMBED = Op(
    "diag_embed",
    _diag_embed,
    (lambda g, y, x, *, offset, dim1, dim2: DIAGONAL(g, offset=offset, dim1=dim1, dim2=dim2),),
    promote="none",
    samples=(Sample(((2,),), _WHERE), Sample(((2, 2),), {"offset": -1, "dim1": 0, "dim2": 2})),
)

ROWS = (
    FLIP,
    ROLL,
    ROT90,
    TRIL,
    TRIU,
    DIAGONAL,
    PUT_DIAGONAL,
    DIAG_EMBED,
    Op(
        "repeat",
        _repeat,
        (_repeat_back,),
        promote="none",
        samples=(Sample(((2, 3),), {"repeats": (2, 1, 2)}), Sample(((2,),), {"repeats": (3,)})),
    ),
    Op("trace", _trace, (_trace_back,), promote="none", samples=(Sample(((2, 3),)),)),
    Op(
        "block_diag",
        _block_diag,
        (_block_diag_back,),
        variadic=True,
        samples=(Sample(((2, 3), (2,), ())),),
    ),
)
