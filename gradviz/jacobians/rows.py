"""Rows of a Jacobian: swept back many at once, and kept as far as there is room for them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.cells import pooled
from gradviz.jacobians.pattern import Kind, Ones, Pattern
from gradviz.language import _

Array = npt.NDArray[Any]
Progress = Callable[[int, int], bool]  # rows done, rows in all; False stops

LIMIT = 256 << 20  # bytes: half for the matrix, half for the rows under way
SIDE = 512  # rows and columns of a matrix that is kept downsampled
_AT_ONCE = 128  # rows in one sweep, so that a Cancel is not long in coming
_COPIES = 3  # of a cotangent that a sweep holds at a time


@dataclass(frozen=True, slots=True)
class Budget:
    """The bytes that may be used, and who is told how far it is and may say that it is enough."""

    limit: int = LIMIT
    progress: Progress | None = None


BUDGET = Budget()


class JacobianProblem(ValueError):
    """There is no such Jacobian, or it cannot be found here; the text says why."""


class StoppedError(Exception):
    """It was given up, as asked."""


@dataclass(frozen=True, slots=True, eq=False)
class Jacobian:
    """∂of[i]/∂wrt[j], elements counted in row-major order.

    `matrix` has `rows` x `columns` elements, or is downsampled: then an element stands for a block
    and is the largest in size of it; block k of the rows begins at `row_starts[k]`, and so for
    columns. `kind` and `ones` are of the whole. `linked` is whether `of` depends on `wrt` at all.
    """

    of: str
    wrt: str
    of_shape: tuple[int, ...]
    wrt_shape: tuple[int, ...]
    matrix: Array
    row_starts: tuple[int, ...]
    column_starts: tuple[int, ...]
    kind: Kind
    ones: Ones
    linked: bool

    @property
    def rows(self) -> int:
        return math.prod(self.of_shape)

    @property
    def columns(self) -> int:
        return math.prod(self.wrt_shape)

    @property
    def downsampled(self) -> bool:
        return self.matrix.shape != (self.rows, self.columns)

    def row_label(self, at: int) -> str:
        """The name of a row of `matrix`: y[0, 1], or the first and last element of its block."""
        return _label(self.of, self.of_shape, self.row_starts, at)

    def column_label(self, at: int) -> str:
        return _label(self.wrt, self.wrt_shape, self.column_starts, at)

    def row_index(self, at: int) -> str:
        """The label of a row without the name: [0, 1]."""
        return _label("", self.of_shape, self.row_starts, at)

    def column_index(self, at: int) -> str:
        """The label of a column without the name: [0, 1]."""
        return _label("", self.wrt_shape, self.column_starts, at)

    def row_of(self, seed: Array) -> int | None:
        """The row of `matrix` that a one-hot seed picks; None for any other seed."""
        at = one_hot(seed)
        if at is None:
            return None
        return int(np.searchsorted(self.row_starts, at, side="right")) - 1

    def product(self, seed: Array) -> Array | None:
        """The seed times the matrix, in the input's shape; None where it is downsampled."""
        if self.downsampled or seed.size != self.rows:
            return None
        with np.errstate(all="ignore"):
            found: Array = seed.reshape(-1) @ self.matrix.astype(np.float64)
        return found.reshape(self.wrt_shape)

    def summed(self, seed: Array) -> float:
        """The largest sum of magnitudes in `product`; 0 where there is no product."""
        if self.downsampled or seed.size != self.rows:
            return 0.0
        with np.errstate(all="ignore"):
            sums = np.abs(seed.reshape(-1)) @ np.abs(self.matrix).astype(np.float64)
        return float(np.nan_to_num(sums, posinf=0.0).max(initial=0.0))


@dataclass(slots=True)
class Pair:
    """An output and the input that it is differentiated by, with history between them."""

    of: str
    wrt: str
    output: Any
    input: Any
    between: int  # elements of everything on the way


def one_hot(seed: Array) -> int | None:
    """The place of the only element of a seed that is not 0, where that is 1."""
    places = np.flatnonzero(seed)
    return int(places[0]) if len(places) == 1 and seed.reshape(-1)[places[0]] == 1 else None


def afford(pair: Pair, output: Array, source: Array, limit: int) -> None:
    """Raise JacobianProblem where not even one row can be found within the limit."""
    width = max(output.itemsize, source.itemsize)
    if _row_bytes(pair, source.size, output.size, width) > limit // 2:
        text = _("One row of the Jacobian takes more than the {size} MiB that it may use.")
        raise JacobianProblem(text.format(size=f"{limit / (1 << 20):,.3g}"))


