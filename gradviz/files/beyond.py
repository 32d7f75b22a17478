"""What of a diagram a script of it cannot hold, so that it is not lost without a word."""

from __future__ import annotations

from gradviz.diagram import Diagram
from gradviz.language import N_

NODES = N_("the diagram, which has no script")
UNFINISHED = N_("what is not finished")
STARTS = N_("the starts chosen here")
DISABLED = N_("the calls that are switched off")
PLACES = N_("the places of nodes")
SEEDS = N_("the seeds kept by name")
NOTES = N_("notes")
FRAMES = N_("frames")


def beyond_script(diagram: Diagram) -> tuple[str, ...]:
    """The parts that a `.gradviz` file keeps and a script does not, as texts of the catalogue."""
    found = (
        (NODES, bool(diagram.nodes) and not _has_code(diagram)),
        (UNFINISHED, diagram.drawn and bool(diagram.problems())),
        (STARTS, any(call.edited for call in diagram.calls)),
        (DISABLED, any(not call.enabled for call in diagram.calls)),
        (PLACES, bool(diagram.positions)),
        (SEEDS, bool(diagram.seeds)),
        (NOTES, bool(diagram.notes)),
        (FRAMES, bool(diagram.frames)),
    )
    return tuple(text for text, there in found if there)


def _has_code(diagram: Diagram) -> bool:
    """Whether the script does anything: one that could not be written is comments only."""
    lines = (diagram.source or "").splitlines()
    return any(line.strip() and not line.lstrip().startswith("#") for line in lines)
