"""`Roster`: the boxes and edges of a picture in their rows, wherever the boxes may stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gradviz.diagram import NodeId
from gradviz.layout import Link
from gradviz.scene.plan import Plan

Floats = npt.NDArray[np.float64]
Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Roster:
    """`sizes` (n, 2) are widths and heights in px; `ends` the rows of the links' boxes.

    `order` has what ends in the order of its slot, and -1 for what goes by height; `counts` how
    many slots a box with open ones has; `heights` the levels that boxes stand on, where there are
    storeys. An injected seed is the box of `seed_row` and the last
    edge, which is none of the links.
    """

    ids: tuple[NodeId, ...]
    rows: Mapping[NodeId, int]
    plans: tuple[Plan, ...]
    sizes: Floats
    ends: tuple[Numbers, Numbers]
    order: Numbers
    counts: Numbers
    heights: Numbers
    seed_row: int | None
    edge_ids: tuple[str, ...]
    edge_rows: Mapping[str, int]
    sources: npt.NDArray[np.intp]
    targets: npt.NDArray[np.intp]
    slots: Numbers

    @property
    def seed_target(self) -> int:
        """The row of the box that the seed is injected at."""
        assert self.seed_row is not None
        return self.rows[self.ids[self.seed_row].removeprefix("seed:")]


def roster(
    planned: Mapping[NodeId, Plan],
    links: Sequence[Link],
    levels: Mapping[NodeId, int],
    *,
    raised: bool,
) -> Roster:
    """The roster of these boxes and links; `raised` says that there are storeys."""
    ids, plans = tuple(planned), tuple(planned.values())
    rows = {key: row for row, key in enumerate(ids)}
    seed_row = next((row for row, plan in enumerate(plans) if plan.kind == "seed"), None)
    ends = tuple(rows[link.source] for link in links), tuple(rows[link.target] for link in links)
    slots = tuple(link.slot for link in links)
    edge_ids = tuple(f"{link.source}->{link.target}:{link.slot}" for link in links)
    sources, targets = ends
    if seed_row is not None:
        seed = ids[seed_row]
        sources, targets = (*sources, rows[seed.removeprefix("seed:")]), (*targets, seed_row)
        slots, edge_ids = (*slots, 0), (*edge_ids, seed)
    return Roster(
        ids,
        rows,
        plans,
        np.array([(plan.width, plan.height) for plan in plans], np.float64).reshape(-1, 2),
        ends,
        tuple(link.slot if link.ordered or planned[link.target].slots else -1 for link in links),
        tuple(plan.slots for plan in plans),
        tuple(levels.get(key.removeprefix("seed:"), 0) for key in ids) if raised else (),
        seed_row,
        edge_ids,
        {key: row for row, key in enumerate(edge_ids)},
        np.array(sources, np.intp),
        np.array(targets, np.intp),
        slots,
    )
