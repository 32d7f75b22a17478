"""What the sandbox and its worker say to each other."""

from __future__ import annotations

import msgspec

from gradviz.diagram import Diagram
from gradviz.run import Run
from gradviz.script.limits import Limits


class Execute(msgspec.Struct, tag=True):
    """Run a script; with `until`, only as far as it first comes to that line."""

    number: int
    source: str
    filename: str
    limits: Limits
    language: str
    until: int | None = None


class Evaluate(msgspec.Struct, tag=True):
    """Run a diagram."""

    number: int
    diagram: Diagram
    limits: Limits
    language: str


class Cancel(msgspec.Struct, tag=True):
    """Give up the request."""

    number: int


Request = Execute | Evaluate | Cancel


class Done(msgspec.Struct, tag=True):
    """The answer to a request, as far as it got."""

    number: int
    diagram: Diagram
    run: Run


class Ended(msgspec.Struct, tag=True):
    """The process that ran the request is gone.

    `signal` is what killed it, if one did; `trace` is where it was then, as faulthandler tells.
    """

    number: int
    signal: int | None = None
    trace: str = ""


Answer = Done | Ended
