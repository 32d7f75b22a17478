"""What the process that runs a script takes away from itself, below the guards of the language.

The guards keep a script from reaching files, processes and sockets; these limits hold even if it
found a way around them.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

resource: Any
try:
    import resource
except ImportError:  # Windows has none; the host still watches time there
    resource = None

_REFUSED = (
    "os.",
    "subprocess.",
    "socket.",
    "shutil.",
    "ctypes.",
    "tempfile.",
    "mmap.",
    "fcntl.",
    "pty.",
    "winreg.",
    "msvcrt.",
    "_winapi.",
    "signal.",
    "syslog.",
    "urllib.",
    "http.",
    "ftplib.",
    "smtplib.",
    "webbrowser.",
    "gc.get",
    "pickle.",
    "code.__new__",
    "function.__new__",
    "cpython.run",
    "builtins.input",
    "builtins.breakpoint",
    "sys.set",
)
_LISTS = frozenset({"os.listdir", "os.scandir"})  # what importing a module does
_STATM = Path("/proc/self/statm")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC


def limit_memory(count: int) -> None:
    """Let the process take `count` bytes beyond what it has, until it relaxes."""
    if _STATM.exists():  # elsewhere address space is not what memory is measured by
        taken = int(_STATM.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        _lower("RLIMIT_AS", taken + count)


def forbid_files_and_processes() -> None:
    """No file written and no core dump; no new processes and threads until it relaxes."""
    _lower("RLIMIT_CORE", 0, for_good=True)
    _lower("RLIMIT_FSIZE", 0, for_good=True)
    _lower("RLIMIT_NPROC", 0)


def relax() -> None:
    """The script is over: what is left to do, telling of it, may take memory and a thread."""
    for name in ("RLIMIT_AS", "RLIMIT_NPROC"):
        kind = getattr(resource, name, None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(kind, (hard, hard))


def _lower(name: str, count: int, *, for_good: bool = False) -> None:
    kind = getattr(resource, name, None)
    if kind is None:
        return
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        count = min(count, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (count, count if for_good else hard))


def watch(library: Sequence[str]) -> None:
    """From now on refuse what a script has no business with; modules may still be imported.

    `library` are the folders that modules are read from. This cannot be undone.
    """
    folders = tuple(os.path.realpath(folder) + os.sep for folder in library if folder)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = args
            reads = not flags & _WRITES if mode is None else set(mode) <= set("rbt")
            if not reads or not _within(path, folders):
                raise PermissionError("files are not available here")
        elif event.startswith(_REFUSED):
            if event in _LISTS and _within(args[0], folders):
                return
            raise PermissionError(f"{event} is not available here")

    sys.addaudithook(hook)


def _within(path: Any, folders: tuple[str, ...]) -> bool:
    if not isinstance(path, (str, bytes)):
        return False
    return (os.path.realpath(os.fsdecode(path)) + os.sep).startswith(folders)
