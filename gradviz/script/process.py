"""`Process`: the worker process as the sandbox holds it: started, spoken to, killed."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from gradviz.script.frames import Reader, send

# The worker gets the folders that modules are found in, and no more of the surroundings.
_BOOT = (
    "import importlib, json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "importlib.import_module(sys.argv[2]).main()"
)
_KEPT = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TEMP", "TMP", "LANG")
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_SLACK = 1 << 20
_AHEAD = 16  # answers that are read before anybody asks for them; then the worker has to wait


def _folders() -> list[str]:
    """Where modules are found: as here, but for the folder that the app happens to run in."""
    home, here = Path(__file__).resolve().parents[2], Path.cwd()
    found = [Path(folder).absolute() for folder in sys.path]
    return [str(folder) for folder in (home, *found) if folder != here or folder == home]


class Process:
    """A worker. `frames` holds what it sent, in order; None after its last.

    `serves` names the module whose `main` it runs.
    """

    def __init__(self, reply: int, serves: str = "gradviz.script.worker") -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  lives as long as the process
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _BOOT, json.dumps(_folders()), serves],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={name: os.environ[name] for name in _KEPT if name in os.environ} | _ONE_THREAD,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._input = self._child.stdin
        self._output = self._child.stdout
        self._reader = Reader(self._output.fileno(), reply + _SLACK)
        self._writing = threading.Lock()
        self.frames: queue.Queue[bytes | None] = queue.Queue(_AHEAD)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def allow(self, reply: int) -> None:
        """Read answers of up to so many bytes."""
        self._reader.limit = reply + _SLACK

    def alive(self) -> bool:
        return self._child.poll() is None

    def send(self, payload: bytes) -> bool:
        """Send a request; whether the worker was there to take it."""
        with self._writing:
            try:
                send(self._input.fileno(), payload)
            except (OSError, ValueError):
                return False
        return True

    def kill(self) -> None:
        """End the worker and what it started."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self._child.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self._child.kill()
        self._child.wait()
        while self._listener.is_alive():
            with contextlib.suppress(queue.Empty):
                self.frames.get(timeout=0.01)  # the listener may wait for room
        self._errors.close()
        with contextlib.suppress(OSError), self._writing:
            self._input.close()
        self._output.close()

    def last_words(self) -> str:
        """The last line that the worker wrote to its standard error, if any."""
        with contextlib.suppress(OSError, ValueError):
            self._errors.seek(0)
            lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
            return lines[-1] if lines else ""
        return ""

    def _listen(self) -> None:
        """Runs beside: takes frames as they come, so that the worker never waits."""
        try:
            while True:
                self.frames.put(self._reader.frame())
        except (EOFError, OSError, ValueError):
            self.frames.put(None)


_early: list[Process] = []


def begin() -> None:
    """Start a worker that the next sandbox takes: it gets ready while the caller still imports."""
    with contextlib.suppress(OSError):
        _early.append(Process(0))


def fresh(reply: int) -> Process:
    """A worker; answers of more than `reply` bytes are not read. Raises OSError."""
    if not _early:
        return Process(reply)
    process = _early.pop()
    process.allow(reply)
    return process
