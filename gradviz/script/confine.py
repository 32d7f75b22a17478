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


def limit_memory(count: int | None) -> None:
    """Let the process take `count` bytes beyond what it has; None: as much as there is."""
    if resource is None or not _STATM.exists():
        return  # elsewhere address space is not what memory is measured by
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    wanted = hard
    if count is not None:
        wanted = int(_STATM.read_text(encoding="ascii").split()[0]) * resource.getpagesize() + count
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def forbid_files_and_processes() -> None:
    """No new processes, no file written, no core dump."""
    if resource is None:
        return
    for name in ("RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_NPROC"):
        kind = getattr(resource, name, None)
        if kind is not None:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(kind, (0, 0))


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
