"""The command line: commands, options and what they do, told to typer."""

from __future__ import annotations

import gettext
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

import gradviz
from gradviz import language, resources
from gradviz.commands.options import AsJson, Full, Help, Number, Src
from gradviz.language import N_, _

ENDING = N_(
    "SRC is a script (.py), a diagram (.gradviz) or example:NAME. `gradviz SRC`, without a command,"
    " starts the app. `--lang en|zh` goes with everything. Exit status: 0 done; 1 the program"
    " raised; 2 the command line, a file or the environment is at fault."
)
# Headings of help pages, for which the command line library asks the same catalogue.
HEADINGS = (
    N_("Arguments"),
    N_("Commands"),
    N_("Options"),
    N_("[default: {}]"),
    N_("[required]"),
)

Command = Callable[[], int]  # what typer's reading of the arguments comes to; it is run outside


def main(argv: Sequence[str]) -> int:
    """Run a command. Anything amiss with it is one line on standard error, and status 2."""
    from gradviz.commands.problem import CommandProblem, complain, misuse
    from gradviz.files.sources import SourceProblem

    try:
        run = _app()(args=list(argv), prog_name="gradviz", standalone_mode=False)
        return run() if callable(run) else 0
    except (CommandProblem, SourceProblem) as problem:
        return complain(str(problem))
    except Exception as problem:
        if not hasattr(problem, "format_message"):
            raise
        return complain(misuse(problem))


def _app() -> typer.Typer:
    """The commands, described in the language in use."""
    _share_catalogue()
    made = typer.Typer(
        name="gradviz",
        help=_("See how a gradient comes about, step by step."),
        epilog=_(ENDING),
        add_completion=False,
        pretty_exceptions_enable=False,
        add_help_option=False,
    )
    made.callback()(_root)
    add = partial(made.command, add_help_option=False)
    add("examples", help=_("List the examples that ship with gradviz."))(_examples)
    add("run", help=_("Run SRC and print what it prints."))(_run)
    add("grads", help=_("Print values and cotangents of each backward pass."))(_grads)
    add("compare", help=_("Compare a reduction with the seed that equals it."))(_compare)
    add("jacobian", help=_("Print the Jacobian of one node by another."))(_jacobian)
    add("doctor", help=_("Find what is wrong or risky, and how to repair it."))(_doctor)
    add("check", help=_("Check every rule and every gradient of SRC."))(_check)
    add("elsewhere", help=_("What other libraries would do with the output."))(_elsewhere)
    add("guide", help=_("Which way to a gradient, common mistakes, which call."))(_guide)
    add("export", help=_("Draw SRC into files: .svg, .png, .json."))(_export)
    add("code", help=_("Write SRC as a program for PyTorch, JAX or NumPy."))(_code)
    add("env", help=_("Tell versions, fonts, and what is missing here."))(_env)
    return made


def _share_catalogue() -> None:
    """Let the library's own texts come from our catalogue, in the language in use."""
    os.environ["LANGUAGE"] = {"zh": "zh_CN"}.get(language.current(), language.current())
    gettext.bindtextdomain(language.DOMAIN, str(resources.path("locale")))
    gettext.textdomain(language.DOMAIN)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gradviz {gradviz.__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option("--version", help=_("Show the version."), callback=_version, is_eager=True),
    ] = False,
    show_help: Help = False,
) -> None:
    pass


def _examples(show_help: Help = False) -> Command:
    from gradviz.commands.examples import examples

    return examples


def _run(
    src: Src,
    as_json: AsJson = False,
    full: Full = False,
    show_help: Help = False,
) -> Command:
    from gradviz.commands.run import run

    return partial(run, src, as_json=as_json, full=full)


def _grads(
    src: Src,
    number: Number = None,
    sums: Annotated[
        bool, typer.Option("--sums", help=_("also what adds up where contributions meet"))
    ] = False,
    show_help: Help = False,
) -> Command:
    from gradviz.commands.grads import grads

    return partial(grads, src, number=number, sums=sums)


