"""What a node saved for its rules: given out again, checked for changes, and let go of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.history import Node
from engine.record import ACTIVE
from engine.tensor import Tensor


def unpack(node: Node, *, as_tensors: bool) -> tuple[Sequence[Any], Any]:
    """The saved inputs and output: arrays, or tensors with their history.

    Raises RuntimeError where they were freed, or changed in place since.
    """
    if node.freed:
        raise RuntimeError(errors.FREED)
    versions = node.versions
    if versions:
        for place, tensor in enumerate(node.kept):
            if tensor is not None and tensor._version != versions[place]:
                raise RuntimeError(_modified(node, place))
        if node.output is not None and node.output_writes[0] != versions[-1]:
            raise RuntimeError(_modified(node, len(node.kept)))
    if not as_tensors:
        return node.inputs, node.output
    inputs: Sequence[Any] = node.inputs
    if node.kept:
        inputs = [
            item if tensor is None else tensor
            for item, tensor in zip(node.inputs, node.kept, strict=True)
        ]
    return inputs, None if node.output is None else _result(node)


def _result(node: Node) -> Tensor:
    """The saved output as a tensor again, with the node as its history."""
    assert node.output is not None
    out = Tensor(node.output)
    out._node, out._requires_grad = node, True
    if ACTIVE.record is not None and node.entry is not None:
        ACTIVE.record.bind(out, node.entry)
    return out


def _modified(node: Node, place: int) -> str:
    """PyTorch's words for a saved tensor that is not what it was."""
    tensor = node.kept[place] if place < len(node.kept) else None
    maker: Node | None = node
    if tensor is None:
        array, now, then = node.output, node.output_writes[0], node.versions[-1]
    else:
        array, now, then = tensor._array, tensor._version, node.versions[place]
        maker = tensor.grad_fn
    assert array is not None
    which = ""
    if maker is not None:
        which = f", which is output {maker.number} of {_short(maker.name())},"
    return errors.MODIFIED.format(
        type=dtypes.type_name(dtypes.of(array.dtype)),
        shape=list(array.shape),
        which=which,
        now=now,
        then=then,
    )


def _short(name: str) -> str:
    """A node's name without "Backward" and without its number where that is 0."""
    stem, _backward, number = name.partition("Backward")
    return stem if number in ("", "0") else f"{stem}{number}"


def free(node: Node) -> None:
    """Let go of what the node saved; a second backward call through it then fails."""
    node.freed = True
    node.inputs = node.kept = ()
    node.output = None
    node.versions = ()


def buffers(node: Node) -> dict[int, int]:
    """The bytes of the saved arrays, by the identity of the memory's owner."""
    found: dict[int, int] = {}
    arrays = [*node.inputs, node.output]
    if node.op.extra is not None:
        arrays += node.params.values()
    for array in arrays:
        if type(array) is np.ndarray:
            found[id(array if array.base is None else array.base)] = array.nbytes
    return found
