"""The text of a tensor, character for character what PyTorch prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from engine import dtypes
from engine.arrays import Array

Cell = Callable[[Any], str]  # one element, as text


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """Digits after the point, when and how far to summarise, columns of a line, e-notation."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None  # None: as the magnitudes ask for


PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=float("inf")),
}

_options = PROFILES["default"]


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors print. What is None stays, but `sci_mode` always takes its argument.

    `profile` ("default", "short" or "full"; others are ignored) is applied before the rest.
    """
    global _options
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    _options = replace(PROFILES.get(profile or "", _options), sci_mode=sci_mode, **changes)


def get_printoptions() -> dict[str, Any]:
    """The options in force, as arguments for `set_printoptions`."""
    return asdict(_options)


@contextmanager
def printoptions(**changes: Any) -> Iterator[None]:
    """Print differently until the context ends; takes what `set_printoptions` takes."""
    global _options
    before = _options
    set_printoptions(**changes)
    try:
        yield
    finally:
        _options = before


def tensor_text(
    array: Array, *, requires_grad: bool = False, grad_fn_name: str | None = None
) -> str:
    """What `str` and `repr` of the tensor give."""
    indent = len("tensor(")
    if array.size:
        body, shown = _body(array, indent), _options.edgeitems == 0
    else:
        body, shown = "[]", array.ndim != 1
    suffixes = [f"size={array.shape}"] if shown else []
    if not _goes_without_saying(array):
        suffixes.append(f"dtype={dtypes.of(array.dtype)}")
    if grad_fn_name is not None:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    return _with_suffixes(f"tensor({body}", suffixes, indent)


def format_text(
    array: Array, spec: str, *, whole: Callable[[], str], type_name: str = "Tensor"
) -> str:
    """What `format(tensor, spec)` gives: 0-d tensors format as their number, no other takes a spec.

    `whole` makes the tensor's printed text. Subclasses (named in `type_name`) never format as a
    number. Raises TypeError where there is a spec for such a tensor, and ValueError where the
    number does not take it.
    """
    if array.ndim == 0 and type_name == "Tensor":
        return format(array.item(), spec)
    if spec:
        raise TypeError(f"unsupported format string passed to {type_name}.__format__")
    return whole()


def _goes_without_saying(array: Array) -> bool:
    """Whether a reader can tell the dtype from the elements."""
    kind, default = dtypes.of(array.dtype), dtypes.get_default_dtype()
    if array.size == 0:
        return kind is default
    complex_default = dtypes.complex128 if default is dtypes.float64 else dtypes.complex64
    return kind in (default, complex_default, dtypes.int64, dtypes.bool_)


def _with_suffixes(text: str, suffixes: Sequence[str], indent: int) -> str:
    """Append the suffixes, each on a new line where it would not fit, and close the bracket."""
    # The second summand is PyTorch's count: a line that follows a break is taken as one longer,
    # and the only line as two longer, than it is.
    column = len(text) - text.rfind("\n") + 1
    parts = [text]
    for suffix in suffixes:
        if column + len(suffix) + 2 > _options.linewidth:
            parts.append(f",\n{' ' * indent}{suffix}")
            column = indent + len(suffix)
        else:
            parts.append(f", {suffix}")
            column += len(suffix) + 2
    return "".join([*parts, ")"])


def _body(array: Array, indent: int) -> str:
    edge = _options.edgeitems if array.size > _options.threshold else None
    sample = array if edge is None else _corners(array, edge)
    if array.dtype.kind == "c":
        cell, width = _complex_cell(sample)
    elif array.dtype.kind == "f":
        cell, width = _float_cell(sample)
    else:
        cell, width = _plain_cell(sample)
    if array.ndim == 0:
        return cell(array.item())
    per_line = (_options.linewidth - indent - array.ndim + 1) // (width + 2)
    return _nested(array, indent, cell=cell, per_line=max(1, per_line), edge=edge)


def _corners(array: Array, edge: int) -> Array:
    """The elements that a summary shows: of each long axis, the first and last `edge` places."""
    for axis, size in enumerate(array.shape):
        if size > 2 * edge:
            places = [*range(edge), *range(size - edge, size)]
            array = np.take(array, places, axis=axis)
    return array


def _nested(array: Array, indent: int, *, cell: Cell, per_line: int, edge: int | None) -> str:
    """An array of at least one axis in brackets; `indent` is where its bracket stands."""
    if array.ndim == 1:
        left_out = " ..." if edge else "..."
        cells = [left_out if x is None else cell(x) for x in _shown(array.tolist(), edge)]
        starts = range(0, len(cells), per_line)
        parts = [", ".join(cells[start : start + per_line]) for start in starts]
    else:
        parts = [
            "..."
            if row is None
            else _nested(row, indent + 1, cell=cell, per_line=per_line, edge=edge)
            for row in _shown(array, edge)
        ]
    gap = "," + "\n" * max(1, array.ndim - 1) + " " * (indent + 1)
    return f"[{gap.join(parts)}]"


def _shown(parts: Any, edge: int | None) -> list[Any]:
    """The parts to show, with None in the place of those left out."""
    if edge is None or len(parts) <= 2 * edge:
        return list(parts)
    return [*parts[:edge], None, *parts[len(parts) - edge :]]


def _plain_cell(sample: Array) -> tuple[Cell, int]:
    """Integers and truth values, right-aligned."""
    width = max((len(str(value)) for value in sample.ravel().tolist()), default=1)
    return (lambda value: str(value).rjust(width)), width


def _float_cell(sample: Array) -> tuple[Cell, int]:
    """Floats, all in the notation that suits the finite nonzero ones, right-aligned."""
    values = sample.ravel().astype(np.float64)
    values = values[np.isfinite(values) & (values != 0)]
    numbers = values.tolist()
    precision, whole, e_notation = _options.precision, True, False
    if numbers:
        whole = bool(np.all(values == np.ceil(values)))
        e_notation = _wants_e_notation(np.abs(values))
    if e_notation:
        spec, point = f".{precision}e", ""
    else:
        spec, point = (".0f", ".") if whole else (f".{precision}f", "")
    width = max((len(format(number, spec)) + len(point) for number in numbers), default=1)

    def cell(value: float) -> str:
        # inf and nan carry no point
        finite = value - value == 0
        return (format(value, spec) + (point if finite else "")).rjust(width)

    return cell, width


def _wants_e_notation(magnitudes: Array) -> bool:
    if _options.sci_mode is not None:
        return _options.sci_mode
    low, high = float(magnitudes.min()), float(magnitudes.max())
    return high / low > 1000.0 or high > 1.0e8 or low < 1.0e-4


def _complex_cell(sample: Array) -> tuple[Cell, int]:
    """Complex numbers: two columns, real and imaginary, each in its own notation."""
    real_cell, real_width = _float_cell(sample.real)
    imaginary_cell, imaginary_width = _float_cell(sample.imag)

    def cell(value: complex) -> str:
        imaginary = imaginary_cell(value.imag).lstrip() + "j"
        sign = "" if imaginary.startswith(("+", "-")) else "+"
        return real_cell(value.real) + sign + imaginary

    return cell, real_width + imaginary_width + 1
