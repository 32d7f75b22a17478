"""Names of nodes: legal in Python, each given once; and ids for new nodes."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection
from dataclasses import replace

from gradviz.diagram import Diagram, NodeId
from gradviz.edit.outcome import Refusal, missing
from gradviz.language import _

# What the written programs call their libraries and functions.
TAKEN = frozenset({"torch", "np", "numpy", "jax", "jnp", "math", "print"})
MAX_LENGTH = 64


def rename(diagram: Diagram, key: NodeId, name: str) -> Diagram | Refusal:
    """Give a node another name; without one it is called by its expression."""
    wrong = missing(diagram, key)
    if wrong is not None:
        return wrong
    wanted, node = name.strip() or None, diagram.nodes[key]
    if wanted == node.name:
        return diagram
    reason = None if wanted is None else name_problem(diagram, wanted, but=key)
    if reason is not None:
        return Refusal(reason, key)
    return replace(diagram, nodes={**diagram.nodes, key: replace(node, name=wanted)})


def name_problem(diagram: Diagram, name: str, *, but: NodeId | None = None) -> str | None:
    """Why a name cannot be given to a node (`but`: the one that has it already), if so."""
    if len(name) > MAX_LENGTH:
        return _("The name is longer than {count} characters.").format(count=MAX_LENGTH)
    if not name.isidentifier():
        return _(
            "“{name}” is not a name in Python: use letters, digits and _, not beginning with a "
            "digit."
        ).format(name=name)
    if keyword.iskeyword(name):
        return _("“{name}” is a word of Python's own.").format(name=name)
    if name in TAKEN:
        return _("“{name}” stands for something else in the written programs.").format(name=name)
    if any(node.name == name and key != but for key, node in diagram.nodes.items()):
        return _("“{name}” is the name of another node.").format(name=name)
    if name in _seeds(diagram):
        return _("“{name}” is the name of a seed.").format(name=name)
    return None


def _seeds(diagram: Diagram) -> set[str]:
    return {call.start.name for call in diagram.calls if call.start.name}


def taken_names(diagram: Diagram) -> set[str]:
    """The names that no new node can have."""
    return {node.name for node in diagram.nodes.values() if node.name} | _seeds(diagram) | TAKEN


def free_name(taken: Collection[str], stem: str) -> str:
    """The stem, or the stem with a number, that is not taken yet."""
    if stem not in taken:
        return stem
    return _numbered(taken, re.sub(r"_?\d+$", "", stem) or stem)


def free_id(ids: Collection[str], stem: str) -> str:
    """The stem, or the stem with a number, that is none of the ids."""
    if stem not in ids:
        return stem
    return _numbered(ids, f"{stem.partition('#')[0]}#")


def _numbered(taken: Collection[str], stem: str) -> str:
    """The stem with a number from 2 on that is free, right after one that is not.

    Found by halving: a diagram may have thousands of one stem.
    """
    low, high = 1, 2
    while f"{stem}{high}" in taken:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if f"{stem}{middle}" in taken else (low, middle)
    return f"{stem}{high}"


_LETTERS = ("x", "y", "z", "a", "b", "c", "u", "w")


def leaf_name(diagram: Diagram) -> str:
    """A name for a new leaf: a letter that is free, else one with a number."""
    taken = taken_names(diagram)
    return next((name for name in _LETTERS if name not in taken), free_name(taken, "x"))
