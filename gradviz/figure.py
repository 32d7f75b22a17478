"""`Figure`: what is drawn, as plain data with ids; canvas and every export read the same one.

`figure(...)` makes a whole one. A view that shows a part of a large diagram keeps the
`gradviz.scene.picture.Picture` instead and asks it for single boxes and edges: they are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gradviz.diagram import Diagram, NodeId, Point, Rect
from gradviz.scene.badges import BadgeTone

if TYPE_CHECKING:
    from gradviz.run import Run

Kind = Literal["leaf", "constant", "op", "reduction", "seed"]
Tone = Literal["value", "positive", "negative", "zero", "error", "empty"]
State = Literal["idle", "waiting", "done", "current"]
Form = Literal["cells", "strip", "map"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One number, or one swatch of a strip or map: its text, its tone, its strength in 0..1."""

    text: str
    tone: Tone
    level: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled row of cells: "value" or "grad".

    form "cells": numbers in `columns` columns; "strip" and "map": swatches without text
    (downsampled where the array is larger); `note` then says shape and norm. `cell_width` and
    `cell_height` are in px; `gradviz.scene.places` says where each cell lies in its box.
    """

    label: str
    cells: tuple[Cell, ...]
    columns: int
    form: Form = "cells"
    note: str = ""
    cell_width: float = 46.0
    cell_height: float = 20.0


@dataclass(frozen=True, slots=True)
class Badge:
    """A verdict on a node, drawn as a pill at its lower edge: "✓ fd adj", "=", "Δ 3.5".

    The text says it without colour; `tip` says all of it, in lines.
    """

    text: str
    tone: BadgeTone
    tip: str = ""


Badges = Mapping[NodeId, tuple[Badge, ...]]


@dataclass(frozen=True, slots=True)
class Box:
    """A node of the picture. `flag` is the word on it: "added", "reduction", "leaf", an op name.

    The injected seed is a box too, of kind "seed", id "seed:<target>", pointing at its target.
    """

    id: NodeId
    kind: Kind
    x: float
    y: float
    width: float
    height: float
    title: str
    flag: str
    rows: tuple[Row, ...] = ()
    state: State = "idle"
    error: str | None = None
    tracked: bool = True  # takes part in this backward pass
    selected: bool = False
    badges: tuple[Badge, ...] = ()
    level: int = 0  # of its storey
    slots: int = 0  # how many inputs it has, where some are open
    open: tuple[int, ...] = ()  # inputs that nothing fills


@dataclass(frozen=True, slots=True)
class Edge:
    """A cubic curve from a node's right side to a user's left side: four control points.

    `label` is the contribution that travels back along it in the current step.
    """

    id: str
    source: NodeId
    target: NodeId
    slot: int
    points: tuple[Point, Point, Point, Point]
    state: State = "idle"
    label: str | None = None
    kind: Literal["data", "seed"] = "data"
    tracked: bool = True


@dataclass(frozen=True, slots=True)
class Storey:
    """A level above the ground: its rectangle and its heading.

    An odd `level` is the graph that a backward call with create_graph made, an even one what the
    program computes from that.
    """

    level: int
    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class FrameBox:
    """A titled frame, under the boxes; it goes with its members. Its id is "frame:<id>".

    `colour` is a role of `gradviz.look.Palette`.
    """

    id: str
    x: float
    y: float
    width: float
    height: float
    title: str = ""
    colour: str = "soft"
    members: tuple[NodeId, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteBox:
    """A note: its lines on a ground of their own. Its id is "note:<id>"."""

    id: str
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A kind of box or of badge in the picture and the word for it."""

    kind: Kind | BadgeTone
    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """Boxes, edges, the sentence of this step, and a legend. Units: canvas px at zoom 1.

    `width` and `height` span all that is drawn and a margin around it; `left` and `top` are the
    corner of that rectangle. `scale` says how the colours of gradients follow their size.
    """

    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    width: float
    height: float
    caption: str = ""
    legend: tuple[LegendEntry, ...] = ()
    left: float = 0.0
    top: float = 0.0
    scale: str = ""
    storeys: tuple[Storey, ...] = ()
    frames: tuple[FrameBox, ...] = ()
    notes: tuple[NoteBox, ...] = ()


def ground_rects(*grounds: Storey | FrameBox | NoteBox) -> list[Rect]:
    """The rectangles of what lies under boxes and edges."""
    return [(one.x, one.y, one.width, one.height) for one in grounds]


def figure(  # noqa: PLR0913  all that a picture is made of
    diagram: Diagram,
    run: Run,
    *,
    index: int = 0,
    position: int | None = None,
    positions: Mapping[NodeId, Point] | None = None,
    selection: NodeId | None = None,
    marks: Badges | None = None,
) -> Figure:
    """The picture of a diagram in the pass `index`, after `position` steps (None: all of them).

    `positions` holds the boxes' corners that are known already, and `diagram.positions` the ones
    the user chose; a layout finds the others. A run without passes shows values only. `marks` are
    the badges of nodes.
    """
    from gradviz.scene.picture import picture  # it builds on the classes above

    whole = picture(diagram, run, index=index, positions=positions).with_marks(marks or {})
    return whole.figure(position, selection=selection)
