"""`Plan`: what a node's box will hold and how large that is, whatever the gradients turn out to be.

Sizes follow from values and shapes only, so that boxes stay where they are while a seed is dragged
or a pass is stepped through; numbers of gradients give up digits to fit their cells.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.cells import Wording, number, shape_text, wording
from gradviz.diagram import CONSTANT, LEAF, Diagram, Node, NodeId
from gradviz.expressions import spoken
from gradviz.figure import Form, Kind
from gradviz.labels import titles
from gradviz.language import N_, _
from gradviz.look import FULL_NUMBERS, MAP_SIDE, NODE, STRIP_NUMBERS, TYPE
from gradviz.memo import Memo
from gradviz.run import Run, Value
from gradviz.scene.measure import width
from gradviz.scene.places import row_height
from gradviz.scene.sockets import PITCH

Array = npt.NDArray[Any]
_ADVANCE = 0.6  # of an em: the bundled mono font's
_CHARS = 10  # -1.234e-05, the longest number
_COLUMNS = 6  # of numbers in one line
_STRIP_WIDTH, _STRIP_HEIGHT = 144.0, 16.0
_MAP_WIDTH, _MAP_HEIGHT = 96.0, 72.0
_FLAGS: Mapping[str, str] = {LEAF: N_("leaf"), CONSTANT: N_("constant")}


@dataclass(frozen=True, slots=True)
class Grid:
    """How an array is shown: in cells with numbers, as a strip, or as a map."""

    form: Form = "cells"
    rows: int = 1
    columns: int = 1
    cell_width: float = NODE.cell_min
    cell_height: float = NODE.cell_height

    @property
    def chars(self) -> int | None:
        """The characters that fit a cell; None for swatches."""
        if self.form != "cells":
            return None
        return int((self.cell_width - 2) / (TYPE.cell * _ADVANCE))

    @property
    def width(self) -> float:
        gap = NODE.cell_gap if self.form == "cells" else 0.0
        return self.columns * (self.cell_width + gap) - gap

    def height(self, note: bool) -> float:
        return row_height(self.rows, self.cell_height, "note" if note else "")


@dataclass(frozen=True, slots=True)
class Plan:
    """A box before it has a place: its words, its rows and its size."""

    kind: Kind
    title: str
    flag: str
    grid: Grid | None  # None: no rows, the title says the value
    gradient: bool  # a second row for the gradient
    noted: bool  # the rows carry notes
    width: float
    height: float
    slots: int = 0  # of a node with open ones among them, else 0
    open: tuple[int, ...] = ()  # slots that nothing fills


def plans(diagram: Diagram, run: Run) -> Mapping[NodeId, Plan]:
    """The plan of every node of the diagram (not of what a pass adds)."""
    now = wording()
    of = diagram.nodes, diagram.calls, run, *now
    found = _made.find(*of)
    if found is None:
        last = _made.last
        before = last if last is not None and last.wording == now else _Planned(now)
        found = _made.keep(_plans(diagram, run, before), *of)
    return found.plans


@dataclass(frozen=True, slots=True)
class _Planned:
    """Plans, and all that each was made of; `own` are reductions that the script wrote."""

    wording: Wording
    nodes: Mapping[NodeId, Node] = field(default_factory=dict)
    values: Mapping[NodeId, Value] = field(default_factory=dict)
    words: Mapping[NodeId, str] = field(default_factory=dict)
    own: Collection[NodeId] = ()
    passes: bool = False
    plans: Mapping[NodeId, Plan] = field(default_factory=dict)


# Of nodes, which many diagrams share: only places differ while boxes are moved.
_made: Memo[_Planned] = Memo(8)


def _plans(diagram: Diagram, run: Run, before: _Planned) -> _Planned:
    """Plans of all nodes. An edit by hand leaves nearly all of them as they were `before`."""
    words, values = titles(diagram), run.values
    passes = bool(run.passes) or bool(diagram.calls)
    own, reduction = _own_reductions(diagram, run), _("reduction")
    changed = own.symmetric_difference(before.own)
    made: dict[NodeId, Plan] = {}
    for key, node in diagram.nodes.items():
        same = node is before.nodes.get(key) and values.get(key) is before.values.get(key)
        same = same and passes == before.passes and key not in changed
        if same and words[key] == before.words[key]:
            made[key] = before.plans[key]
            continue
        title = f"Σ {words[key]}" if key in own else words[key]
        word = reduction if key in own else None
        one = plan(node, values.get(key), title=title, passes=passes, reduction=word)
        made[key] = _with_sockets(node, one)
    return _Planned(before.wording, diagram.nodes, values, words, own, passes, made)


def _with_sockets(node: Node, made: Plan) -> Plan:
    """The plan with the inputs that are still open, high enough for all of them."""
    if None not in node.inputs:
        return made
    count = len(node.inputs)
    left = tuple(slot for slot, source in enumerate(node.inputs) if source is None)
    high = max(made.height, count * PITCH + 2 * NODE.pad)
    return replace(made, slots=count, open=left, height=high)


def _own_reductions(diagram: Diagram, run: Run) -> set[NodeId]:
    """Nodes that the script itself wrote to make a scalar of what it differentiates."""
    from gradviz.twin import reading_of  # it reaches into the engine, which drawing does not

    readings = (reading_of(diagram, call, run.values) for call in diagram.calls)
    return {reading.chain[-1] for reading in readings if reading is not None}


def plan(
    node: Node, value: Value | None, *, title: str, passes: bool, reduction: str | None = None
) -> Plan:
    """The plan of one node; `reduction` is the word on a node that reduces."""
    kind: Kind = "op"
    if reduction:
        kind = "reduction"
    elif node.op == LEAF:
        kind = "leaf"
    elif node.op == CONSTANT:
        kind = "constant"
    flag = reduction or (_(_FLAGS[node.op]) if node.op in _FLAGS else spoken(node.op))
    if node.is_source and node.upper is not None and node.upper.gradient is not None:
        flag = _("seed")
    array = value.array if value is not None else None
    if node.is_number or (kind == "constant" and node.data is None):
        wide = _header_width(title, "")
        return Plan(kind, title, "", None, False, False, max(wide, 56.0), NODE.header + 4)
    grid = Grid() if array is None else grid_of(array)
    gradient = passes and value is not None and value.requires_grad
    noted = array is not None and (grid.form != "cells" or grid.columns * grid.rows > _COLUMNS)
    noted = noted or (array is not None and array.ndim > 2)
    wide = max(
        NODE.min_width,
        _header_width(title, flag),
        2 * NODE.pad + NODE.label_width + grid.width,
        _note_width(array) if noted and array is not None else 0.0,
    )
    rows = 1 + gradient
    high = NODE.header + NODE.gap + rows * grid.height(noted) + (rows - 1) * NODE.row_gap
    high += 2 if noted else NODE.bottom
    return Plan(kind, title, flag, grid, gradient, noted, round(wide), round(high))


def _header_width(title: str, flag: str) -> float:
    name = width(title, TYPE.title, family="mono", bold=True)
    tail = width(flag, TYPE.label) + NODE.pad if flag else 0.0
    return round(2 * NODE.pad + name + tail)


def _note_width(array: Array) -> float:
    """Room for the shape and the longest norm."""
    note = _("{shape} norm {norm}").format(shape=shape_text(array.shape), norm="1.234e-05")
    return NODE.pad * 1.5 + NODE.label_width + width(note, TYPE.small)


def seed_plan(title: str, array: Array | None) -> Plan:
    """The plan of an injected seed's flag."""
    grid = Grid() if array is None else grid_of(array)
    noted = grid.form != "cells"
    name = width(title, TYPE.title, family="mono", bold=True)
    wide = NODE.seed_point + NODE.gap + max(name, grid.width) + NODE.pad
    high = NODE.header + grid.height(noted) + (2 if noted else NODE.bottom)
    return Plan("seed", title, "", grid, False, noted, round(wide), round(high))


