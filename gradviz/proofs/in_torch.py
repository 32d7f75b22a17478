"""Nodes as PyTorch itself computes them, where it is installed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import LEAF, Diagram, Node, NodeId
from gradviz.proofs.torch_forms import FORMS, OTHERWISE, SAME, called

Array = npt.NDArray[Any]
Torch = Any  # the module and its tensors: it is imported here only, and late


def installed() -> bool:
    """Whether there is a PyTorch to compare with."""
    return find_spec("torch") is not None


def known(node: Node) -> bool:
    """Whether the node's op has a counterpart in PyTorch."""
    param, value = OTHERWISE.get(node.op, ("", True))
    return (node.op in SAME or node.op in FORMS) and node.params.get(param) != value


def applied(node: Node, inputs: Sequence[Any]) -> Any:
    """The node's op on PyTorch's tensors. Raises KeyError where it has no counterpart."""
    import torch

    params = {key: _value(torch, item) for key, item in node.params.items()}
    return called(torch, node.op, inputs, params)


def _value(torch: Torch, item: Any) -> Any:
    return tensor(item) if isinstance(item, np.ndarray) else item


def tensor(array: Array, *, tracked: bool = False) -> Any:
    """A tensor of PyTorch with these numbers."""
    import torch

    return torch.tensor(np.array(array), requires_grad=tracked)


def pulled_back(node: Node, inputs: Sequence[Array], seed: Array, slots: Sequence[int]) -> Any:
    """What PyTorch sends to each of the slots of one node, zeros where it sends nothing."""
    import torch

    given = [tensor(array, tracked=slot in slots) for slot, array in enumerate(inputs)]
    wanted = [given[slot] for slot in slots]
    made = applied(node, given)
    if not made.requires_grad:
        return [np.zeros_like(inputs[slot]) for slot in slots]
    found = torch.autograd.grad(made, wanted, tensor(seed).to(made.dtype), allow_unused=True)
    return [
        np.zeros_like(inputs[slot]) if grad is None else grad.numpy(force=True)
        for slot, grad in zip(slots, found, strict=True)
    ]


def gradients(
    diagram: Diagram,
    root: NodeId,
    seed: Array,
    leaves: Collection[NodeId],
    fixed: Mapping[NodeId, Array],
) -> dict[NodeId, Array]:
    """The leaves' gradients of <seed, root>, as PyTorch finds them for the same computation.

    `fixed` are the results of nodes without a history, which are taken as they are. Raises
    KeyError where a node on the way has no counterpart.
    """
    import torch

    made: dict[NodeId, Any] = {key: tensor(array) for key, array in fixed.items()}
    wanted = diagram.ancestors(root)
    for key, node in diagram.nodes.items():
        if key in wanted and key not in made:
            made[key] = _made(torch, node, made)
    ends = [made[leaf] for leaf in leaves]
    found = torch.autograd.grad(made[root], ends, tensor(seed), allow_unused=True)
    return {
        leaf: np.zeros_like(end.numpy(force=True)) if grad is None else grad.numpy(force=True)
        for leaf, end, grad in zip(leaves, ends, found, strict=True)
    }


def _made(torch: Torch, node: Node, made: Mapping[NodeId, Any]) -> Any:
    if node.is_source:
        if node.data is None:
            raise KeyError(node.id)
        return node.data.item() if node.is_number else tensor(node.data, tracked=node.op == LEAF)
    if not known(node):
        raise KeyError(node.op)
    inputs = [made[key or ""] for key in node.inputs]
    with torch.set_grad_enabled(not node.no_grad):
        return applied(node, inputs)
