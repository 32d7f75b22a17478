"""The fine layout in a process of its own, because it holds the interpreter's lock."""

from __future__ import annotations

import pickle
import subprocess
import sys

from gradviz.diagram import NodeId, Point
from gradviz.layout.graph import Graph

_PROGRAM = (
    "import pickle, sys; from gradviz.layout.fine import fine; "
    "sys.stdout.buffer.write(pickle.dumps(fine(pickle.loads(sys.stdin.buffer.read()))))"
)


class FineLayout:
    """A fine layout under way."""

    def __init__(self, graph: Graph) -> None:
        # The child imports what this process imports, wherever it was started from.
        paths = f"import sys; sys.path[:0] = {sys.path!r}; "
        self._child = subprocess.Popen(
            [sys.executable, "-c", paths + _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._question = pickle.dumps(graph)

    def result(self, timeout: float | None = None) -> dict[NodeId, Point] | None:
        """Wait for the corners; None where it was cancelled, failed, or took over `timeout` s."""
        try:
            answer, _errors = self._child.communicate(self._question, timeout)
        except subprocess.TimeoutExpired:
            self.cancel()
            return None
        except (OSError, ValueError):  # cancelled from another thread
            return None
        if self._child.returncode != 0 or not answer:
            return None
        corners: dict[NodeId, Point] = pickle.loads(answer)
        return corners

    def cancel(self) -> None:
        """End the process; may be called from any thread, and more than once."""
        if self._child.poll() is None:
            self._child.kill()
            self._child.wait()


def fine_in_process(graph: Graph) -> FineLayout:
    """Start the fine layout of the graph; ask its `result` in a thread that may wait."""
    return FineLayout(graph)
