"""What takes no gradient, left out of a picture: constants, and what is made of them alone."""

from __future__ import annotations

from dataclasses import replace

from gradviz.diagram import Diagram, NodeId
from gradviz.run import Run
from gradviz.storeys import Storeys


def quiet(diagram: Diagram, run: Run) -> set[NodeId]:
    """The nodes without a gradient; one that a backward call starts from is none of them."""
    targets = {call.target for call in diagram.calls}
    return {
        key
        for key, value in run.values.items()
        if not value.requires_grad and key in diagram.nodes and key not in targets
    }


def without_quiet(diagram: Diagram, run: Run, found: Storeys) -> Storeys:
    """What is left of the storeys; a storey of which nothing is left goes."""
    gone = quiet(diagram, run)
    nodes = {
        key: replace(
            node, inputs=tuple(None if source in gone else source for source in node.inputs)
        )
        for key, node in found.nodes.items()
        if key not in gone
    }
    levels = {key: level for key, level in found.levels.items() if key not in gone}
    bands = (
        replace(band, ids=tuple(key for key in band.ids if key not in gone)) for band in found.bands
    )
    return Storeys(nodes, levels, tuple(band for band in bands if band.ids))
