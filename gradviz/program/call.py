"""`Call`: one node of a diagram, its inputs already written, about to be written itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from gradviz.diagram import Node
from gradviz.language import N_, _
from gradviz.program import templates
from gradviz.program.literals import Library
from gradviz.program.phrase import Phrase

Array = npt.NDArray[Any]
NO_FORM = N_("{op} (node {name}{line}) has no form in {library}.")
AT_LINE = N_(", line {line}")


class NotWritten(ValueError):
    """A program cannot be written; its text is one sentence that says which node is the reason."""


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """An op applied: `inputs` as they are written, `arrays` their values, `result` its own."""

    node: Node
    inputs: Sequence[Phrase]
    arrays: Sequence[Array]
    result: Array
    library: Library
    numbers: Sequence[bool]  # which inputs are Python numbers

    @property
    def params(self) -> Mapping[str, Any]:
        return self.node.params

    def fill(self, template: str, **more: Any) -> Phrase:
        """The template with these inputs, and the node's parameters with `more` among them."""
        return templates.filled(template, self.inputs, {**self.params, **more}, self.library)


Form = Callable[[Call], Phrase]


def refusal(node: Node, library: str) -> NotWritten:
    """That the op of a node has no form in a library."""
    line = "" if node.line is None else _(AT_LINE).format(line=node.line)
    sentence = _(NO_FORM).format(op=node.op, name=node.name or node.id, line=line, library=library)
    return NotWritten(sentence)
