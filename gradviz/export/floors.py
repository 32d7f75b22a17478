"""Storeys as SVG groups: the ground of a level and its heading."""

from __future__ import annotations

from gradviz.export.pen import Pen, fitted
from gradviz.export.xml import element
from gradviz.figure import Storey
from gradviz.look import NODE, RADIUS, TYPE
from gradviz.scene.storey_look import BASELINE


def floor(storey: Storey, pen: Pen) -> str:
    """The group of a storey."""
    words = ["storey", "gradients"] if storey.level % 2 else ["storey"]
    ground = element(
        "rect",
        x=storey.x,
        y=storey.y,
        width=storey.width,
        height=storey.height,
        rx=RADIUS.panel,
    )
    title = fitted(storey.title, storey.width - 2 * NODE.pad, TYPE.label)
    odd = storey.level % 2 == 1
    x = storey.x + storey.width - NODE.pad if odd else storey.x + NODE.pad
    heading = pen.text(title, (x, storey.y + BASELINE), "flag" if odd else None, bold=True)
    return element("g", ground + heading, class_=" ".join(words))
