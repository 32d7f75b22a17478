"""Milliseconds of single edits on a large diagram; a frame of 60 in a second leaves 16.7.

    python -m tests.bench.editing [NODES]

The edits alone: what is drawn and computed afterwards is measured elsewhere. The last column is the
time as a share of the time to copy the dictionary of nodes, which every edit of a node does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gradviz.diagram import BackwardCall, Diagram, Node
from gradviz.edit import align, calls, clip, fit, healing, leaves, names, nodes, wires
from gradviz.edit.order import would_cycle
from gradviz.edit.search import search
from tests.bench.timing import seconds


def large(count: int) -> Diagram:
    """Layers of ops, each of two of the nodes shortly before it."""
    rng = np.random.default_rng(0)
    made = [Node(f"x{at}", "leaf", data=np.ones(4, np.float32), name=f"x{at}") for at in range(20)]
    for at in range(20, count):
        one, other = (made[at - 1 - int(back)].id for back in rng.integers(0, 20, 2))
        made.append(Node(f"n{at}", ("add", "mul", "maximum")[at % 3], (one, other), name=f"n{at}"))
    places = {node.id: (170.0 * (at // 20), 90.0 * (at % 20)) for at, node in enumerate(made)}
    return Diagram({node.id: node for node in made}, (BackwardCall(made[-1].id),), positions=places)


def edits(diagram: Diagram) -> dict[str, Callable[[], Any]]:
    """What is timed, by name."""
    keys = list(diagram.nodes)
    middle, last = keys[len(keys) // 2], keys[-1]
    apart = diagram.put(Node("late", "exp", ("x0",)))
    boxes = {key: (*at, 148.0, 70.0) for key, at in diagram.positions.items()}
    some = keys[100:150]
    text = clip.copy(diagram, some)
    assert isinstance(text, str)
    would_cycle(diagram, middle, last)
    return {
        "add a node": lambda: nodes.add(diagram, "tanh", at=(0.0, 0.0), sources=[middle]),
        "insert on a wire": lambda: nodes.add(diagram, "tanh", wire=(middle, 0), insert=True),
        "connect": lambda: wires.connect(diagram, "x0", last, 1),
        "connect, nodes change places": lambda: wires.connect(apart, "late", middle, 0),
        "connect, refused as a loop": lambda: wires.connect(diagram, last, keys[30], 0),
        "would it close a loop": lambda: would_cycle(diagram, middle, last),
        "the same, a new diagram": lambda: would_cycle(replace(diagram), middle, last),
        "reroute": lambda: wires.reroute(diagram, middle, "x0"),
        "delete 50": lambda: healing.delete(diagram, some),
        "delete and heal 50": lambda: healing.heal(diagram, some),
        "duplicate 50": lambda: nodes.duplicate(diagram, some),
        "copy 50": lambda: clip.copy(diagram, some),
        "paste 50": lambda: clip.paste(diagram, text),
        "rename": lambda: names.rename(diagram, middle, "loss"),
        "type a value": lambda: leaves.set_text(diagram, "x0", "[1, 2, 3, 4]"),
        "add a call": lambda: calls.add(diagram, middle),
        "snap while dragging": lambda: align.snap(boxes[middle], boxes.values()),
        "search the palette": lambda: search("softmax dim"),
        "make all fit": lambda: fit.fitted(diagram),
    }


def main(count: int) -> None:
    diagram = large(count)
    unit = seconds(lambda: dict(diagram.nodes))
    print(f"{count} nodes; copying their dictionary takes {unit * 1e3:.3f} ms")
    for name, work in edits(diagram).items():
        spent = seconds(work, rounds=5)
        print(f"{name:32}{spent * 1e3:9.3f} ms{spent / unit:9.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
