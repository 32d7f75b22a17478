"""Max pools recognized by the places that they have chosen, which is all that a diagram keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.program.call import Array, Call
from gradviz.program.phrase import Phrase

Window = tuple[int, int, int]  # size, stride, padding, the same along all axes
_USUAL: tuple[Window, ...] = ((3, 2, 1), (3, 2, 0), (2, 1, 0), (3, 1, 1), (3, 1, 0), (2, 2, 1))


def recognized(diagram: Diagram, values: dict[NodeId, Array]) -> Diagram:
    """The diagram with the windows of its pools as parameters, instead of the places."""
    found = {
        key: told
        for key, node in diagram.nodes.items()
        if node.op == "max_pool" and (told := _with_window(node, values)) is not None
    }
    return replace(diagram, nodes={**diagram.nodes, **found}) if found else diagram


def _with_window(node: Node, values: dict[NodeId, Array]) -> Node | None:
    x, places = (values[key or ""] for key in node.inputs)
    for window in chain(_even(x, places, node.params["count"]), _USUAL):
        if _fits(x, places, window, node.params["count"]):
            return replace(node, inputs=node.inputs[:1], params={**node.params, "window": window})
    return None


def _even(x: Array, places: Array, count: int) -> Iterator[Window]:
    """Windows side by side."""
    sizes = {a // b for a, b in zip(x.shape[-count:], places.shape[-count:], strict=True) if b}
    if len(sizes) == 1:
        size = sizes.pop()
        yield size, size, 0


def _fits(x: Array, places: Array, window: Window, count: int) -> bool:
    from engine.nn import functional
    from engine.tensor import Tensor

    size, stride, padding = window
    pool = getattr(functional, f"max_pool{count}d")
    try:
        _values, found = pool(Tensor(np.array(x)), size, stride, padding, return_indices=True)
    except (RuntimeError, ValueError, NotImplementedError):
        return False
    return bool(np.array_equal(found._array, places))


def pooled(c: Call) -> Phrase:
    """`F.max_pool2d(x, 2)`."""
    size, stride, padding = c.params["window"]
    own = {"kernel_size": size, "stride": stride, "padding": padding}
    omitted = "" if stride == size else "{stride=}"
    form = f"F.max_pool{c.params['count']}d({{0}}, {{kernel_size}}{omitted}{{padding=0}})"
    return c.fill(form, **own)
