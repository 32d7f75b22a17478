"""What is at fault where a command, or the app, cannot do what was asked."""

from __future__ import annotations

import sys
from typing import Any

from gradviz.language import _

FAULT = 2  # exit status where the command line, a file or the environment is to blame


class CommandProblem(ValueError):
    """Its text is one sentence that says what is at fault and where."""


def complain(sentence: str) -> int:
    """One line on standard error, and the exit status that goes with it."""
    if sys.stdout is not None:
        sys.stdout.flush()
    print(f"gradviz: {sentence}", file=sys.stderr)
    return FAULT


def misuse(problem: Any) -> str:
    """What is wrong with the command line, in the language in use."""
    words = {
        "NoSuchOption": _("there is no option {what}"),
        "NoSuchCommand": _("there is no command {what}"),
        "MissingParameter": _("{what} is missing"),
        "BadParameter": _("{what} cannot be understood: {reason}"),
        "BadOptionUsage": _("the option {what} needs a value"),
    }
    form = words.get(type(problem).__name__, "{reason}")
    param = getattr(problem, "param", None)
    named = param.opts[0] if param is not None and param.opts[0].startswith("-") else None
    what = getattr(problem, "option_name", None) or named or getattr(param, "metavar", None)
    context = getattr(problem, "ctx", None)
    command = context.command_path if context is not None else "gradviz"
    reason = (problem.message or problem.format_message()).removeprefix("Value error, ")
    return _("{sentence} (see {command} --help)").format(
        sentence=form.format(what=what or "SRC", reason=reason.rstrip(".")), command=command
    )
