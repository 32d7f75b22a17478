"""The rows of a box: its value, its gradient, or the numbers of a seed."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gradviz.cells import (
    Scale,
    Wording,
    empty_cells,
    gradient_cells,
    pooled,
    summary,
    value_cells,
    wording,
)
from gradviz.figure import Cell, Row
from gradviz.language import _
from gradviz.look import FULL_NUMBERS
from gradviz.run import Array
from gradviz.scene.plan import Grid, Plan


def value_row(plan: Plan, array: Array | None) -> Row:
    """The row of a node's value; a dashed cell where it has none."""
    if array is None or array.size == 0:
        return _row(_("value"), empty_cells(1), Grid(), plan, array)
    if array.size <= FULL_NUMBERS:
        return _small_value_row(plan, array.tobytes(), array.dtype.str, array.shape, wording())
    return _value_row(plan, array)


@lru_cache(maxsize=20_000)
def _small_value_row(
    plan: Plan, raw: bytes, dtype: str, shape: tuple[int, ...], _wording: Wording
) -> Row:
    """The same numbers give the same row: most values stay while a seed is dragged."""
    return _value_row(plan, np.frombuffer(raw, dtype).reshape(shape))


def _value_row(plan: Plan, array: Array) -> Row:
    grid = plan.grid or Grid()
    cells = value_cells(_shown(array, grid), chars=grid.chars)
    return _row(_("value"), cells, grid, plan, array)


def pending_row(plan: Plan) -> Row:
    """The row of a value that a later step will make."""
    grid = plan.grid or Grid()
    if grid.form == "cells":
        return _row(_("value"), empty_cells(grid.rows * grid.columns), grid, plan, None)
    whole = Grid("cells", 1, 1, grid.width, grid.height(note=False))
    return _row(_("value"), empty_cells(1), whole, plan, None)


def gradient_row(plan: Plan, array: Array | None, scale: Scale) -> Row:
    """The row of what has arrived so far; dashed cells in the value's form before that."""
    grid, label = plan.grid or Grid(), _("grad")
    if array is None or array.size == 0:
        cells = empty_cells(grid.rows * grid.columns if grid.form == "cells" else 1)
        if grid.form == "cells":
            return _row(label, cells, grid, plan, None)
        whole = Grid("cells", 1, 1, grid.width, grid.height(note=False))
        return _row(label, cells, whole, plan, None)
    return _row(
        label, gradient_cells(_shown(array, grid), scale, chars=grid.chars), grid, plan, array
    )


def seed_row(plan: Plan, array: Array | None, scale: Scale) -> Row:
    """The numbers of a seed, without a label."""
    grid = plan.grid or Grid()
    if array is None or array.size == 0:
        return _row("", empty_cells(1), Grid(), plan, None)
    return _row("", gradient_cells(_shown(array, grid), scale, chars=grid.chars), grid, plan, array)


def _shown(array: Array, grid: Grid) -> Array:
    """The array, or what stands for it where there are fewer swatches than elements."""
    return array if grid.form == "cells" else pooled(array, grid.rows, grid.columns)


def _row(label: str, cells: tuple[Cell, ...], grid: Grid, plan: Plan, array: Array | None) -> Row:
    note = ""
    if plan.noted and array is not None:
        note = summary(array)
    return Row(label, cells, grid.columns, grid.form, note, grid.cell_width, grid.cell_height)
