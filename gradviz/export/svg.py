"""A figure, or two side by side, as an SVG: text stays text, ids and classes, the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gradviz.export.edges import contribution, edges
from gradviz.export.floors import floor
from gradviz.export.fonts import font_faces
from gradviz.export.nodes import hatch_pattern, node
from gradviz.export.pen import Pen
from gradviz.export.remarks import frame, note
from gradviz.export.sheet import (
    SIDE,
    Panel,
    arranged,
    legend,
    legend_height,
    legend_rows,
    strip,
)
from gradviz.export.style import style_sheet
from gradviz.export.xml import element, escape, num
from gradviz.figure import LegendEntry
from gradviz.language import _
from gradviz.look import Theme
from gradviz.palettes import palette


def svg(
    panels: Sequence[Panel],
    *,
    theme: Theme = "light",
    title: str = "",
    scale: float = 1.0,
    width: float | None = None,
    lang: str = "en",
) -> str:
    """The document. It is `width` px wide, else as wide as the picture times `scale`."""
    pen = Pen(palette(theme))
    placed, wide, high = arranged(list(panels))
    rows = legend_rows(_legend(placed), _scales(placed), wide - 2 * SIDE)
    body = [element("rect", width=wide, height=high + legend_height(rows), fill=pen.colours.canvas)]
    for at, panel in enumerate(placed):
        own = replace(pen, prefix=f"{at + 1}-" if len(placed) > 1 else "")
        body.append(_panel(panel, own))
        if at:
            body.append(_divider(panel, high))
    body.append(legend(rows, high, pen))
    high += legend_height(rows)
    factor = width / wide if width is not None else scale
    described = " ".join(panel.figure.caption for panel in placed if panel.figure.caption)
    head = [
        element("title", escape(title or _("computation graph"))),
        element("desc", escape(described)),
        element("style", font_faces(pen.letters.used) + style_sheet(pen.colours)),
        element("defs", hatch_pattern(pen)),
    ]
    return (
        element(
            "svg",
            "\n".join(head + body) + "\n",
            xmlns="http://www.w3.org/2000/svg",
            width=wide * factor,
            height=high * factor,
            viewBox=f"0 0 {num(wide)} {num(high)}",
            role="img",
            lang="zh-CN" if lang == "zh" else lang,
            class_=f"gradviz {theme}",
        )
        + "\n"
    )


def _panel(panel: Panel, pen: Pen) -> str:
    figure = panel.figure
    drawn = "\n".join(
        [
            *(floor(one, pen) for one in figure.storeys),
            *(frame(one, pen) for one in figure.frames),
            *(note(one, pen) for one in figure.notes),
            element("g", edges(figure, pen), class_="edges"),
            *(node(box, pen) for box in figure.boxes),
            contribution(figure, pen),
        ]
    )
    return strip(panel, pen) + element(
        "g", drawn, transform=f"translate({num(panel.left)} {num(panel.top)})", class_="figure"
    )


def _divider(panel: Panel, high: float) -> str:
    if panel.x:
        return element("line", x1=panel.x, y1=0.0, x2=panel.x, y2=high, class_="rule")
    return element("line", x1=0.0, y1=panel.y, x2=panel.width, y2=panel.y, class_="rule")


def _legend(panels: Sequence[Panel]) -> tuple[LegendEntry, ...]:
    """The entries of all panels, each once; the first panel's word for a kind counts."""
    found: dict[str, LegendEntry] = {}
    for panel in panels:
        for entry in panel.figure.legend:
            found.setdefault(entry.kind, entry)
    return tuple(found.values())


def _scales(panels: Sequence[Panel]) -> str:
    return next((panel.figure.scale for panel in panels if panel.figure.scale), "")
