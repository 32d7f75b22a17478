"""What sets two ways of starting apart: their mechanism, their time, and where each is used."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from gradviz.diagram import Node, NodeId, Start
from gradviz.labels import titles
from gradviz.language import N_, _, ngettext
from gradviz.starts import reduce, seed_values
from gradviz.twin.comparing import Side

if TYPE_CHECKING:
    from engine.tensor import Tensor

_REPEATS = 51
_PATIENCE = 0.5  # seconds after which no further repeat begins
_USED: Mapping[str, str] = {
    "sum": N_("one objective for a whole batch, every element counting once"),
    "mean": N_("one objective whose gradients do not grow with the batch"),
    "weighted": N_("one objective whose terms do not count alike"),
    "component": N_("the derivative of a single output"),
    "norm": N_("the size of an output, as a penalty"),
    "logsumexp": N_("a smooth maximum"),
    "max": N_("the worst case"),
    "prod": N_("the likelihood of independent events"),
    "var": N_("the spread of an output"),
    "mse": N_("regression: the distance to a target"),
    "cross_entropy": N_("classification: the loss of the right class"),
    "implicit": N_("a loss that is one number already"),
    "ones": N_("the gradients of sum, without a node for it"),
    "onehot": N_("one row of the Jacobian: sensitivities, adversarial examples"),
    "seed": N_("weights known outside of the graph, or a gradient handed on from elsewhere"),
}


@dataclass(frozen=True, slots=True)
class Timing:
    """From the output to the gradients: the median of `repeats`, in seconds."""

    seconds: float
    repeats: int


def extra_nodes(side: Side, source: NodeId | None) -> tuple[Node, ...]:
    """The nodes between what is reduced and where the pass starts, numbers and constants not."""
    if source is None:
        return ()
    whole = side.diagram.put(*side.done.added)
    beyond = whole.ancestors(side.done.root) - whole.ancestors(source)
    return tuple(node for key, node in whole.nodes.items() if key in beyond and not node.is_source)


def mechanism(side: Side, source: NodeId | None) -> str:
    """How the pass begins, in a sentence."""
    known = titles(side.diagram)
    target = side.done.call.target
    name = known.get(source or target, source or target)
    if side.done.call.start.kind == "seed":
        return _("nothing is added; v is placed at {name}").format(name=name)
    extra = extra_nodes(side, source)
    if not extra:
        return _("nothing is added; {name} is one number, and 1 is placed at it").format(name=name)
    return ngettext(
        "{count} node after {name} ({ops}); 1 is placed at it",
        "{count} nodes after {name} ({ops}); 1 is placed at the last",
        len(extra),
    ).format(count=len(extra), name=name, ops=", ".join(node.op for node in extra))


def used_for(start: Start, reduction: str | None = None) -> str:
    """Where such a start is used; `reduction` is that of the script where it has one itself."""
    return _(_USED[_kind(start, reduction)])


def _kind(start: Start, reduction: str | None) -> str:
    if start.kind == "reduction":
        return start.reduction or "sum"
    if start.kind == "implicit":
        return reduction or "implicit"
    values = start.values
    if start.preset == "ones" or (values is not None and values.size and (values == 1).all()):
        return "ones"
    hot = values is not None and values.size > 1 and sorted(values.ravel().tolist())
    if hot and hot[-1] == 1 and not any(hot[:-1]):
        return "onehot"
    return "seed"


def timing(side: Side, source: NodeId | None) -> Timing | None:
    """How long it takes from the output's value to the gradients, measured in this process.

    That is the reduction's own nodes, where there are any, and the backward pass; what comes
    before is made once. None where the computation has nodes that only its script can run.
    """
    from gradviz.forward import forward  # brings the engine in

    call, diagram = side.done.call, side.diagram
    wanted = diagram.ancestors(call.target)
    before = wanted if source is None or source == call.target else diagram.ancestors(source)
    spent: list[float] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            known = forward(diagram, before, {})
            inputs = None if call.inputs is None else [known[key] for key in call.inputs]
            while len(spent) < _REPEATS and sum(spent) < _PATIENCE:
                began = perf_counter()
                target = forward(diagram, wanted, known)[call.target]
                _go_back(target, call.start, inputs)
                spent.append(perf_counter() - began)
                for tensor in known.values():
                    if tensor.is_leaf:
                        tensor.grad = None
        except Exception:  # noqa: BLE001  a computation that cannot be repeated has no time
            return None
    return Timing(median(spent), len(spent))


def _go_back(target: Tensor, start: Start, inputs: list[Tensor] | None) -> None:
    from engine.tensor import Tensor

    root, seed = target, None
    if start.kind == "reduction":
        root = reduce(target, start)
    elif start.kind == "seed":
        seed = Tensor(seed_values(start, target._array))
    root.backward(seed, retain_graph=True, inputs=inputs)
