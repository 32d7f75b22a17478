"""Nested tuples, lists and dicts taken apart into their leaves, and put together again."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Spec:
    """The shape of a tree: `kind` is None for a leaf; `context` are a dict's keys."""

    kind: type | None = None
    context: Any = None
    children: tuple[Spec, ...] = ()

    @property
    def count(self) -> int:
        """How many leaves there are."""
        return 1 if self.kind is None else sum(child.count for child in self.children)

    def __repr__(self, indent: int = 0) -> str:
        if self.kind is None:
            return "*"
        head = f"TreeSpec({self.kind.__name__}, {self.context}, ["
        indent += 2
        gap = ",\n" + " " * indent
        return head + gap.join(child.__repr__(indent) for child in self.children) + "])"


LEAF = Spec()


class _Star:
    def __repr__(self) -> str:
        return "*"


def outline(spec: Spec) -> str:
    """The tree with a star for each leaf, as in `(*, {'a': *})`."""
    return repr(rebuild([_Star()] * spec.count, spec))


def _parts(tree: Any) -> tuple[Any, list[Any]] | None:
    """The context and the children of an inner node; None for a leaf."""
    kind = type(tree)
    if kind in (tuple, list):
        return None, list(tree)
    if kind in (dict, OrderedDict):
        return list(tree), list(tree.values())
    if kind is defaultdict:
        return [tree.default_factory, list(tree)], list(tree.values())
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return kind, list(tree)
    return None


def flatten(tree: Any) -> tuple[list[Any], Spec]:
    """The leaves from left to right, and the shape of the tree."""
    parts = _parts(tree)
    if parts is None:
        return [tree], LEAF
    context, children = parts
    leaves: list[Any] = []
    specs = []
    for child in children:
        below, spec = flatten(child)
        leaves += below
        specs.append(spec)
    return leaves, Spec(type(tree), context, tuple(specs))


def rebuild(leaves: Iterable[Any], spec: Spec) -> Any:
    """The tree of that shape with these leaves."""
    return _rebuild(iter(leaves), spec)


def _rebuild(leaves: Iterator[Any], spec: Spec) -> Any:
    kind = spec.kind
    if kind is None:
        return next(leaves)
    children = [_rebuild(leaves, child) for child in spec.children]
    if kind in (tuple, list):
        return kind(children)
    if kind in (dict, OrderedDict):
        return kind(zip(spec.context, children, strict=True))
    if kind is defaultdict:
        return defaultdict(spec.context[0], zip(spec.context[1], children, strict=True))
    return kind(*children)


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """The tree with `function` applied to each leaf."""
    leaves, spec = flatten(tree)
    return rebuild([function(leaf) for leaf in leaves], spec)


def spread(prefix: Any, spec: Spec) -> list[Any] | None:
    """A leaf of `prefix` for each leaf of the tree below it; None where the shapes do not agree."""
    parts = _parts(prefix)
    if parts is None:
        return [prefix] * spec.count
    if type(prefix) is not spec.kind or len(parts[1]) != len(spec.children):
        return None
    if isinstance(prefix, dict) and parts[0] != spec.context:
        return None
    found: list[Any] = []
    for child, below in zip(parts[1], spec.children, strict=True):
        leaves = spread(child, below)
        if leaves is None:
            return None
        found += leaves
    return found
