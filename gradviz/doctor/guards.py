"""Repairs that keep the argument of an op where its value and its derivative are finite."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradviz.diagram import Node
from gradviz.doctor.finding import Case, Repair, repair
from gradviz.doctor.text import Edit, Text, function, named
from gradviz.language import _

SMALL = "1e-8"
LARGE = "80.0"  # exp of more overflows in float32
LOGS = ("log", "log2", "log10", "log1p", "rsqrt", "sqrt", "reciprocal")
ARCS = ("acos", "asin", "arccos", "arcsin", "atanh", "arctanh")


def guarded(case: Case, node: Node) -> tuple[Repair, ...]:
    """Ways to write the line that made the node so that it stays finite; each is to be tried."""
    return tuple(_ways(case, node))


def _ways(case: Case, node: Node) -> Iterator[Repair]:
    text = case.text
    for found in list(text.expressions(node.line)):
        if isinstance(found, ast.Call) and function(found) == node.op:
            yield from _of_call(text, found, node.op)
        elif isinstance(found, ast.BinOp):
            yield from _of_operator(text, found, node.op)


def _of_call(text: Text, call: ast.Call, op: str) -> Iterator[Repair]:
    if op == "log":
        yield from _log_softmax(text, call)
    if op in LOGS:
        yield from repair(
            _("keep the argument at least {small}").format(small=SMALL),
            _argument(text, call, f".clamp(min={SMALL})"),
        )
        yield from repair(
            _("add {small} to the argument").format(small=SMALL),
            _argument(text, call, f".add({SMALL})"),
        )
    elif op == "exp":
        yield from _shifted(text, call)
        yield from repair(
            _("keep the argument at most {large}").format(large=LARGE),
            _argument(text, call, f".clamp(max={LARGE})"),
        )
    elif op in ARCS:
        yield from repair(
            _("keep the argument inside (-1, 1)"),
            _argument(text, call, ".clamp(-0.999999, 0.999999)"),
        )
    elif op == "pow":
        edit = _argument(text, call, f".clamp(min={SMALL})")
        yield from repair(_("keep the argument at least {small}").format(small=SMALL), edit)


def _is_function(call: ast.Call) -> bool:
    """Whether it is `torch.log(x)`, not `x.log()`."""
    func = call.func
    return isinstance(func, ast.Name) or (
        isinstance(func, ast.Attribute) and named(func.value) is not None and bool(call.args)
    )


def _argument(text: Text, call: ast.Call, method: str) -> Edit | None:
    """The argument of the call, or the tensor whose method it is, with a method put behind it."""
    if _is_function(call) and call.args:
        return text.followed(call.args[0], method)
    return (
        text.before_attribute(call.func, method) if isinstance(call.func, ast.Attribute) else None
    )


def _value(call: ast.Call) -> ast.expr | None:
    if _is_function(call) and call.args:
        return call.args[0]
    return call.func.value if isinstance(call.func, ast.Attribute) else None


def _log_softmax(text: Text, call: ast.Call) -> Iterator[Repair]:
    """`torch.log(torch.softmax(z, dim=1))` in one function, which never takes the log of 0."""
    value = _value(call)
    if isinstance(value, ast.Call) and function(value) == "softmax":
        inner = text.segment(value)
        name = text.segment(value.func)
        made = name.removesuffix("softmax") + "log_softmax" + inner[len(name) :]
        yield from repair(_("use log_softmax"), text.replace(call, made))


def _shifted(text: Text, call: ast.Call) -> Iterator[Repair]:
    """The largest taken away before exp: the same softmax, and no overflow."""
    value = _value(call)
    name = named(value) if value is not None else None
    source = text.source
    if name is None or value is None or "/" not in source:
        return
    made = f"({name} - {name}.max(dim=-1, keepdim=True).values)"
    if not _is_function(call):
        yield from repair(_("take away the largest first"), text.replace(value, made))
    else:
        yield from repair(_("take away the largest first"), text.replace(value, made[1:-1]))


def _of_operator(text: Text, found: ast.BinOp, op: str) -> Iterator[Repair]:
    if op == "div" and isinstance(found.op, ast.Div):
        divisor = text.segment(found.right)
        edit = text.replace(found.right, f"({divisor} + {SMALL})")
        yield from repair(_("add {small} to the divisor").format(small=SMALL), edit)
        edit = text.followed(found.right, f".clamp(min={SMALL})")
        yield from repair(_("keep the divisor at least {small}").format(small=SMALL), edit)
    elif op == "pow" and isinstance(found.op, ast.Pow):
        edit = text.followed(found.left, f".clamp(min={SMALL})")
        yield from repair(_("keep the base at least {small}").format(small=SMALL), edit)
