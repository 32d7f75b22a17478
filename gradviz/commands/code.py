"""`gradviz code`: SRC written as a program for PyTorch, JAX or NumPy."""

from __future__ import annotations

from pathlib import Path

from gradviz.commands.common import opened, show_failure
from gradviz.commands.problem import CommandProblem
from gradviz.program.call import NotWritten
from gradviz.program.writing import Target, program
from gradviz.storage import FileProblem, write_text


def code(src: str, *, library: Target = "pytorch", out: Path | None = None) -> int:
    """Write SRC as a program; status 1 where SRC itself raised, written all the same."""
    with opened(src) as found:
        try:
            text = program(found.diagram, found.run, library).text
            if out is None:
                print(text, end="")
            else:
                write_text(out, text)
        except (NotWritten, FileProblem) as problem:
            raise CommandProblem(str(problem)) from problem
        show_failure(found.run.error)
        return found.status()