def shrunk(whole: Jacobian, rows: int, columns: int) -> Jacobian:
    """The matrix with at most so many rows and columns."""
    if whole.matrix.shape[0] <= rows and whole.matrix.shape[1] <= columns:
        return whole
    height, width = whole.matrix.shape
    return replace(
        whole,
        matrix=pooled(whole.matrix, rows, columns),
        row_starts=tuple(whole.row_starts[at] for at in _starts(height, rows)),
        column_starts=tuple(whole.column_starts[at] for at in _starts(width, columns)),
    )


def _row_bytes(pair: Pair, columns: int, rows: int, width: int) -> int:
    return max(1, pair.between + columns + rows) * width * _COPIES


def found_of(pair: Pair, budget: Budget) -> Jacobian:
    """Sweep row by row, many at once, and keep what there is room for."""
    limit = budget.limit
    output, source = pair.output._array, pair.input._array
    rows, columns = output.size, source.size
    width = max(output.itemsize, source.itemsize)
    block = max(1, min(_AT_ONCE, (limit // 2) // _row_bytes(pair, columns, rows, width)))
    whole = rows * columns * source.itemsize <= limit // 2
    side = max(1, min(SIDE, math.isqrt(limit // (8 * width))))
    starts = [_starts(rows, rows if whole else side), _starts(columns, columns if whole else side)]
    high = np.full((len(starts[0]), len(starts[1])), -np.inf, source.dtype)
    low = high if whole else np.full_like(high, np.inf)
    pattern = Pattern(rows, columns)
    linked = bool(pair.output.requires_grad)
    for at in range(0, rows, block):
        if budget.progress is not None and not budget.progress(at, rows):
            raise StoppedError
        part = _rows(pair, at, min(at + block, rows), linked)
        pattern.feed(part)
        if whole:
            high[at : at + len(part)] = part
        elif columns:
            _pool(part, at, starts, high, low)
    matrix = high
    if not whole:
        with np.errstate(invalid="ignore"):
            matrix = np.where(np.abs(high) >= np.abs(low), high, low)
            matrix[np.isnan(high)] = np.nan
    return Jacobian(
        pair.of,
        pair.wrt,
        output.shape,
        source.shape,
        matrix,
        starts[0],
        starts[1],
        pattern.kind(),
        pattern.ones(output.shape, source.shape),
        linked,
    )


def _rows(pair: Pair, start: int, stop: int, linked: bool) -> Array:
    """The rows from `start` to `stop`, by as many one-hot seeds in one sweep."""
    source = pair.input._array
    if not linked or not source.size:
        return np.zeros((stop - start, source.size), source.dtype)
    from engine.autograd import grad
    from engine.tensor import Tensor

    seeds = np.zeros((stop - start, pair.output._array.size), pair.output._array.dtype)
    seeds[np.arange(stop - start), np.arange(start, stop)] = 1
    many = Tensor(seeds.reshape(stop - start, *pair.output._array.shape))
    try:
        (found,) = grad(
            pair.output,
            pair.input,
            many,
            retain_graph=True,
            is_grads_batched=True,
            allow_unused=True,
            materialize_grads=True,
        )
    except Exception as error:
        raise JacobianProblem(f"{type(error).__name__}: {error}") from error
    rows: Array = np.asarray(found.detach()._array)
    if rows.shape[0] != stop - start:  # zeros of an input that no seed reaches
        return np.zeros((stop - start, source.size), source.dtype)
    return rows.reshape(stop - start, source.size)


def _starts(count: int, most: int) -> tuple[int, ...]:
    """Where each of at most `most` blocks of about one size begins."""
    if count <= most:
        return tuple(range(count))
    return tuple(np.linspace(0, count, most + 1).round().astype(int)[:-1].tolist())


def _pool(part: Array, at: int, starts: list[tuple[int, ...]], high: Array, low: Array) -> None:
    """Put rows that begin at row `at` into the blocks that they belong to."""
    bins = np.searchsorted(starts[0], np.arange(at, at + len(part)), side="right") - 1
    with np.errstate(invalid="ignore"):
        np.maximum.at(high, bins, np.maximum.reduceat(part, starts[1], axis=1))
        np.minimum.at(low, bins, np.minimum.reduceat(part, starts[1], axis=1))


def _label(name: str, shape: tuple[int, ...], starts: tuple[int, ...], at: int) -> str:
    count = math.prod(shape)
    first = starts[at]
    last = (starts[at + 1] if at + 1 < len(starts) else count) - 1
    text = element(name, shape, first)
    return text if last == first else f"{text} … {element('', shape, last)}"


def element(name: str, shape: tuple[int, ...], at: int) -> str:
    """An element of a tensor as it would be written: y[0, 1]; a number is its name."""
    if not shape:
        return name
    whole = name if name.replace("_", "a").isidentifier() or not name else f"({name})"
    return f"{whole}[{', '.join(str(i) for i in np.unravel_index(at, shape))}]"
