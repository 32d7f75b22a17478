"""`gradviz compare`: one backward call by a reduction and by a seed, and what differs."""

from __future__ import annotations

from gradviz.cells import array_text, number
from gradviz.commands.common import Opened, Sheet, add_row, opened, sheet, show, show_failure
from gradviz.commands.problem import CommandProblem
from gradviz.diagram import Start
from gradviz.labels import titles
from gradviz.language import _
from gradviz.twin import Comparison, parse_start, reduction_of
from gradviz.twin import compare as compare_both


def compare(src: str, *, number: int = 1, start: str | None = None) -> int:
    """Print the difference table of a backward call of SRC; `start` replaces the call's own."""
    with opened(src) as found:
        if not found.diagram.calls and found.run.error is not None:
            show_failure(found.run.error)
            return found.status()
        show(_sheet(comparison(found, number=number, start=start)))
        return 0


def comparison(found: Opened, *, number: int, start: str | None) -> Comparison:
    """The call `number`, counted from 1, both ways. Raises CommandProblem where that cannot be."""
    index = number - 1
    try:
        return compare_both(
            found.sandbox.evaluate,
            found.diagram,
            found.run,
            index=index,
            start=None if start is None else _start(found, index, start),
        )
    except ValueError as problem:
        raise CommandProblem(str(problem)) from problem


def _start(found: Opened, index: int, text: str) -> Start | None:
    """The start that was typed; None where the call it is for does not exist."""
    if not 0 <= index < len(found.diagram.calls):
        return None
    call = found.diagram.calls[index]
    reading = reduction_of(found.diagram, call, found.run.values)
    value = found.run.values.get(reading.source if reading else call.target)
    return None if value is None else parse_start(text, value.array)


def _sheet(both: Comparison) -> Sheet:
    left, right = both.reduction.done, both.seed_side.done
    made = sheet(
        _("the same gradients, started in two ways"),
        "",
        _("reduction: {call}").format(call=both.reduction.title),
        _("seed: {call}").format(call=both.seed_side.title),
        _("difference"),
    )
    counts = (
        (_("nodes"), left.cost.nodes, right.cost.nodes),
        (_("edges"), left.cost.edges, right.cost.edges),
        (_("steps"), left.cost.steps, right.cost.steps),
        (_("saved bytes"), left.cost.saved_bytes, right.cost.saved_bytes),
        (_("gradient bytes"), left.cost.gradient_bytes, right.cost.gradient_bytes),
    )
    for label, one, other in counts:
        add_row(made, label, f"{one:,}", f"{other:,}", f"{other - one:+,}" if other != one else "0")
    known = titles(both.seed_side.diagram)
    seed = f"v = {array_text(both.seed)}"
    add_row(made, _("seed that equals it"), f"v = ∂R/∂{known[both.source]}", seed, "")
    for leaf, difference in both.differences.items():
        ends = (done.grads.get(leaf) for done in (left, right))
        texts = ("None" if grad is None else array_text(grad) for grad in ends)
        add_row(made, f"{known.get(leaf, leaf)}.grad", *texts, number(difference))
    add_row(made, _("largest difference of any leaf gradient"), "", "", number(both.largest))
    return made
