"""`box_tip`: what is said of a node while the pointer rests on it."""

from __future__ import annotations

from html import escape

from gradviz.cells import array_text
from gradviz.diagram import NodeId
from gradviz.figure import Box
from gradviz.labels import name_of, titles
from gradviz.language import _
from gradviz.storeys import upper_of
from gradviz.ui.canvas.words import badge_lines
from gradviz.ui.player import Player


def box_tip(player: Player, box: Box) -> str:
    """What it is, its shape and type, a short value, and what its badges say."""
    _diagram, run, _index = player.scene
    done = player.current
    values = {**run.values, **(done.values if done else {})}
    value = values.get(box.id.removeprefix("seed:"))
    if value is None:
        return "<br>".join([f"<b>{escape(box.title)}</b>", *badge_lines(box)])
    about = value.grad_fn or (_("leaf") if value.requires_grad else _("constant"))
    shape = f"{value.array.dtype} {tuple(value.array.shape)}"
    lines = [about, shape, array_text(value.array), _origin(player, box.id), box.error or ""]
    told = [*(escape(line) for line in lines if line), *badge_lines(box)]
    return "<br>".join([f"<b>{escape(box.title)}</b>", *told])


def _origin(player: Player, key: NodeId) -> str:
    """Where a node of a second storey was made."""
    diagram, _run, _index = player.scene
    place = upper_of(key, diagram, player.current)
    if place is None or place.origin is None:
        return ""
    text = _("made at {origin} by pass {n}")
    number = place.call + 1 if place.call >= 0 else -place.call
    return text.format(origin=name_of(place.origin, titles(diagram)), n=number)
