"""The two nodes that a Jacobian is about: which there are, picked or chosen, and the usual ones."""

from __future__ import annotations

from gradviz.diagram import NodeId
from gradviz.labels import added_titles, titles
from gradviz.ui.choices import subject
from gradviz.ui.player import Player
from gradviz.ui.selection import Selection

Ends = tuple[NodeId, NodeId]  # the node that is differentiated, and the one it is differentiated by


def derivable(player: Player) -> list[tuple[NodeId, str]]:
    """The nodes on screen that have derivatives, in evaluation order, with their titles."""
    diagram, run, _index = player.scene
    done = player.current
    known, values = dict(titles(diagram)), dict(run.values)
    nodes = list(diagram.nodes.values())
    if done is not None:
        known |= added_titles(done, known)
        values |= done.values
        nodes += done.beyond
    return [
        (node.id, known[node.id])
        for node in nodes
        if node.id in values and values[node.id].array.dtype.kind == "f" and not node.is_number
    ]


def ends_for(
    player: Player, keys: set[NodeId], selection: Selection, chosen: Ends | None
) -> Ends | None:
    """What was chosen, else two selected nodes, else what the pass is about; of these `keys`."""
    if chosen is not None and keys.issuperset(chosen):
        return chosen
    picked = [key for key in selection.ids if key in keys]
    if len(picked) == 2:
        places = {key: at for at, key in enumerate(player.scene[0].nodes)}
        first, second = sorted(picked, key=lambda key: places.get(key, len(places)))
        return second, first
    return _usual(player, keys)


def _usual(player: Player, keys: set[NodeId]) -> Ends | None:
    """The output of the pass by the first leaf that it depends on."""
    diagram, run, index = player.scene
    order = list(diagram.nodes)
    of = subject(diagram, run, diagram.calls[index]) if index < len(diagram.calls) else None
    if of not in keys:
        of = next((key for key in reversed(order) if key in keys), None)
    if of is None:
        return None
    below = diagram.ancestors(of) & keys
    leaves = (key for key in order if key in below and diagram.nodes[key].op == "leaf")
    return of, next(leaves, of)
