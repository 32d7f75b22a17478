"""What an edit changed: nodes, names and backward calls of two diagrams of the same ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gradviz.diagram import BackwardCall, Diagram, Node, NodeId
from gradviz.program.sameness import equal_params, same_bits


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """`touched` are nodes of both diagrams that differ in more than a name that both have.

    `calls` pairs the calls of the two: (before, after), None where there is no such call.
    """

    touched: frozenset[NodeId]
    added: tuple[NodeId, ...]
    removed: frozenset[NodeId]
    renamed: Mapping[str, str]
    calls: tuple[tuple[BackwardCall | None, BackwardCall | None], ...]


def are_numbers_only(before: Diagram, after: Diagram) -> bool:
    """Whether nothing but numbers of named sources changed, their shapes and dtypes kept."""
    found = changes(before, after)
    pairs = [(before.nodes[key], after.nodes[key]) for key in found.touched]
    same = not (found.added or found.removed or found.renamed) and all(
        old is not None and new is not None and not is_changed(old, new) for old, new in found.calls
    )
    return same and all(
        old.op == new.op
        and old.is_source
        and old.name is not None
        and old.data is not None
        and new.data is not None
        and (old.data.dtype, old.data.shape) == (new.data.dtype, new.data.shape)
        for old, new in pairs
    )


def changes(before: Diagram, after: Diagram) -> Changes:
    old, new = before.nodes, after.nodes
    common = [key for key in new if key in old]
    names = {key: (old[key].name, new[key].name) for key in common}
    return Changes(
        touched=frozenset(key for key in common if _differs(old[key], new[key])),
        added=tuple(key for key in new if key not in old),
        removed=frozenset(key for key in old if key not in new),
        renamed={a: b for a, b in names.values() if a is not None and b is not None and a != b},
        calls=tuple(_paired(before.calls, after.calls)),
    )


def _differs(old: Node, new: Node) -> bool:
    return (
        (old.op, old.inputs, old.is_number, old.no_grad)
        != (new.op, new.inputs, new.is_number, new.no_grad)
        or (old.name is None) != (new.name is None)
        or not (old.params is new.params or equal_params(old.params, new.params))
        or not (old.data is new.data or same_bits(old.data, new.data))
    )


def _paired(
    before: tuple[BackwardCall, ...], after: tuple[BackwardCall, ...]
) -> list[tuple[BackwardCall | None, BackwardCall | None]]:
    """Each call with what it was: the same one, or one that stands on the same line."""
    left = list(before)
    pairs: list[tuple[BackwardCall | None, BackwardCall | None]] = []
    for call in after:
        found = next((old for old in left if old is call), None)
        if found is None and call.line is not None:
            found = next((old for old in left if old.line == call.line), None)
        if found is not None:
            left.remove(found)
        pairs.append((found, call))
    return [*pairs, *((old, None) for old in left)]


def same_start(one: BackwardCall, other: BackwardCall) -> bool:
    """Whether two calls start alike."""
    a, b = one.start, other.start
    return (
        (a.kind, a.reduction, a.preset, a.index) == (b.kind, b.reduction, b.preset, b.index)
        and same_bits(a.values, b.values)
    )  # fmt: skip


def is_changed(one: BackwardCall, other: BackwardCall) -> bool:
    """Whether a call says anything else than it did."""
    fields = ("target", "retain_graph", "create_graph", "inputs", "clear", "enabled", "gives")
    return not same_start(one, other) or any(
        getattr(one, name) != getattr(other, name) for name in fields
    )
