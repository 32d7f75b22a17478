"""The run's JSON document with the figure as structured data under "figure"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from gradviz.diagram import Diagram
from gradviz.figure import Figure
from gradviz.report import dumps, report
from gradviz.run import Run


def document(diagram: Diagram, run: Run, figures: Sequence[Figure]) -> dict[str, Any]:
    """What `run --json` says, the figure of the chosen pass and position, and its twin if any."""
    whole: dict[str, Any] = {**report(diagram, run), "figure": asdict(figures[0])}
    if len(figures) > 1:
        whole["twin"] = asdict(figures[1])
    return whole


def text(diagram: Diagram, run: Run, figures: Sequence[Figure]) -> str:
    """The document as one line of JSON."""
    return dumps(document(diagram, run, figures))