def grid_of(array: Array) -> Grid:
    """Up to 12 elements as numbers, vectors as a strip of up to 64, the rest as a map."""
    if array.size == 0:
        return Grid(rows=1, columns=1)
    if array.size <= FULL_NUMBERS:
        columns = array.shape[-1] if array.ndim else 1
        if columns > _COLUMNS:
            columns = -(-columns // 2)
        return Grid("cells", -(-array.size // columns), columns, _cell_width(array))
    last = array.shape[-1]
    if array.size == last:
        columns = min(last, STRIP_NUMBERS)
        return Grid("strip", 1, columns, min(NODE.swatch, _STRIP_WIDTH / columns), _STRIP_HEIGHT)
    rows, columns = min(array.size // last, MAP_SIDE), min(last, MAP_SIDE)
    side = min(NODE.swatch, _MAP_WIDTH / columns, _MAP_HEIGHT / rows)
    return Grid("map", rows, columns, side, side)


@lru_cache(maxsize=20_000)
def _longest(raw: bytes, dtype: str, _wording: Wording) -> int:
    return max(len(number(item)) for item in np.frombuffer(raw, dtype).tolist())


def _cell_width(array: Array) -> float:
    """Wide enough for the longest value, and for every gradient with digits given up."""
    longest = _longest(array.tobytes(), array.dtype.str, wording())
    return max(NODE.cell_min, min(longest, _CHARS) * TYPE.cell * _ADVANCE + 2 * NODE.cell_pad / 2)
