"""What a node saved for its rules: given out again, checked for changes, and let go of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.history import Node
from engine.record import ACTIVE
from engine.state import STATE
from engine.tensor import Tensor


def unpack(node: Node) -> tuple[Sequence[Any], Any]:
    """The saved inputs and output as arrays.

    Raises RuntimeError where they were freed, or changed in place since.
    """
    if node.freed:
        raise RuntimeError(errors.FREED)
    for tensor in node.kept:
        if tensor is not None and tensor._writes is not None:
            _check_versions(node)
            break
    writes = node.output_writes
    if writes is not None and writes[0] != node.output_version:
        raise RuntimeError(_modified(node, len(node.kept)))
    return node.inputs, node.output


def unpack_tensors(node: Node) -> tuple[Sequence[Any], Any]:
    """As `unpack`, but tensors with their history."""
    inputs, output = unpack(node)
    if node.kept:
        inputs = [
            item if tensor is None else tensor
            for item, tensor in zip(inputs, node.kept, strict=True)
        ]
    return inputs, None if output is None else _result(node)


def _check_versions(node: Node) -> None:
    versions = node.versions
    for place, tensor in enumerate(node.kept):
        then = 0 if versions is None else versions[place]
        if tensor is not None and not tensor._inference and tensor._version != then:
            raise RuntimeError(_modified(node, place))


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
        array, then = node.output, node.output_version
        now = 0 if node.output_writes is None else node.output_writes[0]
    else:
        array, now = tensor._array, tensor._version
        then = 0 if node.versions is None else node.versions[place]
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
        hint=errors.HINT_ABOVE if STATE.mode.anomaly else errors.HINT_ANOMALY,
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


def count_buffers(node: Node, found: dict[int, int]) -> None:
    """Add the bytes of the saved arrays, by the identity of the memory's owner."""
    for array in node.inputs:
        if type(array) is np.ndarray:
            base = array.base
            found[id(array if base is None else base)] = array.nbytes
    array = node.output
    if array is not None:
        found[id(array if array.base is None else array.base)] = array.nbytes
    if node.plan.op.extra is not None:
        for kept in node.params.values():
            if type(kept) is np.ndarray:
                found[id(kept if kept.base is None else kept.base)] = kept.nbytes
