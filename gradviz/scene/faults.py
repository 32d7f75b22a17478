"""`faults`: what is said against nodes of a picture."""

from __future__ import annotations

from gradviz.diagram import NodeId
from gradviz.run import Failure, Pass, Run


def faults(run: Run, done: Pass | None) -> dict[NodeId, str]:
    """Sentences by node: of the run's own failure, and of a refused backward call."""
    found: dict[NodeId, str] = {}
    failures: list[tuple[Failure | None, NodeId | None]] = [(run.error, None)]
    if done is not None:
        failures.append((done.error, done.call.target))
    for failure, place in failures:
        node = (failure.node or place) if failure is not None else None
        if failure is not None and node is not None and failure.message:
            found[node] = f"{failure.type}: {failure.message}"
    return found
