"""Kills a process that edits documents, and looks at what it left."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gradviz.diagram import Diagram
from gradviz.files import kept
from gradviz.ui.documents.session import Session

ROOT = Path(__file__).resolve().parents[2]


def fingerprint(diagram: Diagram) -> str:
    """What a person has put into a diagram: script, places, starts, and nodes where drawn."""
    starts = [
        (call.target, call.start.kind, call.start.reduction, call.start.preset)
        for call in diagram.calls
        if call.target in diagram.nodes  # else it is ahead of its node, and no file keeps it
    ]
    places = {key: [round(x, 6), round(y, 6)] for key, (x, y) in diagram.positions.items()}
    drawn = [(node.id, node.op, node.inputs) for node in diagram.nodes.values() if diagram.drawn]
    return json.dumps([diagram.source, places, starts, drawn], sort_keys=True)


@dataclass
class Life:
    """A process that edits, from its start to its end."""

    folder: Path
    seed: int
    lines: list[dict[str, Any]] = field(default_factory=list)
    ended: float = 0.0

    def begin(self) -> None:
        self.errors = (self.folder / "errors").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.editing", str(self.folder), str(self.seed)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def wait_for_edits(self, count: int) -> None:
        """Until so many states have been told of."""
        end = time.monotonic() + 60
        while sum(line.get("modified", False) for line in list(self.lines)) < count:
            if time.monotonic() > end or self.process.poll() is not None:
                self.kill()
                raise TimeoutError((self.folder / "errors").read_text(encoding="utf-8"))
            time.sleep(0.01)

    def kill(self) -> None:
        self.ended = time.time()
        self.process.kill()
        self.process.wait()
        self.reader.join()
        for stream in (self.process.stdout, self.errors):
            if stream is not None:
                stream.close()

    def left(self) -> list[kept.Kept]:
        """What another process would find."""
        session = Session(self.folder / "unsaved")
        found = [kept.read(file) for file in session.left()]
        session.end()
        return found

    def lost(self) -> dict[int, float]:
        """For each document that was left, the seconds of work that are not in it.

        Raises AssertionError where what was left is not what it must be.
        """
        found = {self._document(one): one for one in self.left()}
        assert len(found) == len(self.left()), "a document was left twice"
        lost = {}
        for number in {line["doc"] for line in self.lines}:
            told = [line for line in self.lines if line["doc"] == number]
            states = [line for line in told if "print" in line]
            if not states:
                assert number not in found
                continue
            sure = max((line["state"] for line in told if "kept" in line), default=0)
            after = [line for line in states if line["state"] >= sure]
            if number in found:
                mark = fingerprint(found[number].diagram)
                same = [line for line in after if line["print"] == mark and line["modified"]]
                assert same, f"document {number}: a state older than the one kept"
                since = [line for line in states if line["state"] > same[-1]["state"]]
                lost[number] = self.ended - since[0]["at"] if since else 0.0
            else:  # either it was saved, or nothing of it was known to be kept yet
                assert sure == 0 or any(not line["modified"] for line in after), number
                lost[number] = self._unsaved_for(states)
        return lost

    def _unsaved_for(self, states: list[dict[str, Any]]) -> float:
        """How long the last state has been unsaved, where it was."""
        clean = [line["state"] for line in states if not line["modified"]]
        dirty = [line for line in states if line["state"] > max(clean, default=0)]
        return self.ended - dirty[0]["at"] if dirty else 0.0

    def _document(self, one: kept.Kept) -> int:
        return {None: 0, "a.py": 1, "b.gradviz": 2}[one.path.name if one.path else None]

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            try:
                self.lines.append(json.loads(line))
            except ValueError:
                continue  # the one that the end cut off
