"""Findings about writing in place: over a saved tensor, or over a leaf."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine import errors as said
from gradviz.diagram import NodeId
from gradviz.doctor import flow
from gradviz.doctor.again import recomputed
from gradviz.doctor.finding import Case, Finding, Repair, repair
from gradviz.doctor.text import Edit, Text, function
from gradviz.language import N_, _

SAVED_WHY = N_(
    "The derivative of {op} is computed from a value that it kept in the forward pass; writing over"
    " that value in place would make the gradient wrong, so PyTorch refuses."
)
STEP_WHY = N_(
    "The optimizer's step writes over parameters whose old values {op} still needs for its"
    " derivative. Compute the output again from the new values before the next backward call."
)
LEAF_WHY = N_(
    "A leaf that requires grad is where gradients end; written over with history it would be a leaf"
    " no more. An update of a parameter belongs under no_grad; otherwise make a new tensor."
)
OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}


def errors(case: Case) -> Iterator[Finding]:
    """Readings of the error, where something was written in place."""
    if said.MODIFIED.partition("{")[0] in case.message:
        yield from _saved(case)
    elif said.LEAF_IN_PLACE[2:] in case.message:
        yield _leaf(case)


def _saved(case: Case) -> Iterator[Finding]:
    failed = next((done for done in case.run.passes if done.error is not None), None)
    if failed is None:
        return
    needs = flow.stopped_at(case, failed)
    made = case.line(needs) or 0
    op = "" if needs is None else case.diagram.nodes[needs].op
    nodes, _before = flow.shared(case, failed)
    writes = sorted(_writes(case.text), key=lambda node: (node.lineno < made, node.lineno))
    for statement in writes:
        repairs = out_of_place(case.text, statement)
        why = _(SAVED_WHY)
        if _is_step(statement):
            repairs, why = recomputed(case, nodes, failed), _(STEP_WHY)
        sentence = _(
            "line {line} changes in place a tensor that {op} (line {made}) needs for its gradient"
        ).format(line=statement.lineno, op=op, made=made)
        yield Finding(
            "saved-in-place", sentence, why.format(op=op), statement.lineno, needs, repairs=repairs
        )


def _writes(text: Text) -> Iterator[ast.stmt]:
    """Every statement that may write in place."""
    for statement in text.statements:
        simple = isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign, ast.Return))
        if isinstance(statement, ast.AugAssign) or (simple and _writes_within(statement)):
            yield statement


def _writes_within(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        return True
    return any(
        is_in_place(call) or function(call) == "step" or _asks_in_place(call)
        for call in ast.walk(statement)
        if isinstance(call, ast.Call)
    )


def is_in_place(call: ast.Call) -> bool:
    """Whether it is a method such as `add_`."""
    name = function(call)
    return (
        isinstance(call.func, ast.Attribute) and name.endswith("_") and not name.endswith("grad_")
    )


def _asks_in_place(call: ast.Call) -> bool:
    return any(
        keyword.arg == "inplace"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is True
        for keyword in call.keywords
    )


def _is_step(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and function(statement.value) == "step"
    )


def out_of_place(text: Text, statement: ast.stmt) -> tuple[Repair, ...]:
    """The statement so that it makes a new tensor instead of writing over the old one."""
    label = _("make a new tensor instead of writing in place")
    edit = _new_tensor(text, statement)
    if edit is not None:
        return (*repair(label, edit), *_copied(text, statement))
    target = _written_item(statement)
    if target is not None:
        name = text.segment(target)
        copy = text.before(statement, f"{name} = {name}.clone()")
        return repair(_("write into a copy"), copy)
    copied = _copied(text, statement)
    if copied:
        return copied
    calls = [call for call in ast.walk(statement) if isinstance(call, ast.Call)]
    edits = [text.keyword(call, "inplace", "False") for call in calls if _asks_in_place(call)]
    return repair(label, *edits)


def _written_item(statement: ast.stmt) -> ast.expr | None:
    """What an indexed assignment writes into: the `a` of `a[i] = …` or `a[i] += …`."""
    target: ast.expr | None = None
    if isinstance(statement, ast.AugAssign):
        target = statement.target
    elif isinstance(statement, ast.Assign):
        target = statement.targets[0]
    if isinstance(target, ast.Subscript):
        while isinstance(target, ast.Subscript):
            target = target.value
        return target if isinstance(target, (ast.Name, ast.Attribute)) else None
    return None


def _new_tensor(text: Text, statement: ast.stmt) -> Edit | None:
    if isinstance(statement, ast.AugAssign):
        if isinstance(statement.target, ast.Subscript) or type(statement.op) not in OPERATORS:
            return None
        name, value = text.segment(statement.target), text.segment(statement.value)
        if not isinstance(statement.value, (ast.Name, ast.Constant, ast.Call, ast.Attribute)):
            value = f"({value})"
        return text.replace(statement, f"{name} = {name} {OPERATORS[type(statement.op)]} {value}")
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if is_in_place(call) and isinstance(call.func, ast.Attribute):
            owner = base(call.func.value)
            if isinstance(owner, ast.Name):
                return text.replace(statement, f"{owner.id} = {_out_of(text, call, call.func)}")
        return None
    return _plain_method(text, statement)


def base(node: ast.expr) -> ast.expr:
    """The tensor whose memory it shares: the `h` of `h.detach()` and of `h.data`."""
    while True:
        if isinstance(node, ast.Attribute) and node.attr == "data":
            node = node.value
        elif isinstance(node, ast.Call) and function(node) == "detach":
            assert isinstance(node.func, ast.Attribute)
            node = node.func.value
        else:
            return node


def _out_of(text: Text, call: ast.Call, method: ast.Attribute) -> str:
    """What the method would write, as a new tensor."""
    name = text.segment(method.value)
    arguments = [text.segment(argument) for argument in call.args]
    match method.attr, arguments:
        case "zero_", []:
            return f"{text.torch}.zeros_like({name})"
        case "fill_", [value]:
            return f"{text.torch}.full_like({name}, {value})"
        case "copy_", [value]:
            return f"{value}.clone()"
    rest = text.source[text.end(method) : text.end(call)]
    return text.segment(method).removesuffix("_") + rest


def _copied(text: Text, statement: ast.stmt) -> tuple[Repair, ...]:
    """A write through `detach()` or `.data`, into a copy: what shares the memory is left alone."""
    for node in ast.walk(statement):
        if not isinstance(node, (ast.Call, ast.Attribute)) or base(node) is node:
            continue
        parent = text.parents.get(node)
        called = isinstance(parent, ast.Attribute) and parent.attr.endswith("_")
        if called or isinstance(parent, ast.Subscript):
            return repair(_("write into a copy"), text.followed(node, ".clone()"))
    return ()


def _plain_method(text: Text, statement: ast.stmt) -> Edit | None:
    """`b = a.relu_()` as `b = a.relu()`."""
    for call in ast.walk(statement):
        if isinstance(call, ast.Call) and is_in_place(call):
            end = text.end(call.func)
            return Edit(end - 1, end, "")
    return None


def _leaf(case: Case) -> Finding:
    error = case.run.error
    assert error is not None
    statement = case.text.at(error.line)
    repairs: tuple[Repair, ...] = ()
    name = ""
    if statement is not None:
        name = _written_name(case.text, statement)
        header = f"with {case.text.torch}.no_grad():"
        repairs = repair(_("update it under no_grad"), case.text.wrapped(statement, header))
        if ".grad" not in case.text.segment(statement):
            repairs += out_of_place(case.text, statement)
    own = name.removeprefix("self.")  # parameters are known by their place in the module
    node: NodeId | None = next(
        (
            key
            for key, found in case.diagram.nodes.items()
            if found.name and found.name in (name, own)
        ),
        None,
    )
    sentence = _("{name} is a leaf that requires grad, and this line writes over it").format(
        name=name or _("a tensor")
    )
    return Finding("leaf-in-place", sentence, _(LEAF_WHY), error.line, node, repairs=repairs)


def _written_name(text: Text, statement: ast.stmt) -> str:
    target = _written_item(statement)
    if target is None and isinstance(statement, ast.AugAssign):
        target = statement.target
    if target is None:
        for call in ast.walk(statement):
            if isinstance(call, ast.Call) and is_in_place(call):
                assert isinstance(call.func, ast.Attribute)
                target = call.func.value
                break
    return "" if target is None else text.segment(target)
