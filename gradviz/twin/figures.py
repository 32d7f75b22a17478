"""The two figures of a pair at one moment: badges on the nodes, and what either side does."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from gradviz.diagram import NodeId
from gradviz.figure import Box, Edge, Figure
from gradviz.labels import step_name
from gradviz.language import _
from gradviz.scene.picture import Picture
from gradviz.twin.agreement import Agreement
from gradviz.twin.comparing import Pair, Side
from gradviz.twin.pairing import Moment, moments

Kind = Literal["reduction", "seed", "plain"]


class Beside:
    """Draws a pair; `moments` are the places in time that it can be drawn at."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.moments = moments(pair.left.done, pair.right.done)
        self._agreement = Agreement(pair)
        self._given: tuple[Picture, Picture] | None = None
        self._scaled: tuple[Picture, Picture] | None = None

    @property
    def headings(self) -> tuple[tuple[str, Kind], tuple[str, Kind]]:
        """What either side is called, and how it begins."""
        return _heading(self.pair.left), _heading(self.pair.right)

    def figures(
        self, pictures: tuple[Picture, Picture], at: Moment, *, selection: NodeId | None = None
    ) -> tuple[Figure, Figure]:
        """Both figures; `pictures` are those of the two sides' passes."""
        left, right = (
            one.with_marks(marks)
            for one, marks in zip(
                self._on_one_scale(pictures),
                self._agreement.marks(at.left, at.right),
                strict=True,
            )
        )
        first = left.figure(at.left, selection=selection)
        second = right.figure(at.right, selection=selection)
        if at.mover == "left":
            return _extra(first), _waiting(second, right, at.right, _name(left, at.left))
        if at.mover == "right":
            return _waiting(first, left, at.left, _name(right, at.right)), _extra(second)
        return first, second

    def _on_one_scale(self, pictures: tuple[Picture, Picture]) -> tuple[Picture, Picture]:
        """The pictures with a colour meaning the same size of a gradient on both."""
        if (
            self._scaled is None
            or self._given is None
            or any(one is not other for one, other in zip(self._given, pictures, strict=True))
        ):
            scale = max((one.scale for one in pictures), key=lambda scale: scale.top)
            self._given = pictures
            self._scaled = pictures[0].with_scale(scale), pictures[1].with_scale(scale)
        return self._scaled


def _heading(side: Side) -> tuple[str, Kind]:
    start = side.done.call.start
    return side.title, "seed" if start.kind == "seed" else "reduction"


def _extra(figure: Figure) -> Figure:
    caption = _("{sentence} · a step of this side only").format(sentence=figure.caption)
    return replace(figure, caption=caption)


def _name(drawn: Picture, position: int) -> str:
    return step_name(drawn.done.steps[position - 1], drawn.titles) if drawn.done else ""


def _waiting(figure: Figure, drawn: Picture, position: int, step: str) -> Figure:
    """The figure of a side that has no part in the moment of `step`: nothing on it moves."""
    coming = {each.node for each in drawn.done.steps[position:]} if drawn.done else set()
    return replace(
        figure,
        boxes=tuple(_resting_box(box, waits=box.id in coming) for box in figure.boxes),
        edges=tuple(_resting_edge(edge) for edge in figure.edges),
        caption=_("waits: {step} is a step of the other side only").format(step=step),
    )


def _resting_box(box: Box, *, waits: bool) -> Box:
    if box.state != "current":
        return box
    return replace(box, state="waiting" if waits else "done")


def _resting_edge(edge: Edge) -> Edge:
    if edge.state != "current" and edge.label is None:
        return edge
    return replace(edge, state="done", label=None)
