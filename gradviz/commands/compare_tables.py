"""The tables of `gradviz compare`."""

from __future__ import annotations

from collections.abc import Iterator

from gradviz.cells import array_text, number
from gradviz.commands.common import Sheet, add_row, sheet
from gradviz.diagram import Diagram
from gradviz.labels import titles
from gradviz.language import _
from gradviz.seeds.starts import REDUCTIONS
from gradviz.twin import Comparison, Pair, Side
from gradviz.twin.dictionary import Dictionary, Translation, title_of
from gradviz.twin.facts import mechanism, used_for
from gradviz.twin.timing import timing

_LEAVES = 3  # leaves whose gradients get a column of the dictionary


def of_sides(both: Comparison | Pair, *, facts: bool) -> Iterator[Sheet]:
    """What two ways of starting cost and give; with `facts`, also how they work."""
    pair = both.pair if isinstance(both, Comparison) else both
    reduction = both.name if isinstance(both, Comparison) else None
    if isinstance(both, Comparison):
        made = sheet(
            _("the same gradients, started in two ways"),
            "",
            _("reduction: {call}").format(call=pair.left.title),
            _("seed: {call}").format(call=pair.right.title),
            _("difference"),
        )
    else:
        heading = _("two backward passes, each on cleared gradients")
        made = sheet(heading, "", pair.left.title, pair.right.title, _("difference"))
    _add_costs(made, pair)
    _add_seeds(made, pair, equal=isinstance(both, Comparison))
    _add_gradients(made, pair)
    if not isinstance(both, Comparison):
        scale = _("none") if pair.scale is None else number(pair.scale)
        add_row(made, _("factor that makes the left the right"), "", scale, "")
    yield made
    if facts:
        yield _facts(pair, reduction)


def _add_costs(made: Sheet, pair: Pair) -> None:
    left, right = pair.left.done.cost, pair.right.done.cost
    counts = (
        (_("nodes"), left.nodes, right.nodes),
        (_("edges"), left.edges, right.edges),
        (_("steps"), left.steps, right.steps),
        (_("saved bytes"), left.saved_bytes, right.saved_bytes),
        (_("gradient bytes"), left.gradient_bytes, right.gradient_bytes),
    )
    for label, one, other in counts:
        add_row(made, label, f"{one:,}", f"{other:,}", f"{other - one:+,}" if other != one else "0")


def _add_seeds(made: Sheet, pair: Pair, *, equal: bool) -> None:
    if pair.source is None:
        return
    name = titles(pair.right.diagram)[pair.source]
    left, right = (side.done.cotangents().get(pair.source) for side in (pair.left, pair.right))
    if equal:
        seed = "" if right is None else f"v = {array_text(right)}"
        add_row(made, _("seed that equals it"), f"v = ∂R/∂{name}", seed, "")
        return
    texts = ("" if array is None else array_text(array) for array in (left, right))
    add_row(made, _("cotangent of {name}").format(name=name), *texts, "")


def _add_gradients(made: Sheet, pair: Pair) -> None:
    known = titles(pair.right.diagram)
    for leaf, difference in pair.differences.items():
        ends = (side.done.grads.get(leaf) for side in (pair.left, pair.right))
        texts = ("None" if grad is None else array_text(grad) for grad in ends)
        add_row(made, f"{known.get(leaf, leaf)}.grad", *texts, number(difference))
    add_row(made, _("largest difference of any leaf gradient"), "", "", number(pair.largest))


def _facts(pair: Pair, reduction: str | None) -> Sheet:
    made = sheet(_("what sets them apart"), "", pair.left.title, pair.right.title)
    sides = (pair.left, pair.right)
    add_row(made, _("mechanism"), *(mechanism(side, pair.source) for side in sides))
    uses = zip(sides, (reduction, None), strict=True)
    add_row(made, _("used for"), *(used_for(side.done.call.start, own) for side, own in uses))
    add_row(made, _("time to the gradients"), *(_time(side, pair) for side in sides))
    return made


def _time(side: Side, pair: Pair) -> str:
    found = timing(side, pair.source)
    if found is None:
        return _("not measured")
    return _("{time} µs, median of {count}").format(
        time=number(found.seconds * 1e6), count=found.repeats
    )


def of_dictionary(found: Dictionary, diagram: Diagram) -> Iterator[Sheet]:
    """A row for each reduction: what it is, the seed that equals it, and what they give."""
    known = titles(diagram)
    name = known.get(found.source, found.source)
    leaves = list(dict.fromkeys(leaf for row in found.rows for leaf in row.grads))[:_LEAVES]
    made = sheet(
        _("reductions of {name} = {value} and the seeds that equal them (N = {count})").format(
            name=name, value=array_text(found.y), count=found.y.size
        ),
        _("reduction"),
        _("formula"),
        _("value"),
        _("seed"),
        _("seed here"),
        _("times sum"),
        *(f"{known.get(leaf, leaf)}.grad" for leaf in leaves),
        _("difference"),
    )
    for row in found.rows:
        grads = (array_text(row.grads[leaf]) if leaf in row.grads else "" for leaf in leaves)
        last = row.problem or number(row.largest)
        add_row(made, title_of(row), *_formulas(row), *grads, last)
    yield made


def _formulas(row: Translation) -> tuple[str, ...]:
    known = REDUCTIONS[row.name]
    value = "" if row.value is None else array_text(row.value)
    seed = "" if row.seed is None else array_text(row.seed)
    scale = "" if row.scale is None else f"× {number(row.scale)}"
    return known.text, value, known.seed_text, seed, scale
