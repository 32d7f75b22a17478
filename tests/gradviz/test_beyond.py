"""What a script leaves out of a diagram is named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gradviz.diagram import BackwardCall, Diagram, Frame, Node, Note
from gradviz.files import beyond

_X = Node("x", "leaf", name="x", data=np.ones(2))
_OPEN = Node("y", "add", ("x", None))
_PLAIN = Diagram({"x": _X}, (BackwardCall("x"),), "x = torch.ones(2)\n")


@pytest.mark.parametrize(
    ("diagram", "parts"),
    [
        (Diagram(source=""), ()),
        (_PLAIN, ()),
        (replace(_PLAIN, source=None), (beyond.NODES,)),
        (replace(_PLAIN, source="# There is no program\n"), (beyond.NODES,)),
        (replace(_PLAIN, calls=(BackwardCall("x", edited=True),)), (beyond.STARTS,)),
        (replace(_PLAIN, calls=(BackwardCall("x", enabled=False),)), (beyond.DISABLED,)),
        (replace(_PLAIN, positions={"x": (0.0, 0.0)}), (beyond.PLACES,)),
        (replace(_PLAIN, seeds={"v": np.ones(2)}), (beyond.SEEDS,)),
        (replace(_PLAIN, notes=(Note("n", "text"),)), (beyond.NOTES,)),
        (replace(_PLAIN, frames=(Frame("f"),)), (beyond.FRAMES,)),
        (replace(_PLAIN, nodes={"x": _X, "y": _OPEN}, drawn=True), (beyond.UNFINISHED,)),
        (replace(_PLAIN, drawn=True), ()),
    ],
)
def test_what_a_script_leaves_out(diagram: Diagram, parts: tuple[str, ...]) -> None:
    assert beyond.beyond_script(diagram) == parts
