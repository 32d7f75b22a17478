"""The app from its first line to its last, in a process of its own: nothing goes wrong unseen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from gradviz.ui import app

make = app.make_windows

def watched(settings):
    windows = make(settings)
    timer = QTimer(windows)

    def look():
        window = windows.all[0]
        if window.player.last and not window.evaluator.busy and not windows.recovery.busy:
            timer.stop()
            print(window.document.filename, window.player.last)
            window.leave()

    timer.timeout.connect(look)
    timer.start(20)
    return windows

app.make_windows = watched
sys.exit(app.start(*sys.argv[1:], lang="en"))
"""


@pytest.mark.parametrize("name", ["sum", "second-storey"])
def test_an_example_is_opened_and_closed_without_a_word(name: str, tmp_path: Path) -> None:
    home = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(tmp_path))
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, f"example:{name}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **home, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert ran.returncode == 0
    assert ran.stdout.split("\n")[0].startswith(f"{name}.py ")
    assert ran.stderr == ""
