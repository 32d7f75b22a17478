"""What takes no gradient, left out of a picture: constants, and what is made of them alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gradviz.diagram import Diagram, NodeId
from gradviz.layout import Link
from gradviz.run import Run
from gradviz.scene.plan import Plan


def quiet(diagram: Diagram, run: Run) -> set[NodeId]:
    """The nodes without a gradient; one that a backward call starts from is none of them."""
    targets = {call.target for call in diagram.calls}
    return {
        key
        for key, value in run.values.items()
        if not value.requires_grad and key in diagram.nodes and key not in targets
    }


def without_quiet(
    diagram: Diagram, run: Run, planned: Mapping[NodeId, Plan], links: Sequence[Link]
) -> tuple[dict[NodeId, Plan], list[Link]]:
    """The plans and links that are left."""
    gone = quiet(diagram, run)
    left = {key: plan for key, plan in planned.items() if key not in gone}
    return left, [link for link in links if link.source in left and link.target in left]
