"""Where the boxes that a pass brings stand: the reduction it appends, the seed it injects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradviz.diagram import Diagram, Node, NodeId, Point
from gradviz.labels import added_titles, start_name, titles
from gradviz.language import _
from gradviz.layout import Link, beside, free
from gradviz.look import NODE
from gradviz.run import Pass
from gradviz.scene.plan import Plan, plan, seed_plan
from gradviz.storeys import Storeys


def set_beside(
    found: Storeys, planned: Mapping[NodeId, Plan], corners: dict[NodeId, Point]
) -> None:
    """Set what an earlier pass appended on the ground beside what it reduces."""
    missing = [key for key, level in found.levels.items() if not level and key not in corners]
    taken = _rectangles(planned, corners)
    for key in missing:
        anchor = next((source for source in found.nodes[key].inputs if source in corners), key)
        _beside(key, anchor, planned, corners, taken)


def seed_room(diagram: Diagram, done: Pass | None, found: Storeys) -> dict[NodeId, float]:
    """The room that a seed upstairs takes beside its target."""
    if done is None or done.call.start.kind != "seed" or not found.levels.get(done.root):
        return {}
    return {done.root: NODE.seed_gap + _seed_plan(done).width}


def append_start(
    diagram: Diagram,
    done: Pass,
    planned: dict[NodeId, Plan],
    corners: dict[NodeId, Point],
    links: list[Link],
    upstairs: Mapping[NodeId, int],
) -> None:
    """Set what the pass adds beside its target, nothing else being moved.

    That is on its right; for a seed on the left in a gradient computation, which goes that way.
    `upstairs` are the levels of nodes.
    """
    words = added_titles(done, titles(diagram))
    anchor = target = _target(done)
    taken = _rectangles(planned, corners)
    for node in done.added:
        if node.id in corners:  # upstairs
            continue
        planned[node.id] = added_plan(node, done, words[node.id])
        known = [key for key in node.inputs if key in corners]
        sources = [key for key in known if planned[key].kind != "constant"] or known
        if sources:
            anchor = max(sources, key=lambda key: corners[key][0] + planned[key].width)
        if node.is_source:
            _below(node.id, target, planned, corners, taken)
        else:
            _beside(node.id, anchor, planned, corners, taken)
        links += [Link(key, node.id, slot) for slot, key in enumerate(node.inputs) if key]
    if done.call.start.kind == "seed" and target in corners:
        key = f"seed:{target}"
        planned[key] = _seed_plan(done)
        if upstairs.get(target, 0) % 2:
            _before(key, target, planned, corners, taken)
        else:
            _beside(key, target, planned, corners, taken, gap=NODE.seed_gap)


def _target(done: Pass) -> NodeId:
    """The box that the pass starts from: a gradient may have another id where it is shown."""
    return done.call.target if done.added else done.root


def _seed_plan(done: Pass) -> Plan:
    title = _("seed {name}").format(name=start_name(done))
    return seed_plan(title, done.seed if done.seed is not None else done.call.start.values)


def added_plan(node: Node, done: Pass, title: str) -> Plan:
    value = done.values.get(node.id)
    word = None if node.is_source else _("added")
    return plan(node, value, title=title, passes=True, reduction=word)


def _rectangles(planned: Mapping[NodeId, Plan], corners: Mapping[NodeId, Point]) -> list[Any]:
    return [(*corners[key], planned[key].width, planned[key].height) for key in corners]


def _beside(
    key: NodeId,
    anchor: NodeId,
    planned: Mapping[NodeId, Plan],
    corners: dict[NodeId, Point],
    taken: list[Any],
    *,
    gap: float = NODE.column_gap,
) -> None:
    if anchor not in corners:
        corners[key] = (0.0, 0.0)
    else:
        own = (planned[key].width, planned[key].height)
        rect = (*corners[anchor], planned[anchor].width, planned[anchor].height)
        corners[key] = beside(rect, own, taken, gap=gap)
    taken.append((*corners[key], planned[key].width, planned[key].height))


def _before(
    key: NodeId,
    anchor: NodeId,
    planned: Mapping[NodeId, Plan],
    corners: dict[NodeId, Point],
    taken: list[Any],
) -> None:
    own = (planned[key].width, planned[key].height)
    x, y = corners[anchor]
    at = (x - NODE.seed_gap - own[0], round(y + (planned[anchor].height - own[1]) / 2))
    corners[key] = free(at, own, taken)
    taken.append((*corners[key], *own))


def _below(
    key: NodeId,
    anchor: NodeId,
    planned: Mapping[NodeId, Plan],
    corners: dict[NodeId, Point],
    taken: list[Any],
) -> None:
    """Set a source under a box, its right side level with the box's."""
    own = (planned[key].width, planned[key].height)
    x, y = corners.get(anchor, (0.0, 0.0))
    if anchor in corners:
        x += planned[anchor].width - own[0]
        y += planned[anchor].height + NODE.lane_gap
    corners[key] = free((x, y), own, taken)
    taken.append((*corners[key], *own))
