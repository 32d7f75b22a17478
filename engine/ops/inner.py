"""Views that PyTorch's own functions take in place, under the names that they leave in a graph."""

from __future__ import annotations

from dataclasses import replace

from engine.ops.shape import ROWS as _SHAPES

_UNSQUEEZE, _TRANSPOSE, _T = (
    next(row for row in _SHAPES if row.name == name) for name in ("unsqueeze", "transpose", "t")
)

ROWS = (
    replace(_UNSQUEEZE, name="unsqueeze_inside", grad_fn="UnsqueezeBackward1"),
    replace(_TRANSPOSE, name="transpose_inside", grad_fn="TransposeBackward1"),
    replace(_T, name="t_inside", grad_fn="TBackward1"),
)
