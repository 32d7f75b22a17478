"""The style sheet of an exported picture: look tokens as classes."""

from __future__ import annotations

from gradviz.look import STROKE, TYPE, Palette
from gradviz.scene.badges import WORDS, badge_look
from gradviz.scene.storey_look import storey_frame, storey_ground, storey_line


def style_sheet(colours: Palette) -> str:
    """CSS for the classes that `gradviz.export` writes."""
    ui = _families(TYPE.ui + TYPE.cjk, "system-ui,sans-serif")
    mono = _families(TYPE.mono, "ui-monospace,monospace") + "," + _families(TYPE.cjk, "sans-serif")
    c, s = colours, STROKE
    on, off = s.dash
    rules = {
        "text": f"font-family:{ui};font-size:{TYPE.label:g}px;fill:{c.soft};white-space:pre",
        ".title": f"font-family:{mono};font-size:{TYPE.title:g}px;font-weight:{TYPE.bold}",
        ".title,.caption": f"fill:{c.ink}",
        ".untracked .title": f"fill:{c.soft}",
        ".caption,.heading": f"font-size:{TYPE.caption:g}px",
        ".heading": f"font-family:{mono};font-weight:{TYPE.bold};fill:{c.ink}",
        ".heads": f"font-size:{TYPE.caption:g}px;font-weight:{TYPE.bold}",
        ".small": f"font-size:{TYPE.small:g}px",
        ".flag,.middle": "text-anchor:end",
        ".middle": "text-anchor:middle",
        ".number": f"font-family:{mono};font-size:{TYPE.cell:g}px;text-anchor:middle;fill:{c.ink}",
        ".card": f"fill:{c.node}",
        ".outline": f"fill:none;stroke:{c.line};stroke-width:{s.node:g}",
        ".edge": f"fill:none;stroke:{c.edge};stroke-width:{s.edge:g}",
        ".edge.done": f"stroke:{c.soft};stroke-width:{s.edge_done:g}",
        ".edge.untracked": f"stroke-dasharray:{s.dash_edge[0]:g} {s.dash_edge[1]:g}",
        ".edge.current": f"stroke:{c.positive};stroke-width:{s.edge_current:g}",
        ".edge.seed": f"stroke:{c.seed};stroke-width:{s.edge_done:g}",
        ".arrow": f"fill:{c.seed}",
        ".empty": f"fill:none;stroke:{c.edge};stroke-dasharray:2 2",
        ".number.empty-text": f"fill:{c.soft}",
        ".pulse": f"fill:{c.positive}",
        ".pill": f"fill:{c.positive_ground};stroke:{c.positive}",
        ".pill.quiet": f"fill:{c.node};stroke:{c.edge}",
        ".number.positive": f"fill:{c.positive}",
        ".number.negative": f"fill:{c.negative}",
        ".number.error": f"fill:{c.error}",
        ".rule": f"stroke:{c.line}",
        ".socket": f"fill:{c.node};stroke:{c.error};stroke-width:{s.node_marked:g};"
        "stroke-dasharray:2 2",
    }
    for kind in ("leaf", "reduction", "seed"):
        ink = getattr(c, kind)
        rules[f".{kind}>.outline"] = f"stroke:{ink};stroke-width:{s.node_marked:g}"
        rules[f".{kind}>.ground"] = f"fill:{getattr(c, kind + '_ground')}"
        rules[f".{kind}>.title,.{kind}>.flag,.heading.{kind}"] = f"fill:{ink}"
    rules[".reduction>.outline"] += f";stroke-dasharray:{on:g} {off:g}"
    rules[".reduction>.flag,.badge-text"] = f"font-weight:{TYPE.bold}"
    rules[".node.current>.outline"] = (
        f"stroke:{c.selection};stroke-width:{s.node_current:g};stroke-dasharray:none"
    )
    rules[".node.failed>.outline"] = f"stroke:{c.error};stroke-width:{s.node_marked:g}"
    rules[".badge"] = f"fill:{c.error};stroke:{c.canvas};stroke-width:2"
    rules[".badge-text"] = f"fill:{c.canvas};text-anchor:middle"
    rules[".verdict>text"] = (
        f"font-size:{TYPE.small:g}px;font-weight:{TYPE.bold};text-anchor:middle"
    )
    for tone in WORDS:
        drawn = badge_look(c, tone)
        rules[f".verdict.{tone}>rect"] = f"fill:{drawn.ground};stroke:{drawn.line}"
        if drawn.dash is not None:
            on, off = drawn.dash
            rules[f".verdict.{tone}>rect"] += f";stroke-dasharray:{on:g} {off:g}"
        rules[f".verdict.{tone}>text"] = f"fill:{drawn.ink}"
    rules[".storey>rect"] = f"fill:none;stroke:{storey_line(c)}"
    rules[".storey.gradients>rect"] = f"fill:{storey_ground(c)}"
    rules[".storey>text"] = f"font-weight:{TYPE.bold}"
    rules[".second"] = f"fill:none;stroke:{storey_frame(c)}"
    rules[".ring"] = f"fill:none;stroke:{c.selection};stroke-width:2;opacity:0.55"
    return "".join(f"{selector}{{{body}}}" for selector, body in rules.items())


def _families(names: tuple[str, ...], fallback: str) -> str:
    return ",".join(f"'{name}'" for name in names) + f",{fallback}"
