"""The guide's small scripts, in `assets/guide`; SRC may name them as `guide:NAME`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from gradviz import resources
from gradviz.cells import array_text
from gradviz.diagram import LEAF, Diagram
from gradviz.language import _
from gradviz.run import Run

PREFIX = "guide:"


class Runs(Protocol):
    """A sandbox, as far as the guide needs one."""

    def run(self, source: str, filename: str) -> tuple[Diagram, Run]: ...

    def evaluate(self, diagram: Diagram) -> Run: ...


@dataclass(frozen=True, slots=True)
class Told:
    """What a script printed, the error that ended it, and each leaf's `.grad` at the end."""

    printed: str
    error: str
    grads: tuple[str, ...]


def names() -> tuple[str, ...]:
    """The names of all scripts."""
    return tuple(sorted(path.stem for path in resources.path("guide").glob("*.py")))


def code(name: str) -> str:
    """The script of this name. Raises KeyError with a sentence."""
    if name not in names():
        sentence = _("the guide has no script {name!r}; it has {names}")
        raise KeyError(sentence.format(name=name, names=", ".join(names())))
    return resources.text("guide", f"{name}.py")


def tell(runs: Runs, name: str) -> Told:
    """Run a script of the guide and read what came of it."""
    diagram, run = runs.run(code(name), f"{name}.py")
    printed = "".join(piece.text for piece in run.console if piece.stream == "stdout")
    error = "" if run.error is None else f"{run.error.type}: {run.error.message}"
    leaves = {key: node.name for key, node in diagram.nodes.items() if node.op == LEAF}
    last = run.passes[-1].grads if run.passes else {}
    grads = tuple(
        f"{leaves[key]}.grad = {array_text(array)}" for key, array in last.items() if leaves[key]
    )
    return Told(printed, error, grads)
