"""The palette: which ops may be added, and which of them fit a wire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from gradviz.diagram import CONSTANT
from gradviz.edit.entry import Entry
from gradviz.edit.palette import ENTRIES
from gradviz.language import N_, _

FAMILIES: Mapping[str, str] = {
    "sources": N_("Values"),
    "arithmetic": N_("Arithmetic"),
    "reduction": N_("Reduction"),
    "linalg": N_("Linear algebra"),
    "exponential": N_("Powers and logarithms"),
    "trigonometric": N_("Trigonometry"),
    "rounding": N_("Rounding and sign"),
    "activation": N_("Activation"),
    "loss": N_("Losses"),
    "layers": N_("Layers"),
    "shape": N_("Shape"),
    "index": N_("Selection"),
    "compare": N_("Comparison and logic"),
    "groups": N_("Several nodes"),
    "special": N_("Special functions"),
    "complex": N_("Complex numbers"),
}


def family_title(family: str) -> str:
    """The name of a family in the current language."""
    return _(FAMILIES[family])


@cache
def entries() -> tuple[Entry, ...]:
    """All of them, by family."""
    order = list(FAMILIES)
    return tuple(sorted(ENTRIES, key=lambda entry: order.index(entry.family)))


@cache
def _by_id() -> Mapping[str, Entry]:
    return {entry.id: entry for entry in ENTRIES}


@cache
def _by_row() -> Mapping[str, Entry]:
    single = (entry for entry in ENTRIES if not entry.steps)
    return {row: entry for entry in single for row in entry.rows or (entry.id,)}


def entry(name: str) -> Entry | None:
    """The entry of this id."""
    return _by_id().get(name)


def entry_of(op: str) -> Entry | None:
    """The entry that a node's op belongs to; None for an op that is not in the palette."""
    return _by_row().get(op)


def accepting() -> Iterator[Entry]:
    """What a wire from some node's output can lead into."""
    return (entry for entry in entries() if not entry.is_source)


def giving(kind: str = "") -> Iterator[Entry]:
    """What can give a wire to an open input; with `kind` "index", "mask": integers, booleans."""
    for entry in entries():
        if kind == "mask" and not (entry.family == "compare" or entry.id == CONSTANT):
            continue
        if kind == "index" and entry.id not in (CONSTANT, "argmax", "argmin"):
            continue
        yield entry


def kind_of(op: str, slot: int) -> str:
    """What a slot wants: "index" or "mask", else "" for any numbers."""
    found = entry_of(op)
    name = found.slot_name(slot) if found else ""
    if name in ("index", "indices", "target"):
        return "index"
    return "mask" if name in ("mask", "condition") else ""