def _compare(
    src: Src,
    number: Number = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="START",
            help=_("start otherwise: sum, mean, ones, 1/N, onehot:0, v=1,0.5 …"),
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="START", help=_("with this start, equal or not")),
    ] = None,
    against_pass: Annotated[
        int | None,
        typer.Option("--against-pass", metavar="M", help=_("with another backward pass")),
    ] = None,
    dictionary: Annotated[
        bool, typer.Option("--dictionary", help=_("every reduction and the seed that equals it"))
    ] = False,
    facts: Annotated[
        bool, typer.Option("--facts", help=_("also mechanism, use and measured time"))
    ] = False,
    as_json: AsJson = False,
    full: Full = False,
    show_help: Help = False,
) -> Command:
    from gradviz.commands.compare import Asked, compare

    asked = Asked(
        1 if number is None else number,
        start,
        against,
        against_pass,
        dictionary,
        facts,
        as_json,
        full,
    )
    return partial(compare, src, asked)


def _jacobian(
    src: Src,
    of: Annotated[
        str, typer.Option("--of", metavar="Y", help=_("the node that is differentiated"))
    ],
    wrt: Annotated[
        str, typer.Option("--wrt", metavar="X", help=_("the node it is differentiated by"))
    ],
    number: Number = None,
    as_json: AsJson = False,
    full: Full = False,
    show_help: Help = False,
) -> Command:
    from gradviz.commands.jacobian import of_nodes

    return partial(of_nodes, src, of=of, wrt=wrt, number=number, as_json=as_json, full=full)


def _doctor(
    src: Src,
    repair: Annotated[
        int | None, typer.Option("--apply", metavar="N", help=_("write the script with repair N"))
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help=_("where to; else standard output")),
    ] = None,
    as_json: AsJson = False,
    show_help: Help = False,
) -> Command:
    from gradviz.commands.doctor import doctor

    return partial(doctor, src, repair=repair, out=out, as_json=as_json)


def _check(src: Src, as_json: AsJson = False, show_help: Help = False) -> Command:
    from gradviz.commands.check import check

    return partial(check, src, as_json=as_json)


def _elsewhere(
    src: Src, number: Number = None, as_json: AsJson = False, show_help: Help = False
) -> Command:
    from gradviz.commands.elsewhere import elsewhere

    return partial(elsewhere, src, number=number, as_json=as_json)


def _guide(
    page: Annotated[
        str | None, typer.Argument(metavar="PAGE", help=_("a page; without it, their list"))
    ] = None,
    src: Annotated[
        str | None, typer.Option("--src", metavar="SRC", help=_("about the output of this SRC"))
    ] = None,
    number: Number = None,
    as_json: AsJson = False,
    show_help: Help = False,
) -> Command:
    from gradviz.commands.guide import guide

    return partial(guide, page, src=src, number=number, as_json=as_json)


def _export(
    src: Src,
    out: Annotated[
        list[Path],
        typer.Option("-o", "--out", metavar="FILE", help=_("where to; may be repeated")),
    ],
    number: Number = None,
    step: Annotated[
        int | None,
        typer.Option("--step", metavar="K", help=_("after K steps; else after all")),
    ] = None,
    twin: Annotated[
        bool, typer.Option("--twin", help=_("reduction and seed side by side"))
    ] = False,
    storeys: Annotated[
        bool, typer.Option("--storeys/--no-storeys", help=_("second storeys shown whole"))
    ] = True,
    theme: Annotated[Literal["light", "dark"], typer.Option(help=_("colours"))] = "light",
    scale: Annotated[float, typer.Option(min=0.1, max=8, help=_("pixels per unit"))] = 1.0,
    width: Annotated[
        int | None, typer.Option(min=16, max=32_000, help=_("width in pixels, instead of --scale"))
    ] = None,
    show_help: Help = False,
) -> Command:
    from gradviz.commands.export import export

    drawn = partial(export, src, out, number=number, step=step, twin=twin, storeys=storeys)
    return partial(drawn, theme=theme, scale=scale, width=width)


def _code(
    src: Src,
    library: Annotated[
        Literal["pytorch", "jax", "numpy"], typer.Option("--as", help=_("the program's library"))
    ] = "pytorch",
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help=_("where to; else standard output")),
    ] = None,
    show_help: Help = False,
) -> Command:
    from gradviz.commands.code import code

    return partial(code, src, library=library, out=out)


def _env(
    desktop: Annotated[
        bool | None,
        typer.Option("--desktop/--no-desktop", help=_("into the desktop's menu, or out of it")),
    ] = None,
    show_help: Help = False,
) -> Command:
    from gradviz.commands.env import env

    return partial(env, desktop=desktop)
