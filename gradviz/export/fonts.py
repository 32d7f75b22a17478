"""The bundled fonts cut down to the characters of a picture, as @font-face rules of an SVG."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gradviz import resources
from gradviz.look import TYPE
from gradviz.scene.measure import FILES, Family


@dataclass(slots=True)
class Letters:
    """The characters that a picture writes, by family and weight."""

    used: dict[tuple[Family, bool], set[str]] = field(default_factory=dict)

    def add(self, text: str, family: Family, bold: bool) -> None:
        self.used.setdefault((family, bold), set()).update(text)


def font_faces(used: Mapping[tuple[Family, bool], Iterable[str]]) -> str:
    """CSS that carries the fonts along, so that a browser shows what the canvas shows.

    The same characters give the same bytes. Fonts that are missing are left out.
    """
    return "".join(
        _face(family, bold, "".join(sorted(used[family, bold])))
        for family, bold in sorted(used)
        if used[family, bold]
    )


def _face(family: Family, bold: bool, letters: str) -> str:
    raw = _subset(FILES[family, bold], letters)
    if raw is None:
        return ""
    name = (TYPE.mono if family == "mono" else TYPE.ui)[0]
    weight = TYPE.bold if bold else TYPE.regular
    data = base64.b64encode(raw).decode("ascii")
    return (
        f"@font-face{{font-family:'{name}';font-weight:{weight};"
        f"src:url(data:font/woff;base64,{data}) format('woff')}}"
    )


def _subset(filename: str, letters: str) -> bytes | None:
    """A WOFF of these characters, without hints and ligatures; None where the file is missing."""
    from fontTools import subset  # slow to import, and needed for SVG only
    from fontTools.ttLib import TTFont

    path = resources.path("fonts", filename)
    if not path.is_file():
        return None
    options = subset.Options(
        layout_features=[], hinting=False, desubroutinize=True, notdef_outline=True, name_IDs=[1, 2]
    )
    font = TTFont(path, recalcTimestamp=False)
    cutter = subset.Subsetter(options)
    cutter.populate(text=letters)
    cutter.subset(font)
    font.flavor = "woff"
    raw = io.BytesIO()
    font.save(raw)
    return raw.getvalue()
