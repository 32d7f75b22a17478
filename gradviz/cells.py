"""Numbers as short text, and arrays as rows of cells with tones."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.figure import Cell, Tone
from gradviz.language import _, current

Array = npt.NDArray[Any]
_EXACT = 1_000_000  # integers below it are written out
_WIDE = 30.0  # a larger ratio between the largest and the middling size asks for logarithms
_SAMPLE = 20_000  # sizes of which the middling one is found
_LINE = 32  # characters of an array on one line
_LABEL = 18  # of one on an edge


@dataclass(frozen=True, slots=True)
class Style:
    """How numbers are written: significant digits, and whether always with a power of ten."""

    digits: int = 4
    scientific: bool = False


_style = Style()


def write_as(wanted: Style) -> None:
    """Write all numbers like this from now on. Like the language, it is the reader's choice."""
    global _style
    _style = wanted


Wording = tuple[str, Style]


def wording() -> Wording:
    """The language and the style of numbers in use: what a kept text with numbers depends on."""
    return current(), _style


def number(value: Any, *, chars: int | None = None) -> str:
    """A number as a short text: 7, 3.5, 0.3333, 1.2e-05, nan, inf, -0.

    With `chars` digits are given up, one significant digit always staying, to fit that width.
    """
    if type(value) is float:  # what most cells hold
        plain = value
    elif isinstance(value, (bool, np.bool_)):
        return "True" if value else "False"
    elif isinstance(value, (complex, np.complexfloating)):
        return f"{number(value.real)}{'+' if value.imag >= 0 else '-'}{number(abs(value.imag))}j"
    else:
        plain = float(value)
    if chars is None:
        return _digits(plain, _style.digits)
    for digits in range(_style.digits, 0, -1):
        text = _digits(plain, digits)
        if len(text) <= chars:
            return text
        text = _tight(f"{plain:.{digits - 1}e}")
        if len(text) <= chars:
            return text
    return text


def _digits(value: float, digits: int) -> str:
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    if value.is_integer() and abs(value) < _EXACT:
        return "-0" if value == 0 and math.copysign(1.0, value) < 0 else str(int(value))
    if _style.scientific:
        return _tight(f"{value:.{digits - 1}e}")
    if 10**digits <= abs(value) < _EXACT and digits == _style.digits:
        return f"{value:.0f}"
    return f"{value:.{digits}g}"


def _tight(text: str) -> str:
    """Scientific notation without what can be spared: 1.20e-05 becomes 1.2e-5."""
    head, found, power = text.partition("e")
    if not found:
        return text
    if "." in head:
        head = head.rstrip("0").rstrip(".")
    return f"{head}e{int(power)}"


def array_text(array: Array) -> str:
    """An array on one line: `[4, 6]`, `[1, 2, …, 9]`; shape and norm where that is too long."""
    if array.ndim == 0:
        return number(array[()])
    if array.size <= 2 * _LINE or array.ndim == 1:
        text = _nested(array)
        if len(text) <= _LINE:
            return text
    return summary(array)


def summary(array: Array) -> str:
    """Shape and norm."""
    return _("{shape} norm {norm}").format(shape=shape_text(array.shape), norm=number(norm(array)))


def label_text(array: Array) -> str:
    """An array as it travels along an edge: on one short line, else its shape and norm."""
    text = array_text(array)
    return text if len(text) <= _LABEL else summary(array)


