"""Repairs of gradients that fade along a path: what lets more of them through."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gradviz.diagram import NodeId
from gradviz.doctor.finding import Case, Repair, repair
from gradviz.doctor.text import Edit, function, named, names
from gradviz.language import _

SATURATING = ("sigmoid", "tanh")


def repairs(case: Case, ops: Iterable[str], lines: set[int], leaf: NodeId) -> tuple[Repair, ...]:
    """What may help where these ops took part on the way to a leaf; each is to be tried."""
    found: list[Repair] = []
    for op in ops:
        if op in SATURATING:
            found += _steeper(case, op, lines)
    return (*found, *_around(case, lines), *_gated(case), *_weighed(case, leaf))


def _steeper(case: Case, op: str, lines: set[int]) -> Iterator[Repair]:
    """Another activation in place of the one that saturates."""
    text = case.text
    calls = [call for line in sorted(lines) for call in text.calls(line)]
    direct = [call for call in calls if function(call) == op]
    layers = [
        call
        for call in ast.walk(text.tree)
        if isinstance(call, ast.Call) and function(call) == op.capitalize()
    ]
    for small, large in (("relu", "ReLU"), ("tanh", "Tanh")):
        if small != op:
            label = _("use {name} instead of {op}").format(name=large, op=op)
            edits = [_renamed(case, call, small) for call in direct]
            if not direct:
                edits = [_renamed(case, call, large) for call in layers]
            yield from repair(label, *edits)


def _renamed(case: Case, call: ast.Call, name: str) -> Edit:
    end = case.text.end(call.func)
    return Edit(end - len(function(call)), end, name)


def _around(case: Case, lines: set[int]) -> tuple[Repair, ...]:
    """`h = f(h)` as `h = h + f(h)`: the gradient has a way that nothing on it shrinks."""
    text = case.text
    edits = []
    for line in sorted(lines):
        statement = text.at(line)
        if isinstance(statement, ast.Assign) and text.loop_of(statement) is not None:
            name = named(statement.targets[0])
            if name is not None and name in names(statement.value):
                value = text.segment(statement.value)
                edits.append(text.replace(statement.value, f"{name} + {value}"))
    return repair(_("add what went in: a way around each step"), *edits)


def _gated(case: Case) -> tuple[Repair, ...]:
    """A GRU in place of a plain recurrent layer; both are called alike."""
    edits = [
        _renamed(case, call, function(call).replace("RNN", "GRU"))
        for call in ast.walk(case.text.tree)
        if isinstance(call, ast.Call) and function(call) in ("RNN", "RNNCell")
    ]
    return repair(_("use a GRU instead of the RNN: its gate lets the gradient pass"), *edits)


def _weighed(case: Case, leaf: NodeId) -> tuple[Repair, ...]:
    """Weights drawn so large that a layer keeps the size of what goes through it."""
    text = case.text
    owner = (case.diagram.nodes[leaf].name or "").partition(".")
    made = text.assignment(owner[0]) if owner[2] else None
    if made is None:
        return ()
    rectified = any(node.op == "relu" for node in case.diagram.nodes.values())
    name = "kaiming_uniform_" if rectified else "xavier_uniform_"
    drawn = 'p, nonlinearity="relu"' if rectified else "p"
    lines = (
        f"for p in {owner[0]}.parameters():",
        "    if p.dim() > 1:",
        f"        {text.torch}.nn.init.{name}({drawn})",
    )
    label = _("draw the weights so that layers keep the size: {name}").format(name=name)
    return repair(label, text.after(made, *lines))
