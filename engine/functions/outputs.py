"""Several results at once, named and printed as PyTorch names and prints them."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from engine.tensor import Tensor


def named_outputs(name: str, *fields: str) -> Any:
    """A tuple type whose repr is that of `torch.return_types`."""
    kind: Any = namedtuple(name, fields)  # type: ignore[misc]

    def shown(self: Any) -> str:
        inner = ",\n".join(f"{field}={getattr(self, field)!r}" for field in fields)
        return f"torch.return_types.{name}(\n{inner})"

    setattr(kind, "__repr__", shown)  # noqa: B010  a method of a class made here
    return kind


def together(outputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Outputs of one node: they share its place in the order and count its outputs."""
    for number, out in enumerate(outputs):
        if out._node is not None and outputs[0]._node is not None:
            out._node.number = number
            out._node.sequence = outputs[0]._node.sequence
    return tuple(outputs)
