"""Reduction and seed, two names of one thing: a backward call the other way, and compared."""

from __future__ import annotations

from gradviz.seeds.starts import REDUCTIONS
from gradviz.twin.comparing import Comparison, Pair, Side, compare, compare_calls, compare_starts
from gradviz.twin.reading import Reading, as_reduction, reading_of, reduction_of
from gradviz.twin.typed import parse_start
from gradviz.twin.ways import Sides, side_by_side

__all__ = [
    "REDUCTIONS",
    "Comparison",
    "Pair",
    "Reading",
    "Side",
    "Sides",
    "as_reduction",
    "compare",
    "compare_calls",
    "compare_starts",
    "parse_start",
    "reading_of",
    "reduction_of",
    "side_by_side",
]
