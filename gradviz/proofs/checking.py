"""`check`: every rule and every gradient of a run."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.proofs import in_torch
from gradviz.proofs.ends import prove_leaves
from gradviz.proofs.proof import Report
from gradviz.proofs.rule import prove
from gradviz.run import Run, Value


def check(
    diagram: Diagram,
    run: Run,
    *,
    torch: bool | None = None,
    go_on: Callable[[], bool] = lambda: True,
) -> Report:
    """Check the rule of each node with a history, and what each pass brought to each leaf.

    `torch` says whether to compare with PyTorch; left out, where it is installed.
    `go_on` is asked between two of them: once it says no, the rest is left unchecked.
    """
    compared = in_torch.installed() if torch is None else torch
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        nodes = tuple(
            prove(node, values, torch=compared)
            for node, values in _computed(diagram, run)
            if not node.is_source
            and node.id in values
            and values[node.id].requires_grad
            and go_on()
        )
        leaves = tuple(
            proof
            for index in range(len(run.passes))
            if go_on()
            for proof in prove_leaves(diagram, run, index, torch=compared)
        )
    return Report(nodes, leaves, compared)


def _computed(diagram: Diagram, run: Run) -> Iterator[tuple[Node, Mapping[NodeId, Value]]]:
    """The nodes of the diagram and those that passes appended, each with the values around it."""
    for node in diagram.nodes.values():
        yield node, run.values
    known = set(diagram.nodes)
    for done in run.passes:
        for node in done.added:
            if node.id not in known:
                known.add(node.id)
                yield node, {**run.values, **done.values}
