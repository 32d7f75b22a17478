"""What of a figure is drawn in groups, as numbers."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from gradviz import look
from gradviz.figure import Box, Figure
from gradviz.look import Palette
from gradviz.scene.badges import WORDS
from gradviz.scene.places import row_places

Numbers = npt.NDArray[np.int8]
CURRENT, DONE = 2, 1
_STATES = {"current": CURRENT, "done": DONE}
_KINDS = {"op": 0, "constant": 0, "leaf": 1, "reduction": 2, "seed": 3}
_ERROR = 4
_TONES = {tone: code for code, tone in enumerate(WORDS)}


class Codes:
    """Kinds and states of a figure's boxes and edges as small integers, for drawing by groups.

    Each is made when it is first drawn by.
    """

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        self._tints: dict[int, list[tuple[float, float, float, float, str]]] = {}

    @cached_property
    def kinds(self) -> Numbers:
        """Of boxes."""
        return np.array([_kind(box) for box in self._figure.boxes], np.int8)

    @cached_property
    def edge_states(self) -> Numbers:
        """Of edges: `CURRENT`, `DONE`, or 0."""
        return np.array([_STATES.get(edge.state, 0) for edge in self._figure.edges], np.int8)

    @cached_property
    def badges(self) -> Numbers:
        """The places in `WORDS` of the tones of boxes' first badges, -1 without one."""
        return np.array([_badge(box) for box in self._figure.boxes], np.int8)

    def tints(
        self, row: int, box: Box, colours: Palette
    ) -> list[tuple[float, float, float, float, str]]:
        """The cells of a box as x, y, width, height and colour."""
        found = self._tints.get(row)
        if found is None:
            found = self._tints[row] = [
                (*rect, _tint(colours, place.row.form, cell.tone, cell.level))
                for place in row_places(box)
                for cell, rect in zip(place.row.cells, place.cells, strict=True)
                if cell.tone != "empty"
            ]
        return found


def _kind(box: Box) -> int:
    return _ERROR if box.error is not None else _KINDS[box.kind]


def _badge(box: Box) -> int:
    return _TONES[box.badges[0].tone] if box.badges else -1


def _tint(colours: Palette, form: str, tone: look.Tone, level: float) -> str:
    shade = look.cell_ground if form == "cells" else look.swatch
    return shade(colours, tone, round(level * 8) / 8)
