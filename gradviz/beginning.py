"""The beginning of what a script made that ran on until it was stopped."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, takewhile

from gradviz.diagram import Diagram
from gradviz.run import Run

STOPPED = ("LimitReached", "TimeLimit")
SHOWN = 5_000  # nodes of it: an endless loop repeats itself, and laying out all takes a minute


def beginning(diagram: Diagram, run: Run, count: int = SHOWN) -> tuple[Diagram, Run]:
    """The first `count` nodes and the calls that start from them, where the script was stopped.

    Anything else is returned as it is.
    """
    stopped = run.error is not None and run.error.type in STOPPED
    if not stopped or len(diagram.nodes) <= count:
        return diagram, run
    nodes = dict(islice(diagram.nodes.items(), count))
    calls = tuple(takewhile(lambda call: call.target in nodes, diagram.calls))
    values = {key: value for key, value in run.values.items() if key in nodes}
    cut = replace(run, values=values, passes=run.passes[: len(calls)])
    return replace(diagram, nodes=nodes, calls=calls), cut
