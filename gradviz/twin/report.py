"""Comparisons and the dictionary as the JSON documents of `gradviz compare --json`."""

from __future__ import annotations

from typing import Any

from gradviz.report import VERSION, Writer
from gradviz.seeds.starts import REDUCTIONS
from gradviz.twin.comparing import Comparison, Pair, Side
from gradviz.twin.dictionary import Dictionary, Translation
from gradviz.twin.facts import extra_nodes, mechanism, used_for
from gradviz.twin.timing import timing

Json = Any


def of_comparison(both: Comparison, *, full: bool = False) -> dict[str, Json]:
    """A reduction and the seed that equals it."""
    found = of_pair(both.pair, reduction=both.name, full=full)
    write = Writer(full)
    return found | {"kind": "equal", "reduction": both.name, "seed": write.array(both.seed)}


def of_pair(pair: Pair, *, reduction: str | None = None, full: bool = False) -> dict[str, Json]:
    """Any two starts or calls. `reduction` is that of the script on the left, if any."""
    write = Writer(full)
    left, right = pair.left.done.grads, pair.right.done.grads
    return {
        "gradviz": VERSION,
        "kind": "pair",
        "source": pair.source,
        "left": _side(pair.left, pair, reduction, write),
        "right": _side(pair.right, pair, None, write),
        "leaves": [
            {
                "id": leaf,
                "left": write.array(left.get(leaf)),
                "right": write.array(right.get(leaf)),
                "difference": write.param(difference),
            }
            for leaf, difference in pair.differences.items()
        ],
        "nodes": {key: write.param(item) for key, item in pair.nodes().items()},
        "largest": write.param(pair.largest),
        "scale": pair.scale,
    }


def _side(side: Side, pair: Pair, reduction: str | None, write: Writer) -> dict[str, Json]:
    done, measured = side.done, timing(side, pair.source)
    cost = done.cost
    return {
        "title": side.title,
        "mechanism": mechanism(side, pair.source),
        "used_for": used_for(done.call.start, reduction),
        "start": {
            "kind": done.call.start.kind,
            "reduction": done.call.start.reduction,
            "seed": write.array(done.seed),
        },
        "extra": [{"id": node.id, "op": node.op} for node in extra_nodes(side, pair.source)],
        "cost": {
            "nodes": cost.nodes,
            "edges": cost.edges,
            "steps": cost.steps,
            "saved_bytes": cost.saved_bytes,
            "gradient_bytes": cost.gradient_bytes,
        },
        "time": None
        if measured is None
        else {"seconds": measured.seconds, "repeats": measured.repeats},
    }


def of_dictionary(found: Dictionary, *, full: bool = False) -> dict[str, Json]:
    """Every reduction with its seed."""
    write = Writer(full)
    return {
        "gradviz": VERSION,
        "kind": "dictionary",
        "source": found.source,
        "value": write.array(found.y),
        "rows": [_row(row, write) for row in found.rows],
    }


def _row(row: Translation, write: Writer) -> dict[str, Json]:
    known = REDUCTIONS[row.name]
    return {
        "reduction": row.name,
        "formula": known.text,
        "seed_formula": known.seed_text,
        "value": write.array(row.value),
        "seed": write.array(row.seed),
        "scale": row.scale,
        "grads": {leaf: write.array(array) for leaf, array in row.grads.items()},
        "largest": write.param(row.largest),
        "problem": row.problem or None,
    }
