"""Findings about the numbers: where they stop being finite, fade or blow up on the way back."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gradviz.diagram import Node, NodeId
from gradviz.doctor import fading
from gradviz.doctor.finding import Array, Case, Finding, Repair, repair
from gradviz.doctor.guards import guarded
from gradviz.language import N_, _
from gradviz.run import Pass, Step

VALUE_WHY = N_(
    "Whatever is computed from it is lost as well, and so are the gradients: keep the argument of"
    " {op} inside the range where it is finite."
)
GRADIENT_WHY = N_(
    "The value is finite and the derivative of {op} at this point is not: {rule} Keep the argument"
    " away from that point."
)
DATA_WHY = N_("Nothing in the script made it: it came with the data, and goes into everything.")
VANISHING_WHY = N_(
    "Each {op} on the way multiplies the gradient by less than one, and these factors multiply up:"
    " what is far from the output hardly learns."
)
EXPLODING_WHY = N_(
    "Each {op} on the way multiplies the gradient by more than one, and these factors multiply up:"
    " one step of an optimizer with it goes far too far."
)
MASKS = ("masked_fill", "where", "full", "put", "put_view", "copy", "max", "maximum", "minimum")
REDUCTIONS = ("sum", "mean", "expand", "mse_loss", "nll_loss", "select", "getitem", "slice", "to")
DECADES = 5.0  # powers of ten between the two ends of a path
LINKS = 5  # ops that must have taken part
LEAST = 0.25  # powers of ten by which an op must have changed the gradient to take part


def risks(case: Case) -> Iterator[Finding]:
    """The first node where something is not finite, of the first pass that it reached."""
    for done in case.run.passes:
        if done.call.target not in case.diagram.nodes:
            continue
        value = case.run.values.get(done.call.target)
        found = None
        if value is not None and not _finite(value.array):
            found = _in_values(case, done)
        elif any(not _finite(grad) for grad in done.grads.values()):
            found = _in_values(case, done) or _in_gradients(case, done)
        if found is not None:
            yield found
            return


def _finite(array: Array) -> bool:
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())


def _what(array: Array) -> str:
    return "nan" if _has_nan(array) else "inf"


def _in_values(case: Case, done: Pass) -> Finding | None:
    inside = case.diagram.ancestors(done.call.target)
    nodes = [node for key, node in case.diagram.nodes.items() if key in inside]
    bad = [
        node
        for node in nodes
        if node.id in case.run.values and not _finite(case.run.values[node.id].array)
    ]
    data = [n for n in bad if not n.inputs and _has_nan(case.run.values[n.id].array)]
    made = [node for node in bad if node.op not in MASKS and _begins(case, node)]
    if data:
        return _in_data(case, data[0])
    if not made:
        return None
    node = made[0]
    return Finding(
        "nonfinite",
        _("{what} appears first in {name}, which {op} computes").format(
            what=_what(case.run.values[node.id].array), name=case.title(node.id), op=node.op
        ),
        _(VALUE_WHY).format(op=node.op),
        node.line,
        node.id,
        "risk",
        guarded(case, node),
    )


def _begins(case: Case, node: Node) -> bool:
    """Whether the node's inputs are still finite, or at least numbers where its value is not."""
    sources = [case.run.values[key].array for key in node.inputs if key]
    if _what(case.run.values[node.id].array) == "nan" and sources:
        return not any(_has_nan(array) for array in sources)
    return bool(sources) and all(map(_finite, sources))


def _has_nan(array: Array) -> bool:
    return array.dtype.kind in "fc" and bool(np.isnan(array).any())


def _in_data(case: Case, node: Node) -> Finding:
    statement = case.text.at(node.line)
    repairs: tuple[Repair, ...] = ()
    if isinstance(statement, ast.Assign):
        for label, method in (
            (_("put 0 where there is no number"), ".nan_to_num()"),
            (_("leave out what is not a number"), ""),
        ):
            value = case.text.operand(statement.value)
            made = value + method
            if not method:
                name = case.text.segment(statement.targets[0])
                repairs += repair(
                    label, case.text.after(statement, f"{name} = {name}[~{name}.isnan()]")
                )
                continue
            repairs += repair(label, case.text.replace(statement.value, made))
    return Finding(
        "nonfinite",
        _("{name} already holds nan").format(name=case.title(node.id)),
        _(DATA_WHY),
        node.line,
        node.id,
        "risk",
        repairs,
    )


def _in_gradients(case: Case, done: Pass) -> Finding | None:
    for step in done.steps:
        node = case.diagram.nodes.get(step.node)
        if node is not None and not _finite(step.contribution) and _finite(step.upstream):
            rule = _("infinity times zero is not a number.") if _nan(step) else _("it is infinite.")
            return Finding(
                "nonfinite",
                _("{what} appears first in what {op} sends back to {name}").format(
                    what=_what(step.contribution), op=node.op, name=case.title(step.input)
                ),
                _(GRADIENT_WHY).format(op=node.op, rule=rule),
                node.line,
                node.id,
                "risk",
                guarded(case, node),
            )
    return None


