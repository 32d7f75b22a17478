"""Reduction and seed, two names of one thing: a backward call the other way, and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import BackwardCall, Diagram, NodeId, Start
from gradviz.language import _
from gradviz.run import Pass, Run, Value
from gradviz.starts import REDUCTIONS, preset_seed

__all__ = [
    "REDUCTIONS",
    "Comparison",
    "Reading",
    "Side",
    "as_reduction",
    "compare",
    "parse_start",
    "reduction_of",
]

Array = npt.NDArray[Any]
# Ops that reduce everything to one number, by the name of the reduction that they are.
_FULL = {
    "sum": "sum",
    "mean": "mean",
    "max": "max",
    "logsumexp": "logsumexp",
    "norm": "norm",
    "linalg_vector_norm": "norm",
}


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A scalar target read as a reduction of the non-scalar node `source` by the nodes `chain`."""

    reduction: str
    source: NodeId
    chain: tuple[NodeId, ...]


def reduction_of(
    diagram: Diagram, call: BackwardCall, values: Mapping[NodeId, Value]
) -> Reading | None:
    """The reduction that the script itself ends in, where the call starts at one.

    None where the call has a seed or an appended reduction, or its target reduces nothing.
    """
    node = diagram.nodes.get(call.target)
    if call.start.kind != "implicit" or node is None or len(node.inputs) != 1:
        return None
    source = node.inputs[0]
    name = _FULL.get(node.op)
    if name is None or source is None or not _is_scalar(values, node.id):
        return None
    if source not in values or values[source].array.size < 2:
        return None
    if name == "sum":
        weighted = _weighted(diagram, source, values)
        if weighted is not None:
            return Reading("weighted", weighted, (source, node.id))
    return Reading(name, source, (node.id,))


def _is_scalar(values: Mapping[NodeId, Value], key: NodeId) -> bool:
    return key in values and values[key].array.size == 1


def _weighted(diagram: Diagram, key: NodeId, values: Mapping[NodeId, Value]) -> NodeId | None:
    """The tracked factor of a product with weights of its own shape."""
    node = diagram.nodes[key]
    if node.op != "mul" or len(node.inputs) != 2 or len(diagram.consumers()[key]) != 1:
        return None
    for weights, factor in (node.inputs, node.inputs[::-1]):
        if weights not in values or factor not in values or weights is None or factor is None:
            continue
        w, y = values[weights], values[factor]
        computed = not diagram.nodes[factor].is_source
        if not w.requires_grad and y.requires_grad and computed and w.array.shape == y.array.shape:
            return factor
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One way of starting: its diagram, its run of this one call, and what it is called."""

    diagram: Diagram
    run: Run
    title: str

    @property
    def done(self) -> Pass:
        return self.run.passes[0]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The same gradients twice: by the nodes of a reduction, and by the seed that equals it.

    `seed` is ∂R/∂y, in the shape of the node `source`. `differences` is, for each leaf, the
    largest absolute difference between the two gradients.
    """

    reduction: Side
    seed_side: Side
    name: str
    source: NodeId
    seed: Array
    differences: Mapping[NodeId, float]

    @property
    def largest(self) -> float:
        """The largest difference of any leaf's gradient; 0 means equal to the last bit."""
        return max(self.differences.values(), default=0.0)


def compare(
    evaluate: Callable[[Diagram], Run],
    diagram: Diagram,
    run: Run,
    *,
    index: int = 0,
    start: Start | None = None,
) -> Comparison:
    """Run the backward call `index` both ways, each alone on cleared gradients.

    `start` replaces the call's own start. Raises ValueError with one sentence where there is no
    such call, or where a way to start it cannot be run.
    """
    if not 0 <= index < len(diagram.calls):
        raise ValueError(
            _("There is no backward call {number}; the program makes {count}.").format(
                number=index + 1, count=len(diagram.calls)
            )
        )
    call = diagram.calls[index]
    reading = reduction_of(diagram, call, run.values)
    source = reading.source if reading else call.target
    if source not in run.values:
        raise ValueError(_("The output of the backward call was never computed."))
    if reading and start is None:
        left_diagram, left_call, name = diagram, call, reading.reduction
    else:
        by_reduction = as_reduction(start or call.start, run.values[source].array)
        left_call = replace(call, target=source, start=by_reduction)
        left_diagram = _without(diagram, reading)
        name = by_reduction.reduction or "sum"
    left = _alone(evaluate, left_diagram, left_call, title=_reduction_title(source, name))
    seed = _equal_seed(left.done, source)
    by_seed = replace(call, target=source, start=Start("seed", values=seed))
    right = _alone(
        evaluate, _without(diagram, reading), by_seed, title=f"{source}.backward(gradient=v)"
    )
    return Comparison(left, right, name, source, seed, _differences(left.done, right.done))


