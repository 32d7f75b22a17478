"""While a seed is dragged: the picture of another run over the places of the one before."""

from __future__ import annotations

from gradviz.cells import wording
from gradviz.diagram import Diagram
from gradviz.run import Pass, Run
from gradviz.scene.picture import Picture


def redrawn(before: Picture, diagram: Diagram, run: Run, index: int) -> Picture | None:
    """The picture of the pass `index` where it can differ from `before` in gradients alone.

    None where more may have changed; the layout, the titles and the values are taken over.
    """
    old, new = before.done, run.passes[index] if index < len(run.passes) else None
    if old is None or new is None or before.wording != wording():
        return None
    same = (
        diagram.nodes is before.diagram.nodes
        and diagram.positions is before.diagram.positions
        and run.values is before.run.values
        and run.error is before.run.error
    )
    return before.with_run(diagram, run, new) if same and _same_way(old, new) else None


def _same_way(old: Pass, new: Pass) -> bool:
    """Whether two passes start at the same place and take the same steps."""
    return (
        new.added is old.added
        and new.upper is old.upper
        and new.under is old.under
        and new.error is old.error
        and (new.root, new.call.target) == (old.root, old.call.target)
        and (new.call.start.kind, new.call.start.name) == (old.call.start.kind, old.call.start.name)
        and (old.seed is None) == (new.seed is None)
        and len(new.steps) == len(old.steps)
        and all(
            a.node == b.node and a.slot == b.slot and a.input == b.input
            for a, b in zip(old.steps, new.steps, strict=True)
        )
    )
