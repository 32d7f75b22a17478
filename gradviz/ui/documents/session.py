"""`Session`: the folder in which this run of the app keeps unsaved documents, and others' left."""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QLockFile, QStandardPaths

from gradviz.language import _

SUFFIX = ".kept"
_LOCK = ".lock"


def data_folder() -> Path:
    """Where the app keeps unsaved documents of this user."""
    kind = QStandardPaths.StandardLocation.GenericDataLocation
    return Path(QStandardPaths.writableLocation(kind)) / "gradviz" / "unsaved"


class Session:
    """A folder of its own under `root`, with a lock beside it for as long as the process lives.

    The lock comes before the folder: a folder without a live lock was left by a process that was
    ended. Not for the UI thread, but for `new_file`, which only makes up a name.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{secrets.token_hex(3)}"
        self._lock: QLockFile | None = None
        self._left: dict[Path, QLockFile] = {}  # folders that others left, and are ours now
        self._files = 0
        self._beginning = threading.Lock()  # of the threads that write for several windows

    @property
    def folder(self) -> Path:
        return self._root / self._name

    def new_file(self) -> Path:
        """A name for the file of one document."""
        self._files += 1
        return self.folder / f"{self._files}{SUFFIX}"

    def begin(self) -> None:
        """Make the folder, the first time. Raises storage.FileProblem."""
        with self._beginning:
            if self._lock is not None:
                return
            try:
                self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
                lock = _lock(self.folder)
                if not lock.tryLock(0):
                    raise OSError(_("its lock cannot be made"))
                self.folder.mkdir(mode=0o700, exist_ok=True)
            except OSError as problem:
                from gradviz import storage

                reason = problem.strerror or str(problem)
                sentence = _(storage.NOT_SAVED).format(path=self.folder, reason=reason)
                raise storage.FileProblem(sentence) from problem
            self._lock = lock

    def left(self) -> list[Path]:
        """The files that ended processes left, oldest first; no other process gets them now."""
        return [
            file for folder in self._left_folders() for file in sorted(folder.glob(f"*{SUFFIX}"))
        ]

    def forget(self, file: Path) -> None:
        """Remove a file, and its folder where that was the last one that another had left."""
        with contextlib.suppress(OSError):
            file.unlink()
        self.tidy(file.parent)

    def tidy(self, folder: Path) -> None:
        """Give up a folder that another left, once it holds nothing more."""
        if folder in self._left and not any(folder.glob(f"*{SUFFIX}")):
            _clear(folder)
            self._left.pop(folder).unlock()

    def end(self) -> None:
        """Remove what is this session's; folders left by others stay where they hold anything."""
        for folder in list(self._left):
            self.tidy(folder)
        for lock in self._left.values():
            lock.unlock()
        self._left.clear()
        if self._lock is not None:
            _clear(self.folder)
            self._lock.unlock()
            self._lock = None

    def _left_folders(self) -> Iterator[Path]:
        if not self._root.is_dir():
            return
        for folder in sorted(self._root.iterdir()):
            if folder.name == self._name or not folder.is_dir():
                continue
            if folder not in self._left:
                lock = _lock(folder)
                if not lock.tryLock(0):
                    continue
                self._left[folder] = lock
            yield folder
            self.tidy(folder)


def _lock(folder: Path) -> QLockFile:
    lock = QLockFile(str(folder) + _LOCK)
    lock.setStaleLockTime(0)  # only a dead process gives its lock up, however long it runs
    return lock


def _clear(folder: Path) -> None:
    """Remove a folder that holds nothing of worth: what a write left that was cut short."""
    with contextlib.suppress(OSError):
        for rest in folder.glob(".*.tmp"):
            rest.unlink()
        folder.rmdir()
