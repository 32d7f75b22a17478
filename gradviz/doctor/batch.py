"""Findings about a batch: shapes that broadcast unasked, and means mixed up with sums."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gradviz.diagram import Node, NodeId
from gradviz.doctor.finding import Case, Finding, Repair, repair
from gradviz.doctor.text import Edit, Text, function, named
from gradviz.language import N_, _

BROADCAST_WHY = N_(
    "A column of {n} against a row of {n} is broadcast to {n} by {n}: every prediction is compared"
    " with every target, and the gradients are those of another problem."
)
MIXED_WHY = N_(
    "The sum grows with the batch and the mean does not, so how the two terms are weighed, and with"
    " it every gradient, depends on how many samples the batch happens to have."
)
TWICE_WHY = N_(
    "The mean has already been divided by the number of samples; dividing once more makes every"
    " gradient {n} times too small, the more so the larger the batch is."
)
MADE_ON_PURPOSE = ("unsqueeze", "view", "reshape", "getitem", "index", "expand", "permute")
MAX_TERM = 64  # nodes between a loss and the reductions that it is put together from
THROUGH = ("mul", "div", "neg", "add", "sub", "to")


def risks(case: Case) -> Iterator[Finding]:
    """What every backward pass of the script went through, looked at once."""
    seen: set[NodeId] = set()
    for done in case.run.passes:
        if done.error is None and done.call.target in case.diagram.nodes:
            seen |= case.diagram.ancestors(done.call.target)
    lines: set[tuple[str, int | None]] = set()
    for key, node in case.diagram.nodes.items():
        if key not in seen:
            continue
        for found in (_broadcast(case, node), _twice(case, node), _mixed(case, node)):
            if found is not None and (found.kind, found.line) not in lines:
                lines.add((found.kind, found.line))
                yield found


def _shape(case: Case, key: NodeId | None) -> tuple[int, ...]:
    value = case.run.values.get(key or "")
    return () if value is None else value.array.shape


def _broadcast(case: Case, node: Node) -> Finding | None:
    loss = node.op.endswith("loss")
    if (node.op != "sub" and not loss) or len(node.inputs) != 2:
        return None
    sources = [_before_expanding(case, key) if loss else key for key in node.inputs]
    shapes = [_shape(case, key) for key in sources]
    column = next((at for at, shape in enumerate(shapes) if len(shape) == 2), None)
    if column is None or not _column_and_row(shapes[column], shapes[1 - column]):
        return None
    if not _prediction_and_target(case, sources):
        return None
    size = shapes[column][0]
    return Finding(
        "broadcast",
        _("{a} against {b} is broadcast to ({n}, {n})").format(a=shapes[0], b=shapes[1], n=size),
        _(BROADCAST_WHY).format(n=size),
        node.line,
        node.id,
        "risk",
        tuple(_reshaped(case.text, node.line, column)),
    )


def _before_expanding(case: Case, key: NodeId | None) -> NodeId | None:
    """What a loss was given, before it broadcast its arguments itself."""
    if key is not None and case.diagram.nodes[key].op == "expand":
        return case.diagram.nodes[key].inputs[0]
    return key


def _column_and_row(column: tuple[int, ...], row: tuple[int, ...]) -> bool:
    return len(row) == 1 and column[1] == 1 and column[0] == row[0] > 1


def _prediction_and_target(case: Case, sources: list[NodeId | None]) -> bool:
    """Whether one was computed from leaves and the other is data; neither was shaped for it."""
    nodes = [case.diagram.nodes[key] for key in sources if key is not None]
    if len(nodes) != 2 or any(node.op in MADE_ON_PURPOSE for node in nodes):
        return False
    tracked = [case.run.values[node.id].requires_grad for node in nodes]
    return sum(tracked) == 1 and bool(nodes[tracked.index(True)].inputs)


def _reshaped(text: Text, line: int | None, column: int) -> Iterator[Repair]:
    for operands in _pairs(text, line):
        for at, method, label in (
            (column, ".squeeze(1)", _("make the column a row: squeeze(1)")),
            (1 - column, ".unsqueeze(1)", _("make the row a column: unsqueeze(1)")),
        ):
            yield from repair(label, text.followed(operands[at], method))


def _pairs(text: Text, line: int | None) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Both sides of each difference, both arguments of each call of the line."""
    for node in text.expressions(line):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            yield node.left, node.right
        elif isinstance(node, ast.Call) and len(node.args) >= 2:
            yield node.args[0], node.args[1]


@dataclass(frozen=True, slots=True)
class _Reduced:
    """A term of a loss: the node that reduced a batch, what it reduced, and how."""

    node: Node
    source: NodeId
    mean: bool


