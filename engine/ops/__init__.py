"""The table of operator rows, by name."""

from __future__ import annotations

from engine.op import Op
from engine.ops import activation, elementwise, index, linalg, loss, reduction, shape

OPS: dict[str, Op] = {
    row.name: row
    for family in (elementwise, reduction, linalg, shape, index, activation, loss)
    for row in family.ROWS
}
