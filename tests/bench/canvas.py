"""CPU time of one frame of the canvas, by number of nodes: repaints, panning, zooming, one step.

    python tests/bench/canvas.py [NODES...]

Every node has two rows of numbers, and about two edges. 60 frames a second leave 16.7 ms.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

from gradviz.figure import Box, Cell, Edge, Figure, Row
from gradviz.ui.canvas.view import CanvasView
from gradviz.ui.theme import ThemeSource

SIZES = (100, 1000, 5000, 20000)
COLUMN, LANE = 244.0, 114.0
FRAMES = 15


def made(count: int) -> Figure:
    """A wide sheet of boxes; each reads its left neighbour and one above that."""
    lanes = max(round((count / 2.2) ** 0.5), 1)
    boxes = tuple(_box(at, at // lanes * COLUMN, at % lanes * LANE) for at in range(count))
    edges = tuple(
        _edge(boxes[source], boxes[at], slot)
        for at in range(lanes, count)
        for slot, source in enumerate({at - lanes, max(at - lanes - 1, 0)})
    )
    right = max(box.x + box.width for box in boxes)
    bottom = max(box.y + box.height for box in boxes)
    return Figure(boxes, edges, right, bottom, "Step 1 of 2.")


def _box(at: int, x: float, y: float) -> Box:
    numbers = tuple(Cell(f"{(at * 7 + k) % 97 / 8:.4g}", "value") for k in range(2))
    signs = ("positive", "negative")
    grads = tuple(replace(n, tone=signs[(at + k) % 2], level=0.6) for k, n in enumerate(numbers))
    kind = "leaf" if at % 5 == 0 else "op"
    rows = (Row("value", numbers, 2), Row("grad", grads, 2))
    return Box(f"n{at}", kind, x, y, 172.0, 86.0, f"node {at}", "mul", rows)


def _edge(source: Box, target: Box, slot: int) -> Edge:
    x0, y0 = source.x + source.width, source.y + source.height / 2
    x1, y1 = target.x, target.y + target.height / 2 + 12 * (slot - 0.5)
    points = ((x0, y0), (x0 + 36, y0), (x1 - 36, y1), (x1, y1))
    return Edge(f"{source.id}-{target.id}", source.id, target.id, slot, points)


def frame(view: CanvasView, change: Callable[[int], None]) -> float:
    """Milliseconds of CPU of the middle one of several frames, each after a change."""
    times = []
    for at in range(FRAMES):
        QApplication.processEvents()
        begun = time.process_time()
        change(at)
        QApplication.processEvents()
        times.append((time.process_time() - begun) * 1e3)
    return statistics.median(times)


def measure(count: int) -> dict[str, float]:
    """A row of the table for this many nodes."""
    view = CanvasView(ThemeSource("light"))
    view.resize(1600, 900)
    view.set_motion(False)
    figure = made(count)
    view.show()
    begun = time.process_time()
    view.show_figure(figure)
    row = {"build": (time.process_time() - begun) * 1e3}
    middle = QPointF(figure.width / 2, figure.height / 2)
    full = view.viewport().update
    for zoom in (1.0, 0.5, 0.25):
        view.look_at(middle, zoom)
        row[f"zoom {zoom:g}"] = frame(view, lambda at: full())
    view.fit()
    row["fit all"] = frame(view, lambda at: full())
    for zoom in (1.0, 0.5):
        view.look_at(middle, zoom)
        row[f"pan {zoom:g}"] = frame(view, lambda at: view.pan(17.0, 9.0))
    view.look_at(middle, 1.0)
    row["zooming"] = frame(view, lambda at: view.zoom_by(-120, QPointF(800, 400)))
    view.look_at(middle, 1.0)
    row["one step"] = frame(view, lambda at: view.show_figure(_stepped(figure, count // 2, at)))
    view.deleteLater()
    return row


def _stepped(figure: Figure, row: int, at: int) -> Figure:
    box = replace(figure.boxes[row], state=("current", "done")[at % 2])
    return replace(figure, boxes=(*figure.boxes[:row], box, *figure.boxes[row + 1 :]))


def main(sizes: tuple[int, ...]) -> None:
    app = QApplication.instance() or QApplication(["bench"])
    rows = {size: measure(size) for size in sizes}
    names = list(next(iter(rows.values())))
    print("CPU ms per frame, 1600x900".ljust(28) + "".join(f"{name:>10}" for name in names))
    for size, row in rows.items():
        print(f"{size:>8} nodes".ljust(28) + "".join(f"{row[name]:10.1f}" for name in names))
    app.processEvents()


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
