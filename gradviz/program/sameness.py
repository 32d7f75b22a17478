"""Whether two diagrams are the same computation: ids, positions and fresh names aside."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import BackwardCall, Diagram, Node, NodeId

Array = npt.NDArray[Any]
# Parameters that no call of PyTorch's says: whence a squeeze came, whether a solution is checked.
_UNSAID = frozenset({"kind", "check"})


def difference(one: Diagram, other: Diagram) -> str | None:
    """Where the second differs from the first; None where it does not.

    The order of ops is compared, that of sources is not; a source that nothing uses is none. The
    second may name nodes that have no name in the first.
    """
    names = {node.name for node in one.nodes.values()} - {None}
    left, right = list(_kept(one, names)), list(_kept(other, names))
    if [n.op for n in left] != [n.op for n in right]:
        return f"ops {[n.op for n in left]} and {[n.op for n in right]}"
    twin: dict[NodeId, NodeId] = {}
    for a, b in zip(left, right, strict=True):
        found = _nodes(a, b, one, other, twin)
        if found is not None:
            return f"{a.id} and {b.id}: {found}"
        twin[a.id] = b.id
    return _calls(one, other, twin)


def _kept(diagram: Diagram, names: Collection[str | None]) -> Iterator[Node]:
    """The ops that matter: not one without any of these names whose result nothing uses."""
    users = diagram.consumers()
    ends = {key for call in diagram.calls for key in (call.target, *(call.inputs or ()))}
    gone: set[NodeId] = set()
    for node in reversed(list(diagram.nodes.values())):
        used = any(user not in gone for user, _slot in users[node.id])
        if not used and node.id not in ends and node.name not in names and not node.is_source:
            gone.add(node.id)
    return (n for n in diagram.nodes.values() if not n.is_source and n.id not in gone)


def keeps_history(node: Node) -> bool:
    """Whether the op could keep history: a comparison or a rounding to integers never does."""
    from engine.ops import OPS

    return node.op not in OPS or any(OPS[node.op].reaches(slot) for slot in range(len(node.inputs)))


def _nodes(
    a: Node, b: Node, one: Diagram, other: Diagram, twin: dict[NodeId, NodeId]
) -> str | None:
    if a.name is not None and a.name != b.name:
        return f"named {a.name} and {b.name}"
    if a.no_grad != b.no_grad and keeps_history(a):
        return "only one is without history"
    if not equal_params(a.params, b.params):
        return f"parameters {dict(a.params)} and {dict(b.params)}"
    if len(a.inputs) != len(b.inputs):
        return "different numbers of inputs"
    for key, its in zip(a.inputs, b.inputs, strict=True):
        found = _inputs(key, its, one, other, twin)
        if found is not None:
            return found
    return None


def _inputs(
    key: NodeId | None,
    its: NodeId | None,
    one: Diagram,
    other: Diagram,
    twin: dict[NodeId, NodeId],
) -> str | None:
    if key is None or its is None:
        return None if key is its else "an empty slot"
    if key not in twin:
        found = _sources(one.nodes[key], other.nodes[its])
        if found is not None:
            return found
        if not one.nodes[key].is_number:
            twin[key] = its
        return None
    return None if twin[key] == its else f"input {key} and {its}"


def _sources(a: Node, b: Node) -> str | None:
    if a.op != b.op or a.is_number != b.is_number:
        return f"source {a.op} {a.is_number} and {b.op} {b.is_number}"
    if a.name is not None and a.name != b.name:
        return f"source named {a.name} and {b.name}"
    if a.is_number and _number(a.data) == _number(b.data):
        return None
    return None if same_bits(a.data, b.data) else f"data {a.data!r} and {b.data!r}"


def _number(data: Array | None) -> str:
    """A Python number, whatever dtype it was brought to beside a tensor."""
    if data is None:
        return ""
    return repr(data.astype(np.complex64 if data.dtype.kind == "c" else np.float32)[()])


def same_bits(a: Array | None, b: Array | None) -> bool:
    """Whether two arrays are the same to the last bit; all nan count as one."""
    if a is None or b is None:
        return a is b
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.tobytes() == b.tobytes():
        return True
    nan = a.dtype.kind in "fc" and np.isnan(a)
    return (
        bool(np.all(nan == np.isnan(b)) and a[~nan].tobytes() == b[~nan].tobytes())
        if (np.any(nan))
        else False
    )


def equal_params(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Whether parameters are the same; one that is None counts as not given."""
    names = {name for name in (*a, *b) if a.get(name) is not None or b.get(name) is not None}
    names -= _UNSAID
    return all(_equal(a.get(name), b.get(name)) for name in names)


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return same_bits(np.asarray(a), np.asarray(b))
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(_equal(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return equal_params(a, b)
    if isinstance(a, float) and a != a:
        return isinstance(b, float) and b != b
    return bool(a == b)


def _calls(one: Diagram, other: Diagram, twin: Mapping[NodeId, NodeId]) -> str | None:
    if len(one.calls) != len(other.calls):
        return f"{len(one.calls)} and {len(other.calls)} backward calls"
    for at, (a, b) in enumerate(zip(one.calls, other.calls, strict=True)):
        found = _call(a, b, twin)
        if found is not None:
            return f"call {at + 1}: {found}"
    return None


def _call(a: BackwardCall, b: BackwardCall, twin: Mapping[NodeId, NodeId]) -> str | None:
    if twin.get(a.target, b.target) != b.target:
        return f"target {a.target} and {b.target}"
    for flag in ("retain_graph", "create_graph", "gives"):
        if getattr(a, flag) != getattr(b, flag):
            return flag
    if a.start.kind != b.start.kind or not same_bits(a.start.values, b.start.values):
        return f"start {a.start} and {b.start}"
    for x, y in ((a.inputs, b.inputs), (a.clear, b.clear)):
        if (x is None) != (y is None) or {twin.get(k, k) for k in x or ()} != {*(y or ())}:
            return f"leaves {x} and {y}"
    return None


def computes_the_same(
    one: Diagram,
    other: Diagram,
    *,
    as_far: bool = False,
    more: bool = False,
    numbers: bool = True,
) -> bool:
    """Whether the two differ in no more than the order of independent ops and in fresh names.

    `as_far`: the second is a program that raises in its last call; what comes later it lacks.
    `more`: the second may go on where the first ends. Not `numbers`: those of tensors are not
    compared, nor those of seeds.
    """
    names = {node.name for node in one.nodes.values()} - {None}
    if not numbers:
        one, other = _blank(one), _blank(other)
    left, right = _keys(one, names), _keys(other, names)
    wanted, found = (Counter(_counted(d, names, k)) for d, k in ((one, left), (other, right)))
    if as_far:
        one = replace(one, calls=one.calls[: len(other.calls)])
        if not found <= wanted:
            return False
    elif more:
        other = replace(other, calls=other.calls[: len(one.calls)])
        if not wanted <= found or len(one.calls) != len(other.calls):
            return False
    elif wanted != found or len(one.calls) != len(other.calls):
        return False
    pairs = zip(one.calls, other.calls, strict=True)
    return all(_call(_known(a, left), _known(b, right), {}) is None for a, b in pairs)


def _blank(diagram: Diagram) -> Diagram:
    """The diagram with nothing in its tensors."""
    nodes = {
        key: node if node.data is None or node.is_number else replace(node, data=node.data * 0)
        for key, node in diagram.nodes.items()
    }
    calls = (replace(c, start=replace(c.start, values=None, preset=None)) for c in diagram.calls)
    return replace(diagram, nodes=nodes, calls=tuple(calls))


def _counted(
    diagram: Diagram, names: Collection[str | None], keys: Mapping[NodeId, str]
) -> Iterator[str]:
    return (keys[node.id] for node in _kept(diagram, names))


def _known(call: BackwardCall, keys: Mapping[NodeId, str]) -> BackwardCall:
    """The call, its nodes called by what they compute."""

    def renamed(ids: tuple[NodeId, ...]) -> tuple[NodeId, ...]:
        return tuple(keys.get(key, key) for key in ids)

    return replace(
        call,
        target=keys.get(call.target, call.target),
        inputs=None if call.inputs is None else renamed(call.inputs),
        clear=renamed(call.clear),
    )


def _keys(diagram: Diagram, names: Collection[str | None]) -> dict[NodeId, str]:
    """For each node what it computes, as a short text that two nodes share only if they agree."""
    found: dict[NodeId, str] = {}
    for node in diagram.nodes.values():
        hashed = hashlib.sha256()
        params = {k: v for k, v in node.params.items() if v is not None and k not in _UNSAID}
        parts = [
            node.op,
            node.name if node.name in names else None,
            node.is_number,
            node.no_grad and keeps_history(node),
            [found.get(key or "") for key in node.inputs],
            sorted((name, _plain(item)) for name, item in params.items()),
        ]
        hashed.update(repr(parts).encode())
        if node.is_number:
            hashed.update(_number(node.data).encode())
        elif node.data is not None:
            hashed.update(f"{node.data.dtype}{node.data.shape}".encode())
            hashed.update(node.data.tobytes())
        found[node.id] = hashed.hexdigest()
    return found


def _plain(item: Any) -> str:
    if isinstance(item, np.ndarray):
        return f"{item.dtype}{item.shape}{item.tobytes()!r}"
    if isinstance(item, (tuple, list)):
        return f"({', '.join(map(_plain, item))})"
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        return repr(float(item))
    return repr(item)
