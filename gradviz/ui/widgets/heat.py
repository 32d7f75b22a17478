"""An array of gradients as an image, one pixel an element."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

from gradviz.cells import Scale
from gradviz.look import Palette, swatch

Array = npt.NDArray[Any]
_LEVELS = 64  # shades of each sign


def heat_image(table: Array, scale: Scale, colours: Palette) -> QImage:
    """A table of rows and columns in the colours of swatches."""
    sizes = np.abs(table).astype(np.float64)
    with np.errstate(invalid="ignore"):
        shades = np.rint(_levels(sizes, scale) * (_LEVELS - 1)).astype(np.int64)
        shades += np.where(table < 0, _LEVELS, 0)
    shades[~np.isfinite(sizes)] = 2 * _LEVELS
    pixels = np.ascontiguousarray(_shades(colours)[shades])
    height, width = table.shape
    made = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
    return made.copy()  # its own memory


def _levels(sizes: Array, scale: Scale) -> Array:
    """`Scale.level` of many sizes at once."""
    if scale.top <= 0:
        return np.zeros_like(sizes)
    with np.errstate(divide="ignore", invalid="ignore"):
        if not scale.logarithmic:
            found = np.minimum(sizes / scale.top, 1.0)
        else:
            span = np.log(scale.top) - np.log(scale.bottom)
            share = (np.log(sizes) - np.log(scale.bottom)) / span
            found = np.clip(0.1 + 0.9 * share, 0.1, 1.0)
        return np.where((sizes > 0) & np.isfinite(sizes), found, 0.0)


@lru_cache(maxsize=4)
def _shades(colours: Palette) -> Array:
    """The colours of all shades: positive ones, negative ones, what is not finite."""
    steps = [at / (_LEVELS - 1) for at in range(_LEVELS)]
    codes = [swatch(colours, "positive", level) for level in steps]
    codes += [swatch(colours, "negative", level) for level in steps]
    codes.append(swatch(colours, "error", 0.0))
    return np.array([int(code[1:], 16) | 0xFF000000 for code in codes], dtype=np.uint32)
