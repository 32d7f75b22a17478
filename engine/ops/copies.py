"""The view operators over again, each as a copy, as in `view_copy`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engine.op import Op
from engine.ops import arrangement, index, shape, strided

_VIEWS = (
    *("alias", "as_strided", "diagonal", "expand", "permute", "select", "slice", "split"),
    *("split_with_sizes", "squeeze", "t", "transpose", "unbind", "unfold", "unsqueeze", "view"),
)


def _copying(view: Op) -> Op:
    def forward(*inputs: Any, **params: Any) -> Any:
        return np.array(view.forward(*inputs, **params), order="C")

    def grad_fn(params: Mapping[str, Any]) -> str:
        return f"{view.node_name(params)}_copy"

    return replace(view, name=f"{view.name}_copy", forward=forward, grad_fn=grad_fn, is_view=False)


def _apart(name: str, view: Op) -> Op:
    """A part of a tensor that may be written to without a word to the others."""
    return replace(_copying(view), name=name, grad_fn="")


_BY_NAME = {row.name: row for family in (arrangement, index, shape, strided) for row in family.ROWS}

ROWS = (
    *(_copying(_BY_NAME[name]) for name in _VIEWS),
    _apart("narrow_copy", index.SLICE),
    _apart("unsafe_split", index.SPLIT),
    _apart("unsafe_split_with_sizes", index.SPLIT_WITH_SIZES),
)
