"""PNG: the canvas's own painter on an image, with no display and no window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gradviz.export.sheet import Panel, arranged, legend_height
from gradviz.figure import Figure, LegendEntry
from gradviz.language import _
from gradviz.look import Palette
from gradviz.palettes import palette

if TYPE_CHECKING:
    from PySide6.QtGui import QImage, QPainter

    from gradviz.export import Sheet

_LARGEST = 16_384 * 16_384  # px: 1 GiB of memory
_app: list[Any] = []  # the application that this module had to start lives as long as Python does


def png(sheet: Sheet) -> bytes:
    """The sheet as PNG bytes; the same sheet gives the same bytes. Raises ExportProblem.

    Works without a display and leaves a Qt application that runs already as it is.
    """
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice

    image = draw(sheet.panels, palette(sheet.theme), scale=sheet.scale, width=sheet.width)
    raw = QByteArray()
    buffer = QBuffer(raw)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(buffer, "PNG"):  # type: ignore[call-overload]  # it takes any device
        raise _problem(_("Qt could not write the picture as PNG"))
    buffer.close()
    return bytes(raw.data())


def draw(
    panels: Sequence[Panel], colours: Palette, *, scale: float = 1.0, width: float | None = None
) -> QImage:
    """The panels, with legend, on an image `width` px wide, else at `scale` px per canvas px."""
    _start_qt()
    from PySide6.QtGui import QImage, QPainter

    from gradviz.ui.canvas.captions import legend_lines, paint_legend
    from gradviz.ui.theme import colour, load_fonts

    load_fonts()
    placed, wide, high = arranged(list(panels))
    rows = legend_lines(_entries(placed), _scale(placed), wide)
    whole = high + legend_height(rows)
    factor = width / wide if width is not None else scale
    across, down = max(round(wide * factor), 1), max(round(whole * factor), 1)
    if across * down > _LARGEST:
        raise _problem(
            _("a picture of {width}×{height} px is too large; choose a smaller scale").format(
                width=across, height=down
            )
        )
    image = QImage(across, down, QImage.Format.Format_RGB32)
    image.fill(colour(colours.canvas))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(factor, factor)
        for at, panel in enumerate(placed):
            _panel(painter, panel, colours, factor)
            if at:
                _divider(painter, panel, high, colours)
        paint_legend(painter, rows, (0.0, high), colours)
    return image


def _panel(painter: QPainter, panel: Panel, colours: Palette, zoom: float) -> None:
    from PySide6.QtCore import QRectF

    from gradviz.ui.canvas.captions import Heading, paint_caption
    from gradviz.ui.canvas.painter import Detail, Marks, Painter
    from gradviz.ui.canvas.spatial import Spatial

    figure, heading = panel.figure, Heading(panel.heading, panel.kind)
    rect = QRectF(panel.x, panel.y, panel.width, panel.strip)
    paint_caption(painter, figure.caption, heading, rect, colours)
    spatial = Spatial(figure)
    painter.translate(panel.left, panel.top)
    Painter(figure, spatial, colours).paint(
        painter, [_everything(figure)], zoom, Marks(), detail=Detail.NEAR
    )
    painter.translate(-panel.left, -panel.top)


def _everything(figure: Figure) -> tuple[float, float, float, float]:
    right, bottom = figure.left + figure.width, figure.top + figure.height
    reach = max(figure.width, figure.height)  # edges may bow out of the rectangle of the boxes
    return (figure.left - reach, figure.top - reach, right + reach, bottom + reach)


def _divider(painter: QPainter, panel: Panel, high: float, colours: Palette) -> None:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QPen

    from gradviz.ui.theme import colour

    painter.setPen(QPen(colour(colours.line), 1.0))
    if panel.x:
        painter.drawLine(QPointF(panel.x, 0.0), QPointF(panel.x, high))
    else:
        painter.drawLine(QPointF(0.0, panel.y), QPointF(panel.width, panel.y))


def _entries(panels: Sequence[Panel]) -> tuple[LegendEntry, ...]:
    """The entries of all panels, each once; the first panel's word for a kind counts."""
    found: dict[str, LegendEntry] = {}
    for panel in panels:
        for entry in panel.figure.legend:
            found.setdefault(entry.kind, entry)
    return tuple(found.values())


def _scale(panels: Sequence[Panel]) -> str:
    return next((panel.figure.scale for panel in panels if panel.figure.scale), "")


def _start_qt() -> None:
    """A Qt application that needs no display, unless one is there already."""
    try:
        from PySide6.QtGui import QGuiApplication
    except ImportError as error:
        raise _problem(
            _("PNG needs Qt, which cannot be loaded here: {reason}").format(reason=error)
        ) from error

    if QGuiApplication.instance() is None:
        _app.append(QGuiApplication(["gradviz", "-platform", "offscreen"]))


def _problem(sentence: str) -> Exception:
    from gradviz.export import ExportProblem  # it imports this module's siblings first

    return ExportProblem(sentence)