def _nan(step: Step) -> bool:
    return bool(np.isnan(step.contribution).any())


# Along a path


@dataclass(frozen=True, slots=True)
class _Path:
    """A leaf, the factors (as powers of ten) on the way to it, and the ops they belong to."""

    leaf: NodeId
    decades: float
    nodes: tuple[NodeId, ...]  # those that took part in the trend


def paths(case: Case) -> Iterator[Finding]:
    """Gradients that vanish or explode between the output and a leaf."""
    told: set[str] = set()
    clipped = "clip_grad" in case.text.source
    passes = case.run.passes
    for done in (*passes[:1], *passes[1:][-1:]):  # the first and the last
        if done.error is not None or not all(_finite(grad) for grad in done.grads.values()):
            continue
        found = [path for leaf in done.grads if (path := _path(case, done, leaf)) is not None]
        for path in sorted(found, key=lambda path: -abs(path.decades)):
            kind = "vanishing" if path.decades < 0 else "exploding"
            if kind in told or (kind == "exploding" and clipped):
                continue
            told.add(kind)
            yield _along(case, done, path, kind)


def _path(case: Case, done: Pass, leaf: NodeId) -> _Path | None:
    """The longest way to the leaf, where the cotangents along it fade or blow up."""
    cotangents = done.cotangents()
    factors: list[tuple[NodeId, float]] = []
    for step in _longest(done, leaf):
        up, down = _size(step.upstream), _size(cotangents[step.input])
        if case.op(done, step.node) not in REDUCTIONS and up > 0 and down > 0:
            factors.append((step.node, float(np.log10(down / up))))
    total = sum(factor for _node, factor in factors)
    part = tuple(key for key, factor in factors if factor * total > 0 and abs(factor) > LEAST)
    if abs(total) < DECADES or len(part) < LINKS:
        return None
    return _Path(leaf, total, part)


def _longest(done: Pass, leaf: NodeId) -> list[Step]:
    """The steps of the longest way from the output to the leaf, from the leaf on."""
    depths: dict[NodeId, int] = {done.root: 0}
    best: dict[NodeId, Step] = {}
    for step in done.steps:  # a node's steps come after all that arrive at it
        depth = depths.get(step.node, 0) + 1
        if depth > depths.get(step.input, 0):
            depths[step.input], best[step.input] = depth, step
    found: list[Step] = []
    at = leaf
    while at in best and len(found) < len(best):
        found.append(best[at])
        at = best[at].node
    return found


def _size(array: Array) -> float:
    """The root of the mean square, which does not depend on the number of elements."""
    if not array.size:
        return 0.0
    with np.errstate(over="ignore"):
        return float(np.sqrt(np.mean(np.abs(array.astype(np.complex128)) ** 2)))


def _along(case: Case, done: Pass, path: _Path, kind: str) -> Finding:
    ops = Counter(case.op(done, key) for key in path.nodes)
    op = ops.most_common(1)[0][0]
    lines = [case.line(key) for key in path.nodes if case.op(done, key) == op]
    places = [case.line(key) for key in path.nodes]
    name = case.title(path.leaf)
    if kind == "vanishing":
        sentence = _("on its way to {name} the gradient fades to 1e{decades:.0f} of what it was")
        why = VANISHING_WHY
        repairs = fading.repairs(case, ops, set(filter(None, places)), path.leaf)
    else:
        sentence = _("on its way to {name} the gradient grows to 1e+{decades:.0f} of what it was")
        why, repairs = EXPLODING_WHY, _clipped(case, done)
    return Finding(
        kind,
        sentence.format(name=name, decades=path.decades),
        _(why).format(op=op),
        lines[0],
        path.leaf,
        "risk",
        repairs,
    )


def _clipped(case: Case, done: Pass) -> tuple[Repair, ...]:
    """Clipping after the pass, with the gradients that it leaves."""
    statement = case.text.at(done.call.line)
    names = {case.diagram.nodes[key].name or "": grad for key, grad in done.grads.items()}
    if statement is None or not all(name.partition(".")[0].isidentifier() for name in names):
        return ()
    lists = sorted({name.partition(".")[0] for name in names if "." in name})
    plain = sorted(name for name in names if "." not in name)
    leaves = [f"*{owner}.parameters()" for owner in lists] + plain
    call = f"{case.text.torch}.nn.utils.clip_grad_norm_([{', '.join(leaves)}], 1.0)"
    norm = float(
        np.sqrt(sum(float((np.abs(grad).astype(np.float64) ** 2).sum()) for grad in names.values()))
    )
    left = {name: grad * min(1.0, 1.0 / (norm + 1e-6)) for name, grad in names.items()}
    label = _("clip the gradients after the pass to a norm of 1")
    edit = case.text.after(statement, call)
    return tuple(Repair(found.label, found.edits, grads=left) for found in repair(label, edit))
