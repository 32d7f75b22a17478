"""`gradviz run`: what a program prints, or everything about its run as JSON."""

from __future__ import annotations

import sys

from gradviz.commands.common import opened, show, show_console, show_failure


def run(src: str, *, as_json: bool = False, full: bool = False) -> int:
    """Run SRC and show its output; an uncaught error ends as in Python, with status 1."""
    with opened(src) as found:
        if as_json:
            from gradviz.report import dumps, report

            sys.stdout.write(dumps(report(found.diagram, found.run, full=full)))
            return found.status()
        show_console(found.run)
        if found.loaded.kind == "diagram":
            from gradviz.commands.grads import sheets

            show(*sheets(found.diagram, found.run))
        show_failure(found.run.error)
        return found.status()
