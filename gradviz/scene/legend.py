"""`legend`: the kinds of marks in a picture, and the words for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from gradviz.figure import Badge, Kind, LegendEntry
from gradviz.language import N_, _
from gradviz.scene.badges import WORDS, tones

_WORDS: Mapping[Kind, str] = {
    "leaf": N_("leaf"),
    "constant": N_("constant"),
    "op": N_("operation"),
    "reduction": N_("reduction to a scalar"),
    "seed": N_("injected seed"),
}
_ORDER: tuple[Kind, ...] = ("leaf", "constant", "op", "reduction", "seed")


def legend(
    kinds: Collection[Kind], badges: Iterable[tuple[Badge, ...]], added: bool
) -> tuple[LegendEntry, ...]:
    """An entry for each kind of box and badge; an `added` reduction has a word of its own."""
    words = dict(_WORDS)
    if added:
        words["reduction"] = N_("reduction added by gradviz")
    boxes = tuple(LegendEntry(kind, _(words[kind])) for kind in _ORDER if kind in kinds)
    return boxes + tuple(LegendEntry(tone, _(WORDS[tone])) for tone in tones(badges))
