"""`gradviz grads`: for each backward pass a table of values and cotangents."""

from __future__ import annotations

from collections.abc import Iterator

from gradviz.cells import array_text
from gradviz.commands.common import Sheet, add_row, check_pass, opened, sheet, show, show_failure
from gradviz.diagram import Diagram
from gradviz.labels import added_titles, call_title, titles
from gradviz.language import _
from gradviz.run import Run


def grads(src: str, *, number: int | None = None) -> int:
    """Print the tables of SRC, or of its pass `number`; status 1 where the program raised."""
    with opened(src) as found:
        show(*sheets(found.diagram, found.run, number=number))
        show_failure(found.run.error)
        return found.status()


def sheets(diagram: Diagram, run: Run, *, number: int | None = None) -> Iterator[Sheet]:
    """A sheet for each pass: node, op, value, cotangent, and `.grad` after the pass."""
    check_pass(number, len(run.passes))
    for index in range(len(run.passes)):
        if number in (None, index + 1):
            yield _sheet(diagram, run, index)


def _sheet(diagram: Diagram, run: Run, index: int) -> Sheet:
    done = run.passes[index]
    known = dict(titles(diagram))
    known |= added_titles(done, known)
    heading = _("pass {k} of {n}: {call}").format(
        k=index + 1, n=len(run.passes), call=call_title(done, titles(diagram))
    )
    if done.error is not None:
        heading += f"\n{done.error.type}: {done.error.message}"
    made = sheet(heading, _("node"), _("op"), _("value"), _("cotangent"), ".grad")
    values = {key: value.array for key, value in {**run.values, **done.values}.items()}
    cotangents = done.cotangents()
    for node in (*diagram.nodes.values(), *done.added):
        if not node.is_number:
            found = (arrays.get(node.id) for arrays in (values, cotangents, done.grads))
            texts = ("" if array is None else array_text(array) for array in found)
            add_row(made, known[node.id], node.op, *texts)
    return made
