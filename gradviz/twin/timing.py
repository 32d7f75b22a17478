"""How long a way of starting takes, measured."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from gradviz.diagram import NodeId, Start
from gradviz.seeds.starts import reduce, seed_values

if TYPE_CHECKING:
    from engine.tensor import Tensor
    from gradviz.twin.comparing import Side

_REPEATS = 51
PATIENCE = 0.25  # seconds after which no further repeat begins


@dataclass(frozen=True, slots=True)
class Timing:
    """From the output to the gradients: the median of `repeats`, in seconds."""

    seconds: float
    repeats: int


def timing(side: Side, source: NodeId | None, *, patience: float = PATIENCE) -> Timing | None:
    """How long it takes from the output's value to the gradients, measured in this process.

    That is the reduction's own nodes, where there are any, and the backward pass; what comes
    before is made once. None where the computation has nodes that only its script can run.
    """
    from gradviz.jacobians.forward import forward  # brings the engine in

    call, diagram = side.done.call, side.diagram
    wanted = diagram.ancestors(call.target)
    before = wanted if source is None or source == call.target else diagram.ancestors(source)
    spent: list[float] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            known = forward(diagram, before, {})
            inputs = None if call.inputs is None else [known[key] for key in call.inputs]
            while len(spent) < _REPEATS and sum(spent) < patience:
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
