"""From reductions to seeds: for each reduction of an output, the seed that equals it here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import LEAF, BackwardCall, Diagram, Node, NodeId, Start
from gradviz.run import Pass, Run
from gradviz.starts import REDUCTIONS
from gradviz.twin.comparing import Evaluate, distance, factor, passes_of, subject_of, without
from gradviz.twin.ways import start_by

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Translation:
    """A reduction R of y and the seed v = ∂R/∂y at this point.

    `value` is R(y). `scale` is c where v is c in every place, so that its gradients are c times
    those of sum; None where it is no such multiple. `grads` are the leaves' gradients and
    `largest` the largest difference between those of the reduction and of the seed. Where it
    cannot be made of this y, `problem` says why and the rest is empty.
    """

    start: Start
    value: Array | None = None
    seed: Array | None = None
    scale: float | None = None
    grads: Mapping[NodeId, Array] = field(default_factory=dict)
    largest: float = 0.0
    problem: str = ""

    @property
    def name(self) -> str:
        return self.start.reduction or "sum"


@dataclass(frozen=True, slots=True, eq=False)
class Dictionary:
    """The translations for the output `source` of a backward call, whose value is `y`."""

    source: NodeId
    y: Array
    rows: tuple[Translation, ...]


def dictionary(evaluate: Evaluate, diagram: Diagram, run: Run, *, index: int = 0) -> Dictionary:
    """Each reduction, in turn, of what the backward call `index` starts from.

    Raises ValueError with one sentence where there is no such call, or no such value.
    """
    call, reading, source = subject_of(diagram, run, index)
    y = run.values[source].array
    starts = [start_by(name, call, reading, y) for name in REDUCTIONS]
    alone = Diagram({"y": Node("y", LEAF, data=y)})
    calls = tuple(BackwardCall("y", start, retain_graph=True, clear=("y",)) for start in starts)
    passes = passes_of(evaluate(replace(alone, calls=calls)))
    bare = without(diagram, reading)
    rows = (
        _translation(evaluate, bare, replace(call, target=source, start=start), done)
        for start, done in zip(starts, passes, strict=True)
    )
    return Dictionary(source, y, tuple(rows))


def _translation(
    evaluate: Evaluate, diagram: Diagram, call: BackwardCall, of_y: Pass
) -> Translation:
    start, seed = call.start, of_y.grads.get("y")
    if of_y.error is not None or seed is None:
        return Translation(start, problem=of_y.error.message if of_y.error else "")
    leaves = tuple(key for key, node in diagram.nodes.items() if node.op == LEAF)
    by_reduction = replace(call, retain_graph=True, create_graph=False, clear=leaves)
    by_seed = replace(by_reduction, start=Start("seed", values=seed))
    left, right = passes_of(evaluate(replace(diagram, calls=(by_reduction, by_seed))))
    error = left.error or right.error
    return Translation(
        start,
        value=of_y.values[of_y.root].array,
        seed=seed,
        scale=factor([np.ones_like(seed)], [seed]),
        grads=left.grads,
        largest=max(
            (
                distance(left.grads.get(k), right.grads.get(k))
                for k in {**left.grads, **right.grads}
            ),
            default=0.0,
        ),
        problem=error.message if error else "",
    )
