"""Where on the stack a script is."""

from __future__ import annotations

import sys
from types import FrameType

FILENAME = "<gradviz script>"  # no file of any module is named so


def where() -> int | None:
    """The line of the script that is being run, seen from anything that it calls."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == FILENAME:
            return frame.f_lineno
        frame = frame.f_back
    return None
