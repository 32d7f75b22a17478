"""How a storey looks: its ground, its heading, and the second frame of its nodes."""

from __future__ import annotations

from gradviz.look import Palette, mix

BASELINE = 21.0  # px from the upper edge to the heading's baseline


def storey_ground(colours: Palette) -> str:
    """The ground of a gradient computation that stands above another computation."""
    return mix(colours.canvas, colours.edge, 0.07)


def storey_frame(colours: Palette) -> str:
    """The second frame of a node of a gradient computation."""
    return mix(colours.node, colours.edge, 0.55)


def storey_line(colours: Palette) -> str:
    """The border of a storey."""
    return mix(colours.line, colours.edge, 0.4)
