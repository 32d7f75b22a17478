"""PNG: the same bytes twice, the sizes asked for, the colours of the tokens, no display."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from gradviz.diagram import Diagram
from gradviz.export import ExportProblem, Sheet
from gradviz.export.raster import png
from gradviz.export.sheet import Panel, arranged
from gradviz.look import DARK, LIGHT, Palette, Theme
from gradviz.palettes import palette
from gradviz.run import Run
from tests.ui.drawn import figure


def _sheet(
    *panels: Panel, theme: Theme = "light", scale: float = 1.0, width: float | None = None
) -> Sheet:
    drawn = panels or (Panel(figure(current=True)),)
    return Sheet(Diagram(), Run(), drawn, "", theme, scale, width, "en")


def _image(raw: bytes) -> Image.Image:
    return Image.open(io.BytesIO(raw)).convert("RGB")


def _rgb(code: str) -> tuple[int, ...]:
    return tuple(int(code[at : at + 2], 16) for at in (1, 3, 5))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_twice_gives_the_same_bytes(theme: Theme) -> None:
    assert png(_sheet(theme=theme)) == png(_sheet(theme=theme))


def test_nothing_but_the_picture_is_in_the_file() -> None:
    raw = png(_sheet())
    assert not {b"tEXt", b"tIME", b"iTXt", b"eXIf"} & {raw[at : at + 4] for at in range(len(raw))}


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_the_colours_are_the_tokens(theme: Theme, colours: Palette) -> None:
    assert palette(theme) is colours
    image = _image(png(_sheet(theme=theme)))
    placed, _, _ = arranged(list(_sheet().panels))
    left, top = placed[0].left, placed[0].top
    assert image.getpixel((2, 2)) == _rgb(colours.canvas)
    assert image.getpixel((round(left + 74), round(top + 10))) == _rgb(colours.leaf_ground)
    assert image.getpixel((round(left + 314), round(top + 198))) == _rgb(colours.node)
    assert image.getpixel((round(left + 620), round(top + 4))) == _rgb(colours.error)
    assert image.getpixel((round(left + 434), round(top + 103))) == _rgb(colours.positive)  # pulse


def test_scale_and_width() -> None:
    once, twice = _image(png(_sheet())), _image(png(_sheet(scale=2.0)))
    assert twice.size == pytest.approx((once.width * 2, once.height * 2), abs=1)
    assert _image(png(_sheet(width=1000))).width == 1000


def test_two_panels_stand_beside_each_other() -> None:
    one = _image(png(_sheet()))
    both = _image(png(_sheet(Panel(figure(), "y.sum()", "reduction"), Panel(figure()))))
    assert both.width == pytest.approx(2 * one.width, abs=1)
    assert both.getpixel((one.width, 200)) != both.getpixel((one.width + 8, 200))  # the divider


def test_a_picture_beyond_memory_is_refused_in_a_sentence() -> None:
    with pytest.raises(ExportProblem, match="too large"):
        png(_sheet(scale=1000.0))


def test_no_display_is_needed(tmp_path: Path) -> None:
    out = tmp_path / "sum.png"
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    done = subprocess.run(
        [sys.executable, "-m", "gradviz", "export", "example:sum", "-o", str(out)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")
    with Image.open(out) as image:
        assert image.format == "PNG"
        assert image.width > 500