def _nested(array: Array) -> str:
    if array.ndim == 0:
        return number(array[()])
    items = list(array) if len(array) <= 6 else [array[0], array[1], None, array[-1]]
    return (
        "[" + ", ".join("…" if item is None else _nested(np.asarray(item)) for item in items) + "]"
    )


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape as 64×10; those of fewer than two axes as Python writes them."""
    return "×".join(map(str, shape)) if len(shape) > 1 else str(shape)


def _sizes(array: Array) -> Array:
    """Magnitudes in float64; those of the smallest integers too, which their own type lacks."""
    sizes: Array = np.abs(array if array.dtype.kind == "c" else array.astype(np.float64))
    return sizes


def norm(array: Array) -> float:
    """The Euclidean norm over all elements, in float64, scaled so that squares do not overflow."""
    sizes = _sizes(array)
    top = float(sizes.max(initial=0.0))
    if top == 0 or not math.isfinite(top):
        return top
    return top * float(np.sqrt(np.sum(np.square(sizes / top))))


@dataclass(frozen=True, slots=True)
class Scale:
    """How sizes of gradients become levels in 0..1: 1 at `top`; logarithmic down to `bottom`."""

    top: float = 0.0
    bottom: float = 0.0
    logarithmic: bool = False

    def level(self, size: float) -> float:
        """The level of an absolute value; 0 for what is not finite."""
        if not 0 < size < math.inf or self.top <= 0:
            return 0.0
        if not self.logarithmic:
            return min(size / self.top, 1.0)
        low = math.log(self.bottom)  # ratios of such numbers may underflow, their logarithms not
        share = (math.log(size) - low) / (math.log(self.top) - low)
        return min(max(0.1 + 0.9 * share, 0.1), 1.0)

    def text(self) -> str:
        """A line for the legend; empty where there are no gradients."""
        if self.top <= 0:
            return ""
        if not self.logarithmic:
            return _("colour: linear up to {top}").format(top=number(self.top))
        return _("colour: logarithmic from {bottom} to {top}").format(
            bottom=number(self.bottom), top=number(self.top)
        )


def scale_of(arrays: Iterable[Array]) -> Scale:
    """One scale for all these arrays: linear, or logarithmic where sizes differ widely."""
    parts = [np.ravel(array) for array in arrays]
    if not parts:
        return Scale()
    sizes = _sizes(np.concatenate(parts))
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    if not sizes.size:
        return Scale()
    top, bottom = float(sizes.max()), float(sizes.min())
    some = sizes[:: max(1, sizes.size // _SAMPLE)]
    middling = float(np.partition(some, some.size // 2)[some.size // 2])
    wide = top / middling > _WIDE or top / bottom > _WIDE**2
    return Scale(top, max(bottom, top * 1e-8), wide)


def gradient_cells(array: Array, scale: Scale, *, chars: int | None) -> tuple[Cell, ...]:
    """Cells by sign and size; `chars` is the width of a number, None gives swatches."""
    return tuple(
        Cell(
            "" if chars is None else number(value, chars=chars),
            _sign(value),
            scale.level(abs(value)),
        )
        for value in array.ravel().tolist()
    )


def value_cells(array: Array, *, chars: int | None) -> tuple[Cell, ...]:
    """Cells of plain values; swatches run from the smallest value to the largest."""
    flat = np.ravel(array)
    if chars is not None:
        return tuple(
            Cell(number(value, chars=chars), "value" if _finite(value) else "error")
            for value in flat.tolist()
        )
    sizes = _sizes(flat) if flat.dtype.kind == "c" else flat.astype(np.float64)
    finite = sizes[np.isfinite(sizes)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 0.0)
    return tuple(
        # Halved, so that the span of the largest numbers is still one.
        Cell("", "value", (value / 2 - low / 2) / (high / 2 - low / 2) if high > low else 0.5)
        if math.isfinite(value)
        else Cell("", "error")
        for value in sizes.tolist()
    )


def empty_cells(count: int) -> tuple[Cell, ...]:
    """Cells where nothing has arrived yet."""
    return (Cell("·", "empty"),) * count


def _finite(value: Any) -> bool:
    return isinstance(value, (bool, int)) or math.isfinite(abs(value))


def _sign(value: Any) -> Tone:
    if not _finite(value):
        return "error"
    if value == 0:
        return "zero"
    if isinstance(value, complex):  # by the real part, by the imaginary one where that is 0
        value = value.real or value.imag
    return "positive" if value > 0 else "negative"


def pooled(array: Array, rows: int, columns: int) -> Array:
    """The array as at most `rows` x `columns` blocks, each shown by its largest element in size.

    Leading axes become rows. NaN wins in its block, so that it cannot hide.
    """
    table = array.reshape(1, -1) if array.ndim < 2 else array.reshape(-1, array.shape[-1])
    for axis, limit in ((0, rows), (1, columns)):
        if table.shape[axis] > limit:
            table = _pool(table, limit, axis)
    return table


def _pool(table: Array, limit: int, axis: int) -> Array:
    edges = np.linspace(0, table.shape[axis], limit + 1).round().astype(int)[:-1]
    with np.errstate(invalid="ignore"):
        high = np.maximum.reduceat(table, edges, axis=axis)
        low = np.minimum.reduceat(table, edges, axis=axis)
        return np.where(np.abs(high) >= np.abs(low), high, low) if table.dtype != bool else high
