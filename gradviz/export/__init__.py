"""A pass at a position in time, written to a file: the medium follows from the name's suffix."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gradviz import labels, language
from gradviz.diagram import Diagram, NodeId, Point
from gradviz.export.sheet import Panel
from gradviz.export.svg import svg
from gradviz.figure import Badges
from gradviz.language import _
from gradviz.look import Theme
from gradviz.run import Run
from gradviz.scene.geometry import placed
from gradviz.scene.picture import picture
from gradviz.twin import Pair
from gradviz.twin.figures import Beside

__all__ = ["SUFFIXES", "ExportProblem", "Sheet", "export", "panels"]


class ExportProblem(ValueError):
    """The picture cannot be written; its text is one sentence that says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """What is to be written, and how: each medium is a function of this."""

    diagram: Diagram
    run: Run
    panels: tuple[Panel, ...]
    title: str
    theme: Theme
    scale: float
    width: float | None
    lang: str


def export(  # noqa: PLR0913  every option of the command line
    diagram: Diagram,
    run: Run,
    path: str | Path,
    *,
    index: int = 0,
    position: int | None = None,
    twin: Pair | None = None,
    theme: Theme = "light",
    lang: str | None = None,
    scale: float = 1.0,
    width: float | None = None,
    positions: Mapping[NodeId, Point] | None = None,
    marks: Sequence[Badges] = (),
    opened: bool = True,
) -> Path:
    """Write the pass `index` after `position` steps (None: all) to `path`; answer the path.

    `twin` are the two that stand side by side, `diagram` and `run` its left one, nodes that both
    have standing alike, with badges of their own; `position` then counts the moments of both.
    `width` in px takes the place of `scale`. `positions` are corners as the canvas has them,
    `marks` the badges of a single picture; `opened` says whether second storeys are shown whole.
    The file appears whole or not at all. Raises ExportProblem.
    """
    path = Path(path)
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise ExportProblem(
            _("{path}: the suffix must be one of {known}").format(
                path=path.name, known=", ".join(SUFFIXES)
            )
        )
    _check_size(scale, width)
    with _speaking(lang) as spoken:
        drawn = panels(
            diagram,
            run,
            index=index,
            position=position,
            twin=twin,
            positions=positions,
            marks=marks,
            opened=opened,
        )
        sheet = Sheet(diagram, run, drawn, labels.clean(diagram.title), theme, scale, width, spoken)
        raw = write(sheet)
    _replace(path, raw)
    return path


def panels(  # noqa: PLR0913  what the pictures are made of
    diagram: Diagram,
    run: Run,
    *,
    index: int = 0,
    position: int | None = None,
    twin: Pair | None = None,
    positions: Mapping[NodeId, Point] | None = None,
    marks: Sequence[Badges] = (),
    opened: bool = True,
) -> tuple[Panel, ...]:
    """The figures to draw, under headings where there are two."""
    corners = placed(diagram, run, positions)
    if twin is None:
        drawn = picture(diagram, run, index=index, positions=corners, opened=opened)
        return (Panel(drawn.with_marks(next(iter(marks), {})).figure(position)),)
    beside = Beside(twin)
    last = len(beside.moments) - 1
    moment = beside.moments[last if position is None else max(0, min(position, last))]
    left, right = (
        picture(side.diagram, side.run, positions=corners, opened=opened)
        for side in (twin.left, twin.right)
    )
    both = zip(beside.figures((left, right), moment), beside.headings, strict=True)
    return tuple(Panel(one, *heading) for one, heading in both)


def _check_size(scale: float, width: float | None) -> None:
    if not 0.05 <= scale <= 20:
        raise ExportProblem(_("the scale must lie between 0.05 and 20"))
    if width is not None and not 16 <= width <= 32768:
        raise ExportProblem(_("the width must lie between 16 and 32768 px"))


@contextlib.contextmanager
def _speaking(lang: str | None) -> Iterator[str]:
    """The language of the picture, the app's own afterwards."""
    before = language.current()
    if lang is not None and lang != before:
        try:
            language.use(lang)
        except ValueError as error:
            raise ExportProblem(str(error)) from None
    try:
        yield language.current()
    finally:
        if language.current() != before:
            language.use(before)


def _svg(sheet: Sheet) -> bytes:
    return svg(
        sheet.panels,
        theme=sheet.theme,
        title=sheet.title,
        scale=sheet.scale,
        width=sheet.width,
        lang=sheet.lang,
    ).encode()


def _png(sheet: Sheet) -> bytes:
    from gradviz.export.raster import png  # it starts Qt, which nothing else here needs

    raw: bytes = png(sheet)
    return raw


def _json(sheet: Sheet) -> bytes:
    from gradviz.export.json import text

    return text(sheet.diagram, sheet.run, [panel.figure for panel in sheet.panels]).encode()


_WRITERS: Mapping[str, Callable[[Sheet], bytes]] = {".svg": _svg, ".png": _png, ".json": _json}
SUFFIXES = tuple(_WRITERS)


def _replace(path: Path, raw: bytes) -> None:
    """Write beside the file, then put it in its place in one step."""
    beside = path.with_name(f".{path.name[:80]}.{secrets.token_hex(4)}.tmp")
    try:
        if path.is_dir():
            raise IsADirectoryError(_("it is a folder"))
        with beside.open("xb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink()
        reason = error.strerror or str(error)
        raise ExportProblem(
            _("{path} cannot be written: {reason}").format(path=path, reason=reason)
        ) from error
