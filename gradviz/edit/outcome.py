"""What an edit gives: a diagram, a diagram with the ids of what is new in it, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass

from gradviz.diagram import Diagram, NodeId
from gradviz.language import _


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an edit was not made: one sentence, and the node and slot that it is about."""

    sentence: str
    node: NodeId | None = None
    slot: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Added:
    """A diagram and the ids of what was added to it, in the order asked for."""

    diagram: Diagram
    ids: tuple[str, ...]


def missing(diagram: Diagram, *ids: NodeId) -> Refusal | None:
    """A refusal where one of the nodes is not in the diagram."""
    for key in ids:
        if key not in diagram.nodes:
            return Refusal(_("There is no node “{node}”.").format(node=key), key)
    return None
