"""One sandbox for all tests that need one, its limits small so that they end soon."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from gradviz.diagram import Diagram
from gradviz.run import Run
from gradviz.script.limits import Limits
from gradviz.script.sandbox import Sandbox

LIMITS = Limits(seconds=2.0, memory=256 << 20, elements=1 << 20, output=20_000, entries=2_000)


@dataclass
class Told:
    """What a script printed and how it ended."""

    diagram: Diagram
    run: Run

    @property
    def out(self) -> str:
        return "".join(piece.text for piece in self.run.console if piece.stream == "stdout")

    @property
    def err(self) -> str:
        return "".join(piece.text for piece in self.run.console if piece.stream == "stderr")

    @property
    def message(self) -> str:
        assert self.run.error is not None, self.out
        return self.run.error.message

    @property
    def line(self) -> int | None:
        assert self.run.error is not None, self.out
        return self.run.error.line


class Runner:
    """Runs scripts, and makes sure afterwards that the sandbox is as good as new."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox

    def __call__(self, source: str) -> Told:
        return Told(*self.sandbox.run(source, "script.py"))


@pytest.fixture(scope="module")
def run() -> Iterator[Runner]:
    with Sandbox(LIMITS) as sandbox:
        yield Runner(sandbox)
