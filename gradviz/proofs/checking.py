"""`check`: every rule and every gradient of a run."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.proofs import in_torch
from gradviz.proofs.ends import prove_leaves, proved_leaves
from gradviz.proofs.proof import Report
from gradviz.proofs.rule import prove
from gradviz.run import Run, Value


def check(
    diagram: Diagram,
    run: Run,
    *,
    torch: bool | None = None,
    tell: Callable[[int, int], bool] = lambda done, count: True,
) -> Report:
    """Check the rule of each node with a history, and what each pass brought to each leaf.

    `torch` says whether to compare with PyTorch; left out, where it is installed.
    `tell` hears how many of how many are done: once it says no, the rest is left unchecked.
    """
    rules = [(node, values) for node, values in _computed(diagram, run) if _has_rule(node, values)]
    count = len(rules) + sum(len(proved_leaves(diagram, done)) for done in run.passes)
    done = itertools.count()

    def goes_on() -> bool:
        return tell(next(done), count)

    compared = in_torch.installed() if torch is None else torch
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        nodes = tuple(prove(node, values, torch=compared) for node, values in rules if goes_on())
        leaves = tuple(
            proof
            for index in range(len(run.passes))
            for proof in prove_leaves(diagram, run, index, torch=compared, goes_on=goes_on)
        )
    return Report(nodes, leaves, compared)


def _has_rule(node: Node, values: Mapping[NodeId, Value]) -> bool:
    return not node.is_source and node.id in values and values[node.id].requires_grad


def _computed(diagram: Diagram, run: Run) -> Iterator[tuple[Node, Mapping[NodeId, Value]]]:
    """The nodes of the diagram and those that passes made, each with the values around it."""
    for node in diagram.nodes.values():
        yield node, run.values
    known = set(diagram.nodes)
    for done in run.passes:
        for node in done.beyond:
            if node.id not in known:
                known.add(node.id)
                yield node, {**run.values, **done.values}
