"""`evaluate(diagram) -> Run`: values, and the diagram's backward calls in their order."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine.autograd import grad
from engine.ops import OPS
from engine.record import Record, record
from engine.state import set_grad_enabled
from engine.tensor import Tensor, apply
from gradviz import raised
from gradviz.diagram import LEAF, Array, BackwardCall, Diagram, Node, NodeId
from gradviz.language import _
from gradviz.run import Failure, Pass, Run, Value
from gradviz.seeds.starts import reduce, seed_values
from gradviz.storeys import gradient_id, gradient_of
from gradviz.trace import failure, read_pass


@dataclass(slots=True)
class _Workbench:
    """Tensors made so far and the entries they stand for."""

    log: Record
    refused: Mapping[NodeId, str] = field(default_factory=dict)  # what PyTorch says against ops
    tensors: dict[NodeId, Tensor] = field(default_factory=dict)
    ids: dict[int, NodeId] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    passes: list[Pass] = field(default_factory=list)
    uppers: dict[NodeId, Node] = field(default_factory=dict)  # that calls made so far


def evaluate(diagram: Diagram) -> Run:
    """Run a diagram as PyTorch would: forward once, then each backward call with its flags.

    A node that lacks an input, and what depends on it, has no value; an op or a call that raises
    is a `Failure`, and the rest goes on. The first failure is the run's error. The ops of a diagram
    drawn by hand are run as PyTorch would run them on their inputs, and the run says as what.
    """
    drawn, refused = diagram, dict[NodeId, str]()
    if diagram.drawn:
        from gradviz.edit.fit import fitted  # the palette, for what was drawn with it only

        found = fitted(drawn)
        diagram = found.diagram
        refused = {problem.node: problem.sentence for problem in found.problems}
    with warnings.catch_warnings(), record() as log:
        warnings.simplefilter("ignore")
        bench = _Workbench(log, refused)
        for node in diagram.nodes.values():
            if _made_by_edited_call(node, diagram):
                _run_calls(diagram, bench, node.upper.call + 1 if node.upper else 0)
            else:
                _make(node, bench)
        _run_calls(diagram, bench, len(diagram.calls))
        values = {
            key: value for key, value in _values(log, bench.ids).items() if key in diagram.nodes
        }
    passes = tuple(bench.passes)
    for done in passes:
        if done.error is not None:
            bench.failures.append(done.error)
    error = bench.failures[0] if bench.failures else None
    return Run(values, passes, error=error, fitted=_changed(drawn, diagram))


def _changed(before: Diagram, after: Diagram) -> dict[NodeId, Node]:
    return {
        key: node
        for key, node in after.nodes.items()
        if before is not after and node is not before.nodes[key]
    }


def _made_by_edited_call(node: Node, diagram: Diagram) -> bool:
    """Whether the node comes of a call that no longer starts as when the node was read."""
    call = -1 if node.upper is None else node.upper.call
    return 0 <= call < len(diagram.calls) and diagram.calls[call].edited


def _run_calls(diagram: Diagram, bench: _Workbench, count: int) -> None:
    """Run the first `count` calls, where that is not done yet."""
    while len(bench.passes) < count:
        bench.passes.append(_run_call(len(bench.passes), diagram, bench))


def _make(node: Node, bench: _Workbench) -> None:
    """Give the node its tensor, where its inputs have theirs."""
    if node.is_source:
        if node.data is not None:
            tensor = Tensor(np.array(node.data), requires_grad=node.op == LEAF)
            tensor._wrapped = node.is_number
            bench.tensors[node.id] = tensor
            bench.ids[bench.log.number_of(tensor)] = node.id
        return
    inputs = [bench.tensors.get(source) if source else None for source in node.inputs]
    ready = [tensor for tensor in inputs if tensor is not None]
    if len(ready) < len(inputs):
        return
    if node.op not in OPS:
        sentence = _("{op} is a function of the script's own: only the script can run it.")
        text = sentence.format(op=node.op)
        bench.failures.append(Failure("NotImplementedError", text, node.line, node.id))
        return
    try:
        with set_grad_enabled(not node.no_grad):
            made = apply(OPS[node.op], tuple(ready), node.params)
    except Exception as error:  # noqa: BLE001  whatever an op raises is the node's failure
        from gradviz.edit.trial import in_pytorch_s_words  # the palette, for what went wrong only

        bench.failures.append(failure(in_pytorch_s_words(node, ready, error), node.line, node.id))
        return
    if node.id in bench.refused:  # NumPy took what PyTorch does not
        bench.failures.append(Failure("RuntimeError", bench.refused[node.id], node.line, node.id))
        return
    bench.tensors[node.id] = made
    bench.ids[bench.log.number_of(made)] = node.id


def _values(log: Record, ids: Mapping[int, NodeId]) -> dict[NodeId, Value]:
    return {
        key: Value(entry.value, entry.requires_grad, entry.grad_fn)
        for number, key in ids.items()
        if (entry := log.entries[number]).value is not None and entry.value is not None
    }


def _run_call(index: int, diagram: Diagram, bench: _Workbench) -> Pass:
    """One backward call, where there is something to start from."""
    call = diagram.calls[index]
    if not call.enabled:
        return Pass(call, call.target, grads=_grads(bench))
    target = bench.tensors.get(call.target)
    if target is None and bench.failures:  # which is why there is nothing to start from
        return Pass(call, call.target, error=bench.failures[0])
    if target is None:
        missing = Failure("ValueError", _nothing(call.target), call.line, call.target)
        return Pass(call, call.target, error=missing)
    done = _start(index, target, diagram, bench)
    return replace(done, error=replace(done.error, line=call.line)) if done.error else done


def _nothing(target: NodeId) -> str:
    """Why a call cannot start from what has no value."""
    given = gradient_of(target)
    if given is None:
        return _("{name} has no value, so no gradient can start there.").format(name=target)
    text = _("Pass {n} gives no gradient of {name} to start from: it needs create_graph.")
    return text.format(n=given[0] + 1, name=given[1])


def _start(index: int, target: Tensor, diagram: Diagram, bench: _Workbench) -> Pass:
    """Clear, reduce where asked, go back, and read what was logged."""
    call = diagram.calls[index]
    for leaf in call.clear:
        if leaf in bench.tensors:
            bench.tensors[leaf].grad = None
    log, first = bench.log, len(bench.log.entries)
    ids, root, seed = bench.ids, target, None
    captured: Sequence[Tensor | None] = ()
    count = len(log.backwards)
    try:
        if call.start.kind == "reduction":
            root = reduce(target, call.start)
        elif call.start.kind == "seed":
            seed = Tensor(seed_values(call.start, target._array))
        # Where later calls may go through them their ids are this call's own.
        prefix = f"added{index + 1}" if call.create_graph else "added"
        added, own = _added(log, first, bench.ids, prefix)
        ids = {**bench.ids, **own}
        inputs = None if call.inputs is None else _wanted(call.inputs, bench)
        captured = _go_back(root, seed, call, inputs)
    except Exception as error:  # noqa: BLE001  whatever the call raises is the pass's failure
        if len(log.backwards) == count:  # the reduction itself was refused
            return Pass(call, call.target, error=failure(error, call.line, call.target))
    below = raised.under(diagram, call.target, bench.uppers)
    values = raised.values_of(log, ids, (node.id for node in (*below, *added)))
    done = read_pass(
        log.backwards[-1], call, ids, diagram=diagram, under=below, added=added, values=values
    )
    if call.create_graph and done.error is None:
        upper = _raise_storey(index, diagram, bench, ids, captured, added)
        values |= raised.values_of(log, ids, (node.id for node in upper))
        done = replace(done, upper=upper, values=values)
    return done


def _go_back(
    root: Tensor, seed: Tensor | None, call: BackwardCall, inputs: list[Tensor] | None
) -> Sequence[Tensor | None]:
    """Make the call; the gradients that it gives, where they go to no `.grad`."""
    if call.captures and inputs is not None:
        found: Sequence[Tensor | None] = grad(
            root, inputs, seed, call.retain_graph, call.create_graph, allow_unused=True
        )
        return found
    root.backward(seed, call.retain_graph, call.create_graph, inputs)
    return ()


def _raise_storey(
    index: int,
    diagram: Diagram,
    bench: _Workbench,
    ids: dict[int, NodeId],
    captured: Sequence[Tensor | None],
    added: tuple[Node, ...],
) -> tuple[Node, ...]:
    """Give the nodes that the call made their ids, and its gradients to calls that start there."""
    log, call = bench.log, diagram.calls[index]
    event = log.backwards[-1]
    own = raised.matched(log, event, diagram, index, ids)
    ids |= own
    room = raised.MOST - len(bench.uppers)
    upper = raised.upper_nodes(log, event, index, ids, most=room)
    if call.edited:
        upper = (*upper, *raised.rewired(log, event, index, diagram, ids, own))
    bench.uppers |= {node.id: node for node in (*added, *upper)}
    bench.ids |= ids
    leaves = call.inputs or tuple(key for key, node in diagram.nodes.items() if node.op == LEAF)
    given = captured or tuple(bench.tensors[key].grad for key in leaves if key in bench.tensors)
    present = tuple(key for key in leaves if key in bench.tensors)
    for leaf, gradient in zip(present, given, strict=False):
        if gradient is not None and gradient.requires_grad:
            bench.tensors[gradient_id(index, leaf)] = gradient
            key = ids.get(log.number_of(gradient))
            if key is not None and (call.edited or key not in bench.tensors):
                bench.tensors[key] = gradient
    return upper


def _wanted(inputs: tuple[NodeId, ...], bench: _Workbench) -> list[Tensor]:
    for key in inputs:
        if key not in bench.tensors:
            raise ValueError(
                _("{name} has no value, so no gradient can reach it.").format(name=key)
            )
    return [bench.tensors[key] for key in inputs]


def _grads(bench: _Workbench) -> dict[NodeId, Array]:
    """Every leaf's `.grad` as it is now."""
    return {
        key: grad._array.copy()
        for key, tensor in bench.tensors.items()
        if tensor._node is None and (grad := tensor._grad) is not None
    }


def _added(
    log: Record, first: int, known: Mapping[int, NodeId], prefix: str
) -> tuple[tuple[Node, ...], dict[int, NodeId]]:
    """The entries made since `first` as nodes of their own, with ids that say so."""
    ids: dict[int, NodeId] = {}
    nodes: list[Node] = []
    for entry in log.entries[first:]:
        stem = f"{prefix}:{entry.op}"
        taken = set(ids.values())
        key = stem if stem not in taken else f"{stem}#{len(taken)}"
        ids[entry.number] = key
        every = {**known, **ids}
        nodes.append(
            Node(
                key,
                entry.op,
                tuple(every[number] for number in entry.inputs),
                entry.params,
                data=entry.value if not entry.inputs else None,
                is_number=entry.is_number,
            )
        )
    return tuple(nodes), ids
