"""`with_hidden`: what an error in the script hides for now, so that its places and frames stay."""

from __future__ import annotations

from dataclasses import replace

from gradviz.diagram import Diagram, Frame, Node, NodeId
from gradviz.matching import matched


def with_hidden(now: Diagram, shown: Diagram, before: Diagram) -> Diagram:
    """`now` with those nodes of `before` that `shown` does not have, and what was around them.

    `shown` is what came of `before` when its script stopped at an error; `now` is `shown` with
    what the user has changed since. A frame that the user has removed since stays away.
    """
    ids = {old: new for new, old in matched(before, shown).items()}
    nodes: dict[NodeId, Node] = dict(now.nodes)
    hidden = [node for key, node in before.nodes.items() if key not in ids]
    for node in hidden:
        key = node.id
        while key in nodes:  # another node stands on that line now
            key = f"hidden:{key}"
        ids[node.id] = key
        inputs = tuple(None if source is None else ids[source] for source in node.inputs)
        nodes[key] = replace(node, id=key, inputs=inputs)
    away = {node.id for node in hidden}
    positions = {ids[key]: at for key, at in before.positions.items() if key in away}
    return replace(
        now,
        nodes=nodes,
        positions={**now.positions, **positions},
        frames=_frames(now, shown, before, ids, away),
    )


def _frames(
    now: Diagram, shown: Diagram, before: Diagram, ids: dict[NodeId, NodeId], away: set[NodeId]
) -> tuple[Frame, ...]:
    around = {
        frame.id: tuple(ids[key] for key in frame.members if key in away) for frame in before.frames
    }
    known = {frame.id for frame in (*shown.frames, *now.frames)}
    lost = (frame for frame in before.frames if frame.id not in known)
    return (
        *(replace(one, members=(*one.members, *around.get(one.id, ()))) for one in now.frames),
        *(replace(one, members=around[one.id]) for one in lost if around[one.id]),
    )
