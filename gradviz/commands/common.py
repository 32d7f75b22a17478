"""What several commands do: open SRC and run it, show a failure, print a table."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gradviz.commands.problem import CommandProblem
from gradviz.diagram import Diagram
from gradviz.files.sources import Loaded, load
from gradviz.language import _, ngettext
from gradviz.run import Failure, Run
from gradviz.script.sandbox import Sandbox

if TYPE_CHECKING:
    from rich.table import Table

_PATIENCE = 0.5  # seconds before a terminal is told that work is going on
_AS_WIDE_AS_NEEDED = 10_000  # columns, where the output is no terminal


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """SRC, read and run; the sandbox that ran it is still there."""

    loaded: Loaded
    diagram: Diagram
    run: Run
    sandbox: Sandbox

    def status(self) -> int:
        """0, or 1 where the program raised."""
        return 0 if self.run.error is None else 1


@contextmanager
def opened(src: str) -> Iterator[Opened]:
    """Run SRC in a sandbox. Raises SourceProblem where it cannot be read."""
    with Sandbox() as sandbox:  # its process starts while the file is being read
        loaded = load(src)
        with working(_("running {src}").format(src=loaded.filename)):
            if loaded.diagram is None:
                diagram, run = sandbox.run(loaded.text or "", loaded.filename)
            else:
                diagram, run = loaded.diagram, sandbox.evaluate(loaded.diagram)
        yield Opened(loaded, diagram, run, sandbox)


def show_console(run: Run) -> None:
    """What the program printed, each piece on its own stream, in order."""
    for piece in run.console:
        stream = sys.stdout if piece.stream == "stdout" else sys.stderr
        stream.write(piece.text)
        stream.flush()


def show_failure(error: Failure | None) -> None:
    """An error that nothing caught, as Python prints it, on standard error."""
    if error is None:
        return
    sys.stdout.flush()
    text = error.traceback or f"{error.type}: {error.message}"
    sys.stderr.write(text if text.endswith("\n") else text + "\n")


def check_pass(number: int | None, count: int) -> None:
    """Refuse the number of a pass that there is not; passes count from 1."""
    if number is not None and not 1 <= number <= count:
        raise CommandProblem(
            ngettext(
                "there is no pass {number}: the program makes {count} backward call",
                "there is no pass {number}: the program makes {count} backward calls",
                count,
            ).format(number=number, count=count)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A heading over a table."""

    heading: str
    table: Table


def sheet(heading: str, *columns: str) -> Sheet:
    """An empty table under a heading, with a title for each column."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in columns:
        made.add_column(Text(title), overflow="fold")
    return Sheet(heading, made)


def add_row(to: Sheet, *cells: str) -> None:
    """A row of plain texts; nothing in them is taken for markup."""
    from rich.text import Text

    to.table.add_row(*(Text(cell) for cell in cells))


def show(*sheets: Sheet) -> None:
    """Sheets on standard output, as wide as they need to be where that is not a terminal."""
    from rich.console import Console
    from rich.text import Text

    terminal = sys.stdout.isatty()
    drawn = io.StringIO()  # a console on standard output would end the process with its reader
    console = Console(
        file=drawn,
        force_terminal=terminal,
        width=None if terminal else _AS_WIDE_AS_NEEDED,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for each in sheets:
        console.print(Text(each.heading, style="bold"))
        console.print(each.table)
    for line in drawn.getvalue().splitlines():
        print(line.rstrip())


@contextmanager
def working(text: str) -> Iterator[None]:
    """Say on a terminal that something takes its time; say nothing in a pipe."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    telling = threading.Thread(target=_tell, args=(text, done), daemon=True)
    telling.start()
    try:
        yield
    finally:
        done.set()
        telling.join()


def _tell(text: str, done: threading.Event) -> None:
    if done.wait(_PATIENCE):
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(text)):
        done.wait()
