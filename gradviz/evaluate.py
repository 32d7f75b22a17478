"""`evaluate(diagram) -> Run`: values, and the diagram's backward calls in their order."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from engine.ops import OPS
from engine.record import Record, record
from engine.state import set_grad_enabled
from engine.tensor import Tensor, apply
from gradviz.diagram import LEAF, Array, BackwardCall, Diagram, Node, NodeId
from gradviz.language import _
from gradviz.run import Failure, Pass, Run, Value
from gradviz.starts import reduce, seed_values
from gradviz.trace import failure, read_pass


@dataclass(slots=True)
class _Workbench:
    """Tensors made so far and the entries they stand for."""

    log: Record
    tensors: dict[NodeId, Tensor] = field(default_factory=dict)
    ids: dict[int, NodeId] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)


def evaluate(diagram: Diagram) -> Run:
    """Run a diagram as PyTorch would: forward once, then each backward call with its flags.

    A node that lacks an input, and what depends on it, has no value; an op or a call that raises
    is a `Failure`, and the rest goes on. The first failure is the run's error.
    """
    with warnings.catch_warnings(), record() as log:
        warnings.simplefilter("ignore")
        bench = _Workbench(log)
        for node in diagram.nodes.values():
            _make(node, bench)
        passes = tuple(_run_call(call, diagram, bench) for call in diagram.calls)
        values = _values(log, bench.ids)
    for done in passes:
        if done.error is not None:
            bench.failures.append(done.error)
    return Run(values, passes, error=bench.failures[0] if bench.failures else None)


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
        bench.failures.append(failure(error, node.line, node.id))
        return
    bench.tensors[node.id] = made
    bench.ids[bench.log.number_of(made)] = node.id


def _values(log: Record, ids: Mapping[int, NodeId]) -> dict[NodeId, Value]:
    return {
        key: Value(entry.value, entry.requires_grad, entry.grad_fn)
        for number, key in ids.items()
        if (entry := log.entries[number]).value is not None and entry.value is not None
    }


def _run_call(call: BackwardCall, diagram: Diagram, bench: _Workbench) -> Pass:
    """One backward call: clear, reduce where asked, go back, and read what was logged."""
    if not call.enabled:
        return Pass(call, call.target, grads=_grads(bench))
    target = bench.tensors.get(call.target)
    if target is None and bench.failures:  # which is why there is nothing to start from
        return Pass(call, call.target, error=bench.failures[0])
    if target is None:
        sentence = _("{name} has no value, so no gradient can start there.")
        missing = Failure("ValueError", sentence.format(name=call.target), call.line, call.target)
        return Pass(call, call.target, error=missing)
    for leaf in call.clear:
        if leaf in bench.tensors:
            bench.tensors[leaf].grad = None
    log, first = bench.log, len(bench.log.entries)
    ids, root, seed = bench.ids, target, None
    count = len(log.backwards)
    try:
        if call.start.kind == "reduction":
            root = reduce(target, call.start)
        elif call.start.kind == "seed":
            seed = Tensor(seed_values(call.start, target._array))
        added, own = _added(log, first, bench.ids)
        ids = {**bench.ids, **own}
        inputs = None if call.inputs is None else _wanted(call.inputs, bench)
        root.backward(seed, call.retain_graph, call.create_graph, inputs)
    except Exception as error:  # noqa: BLE001  whatever the call raises is the pass's failure
        if len(log.backwards) == count:  # the reduction itself was refused
            return Pass(call, call.target, error=failure(error, call.line, call.target))
    values = {key: value for key, value in _values(log, ids).items() if key not in diagram.nodes}
    done = read_pass(log.backwards[-1], call, ids, diagram=diagram, added=added, values=values)
    return replace(done, error=replace(done.error, line=call.line)) if done.error else done


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
    log: Record, first: int, known: Mapping[int, NodeId]
) -> tuple[tuple[Node, ...], dict[int, NodeId]]:
    """The entries made since `first` as nodes of their own, with ids that say so."""
    ids: dict[int, NodeId] = {}
    nodes: list[Node] = []
    for entry in log.entries[first:]:
        stem = f"added:{entry.op}"
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
