"""`Program`: one script, run in this process; what it drew, did and printed so far."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import engine
from engine.record import ACTIVE, Record, record
from engine.tensor import Tensor
from gradviz import trace
from gradviz.diagram import Diagram
from gradviz.language import N_, _
from gradviz.run import Failure, Run
from gradviz.script import basics, endings, failures, modules, source
from gradviz.script.console import Console
from gradviz.script.limits import MAX_SOURCE, Limits
from gradviz.script.refusal import Refusal
from gradviz.script.where import where

TOO_LONG = N_("line 1: the script is too long: over {limit} characters")
TOO_MANY_ENTRIES = N_("line {{line}}: the script was stopped after {count} operations")
MAX_NAMED = 64  # elements of a list of tensors that get names of their own


class Program:
    """A script and what came of it; `run` runs it, `result` may be asked for at any time.

    `stop` is called with a failure where a limit is reached that no script may catch; it does
    not return.
    """

    def __init__(
        self, text: str, filename: str, limits: Limits, *, stop: Callable[[Failure], None]
    ) -> None:
        self.text = text
        self.filename = filename
        self.limits = limits
        self.console = Console(filename, limit=limits.output)
        self.log: Record | None = None
        self._stop = stop
        self._error: BaseException | None = None
        self._passes = self._steps = 0  # backward passes counted so far, and their steps

    def run(self) -> Failure | None:
        """Run the script; what ended it, if something did."""
        with (
            warnings.catch_warnings(),
            record(where=self._where, max_elements=self.limits.elements) as self.log,
        ):
            warnings.simplefilter("always")
            warnings.showwarning = self.console.warn
            try:
                self._execute()
            except BaseException as error:  # noqa: BLE001  whatever a script raises
                self._error = error
                ACTIVE.record = None  # telling of the error must not be recorded
                return failures.failure(
                    error,
                    self.filename,
                    memory=self.limits.memory,
                    elements=self.limits.elements,
                )
        return None

    def result(self, failure: Failure | None) -> tuple[Diagram, Run]:
        """The diagram and the run as far as the script got."""
        console = self.console.printed()
        if self.log is None:
            return Diagram(source=self.text), Run(console=console, error=failure)
        read = trace.read(self.log, source=self.text)
        if failure is not None and failure.node is None and self._error is not None:
            failure = replace(failure, node=read.failing(self.log, self._error))
        return read.diagram, Run(read.values, read.passes, console, failure)

    def _execute(self) -> None:
        if len(self.text) > MAX_SOURCE:
            self.text = ""
            raise Refusal(1, _(TOO_LONG).format(limit=f"{MAX_SOURCE:,}"))
        code = source.compiled(self.text)
        builtins = basics.table(
            show=self.console.show,
            name=self._name,
            take=modules.take,
            take_from=modules.take_from,
        )
        seed = getattr(engine, "manual_seed", None)
        if seed is not None:
            seed(0)  # the same script draws the same numbers each time
        exec(code, {"__name__": "__main__", "__builtins__": builtins})

    def _where(self) -> int | None:
        if self._logged() >= self.limits.entries:
            sentence = _(TOO_MANY_ENTRIES).format(count=f"{self.limits.entries:,}")
            self._stop(endings.stopped_at("LimitReached", sentence, where(), self.filename))
        return where()

    def _logged(self) -> int:
        """Entries of the recording, and steps of its backward passes but the last."""
        log = self.log
        if log is None:
            return 0
        while self._passes < len(log.backwards) - 1:
            self._steps += len(log.backwards[self._passes].steps)
            self._passes += 1
        return len(log.entries) + self._steps

    def _name(self, name: str, value: Any) -> Any:
        """Tell a tensor, or those in a list, the variable it is bound to; returns the value."""
        log = self.log
        if log is None:
            return value
        if isinstance(value, Tensor):
            log.name(value, name)
        elif type(value) in (list, tuple):
            for at, item in enumerate(value[:MAX_NAMED]):
                if isinstance(item, Tensor):
                    log.name(item, f"{name}[{at}]")
        elif type(value) in modules.layers:
            for path, parameter in value.named_parameters():
                log.name(parameter, f"{name}.{path}")
        return value
