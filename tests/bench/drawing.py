"""How long the UI thread is busy with an edit by hand: a node added, connected, moved.

    python -m tests.bench.drawing [nodes]

Prints CPU milliseconds of the UI thread: of the longest piece in which it answers nothing else,
and of all pieces until the new values are on screen. The budget is 16 for the longest, at 2,000.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from gradviz.diagram import Diagram, Node, NodeId, Point
from gradviz.edit.outcome import Added, Refusal

Outcome = Diagram | Added | Refusal

_ROWS = 50  # chains beside one another
_REST = 0.2  # seconds without work after which an edit is over


def diagram(count: int) -> Diagram:
    """Chains of tanh from one leaf, all at their places."""
    made = {"x": Node("x", "leaf", data=np.array([2.0, 3.0], np.float32), name="x")}
    places: dict[NodeId, Point] = {"x": (0.0, 0.0)}
    for at in range(count - 1):
        before = "x" if at < _ROWS else f"n{at - _ROWS}"
        made[f"n{at}"] = Node(f"n{at}", "tanh", (before,))
        places[f"n{at}"] = (200.0 + at // _ROWS * 200.0, at % _ROWS * 90.0)
    return Diagram(nodes=made, positions=places, drawn=True)


def main(count: int) -> None:
    from PySide6.QtWidgets import QApplication

    from gradviz.edit import align, nodes, wires
    from gradviz.script.sandbox import Sandbox
    from gradviz.ui.app import make_app
    from gradviz.ui.asking.settings import Settings
    from gradviz.ui.running.evaluator import Evaluator
    from gradviz.ui.theme import ThemeSource
    from gradviz.ui.window import Window

    make_app()
    gc.set_threshold(20_000, 20, 50)  # as the app has it
    settings = Settings(Path(tempfile.mkdtemp()) / "settings.ini")
    window = Window(Evaluator(Sandbox), settings, ThemeSource("light"))
    window.resize(1280, 800)
    window.show()
    gc.freeze()
    editing = window.drawing.editing

    def measured(act: Callable[[], object]) -> tuple[float, float]:
        pieces = [_cpu(act)]
        until = time.monotonic() + _REST
        while window.evaluator.busy or time.monotonic() < until:
            pieces.append(_cpu(QApplication.processEvents))
            if window.evaluator.busy:
                until = time.monotonic() + _REST
            time.sleep(0.001)
        return max(pieces) * 1e3, sum(pieces) * 1e3

    measured(lambda: window.document.load(diagram(count), None))
    last = f"n{count - 2}"

    def edit(name: str, change: Callable[[Diagram], Outcome]) -> None:
        _tell(name, measured(lambda: editing.make(name, change(window.document.diagram))))

    for turn in range(3):
        place = (100.0, -200.0 - 100.0 * turn)
        edit("add", partial(nodes.add, name="exp", at=place))
        key = window.selection.ids[0]
        edit("connect", partial(wires.connect, source=last, target=key, slot=0))
        edit("move", partial(align.place, corners={key: (50.0, 50.0 * turn)}))
    window.leave()
    QApplication.processEvents()


def _cpu(act: Callable[[], object]) -> float:
    before = time.thread_time()
    act()
    return time.thread_time() - before


def _tell(name: str, took: tuple[float, float]) -> None:
    print(f"{name:8} longest {took[0]:6.1f} ms, in all {took[1]:6.1f} ms")


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
