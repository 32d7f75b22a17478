"""`gradviz`: a command of the command line, or else the app; only the one needed is imported."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence

from gradviz import language
from gradviz.commands import NAMES, RUNNING
from gradviz.commands.problem import complain
from gradviz.language import _

_CLI_OPTIONS = ("-h", "--help", "--version")


def main() -> int:
    """Run `sys.argv` and give the exit status. A reader that leaves early is no error."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        status = dispatch(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered would be written, and fail again, when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return status


def dispatch(argv: Sequence[str]) -> int:
    """Settle the language, then run the command that `argv` begins with, or start the app."""
    words, wanted = _without_language(argv)
    language.use(language.detect(argv))
    if wanted is not None and language.match(wanted) is None:
        return complain(
            _("there is no language {name}; there are {known}").format(
                name=repr(wanted), known=", ".join(language.LANGUAGES)
            )
        )
    if words and (words[0] in NAMES or words[0] in _CLI_OPTIONS):
        if words[0] in RUNNING:
            from gradviz.script import process

            process.begin()
        from gradviz import cli

        return cli.main(words)
    return _start(words, wanted)


def _without_language(argv: Sequence[str]) -> tuple[list[str], str | None]:
    """The arguments without `--lang`, and what it was given; "" where that was nothing."""
    words: list[str] = []
    wanted: str | None = None
    rest = iter(argv)
    for word in rest:
        if word == "--":
            words += [word, *rest]
        elif word == "--lang":
            wanted = next(rest, "")
        elif word.startswith("--lang="):
            wanted = word.removeprefix("--lang=")
        else:
            words.append(word)
    return words, wanted


def _start(words: Sequence[str], wanted: str | None) -> int:
    """The app, with a window for each SRC, once it is sure that it can start."""
    problem = _misuse(words)
    sources = list(dict.fromkeys(_sources(words)))
    for src in sources:
        problem = problem or _unreadable(src)
    if problem is None:
        from gradviz.environment import problem_with_display

        problem = problem_with_display()
    if problem is not None:
        return complain(problem)
    from gradviz.ui.app import start

    return start(*sources, lang=None if wanted is None else language.current())


def _sources(words: Sequence[str]) -> list[str]:
    """The arguments that are no options; after "--" none is."""
    end = words.index("--") if "--" in words else len(words)
    return [*words[:end], *words[end + 1 :]]


def _misuse(words: Sequence[str]) -> str | None:
    near = _near(words[0]) if len(words) > 1 else None
    if near is not None:
        return _("there is no command {what}; did you mean {near}?").format(
            what=words[0], near=near
        )
    end = words.index("--") if "--" in words else len(words)
    options = [word for word in words[:end] if word.startswith("-")]
    if options:
        return _("there is no option {what} (see gradviz --help)").format(what=options[0])
    return None


def _unreadable(src: str) -> str | None:
    """Why SRC cannot be opened; a misspelt command is most likely a command."""
    from gradviz.files.sources import SourceProblem, load

    try:
        load(src)
    except SourceProblem as problem:
        near = _near(src)
        if near is None:
            return str(problem)
        return _("{what} is neither a command nor a file; did you mean {near}?").format(
            what=src, near=near
        )
    return None


def _near(word: str) -> str | None:
    """The command that a word may be meant for."""
    import difflib

    return next(iter(difflib.get_close_matches(word, NAMES, n=1)), None)


if __name__ == "__main__":
    sys.exit(main())
