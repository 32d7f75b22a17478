"""Findings about an output without history: where on its way from the leaves it was lost."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from engine import errors as said
from gradviz.diagram import NodeId
from gradviz.doctor import steps
from gradviz.doctor.finding import Case, Finding, Repair, repair
from gradviz.doctor.lost import LABELS, LOSSES
from gradviz.doctor.seeds import backward_call, target
from gradviz.doctor.text import Edit, Text, function, named, names
from gradviz.language import _

INTEGER_LEAF = "nly Tensors of floating point"
NOT_NUMPY = "Can't call numpy() on Tensor that requires grad"
NO_BACKWARD = "object has no attribute 'backward'"

NEW = ("tensor", "as_tensor", "Tensor", "FloatTensor", "from_numpy", "asarray")
MAKERS = (*NEW, "ones", "zeros", "rand", "randn", "full", "linspace", "arange", "eye", "empty")
OUT = ("detach", "numpy", "cpu", "item", "tolist")
INTEGERS = ("long", "int", "short", "bool", "byte", "char")


@dataclass(frozen=True, slots=True)
class _Loss:
    """A place in the script where history ends, and the edit that lets it go on."""

    kind: str
    line: int
    edit: Edit


def errors(case: Case) -> Iterator[Finding]:
    """Readings of the error, where an output has no history."""
    error = case.run.error
    message = case.message
    if error is None:
        return
    if INTEGER_LEAF in message and message.endswith("can require gradients"):
        yield _integer_leaf(case)
        return
    known = (said.NO_HISTORY.partition("}")[2], said.GRAD_NOT_REQUIRED, NOT_NUMPY, NO_BACKWARD)
    if not any(text in message for text in known):
        return
    losses = [*_losses(case, error.line), *_switches(case.text)]
    for chosen in (*([loss] for loss in losses), _innermost(losses)):
        if chosen:
            yield _finding(case, chosen)
    yield from steps.readings(case, _slice(case.text, error.line))
    yield from _no_leaf(case)


def _finding(case: Case, losses: list[_Loss]) -> Finding:
    first = min(losses, key=lambda loss: loss.line)
    sentence, why = LOSSES[first.kind]
    repairs = repair(_(LABELS[first.kind]), *(loss.edit for loss in losses))
    return Finding(
        "no-history",
        _(sentence).format(line=first.line),
        _(why),
        first.line,
        _node_of(case, first.line),
        repairs=repairs,
    )


def _innermost(losses: list[_Loss]) -> list[_Loss]:
    """All of them at once; of two that overlap the one that changes more."""
    kept: list[_Loss] = []
    for loss in sorted(losses, key=lambda loss: loss.edit.start - loss.edit.end):
        if all(
            loss.edit.end <= other.edit.start or other.edit.end <= loss.edit.start for other in kept
        ):
            kept.append(loss)
    return kept if len(kept) > 1 else []


def _node_of(case: Case, line: int) -> NodeId | None:
    """The node that the line made, the last if there are several."""
    found = [node.id for node in case.diagram.nodes.values() if node.line == line]
    if found:
        return found[-1]
    return None if case.run.error is None else case.run.error.node


def _losses(case: Case, line: int | None) -> Iterator[_Loss]:
    """Every place on the way to the output of line `line` where history may end."""
    text = case.text
    seen: set[Edit] = set()
    for statement in _slice(text, line):
        found = chain(
            *(_in_expression(text, node) for node in ast.walk(statement)),
            _around(text, statement),
        )
        for loss in found:
            if loss.edit not in seen:
                seen.add(loss.edit)
                yield loss


def _slice(text: Text, line: int | None) -> list[ast.stmt]:
    """The simple statements that the output of the line is computed by, as names tell."""
    start = text.at(line)
    if start is None:
        return []
    call = backward_call(text, line)
    output = target(call) if call is not None else None
    wanted = names(output if output is not None else start)
    found: dict[int, ast.stmt] = {id(start): start}
    grown = True
    while grown:
        grown = False
        for statement in text.statements:
            if id(statement) not in found and _gives(text, statement, wanted):
                found[id(statement)] = statement
                wanted |= names(statement)
                grown = True
    return sorted(found.values(), key=lambda statement: statement.lineno)


def _gives(text: Text, statement: ast.stmt, wanted: set[str]) -> bool:
    """Whether the statement gives one of the variables a value, or is in a function of the name."""
    match statement:
        case ast.Assign(targets=targets):
            return any(names(made) & wanted for made in targets)
        case ast.AugAssign(target=made) | ast.AnnAssign(target=made):
            return bool(names(made) & wanted)
        case ast.Return():
            node = text.parents.get(statement)
            while node is not None and not isinstance(node, ast.FunctionDef):
                node = text.parents.get(node)
            return node is not None and (node.name in wanted or node.name == "forward")
    return False


def _in_expression(text: Text, node: ast.AST) -> Iterator[_Loss]:
    if isinstance(node, ast.Attribute):
        yield from _in_attribute(text, node)
    elif isinstance(node, ast.Call):
        yield from _in_call(text, node)


def _in_attribute(text: Text, node: ast.Attribute) -> Iterator[_Loss]:
    parent = text.parents.get(node)
    called = isinstance(parent, ast.Call) and parent.func is node
    line = node.end_lineno or node.lineno
    if called and node.attr in ("detach", "item", "tolist", "numpy", *INTEGERS):
        kind = "integer" if node.attr in INTEGERS else node.attr
        kind = "item" if kind == "tolist" else kind
        yield _Loss(kind, line, text.without_attribute(node))
    elif node.attr == "grad" and not called:
        calls = (c for c in ast.walk(text.tree) if isinstance(c, ast.Call))
        before = [c for c in calls if function(c) == "backward" and c.lineno < node.lineno]
        if before:
            last = max(before, key=lambda call: call.lineno)
            yield _Loss("gradient", last.lineno, text.keyword(last, "create_graph", "True"))
    elif node.attr == "data" and not called:
        yield _Loss("data", line, text.without_attribute(node))
    elif called and node.attr == "to" and isinstance(parent, ast.Call):
        if any("int" in ast.unparse(argument) for argument in parent.args):
            yield _Loss("integer", line, text.without_attribute(node))
    elif isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy") and called:
        yield _Loss("numpy", line, text.replace(node.value, text.torch))


def _in_call(text: Text, call: ast.Call) -> Iterator[_Loss]:
    if not call.args:
        return
    name, value = function(call), call.args[0]
    if name == "grad" and len(call.args) > 1:
        yield _Loss("gradient", call.lineno, text.keyword(call, "create_graph", "True"))
    elif name == "float" and isinstance(call.func, ast.Name):
        yield _Loss("item", call.lineno, text.replace(call, text.operand(value)))
    elif name in NEW and isinstance(value, (ast.List, ast.Tuple)) and names(value):
        made = f"{text.torch}.stack({text.segment(value)})"
        yield _Loss("new", call.lineno, text.replace(call, made))
    elif name in NEW and isinstance(value, ast.ListComp):
        yield _Loss(
            "new", call.lineno, text.replace(call, f"{text.torch}.stack({text.segment(value)})")
        )
    elif name in NEW and names(value):
        kind, made = "numpy" if name == "from_numpy" else "new", text.operand(_bare(value))
        given = text.assignment(value.id, call.lineno) if isinstance(value, ast.Name) else None
        if given is not None and isinstance(given.value, (ast.List, ast.ListComp)):
            made = f"{text.torch}.stack({made})"
        yield _Loss(kind, call.lineno, text.replace(call, made))


def _bare(value: ast.expr) -> ast.expr:
    """The tensor itself of `y.detach().cpu().numpy()`."""
    while True:
        match value:
            case ast.Call(func=ast.Attribute(value=inner, attr=attr), args=[]) if attr in OUT:
                value = inner
            case ast.Attribute(value=inner, attr="data"):
                value = inner
            case _:
                return value


def _around(text: Text, statement: ast.stmt) -> Iterator[_Loss]:
    """Blocks, decorators and switches under which nothing is recorded."""
    node = text.parents.get(statement)
    while node is not None:
        if isinstance(node, ast.With):
            for item in node.items:
                for found in ast.walk(item.context_expr):
                    if isinstance(found, ast.Attribute) and found.attr in (
                        "no_grad",
                        "inference_mode",
                    ):
                        end = text.end(found)
                        edit = Edit(end - len(found.attr), end, "enable_grad")
                        yield _Loss("no_grad", node.lineno, edit)
        if isinstance(node, ast.FunctionDef):
            for mark in node.decorator_list:
                if "no_grad" in ast.unparse(mark) or "inference_mode" in ast.unparse(mark):
                    start = text.start(mark) - 1
                    edit = Edit(start, text.end(mark) + 1 + len(text.indent(node)), "")
                    yield _Loss("no_grad", mark.lineno, edit)
        node = text.parents.get(node)


def _switches(text: Text) -> Iterator[_Loss]:
    """Where recording is turned off for all that follows."""
    for call in ast.walk(text.tree):
        if isinstance(call, ast.Call) and function(call) == "set_grad_enabled" and call.args:
            off = call.args[0]
            if isinstance(off, ast.Constant) and off.value is False:
                yield _Loss("no_grad", call.lineno, text.replace(off, "True"))


def _no_leaf(case: Case) -> Iterator[Finding]:
    """The reading that no leaf was told to require grad."""
    error = case.run.error
    assert error is not None
    sentence, why = LOSSES["leaf"]
    repairs: list[Repair] = []
    for statement in _slice(case.text, error.line):
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
            continue
        name = named(statement.targets[0])
        if name is not None and function(statement.value) in MAKERS:
            label = _(LABELS["leaf"]).format(name=name)
            edit = case.text.keyword(statement.value, "requires_grad", "True")
            repairs += repair(label, edit)
    yield Finding("no-history", _(sentence), _(why), error.line, error.node, repairs=tuple(repairs))


def _integer_leaf(case: Case) -> Finding:
    error = case.run.error
    assert error is not None
    sentence, why = LOSSES["integer-leaf"]
    tries: list[Repair] = []
    for call in case.text.calls(error.line):
        dtype = f"{case.text.torch}.float32"
        if function(call) == "requires_grad_" and isinstance(call.func, ast.Attribute):
            tries += repair(
                _(LABELS["integer-leaf"]), case.text.before_attribute(call.func, ".float()")
            )
        elif function(call) in MAKERS:
            edit = case.text.keyword(call, "dtype", dtype)
            tries += repair(_(LABELS["integer-leaf"]), edit)
    return Finding(
        "no-history",
        _(sentence).format(line=error.line),
        _(why),
        error.line,
        repairs=tuple(tries),
    )
