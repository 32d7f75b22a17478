"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

from gradviz.language import _


def _show_help(context: typer.Context, wanted: bool) -> None:
    if wanted:
        typer.echo(context.get_help())
        raise typer.Exit


Help = Annotated[
    bool,
    typer.Option(
        "--help",
        "-h",
        help=_("Show this message and exit."),
        callback=_show_help,
        is_eager=True,
        expose_value=False,
    ),
]
Src = Annotated[str, typer.Argument(metavar="SRC", help=_("a .py, a .gradviz or example:NAME"))]
Number = Annotated[
    int | None, typer.Option("--pass", metavar="N", help=_("one backward pass, counted from 1"))
]
AsJson = Annotated[bool, typer.Option("--json", help=_("one JSON document instead"))]
Full = Annotated[bool, typer.Option("--full", help=_("large arrays whole, in JSON"))]
