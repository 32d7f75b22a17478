"""Time from a change of one component of v to every gradient on screen, by number of nodes.

    python -m tests.bench.dragging [NODES...]

The whole window, with the seed editor open: recombining, canvas, panels, painting. A frame of 60
in a second leaves 16.7 ms. Medians of one thread's CPU time.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtWidgets import QApplication

from gradviz.script.sandbox import Sandbox
from gradviz.ui.app import make_app
from gradviz.ui.asking.settings import Settings
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.theme import ThemeSource
from gradviz.ui.window import Window

SIZES = (10, 100, 1000)
CHANGES = 40
SCRIPT = """import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x
for turn in range({turns}):
    y = torch.tanh(y * y)
y.backward(gradient=torch.tensor([1.0, 1.0]))
"""


def wait(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.005)


def measured(window: Window, folder: Path, nodes: int) -> tuple[int, float]:
    """The nodes there are, and the median of milliseconds for a change."""
    script = folder / f"chain{nodes}.py"
    script.write_text(SCRIPT.format(turns=nodes // 2))
    window.files.open(str(script))
    while window.evaluator.busy:
        wait(0.05)
    wait(2.0)  # for the fine layout
    window.live.drag(0)
    while window.live.recombiner.waiting:
        wait(0.01)
    times = []
    for change in range(CHANGES):
        values = np.array([1 + change / 100, 1.0], np.float32)
        start = time.thread_time()
        window.starting.use(values, merge="drag")
        QApplication.processEvents()
        times.append(1000 * (time.thread_time() - start))
    count = len(window.player.diagram.nodes)
    window.live.settle()
    while window.evaluator.busy:
        wait(0.05)
    window.document.history.setClean()
    return count, statistics.median(times)


def main() -> None:
    make_app()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = Settings(folder / "settings.ini")
        window = Window(Evaluator(Sandbox), settings, ThemeSource("light"))
        window.resize(1280, 800)
        window.show()
        window.seed_editor.set_shown(True)
        for nodes in map(int, sys.argv[1:] or SIZES):
            count, milliseconds = measured(window, folder, nodes)
            print(f"{count:6} nodes  {milliseconds:6.1f} ms a change")
        window.close()


if __name__ == "__main__":
    main()
