"""Findings about a backward call from several outputs at once: `autograd.backward([a, b])`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from engine import errors as said
from gradviz.diagram import NodeId
from gradviz.doctor.finding import Case, Finding, Repair, repair
from gradviz.doctor.text import function, named
from gradviz.language import N_, _

WHY = N_(
    "Each output of the list starts a pass of its own, and one that is not a scalar needs a seed."
    " Reduce it to one number, or hand over a seed for every output."
)
SHAPE_WHY = N_("The seeds of a list belong to its outputs in order, each of its output's shape.")
# What PyTorch says of a wrong seed in a list, from the second on: it fails while it looks for it.
AMBIGUOUS = "Boolean value of Tensor with more than one value is ambiguous"
_PLACE = re.compile(r"grad_output\[(\d+)\]")


def outputs(call: ast.Call | None) -> list[ast.expr]:
    """The outputs, where the call is given a list of them."""
    first = call.args[0] if call is not None and call.args else None
    found = first.elts if isinstance(first, (ast.List, ast.Tuple)) else []
    return [] if any(isinstance(item, ast.Starred) for item in found) else list(found)


def errors(case: Case, call: ast.Call, written: ast.expr | None) -> Iterator[Finding]:
    """Readings of the error; `written` are the seeds as they stand there."""
    items = outputs(call)
    if said.IMPLICIT_SCALAR in case.message:
        yield from _nonscalar(case, call, items, written)
    elif (place := _PLACE.search(case.message)) is not None:
        if int(place[1]) < len(items):
            yield _shape(case, items, int(place[1]), written)
    elif written is not None and case.message == AMBIGUOUS:
        for at in range(len(items)):
            yield _shape(case, items, at, written)


def _node(case: Case, item: ast.expr) -> NodeId | None:
    """The node that the variable holds, the last of its name."""
    name = named(item)
    found = [key for key, node in case.diagram.nodes.items() if name and node.name == name]
    return found[-1] if found else None


def _many(case: Case, item: ast.expr) -> bool:
    """Whether it is not known to be a scalar."""
    value = case.run.values.get(_node(case, item) or "")
    return value is None or value.array.size != 1


def _nonscalar(
    case: Case, call: ast.Call, items: list[ast.expr], written: ast.expr | None
) -> Iterator[Finding]:
    many = [item for item in items if _many(case, item)]
    if not many:
        return
    total = [case.text.followed(item, ".sum()") for item in many]
    mean = [case.text.followed(item, ".mean()") for item in many]
    repairs: tuple[Repair, ...] = (
        *repair(_("start from the sum: every element counts once"), *total),
        *repair(_("start from the mean: every element counts 1/N"), *mean),
        *_ones(case, call, items, written),
    )
    names = ", ".join(case.text.segment(item) for item in many)
    sentence = _("{names} in the list is not a scalar, so the pass from it cannot begin")
    if len(many) > 1:
        sentence = _("{names} in the list are not scalars, so the passes from them cannot begin")
    yield Finding(
        "nonscalar",
        sentence.format(names=names),
        _(WHY),
        None if case.run.error is None else case.run.error.line,
        _node(case, many[0]),
        repairs=repairs,
    )


def _ones(
    case: Case, call: ast.Call, items: list[ast.expr], written: ast.expr | None
) -> tuple[Repair, ...]:
    torch = case.text.torch
    made = [f"{torch}.ones_like({case.text.segment(item)})" for item in items]
    seeds = f"[{', '.join(made)}]"
    keyword = "grad_outputs" if function(call) == "grad" else "grad_tensors"
    edit = case.text.keyword(call, keyword, seeds)
    if written is not None:
        edit = case.text.replace(written, seeds)
    return repair(_("hand over a seed of ones for each output"), edit)


def _shape(case: Case, items: list[ast.expr], at: int, written: ast.expr | None) -> Finding:
    text = case.text
    name = text.segment(items[at])
    tries: list[Repair] = []
    if isinstance(written, (ast.List, ast.Tuple)) and at < len(written.elts):
        seed = written.elts[at]
        for label, edit in (
            (_("give the seed the output's shape"), text.followed(seed, f".reshape_as({name})")),
            (
                _("repeat the seed to the output's shape"),
                text.followed(seed, f".expand_as({name})"),
            ),
            (_("use a seed of ones"), text.replace(seed, f"{text.torch}.ones_like({name})")),
        ):
            tries += repair(label, edit)
    return Finding(
        "seed-shape",
        _("the seed does not have the shape of {name}").format(name=name),
        _(SHAPE_WHY),
        None if case.run.error is None else case.run.error.line,
        _node(case, items[at]),
        repairs=tuple(tries),
    )
