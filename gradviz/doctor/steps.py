"""Where history ends because the result jumps: argmax and comparisons, and what is smooth."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradviz.diagram import Node
from gradviz.doctor.finding import Case, Finding, Repair, repair
from gradviz.doctor.text import Edit, function, named
from gradviz.language import N_, _

ARG_WHY = N_(
    "The place of the largest element is a whole number: it jumps, or stays as it is, when the"
    " input changes a little. Its value, or a soft place that weighs all places, has a derivative."
)
COMPARE_WHY = N_(
    "True or False does not change by a little when the input does. A sigmoid of the difference is"
    " a step with a slope; to measure, not to train, no backward pass is needed."
)
PLACES = {"argmax": "amax", "argmin": "amin"}
GREATER, LESS = (ast.Gt, ast.GtE), (ast.Lt, ast.LtE)


def readings(case: Case, statements: list[ast.stmt]) -> Iterator[Finding]:
    """One for each place on the way to the output; the first is the first in the script."""
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and function(node) in PLACES:
                yield _place(case, node)
            elif isinstance(node, ast.Compare) and len(node.ops) == 1:
                yield from _compared(case, node)


def _made(case: Case, line: int, *ops: str) -> Node | None:
    found = [node for node in case.diagram.nodes.values() if node.line == line and node.op in ops]
    return found[0] if found else None


def _place(case: Case, call: ast.Call) -> Finding:
    name = function(call)
    made = _made(case, call.end_lineno or call.lineno, name)
    text = case.text
    end = text.end(call.func)
    value = repair(
        _("take the value instead of its place: {name}").format(name=PLACES[name]),
        Edit(end - len(name), end, PLACES[name]),
    )
    sentence = _("the history is lost in line {line}: {name}() gives a place, a whole number")
    return Finding(
        "no-history",
        sentence.format(line=call.lineno, name=name),
        _(ARG_WHY),
        call.lineno,
        None if made is None else made.id,
        repairs=(*value, *_soft(case, call, made)),
    )


def _soft(case: Case, call: ast.Call, made: Node | None) -> tuple[Repair, ...]:
    """The mean of all places, weighed by softmax; for the last axis only, where it is short."""
    func = call.func
    if made is None or made.inputs[0] is None or not isinstance(func, ast.Attribute):
        return ()
    dim, ndim = made.params.get("dim"), case.run.values[made.inputs[0]].array.ndim
    if made.params.get("keepdim") or (dim is None and ndim > 1) or dim not in (None, -1, ndim - 1):
        return ()
    is_function = named(func.value) is not None and named(func.value) == case.text.torch
    owner = call.args[0] if is_function and call.args else func.value
    name = case.text.operand(owner)
    minus = "-" if function(call) == "argmin" else ""
    weights = f"({minus}{name}).softmax(dim=-1)" if minus else f"{name}.softmax(dim=-1)"
    places = f"{case.text.torch}.arange({name}.size(-1), dtype={name}.dtype)"
    label = _("a soft place: the mean of all places, weighed by softmax")
    return repair(label, case.text.replace(call, f"({weights} @ {places})"))


def _compared(case: Case, node: ast.Compare) -> Iterator[Finding]:
    text, order = case.text, node.ops[0]
    made = _made(case, node.lineno, "gt", "ge", "lt", "le", "eq", "ne")
    if made is None:  # of numbers, not of tensors
        return
    left, right = text.segment(node.left), text.operand(node.comparators[0])
    repairs: tuple[Repair, ...] = ()
    if isinstance(order, (*GREATER, *LESS)):
        if isinstance(order, LESS):
            left, right = text.segment(node.comparators[0]), text.operand(node.left)
        smooth = f"{text.torch}.sigmoid({left} - {right})"
        repairs = repair(
            _("a step with a slope: sigmoid of the difference"), text.replace(node, smooth)
        )
    yield Finding(
        "no-history",
        _("the history is lost in line {line}: a comparison gives True or False").format(
            line=node.lineno
        ),
        _(COMPARE_WHY),
        node.lineno,
        made.id,
        repairs=repairs,
    )
