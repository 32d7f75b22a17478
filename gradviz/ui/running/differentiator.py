"""`Differentiator`: finds Jacobians beside the event loop; the newest one asked for wins."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gradviz.diagram import Diagram, NodeId
from gradviz.run import Run

if TYPE_CHECKING:
    from gradviz.jacobians.rows import Jacobian

_TELL_SECONDS = 0.05  # between two words of progress
_JOIN_SECONDS = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What is to be differentiated by what: two nodes, or with `slot` an op by one input."""

    diagram: Diagram
    run: Run
    index: int | None
    of: NodeId
    wrt: NodeId
    slot: int | None = None


class Differentiator(QObject):
    """One job at a time on a thread of its own.

    `found(Wanted, Jacobian)` or `refused(Wanted, sentence)` ends it, `told(Wanted, done, count)`
    says how many rows there are. A job that was given up is not heard of any more.
    """

    found = Signal(object, object)
    refused = Signal(object, str)
    told = Signal(object, int, int)
    _ended = Signal(object, object)
    _counted = Signal(object, int, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wanted: Wanted | None = None
        self._thread: threading.Thread | None = None
        self._ended.connect(self._receive)
        self._counted.connect(self._tell)

    @property
    def busy(self) -> bool:
        return self._wanted is not None

    def ask(self, wanted: Wanted) -> None:
        """Begin; what was under way is given up."""
        self._wanted = wanted
        before = self._thread
        self._thread = threading.Thread(
            target=self._work, args=(wanted, before), name="differentiator", daemon=True
        )
        self._thread.start()

    def cancel(self) -> None:
        """Give up what is under way; it stops after the rows that it is at."""
        self._wanted = None

    def close(self) -> None:
        """Stop; no signal comes any more."""
        self.cancel()
        if self._thread is not None:
            self._thread.join(_JOIN_SECONDS)

    def _work(self, wanted: Wanted, before: threading.Thread | None) -> None:
        if before is not None:
            before.join()  # two at a time would take twice the memory
        if self._wanted is not wanted:
            return
        from gradviz.jacobians.rows import StoppedError

        try:
            result = _differentiate(wanted, self._teller(wanted))
        except StoppedError:
            return
        except Exception as error:  # noqa: BLE001  said in the panel, whatever it is
            named = isinstance(error, ValueError)
            text = str(error) if named else f"{type(error).__name__}: {error}"
            self._ended.emit(wanted, text)
            return
        self._ended.emit(wanted, result)

    def _teller(self, wanted: Wanted) -> Callable[[int, int], bool]:
        last = time.monotonic()

        def tell(done: int, count: int) -> bool:
            nonlocal last
            if self._wanted is not wanted:
                return False
            now = time.monotonic()
            if now - last > _TELL_SECONDS:
                last = now
                self._counted.emit(wanted, done, count)
            return True

        return tell

    def _tell(self, wanted: Wanted, done: int, count: int) -> None:
        """Runs on the UI thread, perhaps after the job was given up."""
        if wanted is self._wanted:
            self.told.emit(wanted, done, count)

    def _receive(self, wanted: Wanted, result: object) -> None:
        """Runs on the UI thread: pass on what is still wanted."""
        if wanted is not self._wanted:
            return
        self._wanted = None
        if isinstance(result, str):
            self.refused.emit(wanted, result)
        else:
            self.found.emit(wanted, result)


def _differentiate(wanted: Wanted, progress: Callable[[int, int], bool]) -> Jacobian:
    from gradviz.jacobians.jacobian import jacobian, local_jacobian
    from gradviz.jacobians.rows import Budget

    budget = Budget(progress=progress)
    diagram, run, index = wanted.diagram, wanted.run, wanted.index
    if wanted.slot is None:
        return jacobian(diagram, run, wanted.of, wanted.wrt, index=index, budget=budget)
    return local_jacobian(diagram, run, wanted.of, wanted.slot, index=index, budget=budget)
