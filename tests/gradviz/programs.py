"""Small programs, recorded in this process: for tests that are not about the sandbox."""

from collections.abc import Callable
from types import SimpleNamespace

import engine
from engine.record import Record, record
from gradviz.diagram import Diagram
from gradviz.run import Run
from gradviz.script.limits import Limits
from gradviz.script.program import Program
from gradviz.trace import Trace, read


def recorded(program: Callable[[SimpleNamespace], None]) -> tuple[Trace, Record, Exception | None]:
    """Run the program on a namespace that tells the recording each name that is set."""
    error: Exception | None = None
    with record() as log:

        class Names(SimpleNamespace):
            def __setattr__(self, name: str, value: object) -> None:
                if isinstance(value, engine.Tensor):
                    log.name(value, name)
                super().__setattr__(name, value)

        try:
            program(Names())
        except Exception as raised:  # noqa: BLE001  the tests look at it
            error = raised
        trace = read(log)
    return trace, log, error


def scripted(source: str) -> tuple[Diagram, Run]:
    """The script's diagram and run, as the sandbox reads them, made in this process."""
    program = Program(source, "script.py", Limits(), stop=lambda failure: None)
    return program.result(program.run())


def article(n: SimpleNamespace) -> None:
    """y = x² + 3x at x = [2, 3]: the function that the examples share."""
    n.x = engine.tensor([2.0, 3.0], requires_grad=True)
    n.y = n.x**2 + 3 * n.x
