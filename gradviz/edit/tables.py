"""A source's value as text and as a table of rows and columns, and blocks of it that are pasted."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradviz.diagram import Array, Diagram, NodeId
from gradviz.edit.leaves import set_data
from gradviz.edit.outcome import Refusal, missing
from gradviz.edit.shapes import Shape
from gradviz.edit.typed import typed
from gradviz.language import _
from gradviz.program.literals import shortest

SMALL = 12  # elements that are shown as text


def value_text(array: Array) -> str:
    """The value as it is typed: 2.5, [1.0, 2.0]; reading it gives the very same numbers."""
    if array.ndim:
        return "[" + ", ".join(value_text(np.asarray(item)) for item in array) + "]"
    item: Any = array[()]
    if isinstance(item, np.complexfloating):
        sign = "-" if np.signbit(item.imag) else "+"
        return f"{shortest(item.real)} {sign} {shortest(abs(item.imag))}j"
    return shortest(item) if isinstance(item, np.floating) else str(item)


def front_of(shape: Shape) -> Shape:
    """The axes that count the rows of the table of a value; the last axis is its columns.

    A vector is one column, so that its numbers stand under one another.
    """
    return shape[:-1] if len(shape) > 1 else shape


def as_table(array: Array) -> Array:
    """The value as rows and columns."""
    front = math.prod(front_of(array.shape))
    return array.reshape(front, array.shape[-1] if array.ndim > 1 else 1)


def set_block(diagram: Diagram, key: NodeId, k: int, text: str) -> Diagram | Refusal:
    """Write the cells of a spreadsheet over those of a source, from its k-th number on."""
    wrong = missing(diagram, key)
    if wrong is not None:
        return wrong
    array = diagram.nodes[key].data
    if array is None:
        return Refusal(_("This node has no value yet."), key)
    found = typed(text, array.dtype if array.dtype.kind in "fc" else None)
    if isinstance(found, Refusal):
        return Refusal(found.sentence, key)
    block, made = _rows(found.array), array.copy()
    table = as_table(made)
    row, column = divmod(k, table.shape[1])
    if row + block.shape[0] > table.shape[0] or column + block.shape[1] > table.shape[1]:
        sentence = _(
            "{rows}×{columns} numbers do not fit there; pasted into the line of the value, they "
            "replace it."
        )
        return Refusal(sentence.format(rows=block.shape[0], columns=block.shape[1]), key)
    if not _fits(made.dtype, block):
        sentence = _("Not all of these numbers are values of {dtype}.")
        return Refusal(sentence.format(dtype=made.dtype.name), key)
    with np.errstate(over="ignore"):
        table[row : row + block.shape[0], column : column + block.shape[1]] = block
    return set_data(diagram, key, made)


def _rows(array: Array) -> Array:
    """A number and a row as the one row of a block."""
    return array.reshape(1, -1) if array.ndim < 2 else array.reshape(-1, array.shape[-1])


def _fits(dtype: np.dtype[Any], block: Array) -> bool:
    if dtype.kind in "fc":
        return block.dtype.kind != "c" or dtype.kind == "c"
    if block.dtype.kind not in "iub" or block.size == 0:
        return False
    low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return bool(low <= block.min()) and bool(block.max() <= high)
