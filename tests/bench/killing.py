"""Kills the app at random moments while it edits three documents, and tells what was lost.

python tests/bench/killing.py [TIMES]
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ["QT_QPA_PLATFORM"] = "offscreen"

from tests.ui.killed import Life

TIMES = 50
LONGEST = 8.0  # seconds of editing


def main() -> None:
    dice = random.Random(7)
    worst = 0.0
    offered = 0
    times = int(sys.argv[1]) if len(sys.argv) > 1 else TIMES
    for seed in range(times):
        with tempfile.TemporaryDirectory() as folder:
            life = Life(Path(folder), seed)
            life.begin()
            life.wait_for_edits(1)
            time.sleep(dice.random() * LONGEST)
            life.kill()
            lost = life.lost()
            left = len(life.left())
        offered += left
        worst = max([worst, *lost.values()])
        told = ", ".join(f"{number}: {seconds:.2f} s" for number, seconds in sorted(lost.items()))
        print(f"kill {seed + 1}: {left} documents left; work lost of {told}", flush=True)
    print(f"{times} kills, {offered} documents offered, at most {worst:.2f} s of work lost")


if __name__ == "__main__":
    main()