def _reduction(case: Case, node: Node) -> _Reduced | None:
    """The node as a reduction of everything to one number."""
    if _shape(case, node.id) != () or not node.inputs or node.inputs[0] is None:
        return None
    how = node.params.get("reduction") if "loss" in node.op else node.op
    if how not in ("mean", "sum") or not _shape(case, node.inputs[0]):
        return None
    return _Reduced(node, node.inputs[0], how == "mean")


def _terms(case: Case, key: NodeId | None) -> Iterator[_Reduced]:
    """The reductions that a scalar is put together from; a sum divided by N is a mean."""
    waiting: list[tuple[NodeId | None, float]] = [(key, 1.0)]
    seen: set[NodeId] = set()
    while waiting and len(seen) < MAX_TERM:
        at, divided = waiting.pop()
        if at is None or at in seen:
            continue
        seen.add(at)
        node = case.diagram.nodes[at]
        found = _reduction(case, node)
        if found is not None:
            size = _shape(case, found.source)[0]
            mean = found.mean or (size > 0 and divided % size == 0)
            yield _Reduced(node, found.source, mean)
        elif node.op in THROUGH and _shape(case, at) == ():
            by = _divisor(case, node)
            waiting += [(source, divided * by) for source in node.inputs]


def _divisor(case: Case, node: Node) -> float:
    """The number that the node divides by, whether written as `/ n` or as `* (1 / n)`."""
    if node.op not in ("div", "mul") or node.inputs[1] is None:
        return 1.0
    found = [case.run.values[key] for key in node.inputs if key is not None]
    plain = [value for value in found if not value.requires_grad and value.array.size == 1]
    if not plain:
        return 1.0
    number = abs(float(plain[-1].array.real.ravel()[0]))
    if node.op == "mul":
        number = 1 / number if 0 < number < 1 else 1.0
    return float(round(number)) if abs(number - round(number)) < 1e-3 and number >= 1 else 1.0


def _mixed(case: Case, node: Node) -> Finding | None:
    if node.op not in ("add", "sub") or _shape(case, node.id) != ():
        return None
    terms = list(_terms(case, node.id))
    for mean in terms:
        for total in terms:
            if mean.mean and not total.mean and _same_batch(case, mean, total):
                return Finding(
                    "mean-and-sum",
                    _("a sum over the batch (line {one}) is added to a mean (line {two})").format(
                        one=total.node.line, two=mean.node.line
                    ),
                    _(MIXED_WHY),
                    total.node.line,
                    total.node.id,
                    "risk",
                    tuple(_averaged(case.text, total.node.line)),
                )
    return None


def _same_batch(case: Case, one: _Reduced, two: _Reduced) -> bool:
    """Whether both run over the same samples: they share something that has a row for each."""
    size = _shape(case, one.source)[0]
    if size < 2 or _shape(case, two.source)[0] != size:
        return False
    common = case.diagram.ancestors(one.source) & case.diagram.ancestors(two.source)
    return any(
        _shape(case, key)[:1] == (size,) and case.diagram.nodes[key].op != "leaf" for key in common
    )


def _averaged(text: Text, line: int | None) -> Iterator[Repair]:
    label = _("take the mean of both")
    for call in text.calls(line):
        if function(call) == "sum":
            end = text.end(call.func)
            yield from repair(label, Edit(end - len("sum"), end, "mean"))
        for keyword in call.keywords:
            if keyword.arg == "reduction":
                yield from repair(label, text.replace(keyword.value, '"mean"'))


def _twice(case: Case, node: Node) -> Finding | None:
    if node.op != "div" or _shape(case, node.id) != () or node.inputs[0] is None:
        return None
    reduced = _reduction(case, case.diagram.nodes[node.inputs[0]])
    if reduced is None or not reduced.mean:
        return None
    size = _shape(case, reduced.source)[0]
    if size < 2 or _divisor(case, node) != size:
        return None
    repairs = tuple(_undivided(case.text, node.line))
    if not repairs:
        return None
    return Finding(
        "mean-and-sum",
        _("the mean over {n} samples is divided by their number once more").format(n=size),
        _(TWICE_WHY).format(n=size),
        node.line,
        node.id,
        "risk",
        repairs,
    )


def _undivided(text: Text, line: int | None) -> Iterator[Repair]:
    for node in text.expressions(line):
        divides = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
        if divides and isinstance(node, ast.BinOp) and _counts_samples(text, node.right):
            edit = text.replace(node, text.operand(node.left))
            yield from repair(_("divide only once"), edit)


def _counts_samples(text: Text, node: ast.expr) -> bool:
    """Whether the number is taken from the batch: `len(x)`, `x.shape[0]`, `x.size(0)`."""
    name = named(node)
    made = text.assignment(name) if name is not None else None
    if made is not None:
        return _counts_samples(text, made.value)
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    return isinstance(node, ast.Call) and function(node) in ("len", "size", "numel")