def _reduction_title(source: NodeId, name: str) -> str:
    if name == "weighted":
        return f"(v * {source}).sum().backward()"
    if name == "component":
        return f"{source}[k].backward()"
    return f"{source}.{name}().backward()"


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
        return Start("reduction", reduction="weighted", values=seed)
    values = start.values
    if values is not None and values.shape == y.shape and values.size and (values == 1).all():
        return Start("reduction", reduction="sum")
    return Start("reduction", reduction="weighted", values=values)


def _equal_seed(done: Pass, source: NodeId) -> Array:
    """∂R/∂y: the complete cotangent of the reduced node, read off the pass."""
    if done.error is not None:
        raise ValueError(done.error.message)
    found = done.cotangents().get(source)
    if found is None:
        raise ValueError(_("No gradient reaches {name}.").format(name=source))
    return found


def _without(diagram: Diagram, reading: Reading | None) -> Diagram:
    """The diagram without the script's own reduction, where nothing else reads it."""
    if reading is None:
        return diagram
    users = diagram.consumers()
    gone: list[NodeId] = []
    for key in reversed(reading.chain):
        if all(user in gone for user, _slot in users[key]):
            gone.append(key)
    for key in reading.chain:
        gone += [
            source
            for source in diagram.nodes[key].inputs
            if source is not None
            and diagram.nodes[source].op == "constant"
            and all(user in gone for user, _slot in users[source])
        ]
    return diagram.remove(gone)


def _alone(
    evaluate: Callable[[Diagram], Run], diagram: Diagram, call: BackwardCall, *, title: str
) -> Side:
    single = replace(diagram, calls=(replace(call, clear=()),))
    return Side(single, evaluate(single), title)


def _differences(left: Pass, right: Pass) -> dict[NodeId, float]:
    return {
        leaf: _distance(left.grads.get(leaf), right.grads.get(leaf))
        for leaf in {**left.grads, **right.grads}
    }


def _distance(a: Array | None, b: Array | None) -> float:
    if a is None or b is None or a.shape != b.shape:
        return float("inf")
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    if same.all():
        return 0.0
    return float(np.max(np.where(same, 0, np.abs(a.astype(float) - b.astype(float)))))


def parse_start(text: str, y: Array) -> Start:
    """A start as it is typed: `mean`, `component:1`, `ones`, `1/N`, `onehot:0`, `v=1,0.5`.

    `y` is the output that it will start from. Raises ValueError with one sentence.
    """
    name, _colon, argument = text.strip().partition(":")
    if name in REDUCTIONS and name != "weighted":
        return Start("reduction", reduction=name, index=int(argument) if argument.isdigit() else 0)
    if text.startswith("v="):
        try:
            numbers = [
                float(part) for part in text[2:].replace("[", "").replace("]", "").split(",")
            ]
        except ValueError:
            raise ValueError(
                _("{text} is not a seed: write numbers with commas, as in v=1,0.5.").format(
                    text=text
                )
            ) from None
        if len(numbers) != y.size:
            raise ValueError(
                _("The seed has {given} numbers; the output has {wanted} elements.").format(
                    given=len(numbers), wanted=y.size
                )
            )
        return Start("seed", values=np.array(numbers).astype(y.dtype).reshape(y.shape))
    preset = {"onehot": text, "ones": "ones", "1/N": "1/N", "random": text}.get(name)
    if preset is None:
        raise ValueError(
            _("{text} is not a way to start: use {known}, or numbers as in v=1,0.5.").format(
                text=text, known=", ".join([*REDUCTIONS, "ones", "1/N", "onehot:0", "random:0"])
            )
        )
    return Start("seed", preset=preset, values=preset_seed(preset, y))
