"""Nested results of the same lines under PyTorch and under the engine, compared."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tests.engine.against import ENGINE, TOLERANCE, TORCH, Side, assert_same_tensor, graph, run

TREES = (list, tuple)
INTERNAL = ("`torch.jit.script` is deprecated", "Attempted to insert a get_attr Node")


def assert_same_results(
    program: str, arrays: dict[str, np.ndarray] | None = None, *, names: bool = True
) -> None:
    """What the program leaves in `y`, its error, and its warnings agree; so do last nodes' names.

    `y` is a tensor, a number, a text, or a tree of such.
    """
    mine, theirs = (_run(side, program, arrays or {}) for side in (ENGINE, TORCH))
    assert mine.error == theirs.error
    assert mine.warned == [text for text in theirs.warned if not text.startswith(INTERNAL)]
    if theirs.error is None:
        _compare(mine.names["y"], theirs.names["y"], names=names)


def _run(side: Side, program: str, arrays: dict[str, np.ndarray]) -> Any:
    side.library.set_warn_always(True)  # or some would be given in the first test only
    try:
        with warnings.catch_warnings():
            return run(side, program, arrays)
    finally:
        side.library.set_warn_always(False)


def _compare(mine: Any, theirs: Any, *, names: bool) -> None:
    if isinstance(theirs, dict):
        assert list(mine) == list(theirs)
        mine, theirs = list(mine.values()), list(theirs.values())
    if isinstance(theirs, TREES):
        assert len(mine) == len(theirs)
        assert type(mine).__name__ == type(theirs).__name__
        for a, b in zip(mine, theirs, strict=True):
            _compare(a, b, names=names)
    elif hasattr(theirs, "grad_fn"):
        tolerance = TOLERANCE.get(str(theirs.dtype).split(".")[-1], 0)
        assert_same_tensor(mine, theirs, 4 * tolerance)
        if names:
            assert graph(mine, shallow=True) == graph(theirs, shallow=True)
    else:
        assert mine == theirs
