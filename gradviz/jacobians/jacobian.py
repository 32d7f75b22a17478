"""The Jacobian of any node by any other, or of one op by one slot: many rows in one sweep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.jacobians.rows import BUDGET, Budget, Jacobian, JacobianProblem, Pair, afford, found_of
from gradviz.labels import added_titles, titles
from gradviz.language import _
from gradviz.run import Run, Value


def jacobian(
    diagram: Diagram,
    run: Run,
    of: NodeId,
    wrt: NodeId,
    *,
    index: int | None = None,
    budget: Budget = BUDGET,
) -> Jacobian:
    """The Jacobian of the node `of` by the node `wrt`, at the run's values.

    `index` is the pass whose added nodes may be named too. Never takes more memory than the
    budget: a larger matrix is downsampled. Raises JacobianProblem, and StoppedError when told to.
    """
    nodes, values, known = _everything(diagram, run, index)
    for key in (of, wrt):
        _check(key, nodes, values, known)
    way = _way(nodes, of, wrt)
    for key in way:
        _check_there(key, values, known)
    pair = Pair(known[of], known[wrt], None, None, sum(values[k].array.size for k in way))
    afford(pair, values[of].array, values[wrt].array, budget.limit)
    from engine.state import set_grad_enabled
    from engine.tensor import Tensor

    tensors = {wrt: Tensor(np.array(values[wrt].array), requires_grad=True)}
    for key in way:
        node = nodes[key]
        if key != wrt:
            with set_grad_enabled(not node.no_grad):
                tensors[key] = _apply(node, [_tensor(k, tensors, nodes, values) for k in _in(node)])
    pair.input = tensors[wrt]
    pair.output = tensors[of] if way else Tensor(np.array(values[of].array))
    return found_of(pair, budget)


def local_jacobian(
    diagram: Diagram,
    run: Run,
    node: NodeId,
    slot: int,
    *,
    index: int | None = None,
    budget: Budget = BUDGET,
) -> Jacobian:
    """The Jacobian of one op by what fills one of its slots; its other slots stand still.

    As `jacobian` otherwise.
    """
    nodes, values, known = _everything(diagram, run, index)
    if node not in nodes or not 0 <= slot < len(nodes[node].inputs):
        raise JacobianProblem(_("There is no such edge."))
    source = nodes[node].inputs[slot]
    for key in (node, source or ""):
        _check(key, nodes, values, known)
    inputs = _in(nodes[node])
    pair = Pair(known[node], known[inputs[slot]], None, None, values[node].array.size)
    afford(pair, values[node].array, values[inputs[slot]].array, budget.limit)
    from engine.tensor import Tensor

    tensors = [_tensor(key, {}, nodes, values) for key in inputs]
    tensors[slot] = pair.input = Tensor(np.array(values[inputs[slot]].array), requires_grad=True)
    pair.output = _apply(nodes[node], tensors)
    return found_of(pair, budget)


def only_way(diagram: Diagram, run: Run, index: int, of: NodeId, wrt: NodeId) -> bool:
    """Whether everything that the pass brings to `wrt` comes through `of`."""
    done = run.passes[index]
    nodes = {**diagram.nodes, **{node.id: node for node in done.beyond}}
    seen, waiting = {of, done.root}, [done.root] if done.root != of else []
    while waiting:
        for source in nodes[waiting.pop()].inputs:
            if source is not None and source not in seen:
                seen.add(source)
                waiting.append(source)
    return wrt == of or wrt not in seen


def edges_between(
    diagram: Diagram, run: Run, of: NodeId, wrt: NodeId, *, index: int | None = None
) -> list[tuple[NodeId, int]]:
    """The edges, as node and slot, that what `of` sends back takes on its way to `wrt`."""
    nodes, values, _known = _everything(diagram, run, index)
    way = _way(nodes, of, wrt)
    return [
        (key, slot)
        for key in way
        if key != wrt and key in values
        for slot, source in enumerate(nodes[key].inputs)
        if source in way
    ]


def _everything(
    diagram: Diagram, run: Run, index: int | None
) -> tuple[Mapping[NodeId, Node], Mapping[NodeId, Value], Mapping[NodeId, str]]:
    """Nodes, values and titles, those that a pass added included."""
    known = titles(diagram)
    if index is None or index >= len(run.passes):
        return diagram.nodes, run.values, known
    done = run.passes[index]
    nodes = {**diagram.nodes, **{node.id: node for node in done.beyond}}
    return nodes, {**run.values, **done.values}, {**known, **added_titles(done, known)}


def _check_there(key: NodeId, values: Mapping[NodeId, Value], known: Mapping[NodeId, str]) -> None:
    if key not in values:
        raise JacobianProblem(_("{name} has no value.").format(name=known.get(key, key)))


def _check(
    key: NodeId,
    nodes: Mapping[NodeId, Node],
    values: Mapping[NodeId, Value],
    known: Mapping[NodeId, str],
) -> None:
    """Raise JacobianProblem for a node without a real, floating value."""
    _check_there(key, values if key in nodes else {}, known)
    kind = values[key].array.dtype
    if kind.kind == "c":
        text = _("{name} is complex: its Jacobian is not one matrix.")
        raise JacobianProblem(text.format(name=known[key]))
    if kind.kind != "f":
        text = _("{name} holds {dtype}: only floating point numbers have derivatives.")
        raise JacobianProblem(text.format(name=known[key], dtype=kind.name))


def _way(nodes: Mapping[NodeId, Node], of: NodeId, wrt: NodeId) -> list[NodeId]:
    """The nodes that lie between, both ends included, in evaluation order; none if not linked."""
    after: set[NodeId] = set()
    for key, node in nodes.items():
        if key == wrt or not after.isdisjoint(node.inputs):
            after.add(key)
    if of not in after:
        return []
    needed, waiting = {of}, [of]
    while waiting:
        for source in nodes[waiting.pop()].inputs:
            if source in after and source not in needed and source is not None:
                needed.add(source)
                waiting.append(source)
    return [key for key in nodes if key in needed]


def _in(node: Node) -> list[NodeId]:
    """What fills the slots; an op that has a value has all of them filled."""
    return [key for key in node.inputs if key is not None]


def _tensor(
    key: NodeId,
    tensors: Mapping[NodeId, Any],
    nodes: Mapping[NodeId, Node],
    values: Mapping[NodeId, Value],
) -> Any:
    """The tensor of a node on the way; what is beside it stands still at its value."""
    if key in tensors:
        return tensors[key]
    from engine.tensor import Tensor

    made = Tensor(np.array(values[key].array))
    made._wrapped = nodes[key].is_number
    return made


def _apply(node: Node, inputs: list[Any]) -> Any:
    """The op on tensors. Raises JacobianProblem where it cannot be applied here."""
    from engine.ops import OPS
    from engine.tensor import apply

    if node.op not in OPS:
        text = _("{op} is a function of the script's own: only the script can run it.")
        raise JacobianProblem(text.format(op=node.op))
    try:
        return apply(OPS[node.op], tuple(inputs), node.params)
    except Exception as error:
        raise JacobianProblem(f"{type(error).__name__}: {error}") from error
