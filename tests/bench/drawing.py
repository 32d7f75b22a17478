"""How long the UI thread is busy with an edit by hand: a node added, connected, moved.

    python -m tests.bench.drawing [nodes]

Prints milliseconds of the UI thread: the longest piece in which it answers nothing else, how much
of that it worked itself, and all pieces until the new values are on screen. The rest of the longest
piece went to the app's other threads and to other programs. The budget is 16, at 2,000 nodes.

Each edit is made as such, and then with keys and mouse as a person's hands would make it: with the
whole diagram in view, and at sizes at which one reads it.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gradviz.diagram import Diagram, Node, NodeId, Point
from gradviz.edit import align, nodes, wires
from gradviz.edit.outcome import Added, Refusal
from gradviz.script.sandbox import Sandbox
from gradviz.ui.app import make_app, warm_up
from gradviz.ui.asking.settings import Settings
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.running.fluency import Fluency
from gradviz.ui.theme import ThemeSource
from gradviz.ui.window import Window

Event = Callable[[], object]
Outcome = Diagram | Added | Refusal

_ROWS = 50  # chains beside one another
_REST = 0.2  # seconds without work after which an edit is over
_PLAIN, _SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
_LEFT = Qt.MouseButton.LeftButton


def diagram(count: int) -> Diagram:
    """Chains of tanh from one leaf, all at their places."""
    made = {"x": Node("x", "leaf", data=np.array([2.0, 3.0], np.float32), name="x")}
    places: dict[NodeId, Point] = {"x": (0.0, 0.0)}
    for at in range(count - 1):
        before = "x" if at < _ROWS else f"n{at - _ROWS}"
        made[f"n{at}"] = Node(f"n{at}", "tanh", (before,))
        places[f"n{at}"] = (200.0 + at // _ROWS * 200.0, at % _ROWS * 90.0)
    return Diagram(nodes=made, positions=places, drawn=True)


@dataclass(frozen=True, order=True)
class Piece:
    """Seconds that passed, and those of them in which the UI thread itself worked."""

    passed: float
    worked: float

    @classmethod
    def of(cls, act: Event) -> Piece:
        passed, worked = time.perf_counter(), time.thread_time()
        act()
        return cls(time.perf_counter() - passed, time.thread_time() - worked)


def main(count: int) -> None:
    fluency = Fluency(make_app())
    settings = Settings(Path(tempfile.mkdtemp()) / "settings.ini")
    window = Window(Evaluator(Sandbox), settings, ThemeSource("light"))
    window.resize(1280, 800)
    told(window, "first paint", window.show)
    warm_up().join()  # as the app does it after the first paint
    fluency.started()
    told(window, "load", lambda: window.document.load(diagram(count), None))
    last, middle = f"n{count - 2}", f"n{count // 2}"
    for turn in range(3):
        place = (100.0, -200.0 - 100.0 * turn)
        edit(window, "add", partial(nodes.add, name="exp", at=place))
        key = window.selection.ids[0]
        edit(window, "connect", partial(wires.connect, source=last, target=key, slot=0))
        edit(window, "move", partial(align.place, corners={key: (50.0, 50.0 * turn)}))
    window.stage.fit()
    where = "all in view"
    add_by_keys(window, where)
    move_by_mouse(window, where)
    for zoom in (0.5, 1.0):
        window.stage.canvas.frame((middle,))
        window.stage.canvas.zoom_to(zoom)
        where = f"at {zoom:.0%}"
        add_by_keys(window, where)
        connect_by_mouse(window, where, middle)
        move_by_mouse(window, where)
    window.leave()
    QApplication.processEvents()


def told(window: Window, name: str, *events: Event) -> None:
    """Do these one after the other, each with all that comes of it, and print how long it took."""
    pieces: list[Piece] = []
    for event in events:
        pieces.append(Piece.of(event))
        until = time.monotonic() + _REST
        while window.evaluator.busy or time.monotonic() < until:
            pieces.append(Piece.of(QApplication.processEvents))
            if window.evaluator.busy:
                until = time.monotonic() + _REST
            time.sleep(0.001)
    longest, whole = max(pieces), sum(piece.passed for piece in pieces)
    most = max(piece.worked for piece in pieces)
    print(
        f"{name:32} longest {longest.passed * 1e3:5.1f} ms, most work {most * 1e3:5.1f} ms, "
        f"in all {whole * 1e3:6.1f} ms"
    )


def edit(window: Window, name: str, change: Callable[[Diagram], Outcome]) -> None:
    make = window.drawing.editing.make
    told(window, name, lambda: make(name, change(window.document.diagram)))


def add_by_keys(window: Window, where: str) -> None:
    line, canvas = window.drawing.palette.finder.line, window.stage.canvas
    told(
        window,
        f"add by keys, {where}",
        partial(QTest.keyClick, canvas, Qt.Key.Key_A, _SHIFT),
        *(partial(QTest.keyClicks, line, letter) for letter in "exp"),
        partial(QTest.keyClick, line, Qt.Key.Key_Return),
    )


def connect_by_mouse(window: Window, where: str, source: NodeId) -> None:
    """Lead a wire from a node to the one that is selected."""
    canvas, (key,) = window.stage.canvas, window.selection.ids
    out = next(port for port in canvas.ports.of(source) if port.slot is None)
    into = next(port for port in canvas.ports.of(key) if port.slot == 0)
    pulled = _pulled(window, _seen(window, *out.at), _seen(window, *into.at))
    told(window, f"connect by mouse, {where}", *pulled)
    assert window.document.diagram.nodes[key].inputs == (source,)


def move_by_mouse(window: Window, where: str) -> None:
    canvas, (key,) = window.stage.canvas, window.selection.ids
    x, y, wide, high = canvas.spatial.rects[canvas.spatial.row[key]].tolist()
    held = _seen(window, x + wide / 2, y + high / 2)
    told(window, f"move by mouse, {where}", *_pulled(window, held, held + QPoint(90, 60)))
    assert window.document.diagram.positions[key] != (x, y)


def _seen(window: Window, x: float, y: float) -> QPoint:
    return window.stage.canvas.viewportTransform().map(QPointF(x, y)).toPoint()


def _pulled(window: Window, start: QPoint, end: QPoint) -> list[Event]:
    view = window.stage.canvas.viewport()
    way = [start + (end - start) * (step / 8) for step in range(1, 9)]
    moves = [partial(QTest.mouseMove, view, point) for point in way]
    press = partial(QTest.mousePress, view, _LEFT, _PLAIN, start)
    return [press, *moves, partial(QTest.mouseRelease, view, _LEFT, _PLAIN, end)]


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
