"""From an engine's recording to a `Diagram` and what its passes did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.record import BackwardEvent, Entry, Record
from gradviz import raised
from gradviz.diagram import BackwardCall, Diagram, Node, NodeId, Start, Upper
from gradviz.run import Cost, Failure, Pass, Step, Value

Ids = Mapping[int, NodeId]


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What a recording says: the diagram, the values, the passes, and the ids of its entries."""

    diagram: Diagram
    values: Mapping[NodeId, Value]
    passes: tuple[Pass, ...]
    ids: Ids

    def failing(self, log: Record, error: BaseException) -> NodeId | None:
        """The node that `error` belongs to: the op that refused, or a backward call's target."""
        for number, refusal in log.refusals:
            if refusal is error:
                return self.ids.get(number)
        for event in log.backwards:
            if event.error is error:
                return self.ids.get(event.target)
        return None


def read(log: Record, *, source: str | None = None) -> Trace:
    """Read a recording: every op that was applied outside a backward pass becomes a node.

    Nodes that a backward call with create_graph made become the diagram's where the program built
    upon them; the others belong to the call's pass.
    """
    entries = _kept(log)
    ids = _ids(entries, log.names)
    where: dict[int, Upper] = {}
    for at, event in enumerate(log.backwards):
        if event.create_graph:
            where |= raised.places(log, event, at, ids)
    nodes = {ids[entry.number]: _node(entry, ids, log, where) for entry in entries}
    values = {
        ids[entry.number]: Value(entry.value, entry.requires_grad, entry.grad_fn)
        for entry in entries
        if entry.value is not None
    }
    calls = tuple(_call(event, ids) for event in log.backwards)
    diagram = Diagram(nodes=nodes, calls=calls, source=source)
    return Trace(diagram, values, _passes(log, diagram, ids), ids)


def _passes(log: Record, diagram: Diagram, ids: dict[int, NodeId]) -> tuple[Pass, ...]:
    """What each backward event did; the nodes that only second storeys have get their ids."""
    passes: list[Pass] = []
    known: dict[NodeId, Node] = {}
    room = raised.MOST
    for at, (event, call) in enumerate(zip(log.backwards, diagram.calls, strict=True)):
        below = raised.under(diagram, call.target, known)
        upper: tuple[Node, ...] = ()
        if event.create_graph and event.error is None:
            upper = raised.upper_nodes(log, event, at, ids, most=room)
            room -= len(upper)
            known |= {node.id: node for node in upper}
        values = raised.values_of(log, ids, (node.id for node in (*below, *upper)))
        done = read_pass(event, call, ids, diagram=diagram, under=below, values=values)
        passes.append(replace(done, upper=upper))
    return tuple(passes)


def _kept(log: Record) -> list[Entry]:
    needed: set[int] = {event.target for event in log.backwards}
    for entry in reversed(log.entries):
        if not entry.in_backward or entry.number in needed:
            needed.add(entry.number)
            needed.update(entry.inputs)
    return [entry for entry in log.entries if entry.number in needed]


def _ids(entries: Sequence[Entry], names: Mapping[int, str]) -> dict[int, NodeId]:
    """Ids that stay the same when other lines of the script change: the name, or op and line."""
    count: Counter[str] = Counter()
    ids: dict[int, NodeId] = {}
    for entry in entries:
        stem = names.get(entry.number) or f"{entry.op}@{entry.line or 0}"
        count[stem] += 1
        ids[entry.number] = stem if count[stem] == 1 else f"{stem}#{count[stem]}"
    return ids


def _node(entry: Entry, ids: Ids, log: Record, where: Mapping[int, Upper]) -> Node:
    source = not entry.inputs and entry.op in ("leaf", "constant")
    return Node(
        id=ids[entry.number],
        op=entry.op,
        inputs=tuple(ids[number] for number in entry.inputs),
        params=entry.params,
        name=log.names.get(entry.number),
        data=entry.value if source else None,
        line=entry.line,
        is_number=entry.is_number,
        no_grad=_without_history(entry, log),
        upper=where.get(entry.number),
    )


def _without_history(entry: Entry, log: Record) -> bool:
    """Whether history could have been kept and was not: the op ran under `no_grad`."""
    return (
        bool(entry.inputs)
        and entry.value is not None
        and entry.value.dtype.kind in "fc"
        and not entry.requires_grad
        and any(log.entries[number].requires_grad for number in entry.inputs)
    )


def _call(event: BackwardEvent, ids: Ids) -> BackwardCall:
    start = Start()
    if not event.implicit:
        start = Start("seed", values=event.seed, name=event.seed_name)
    return BackwardCall(
        target=ids[event.target],
        start=start,
        retain_graph=event.retain_graph,
        create_graph=event.create_graph,
        inputs=None if event.inputs is None else tuple(ids[n] for n in event.inputs if n in ids),
        clear=tuple(ids[number] for number in event.cleared if number in ids),
        line=event.line,
        captures=event.captures,
    )


def read_pass(  # noqa: PLR0913  all that is known of a pass
    event: BackwardEvent,
    call: BackwardCall,
    ids: Ids,
    *,
    diagram: Diagram,
    under: tuple[Node, ...] = (),
    added: tuple[Node, ...] = (),
    values: Mapping[NodeId, Value] | None = None,
) -> Pass:
    """One backward event in terms of node ids; `added` are the nodes of an appended reduction.

    `under` are nodes of earlier calls' second storeys that this one goes through.
    """
    steps = tuple(
        Step(
            ids[s.node],
            s.slot,
            ids[s.input],
            s.upstream,
            s.contribution,
            s.summed,
            s.before,
            s.after,
        )
        for s in event.steps
        if s.node in ids and s.input in ids
    )
    root = ids.get(event.target, call.target)
    whole = diagram
    if under or added:
        whole = replace(diagram, nodes={**diagram.nodes, **{n.id: n for n in (*under, *added)}})
    return Pass(
        call=call,
        root=root,
        added=added,
        under=under,
        values=values or {},
        seed=event.seed,
        steps=steps,
        grads={ids[number]: array for number, array in event.grads.items() if number in ids},
        cost=_cost(event, steps, root, whole),
        error=None if event.error is None else failure(event.error, event.line, call.target),
    )


def _cost(event: BackwardEvent, steps: Sequence[Step], root: NodeId, diagram: Diagram) -> Cost:
    nodes = diagram.ancestors(root)
    edges = sum(source is not None for key in nodes for source in diagram.nodes[key].inputs)
    traffic = sum(step.contribution.nbytes for step in steps)
    if event.seed is not None:
        traffic += event.seed.nbytes
    return Cost(len(nodes), edges, len(steps), event.saved_bytes, traffic)


def failure(error: BaseException, line: int | None, node: NodeId | None) -> Failure:
    """An exception as plain data."""
    return Failure(type(error).__name__, str(error), line, node)
