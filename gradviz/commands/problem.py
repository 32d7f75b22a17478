"""What is at fault where a command, or the app, cannot do what was asked."""

from __future__ import annotations

import sys

FAULT = 2  # exit status where the command line, a file or the environment is to blame


class CommandProblem(ValueError):
    """Its text is one sentence that says what is at fault and where."""


def complain(sentence: str) -> int:
    """One line on standard error, and the exit status that goes with it."""
    if sys.stdout is not None:
        sys.stdout.flush()
    print(f"gradviz: {sentence}", file=sys.stderr)
    return FAULT
