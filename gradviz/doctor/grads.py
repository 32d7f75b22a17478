"""Findings about `.grad`: asked of a tensor that has none, unused, or never cleared."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from engine import errors as said
from gradviz.diagram import NodeId
from gradviz.doctor.finding import Array, Case, Finding, Repair, repair
from gradviz.doctor.seeds import backward_call
from gradviz.doctor.text import Text, function, named
from gradviz.language import N_, _
from gradviz.run import Pass

NOT_A_LEAF = "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed"
NO_GRAD_YET = "'NoneType' object has no attribute 'zero_'"

NONLEAF_WHY = N_(
    "Only leaves keep what arrives: a tensor that an op made passes its gradient on and forgets it,"
    " unless retain_grad() was called before the pass."
)
UNUSED_WHY = N_(
    "autograd.grad() raises where there is no way from the output to an input; with"
    " allow_unused=True it gives None there, with materialize_grads=True zeros."
)
UNCLEARED_WHY = N_(
    "backward() adds to .grad. The value was changed since the pass before and .grad was not"
    " cleared, so this update also takes the steps of all earlier turns again."
)
MIXED_WHY = N_(
    "backward() adds to .grad. The first result was read, and the second pass with another seed"
    " was added to it: what is read now is the sum of both."
)
NOT_YET_WHY = N_("Before the first backward pass .grad is None, so there is nothing to clear.")


def errors(case: Case) -> Iterator[Finding]:
    """Readings of the error, where it is about a gradient that is not there."""
    if case.run.error is None:
        return
    if case.message.startswith(said.UNUSED.partition("{")[0]):
        yield _unused(case)
    elif case.message == NO_GRAD_YET:
        yield from _not_yet(case)


def _unused(case: Case) -> Finding:
    error = case.run.error
    assert error is not None
    call = backward_call(case.text, error.line)
    index = int("".join(filter(str.isdigit, case.message)) or "0")
    name = ""
    repairs: tuple[Repair, ...] = ()
    if call is not None and len(call.args) > 1:
        inputs = call.args[1]
        many = isinstance(inputs, (ast.List, ast.Tuple))
        items = inputs.elts if isinstance(inputs, (ast.List, ast.Tuple)) else [inputs]
        name = case.text.segment(items[index]) if index < len(items) and many else ""
        name = name or case.text.segment(inputs)
        repairs = (
            *repair(
                _("allow it: None for {name}").format(name=name),
                case.text.keyword(call, "allow_unused", "True"),
            ),
            *repair(
                _("zeros for {name}").format(name=name),
                case.text.keyword(call, "materialize_grads", "True"),
            ),
        )
    sentence = _("the output does not depend on {name}").format(name=name or index)
    node = next((key for key, made in case.diagram.nodes.items() if made.name == name), None)
    return Finding(
        "unused-input", sentence, _(UNUSED_WHY), error.line, node or error.node, repairs=repairs
    )


def _not_yet(case: Case) -> Iterator[Finding]:
    error = case.run.error
    assert error is not None
    if any(NOT_A_LEAF in piece.text and piece.line == error.line for piece in case.run.console):
        yield from _nonleaf(case)
        return
    statement = case.text.at(error.line)
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        func = statement.value.func
        if isinstance(func, ast.Attribute):
            owner = case.text.segment(func.value)
            header = f"if {owner} is not None:"
            yield Finding(
                "no-grad-yet",
                _("{name} is None here: no pass has reached it yet").format(name=owner),
                _(NOT_YET_WHY),
                error.line,
                repairs=repair(
                    _("clear it only where there is one"), case.text.wrapped(statement, header)
                ),
            )


def risks(case: Case) -> Iterator[Finding]:
    """Gradients that are read where none is kept, or that pile up."""
    for finding in _nonleaf(case):
        yield Finding(
            finding.kind,
            finding.sentence,
            finding.why,
            finding.line,
            finding.node,
            "risk",
            finding.repairs,
        )
    yield from _uncleared(case)
    yield from _mixed(case)


def _nonleaf(case: Case) -> Iterator[Finding]:
    lines = sorted({p.line for p in case.run.console if NOT_A_LEAF in p.text and p.line})
    for line in lines:
        for node in case.text.expressions(line):
            name = named(node.value) if isinstance(node, ast.Attribute) else None
            if not isinstance(node, ast.Attribute) or node.attr != "grad" or name is None:
                continue
            if not _kept_by_op(case, name):
                continue
            made = case.text.assignment(name, line)
            key = next((n.id for n in case.diagram.nodes.values() if n.name == name), None)
            yield Finding(
                "nonleaf-grad",
                _("{name}.grad is read, but {name} is not a leaf and keeps no gradient").format(
                    name=name
                ),
                _(NONLEAF_WHY),
                line,
                key,
                repairs=() if made is None else (*_leaf_made(case.text, made), *_kept(case, made)),
            )
            break


def _kept_by_op(case: Case, name: str) -> bool:
    """Whether a variable of the name holds what an op made."""
    return any(node.name == name and node.inputs for node in case.diagram.nodes.values())


def _kept(case: Case, made: ast.Assign) -> tuple[Repair, ...]:
    name = case.text.segment(made.targets[0])
    edit = case.text.after(made, f"{name}.retain_grad()")
    return repair(_("keep the gradient of {name}: retain_grad()").format(name=name), edit)


def _leaf_made(text: Text, made: ast.Assign) -> tuple[Repair, ...]:
    """Where the leaf is hidden inside the expression: let the result be the leaf."""
    for call in ast.walk(made.value):
        if isinstance(call, ast.Call) and call is not made.value:
            dropped = text.without_keyword(call, "requires_grad")
            if dropped is not None:
                label = _("let {name} itself be the leaf").format(
                    name=text.segment(made.targets[0])
                )
                value = text.segment(made.value)
                start = text.start(made.value)
                inner = value[: dropped.start - start] + value[dropped.end - start :]
                plain = isinstance(made.value, (ast.Call, ast.Name))
                edit = f"{inner if plain else f'({inner})'}.requires_grad_()"
                return repair(label, text.replace(made.value, edit))
    return ()


def _uncleared(case: Case) -> Iterator[Finding]:
    """Leaves that were changed between two passes while `.grad` went on growing."""
    before: dict[str, tuple[NodeId, Array]] = {}
    grown: dict[str, tuple[NodeId, int]] = {}  # not cleared, and not used yet
    found: dict[int, set[str]] = {}
    for done in case.run.passes:
        arrived = {step.input: step.after for step in done.steps}
        for key, grad in done.grads.items():
            name = case.diagram.nodes[key].name
            if name is None or key not in arrived:
                continue
            used = grown.pop(name, (key, 0))
            if used[0] != key:  # the value was changed with it
                found.setdefault(used[1], set()).add(name)
            last = before.get(name, (key, grad))
            if _added(last[1], arrived[key], grad) and (last[0] != key or used[1]):
                grown[name] = (key, done.call.line or 0)
            before[name] = (key, grad)
    for line, leaves in found.items():
        yield Finding(
            "uncleared-grad",
            _("{names}: .grad is not cleared between the updates").format(
                names=", ".join(sorted(leaves))
            ),
            _(UNCLEARED_WHY),
            line,
            _leaf_of(case, leaves),
            "risk",
            _clearing(case.text, line, leaves),
        )


def _leaf_of(case: Case, names: set[str]) -> NodeId | None:
    return next((key for key, node in case.diagram.nodes.items() if node.name in names), None)


def _added(before: Array, own: Array, grad: Array) -> bool:
    """Whether `.grad` is what the pass brought and what was there before."""
    return (
        before.shape == own.shape == grad.shape
        and not np.allclose(grad, own, rtol=1e-3, equal_nan=True)
        and np.allclose(before + own, grad, rtol=1e-3)
    )


def _clearing(text: Text, line: int, leaves: set[str]) -> tuple[Repair, ...]:
    call = text.at(line)
    if call is None:
        return ()
    stepped = [
        node.func.value
        for node in ast.walk(text.tree)
        if isinstance(node, ast.Call)
        and function(node) == "step"
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    ]
    tries: tuple[Repair, ...] = ()
    if stepped:
        name = stepped[0].id
        label = _("clear before the pass: {call}").format(call=f"{name}.zero_grad()")
        tries = repair(label, text.before(call, f"{name}.zero_grad()"))
    elif all(leaf.isidentifier() for leaf in leaves):
        texts = [f"{leaf}.grad = None" for leaf in sorted(leaves)]
        label = _("clear before the pass: {call}").format(call="; ".join(texts))
        tries = repair(label, text.before(call, *texts))
    return tries


def _mixed(case: Case) -> Iterator[Finding]:
    """The result of one seed was read, and that of another was added to it and read too."""
    passes = case.run.passes
    for one, two in pairwise(passes):
        lines = (one.call.line, two.call.line)
        if one.call.target != two.call.target or None in lines or lines[0] == lines[1]:
            continue
        if one.seed is None or two.seed is None or _parallel(one.seed, two.seed):
            continue
        for key in one.grads:
            name = case.diagram.nodes[key].name
            if name is None or key in two.call.clear or key not in two.grads:
                continue
            if np.allclose(one.grads[key], two.grads[key]) or not _read_twice(case, name, two):
                continue
            statement = case.text.at(two.call.line)
            assert statement is not None
            yield Finding(
                "uncleared-grad",
                _("{name}.grad was read, and not cleared before the next seed").format(name=name),
                _(MIXED_WHY),
                two.call.line,
                key,
                "risk",
                repair(
                    _("clear before the pass: {call}").format(call=f"{name}.grad = None"),
                    case.text.before(statement, f"{name}.grad = None"),
                ),
            )
            break


def _parallel(one: Array, two: Array) -> bool:
    a, b = one.ravel().astype(float), two.ravel().astype(float)
    return bool(np.isclose(abs(a @ b), np.linalg.norm(a) * np.linalg.norm(b)))


def _read_twice(case: Case, name: str, two: Pass) -> bool:
    """Whether the script reads `name.grad` both above and below the line of the pass."""
    lines = [
        node.lineno
        for node in ast.walk(case.text.tree)
        if isinstance(node, ast.Attribute)
        and node.attr == "grad"
        and named(node.value) == name
        and isinstance(node.ctx, ast.Load)
    ]
    line = two.call.line or 0
    return any(at < line for at in lines) and any(at > line for at in lines)
