"""What reduction a backward call starts by: its own, one in the script, or one that equals it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

from gradviz.diagram import BackwardCall, Diagram, Node, NodeId, Start
from gradviz.language import _
from gradviz.run import Run, Value
from gradviz.seeds.starts import preset_seed

Array = npt.NDArray[Any]
Values = Mapping[NodeId, Value]
# Ops that reduce everything to one number, by the name of the reduction that they are.
_FULL = {
    "sum": "sum",
    "mean": "mean",
    "max": "max",
    "logsumexp": "logsumexp",
    "vector_norm": "norm",
    "prod": "prod",
    "var": "var",
}
# What a parameter must be for the op to be that reduction.
_AS_USUAL = {"vector_norm": ("ord", 2), "var": ("correction", 1)}


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A scalar target read as a reduction of the non-scalar node `source` by the nodes `chain`.

    `start` is that reduction as a start, with the numbers it needs.
    """

    reduction: str
    source: NodeId
    chain: tuple[NodeId, ...]
    start: Start = field(default_factory=Start)


def output_of(run: Run, source: NodeId) -> Array:
    """The value that is reduced. Raises ValueError with one sentence where there is none."""
    value = run.value(source)
    if value is None:
        raise ValueError(_("The output of the backward call was never computed."))
    return value.array


def reduction_of(diagram: Diagram, call: BackwardCall, values: Values) -> Reading | None:
    """The reduction that the script itself ends in, where the call starts at one.

    None where the call has a seed or an appended reduction, or its target reduces nothing.
    """
    node = diagram.nodes.get(call.target)
    if call.start.kind != "implicit" or node is None or len(node.inputs) != 1:
        return None
    source, name = node.inputs[0], _FULL.get(node.op)
    if name is None or source is None or not _reduces(values, source, node.id):
        return None
    param, usual = _AS_USUAL.get(node.op, ("", None))
    if node.params.get(param) != usual:
        return None
    weighted = _weighted(diagram, source, values) if name == "sum" else None
    if weighted is None:
        return Reading(name, source, (node.id,), Start("reduction", reduction=name))
    factor, weights = weighted
    name, array = diagram.nodes[weights].name, values[weights].array
    start = Start("reduction", reduction="weighted", values=array, name=name)
    return Reading("weighted", factor, (source, node.id), start)


def reading_of(diagram: Diagram, call: BackwardCall, values: Values) -> Reading | None:
    """As `reduction_of`; losses of the script with a target of their own are read too."""
    found = reduction_of(diagram, call, values)
    node = diagram.nodes.get(call.target)
    if found is not None or node is None or call.start.kind != "implicit":
        return found
    if len(node.inputs) != 2 or node.params.get("reduction") != "mean":
        return None
    if node.op == "mse_loss":
        return _mse(node, values)
    return _cross_entropy(diagram, node, values) if node.op == "nll_loss" else None


def _reduces(values: Values, source: NodeId, scalar: NodeId) -> bool:
    return (
        scalar in values
        and values[scalar].array.size == 1
        and source in values
        and values[source].array.size >= 2
    )


def _weighted(diagram: Diagram, key: NodeId, values: Values) -> tuple[NodeId, NodeId] | None:
    """The tracked factor of a product with weights of its own shape, and the weights."""
    node = diagram.nodes[key]
    if node.op != "mul" or len(node.inputs) != 2 or len(diagram.consumers()[key]) != 1:
        return None
    if node.upper is not None:  # a product of the gradient computation weighs nothing
        return None
    for weights, factor in (node.inputs, node.inputs[::-1]):
        if weights not in values or factor not in values or weights is None or factor is None:
            continue
        w, y = values[weights], values[factor]
        computed = not diagram.nodes[factor].is_source
        if not w.requires_grad and y.requires_grad and computed and w.array.shape == y.array.shape:
            return factor, weights
    return None


def _mse(node: Node, values: Values) -> Reading | None:
    """The mean squared distance of what is tracked to a target that is not."""
    source, target = node.inputs
    if source is None or target not in values or target is None:
        return None
    if not _reduces(values, source, node.id) or values[target].requires_grad:
        return None
    if values[target].array.shape != values[source].array.shape:
        return None
    start = Start("reduction", reduction="mse", values=values[target].array)
    return Reading("mse", source, (node.id,), start)


def _cross_entropy(diagram: Diagram, node: Node, values: Values) -> Reading | None:
    """log_softmax along the last axis, then the mean negative log-likelihood of the labels."""
    inner, labels = node.inputs
    if inner is None or labels is None or labels not in values:
        return None
    softmax = diagram.nodes[inner]
    source = softmax.inputs[0] if softmax.op == "log_softmax" else None
    if source is None or not _reduces(values, source, node.id):
        return None
    scores, classes = values[source].array, values[labels].array
    last = softmax.params.get("dim") in (-1, scores.ndim - 1)
    alone = len(diagram.consumers()[inner]) == 1
    if not last or not alone or scores.shape[:-1] != classes.shape or (classes < 0).any():
        return None
    start = Start("reduction", reduction="cross_entropy", values=classes)
    return Reading("cross_entropy", source, (inner, node.id), start)


def as_reduction(start: Start, y: Array) -> Start:
    """The reduction that a start is, or that equals it."""
    if start.kind == "reduction":
        return start
    if start.kind == "implicit" or start.preset == "ones":
        return Start("reduction", reduction="sum")
    if start.preset == "1/N":
        return Start("reduction", reduction="mean")
    if start.preset is not None:
        kind, _colon, argument = start.preset.partition(":")
        seed = preset_seed(start.preset, y)
        if kind == "onehot":
            return Start("reduction", reduction="component", index=int(argument or 0))
        return Start("reduction", reduction="weighted", values=seed, name=start.name or "v")
    values = start.values
    if values is not None and values.shape == y.shape and values.size and (values == 1).all():
        return Start("reduction", reduction="sum")
    return Start("reduction", reduction="weighted", values=values, name=start.name or "v")
