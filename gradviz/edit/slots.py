"""How many inputs an op takes."""

from __future__ import annotations

import inspect
from functools import lru_cache

import numpy as np

from engine.op import Op
from engine.ops import OPS
from gradviz.diagram import CONSTANT, LEAF

Limits = tuple[int, int | None]  # the least and the most of inputs; None: as many as one likes


@lru_cache(maxsize=1024)
def limits(op: str) -> Limits:
    """The least and the most inputs of an op; those of a source, and of an unknown op, are none."""
    if op in (LEAF, CONSTANT) or op not in OPS:
        return 0, 0
    row = OPS[op]
    if row.variadic:
        return 1, None
    known = len(row.pullbacks)
    if isinstance(row.forward, np.ufunc):
        return row.forward.nin, row.forward.nin
    needed, optional, more = _positional(row)
    least = max(known, needed)
    if more:
        return least, None
    return least, least if _is_numpy(row) else max(least, needed + optional)


def _is_numpy(row: Op) -> bool:
    """NumPy's functions take keywords by place as well."""
    return (getattr(row.forward, "__module__", None) or "numpy").split(".")[0] == "numpy"


def _positional(row: Op) -> tuple[int, int, bool]:
    """Arguments by place that must be there, that may be, and whether any number may follow."""
    needed = optional = 0
    more = False
    for item in inspect.signature(row.forward).parameters.values():
        if item.kind is item.VAR_POSITIONAL:
            more = True
        elif item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD):
            needed += item.default is item.empty
            optional += item.default is not item.empty
    return needed, optional, more


def room(op: str, filled: int) -> bool:
    """Whether an op with so many slots takes one more."""
    _least, most = limits(op)
    return most is None or filled < most
