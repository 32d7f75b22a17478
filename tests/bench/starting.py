"""How long starting takes, as ratios in one run: to NumPy alone, and of the window to its parts.

    python tests/bench/starting.py

Each command is timed as the median of several runs, interleaved so that a busy machine hits all.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

ROUNDS = 9
PY = sys.executable
WINDOW = """
import sys
from PySide6.QtCore import QTimer
from gradviz.ui import app
sys.exit(app.start("example:nonscalar", lang="en", quit_when_painted=True))
"""
COMMANDS = {
    "import numpy": [PY, "-c", "import numpy"],
    "import engine": [PY, "-c", "import engine"],
    "gradviz run example:sum": [PY, "-m", "gradviz", "run", "example:sum"],
    "import QtWidgets, numpy, pyqtgraph": [
        PY, "-c", "import PySide6.QtWidgets, numpy, pyqtgraph",
    ],
    "first painted window": [PY, "-c", WINDOW],
}  # fmt: skip
BUDGETS = (
    ("import engine", "import numpy", 1.3),
    ("gradviz run example:sum", "import numpy", 5.0),
    ("first painted window", "import QtWidgets, numpy, pyqtgraph", 1.5),
)


def seconds(command: list[str]) -> float:
    """Wall-clock seconds of one run; a command that fails ends the bench."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # nor does an installed program compile
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - begin


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _round in range(ROUNDS):
        for name, command in COMMANDS.items():
            times[name].append(seconds(command))
    medians = {name: statistics.median(found) for name, found in times.items()}
    for name, median in medians.items():
        print(f"{name:40} {1000 * median:7.0f} ms")
    for name, base, budget in BUDGETS:
        print(f"{name} / {base}: {medians[name] / medians[base]:.2f} (budget {budget})")


if __name__ == "__main__":
    main()
