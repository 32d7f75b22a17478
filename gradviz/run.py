"""`Run`: everything that happened when a diagram or a script was run, as one immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy.typing as npt

from gradviz.diagram import BackwardCall, Node, NodeId

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Failure:
    """An error as Python would name it: class name, text, and the line and node it belongs to.

    `traceback` is the text that Python would print for it, the last line included.
    """

    type: str
    message: str
    line: int | None = None
    node: NodeId | None = None
    traceback: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Printed:
    """A piece of output: what `print` wrote, or a warning (stream "stderr")."""

    text: str
    line: int | None = None
    stream: Literal["stdout", "stderr"] = "stdout"


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A node's result: its array, and what autograd says of it."""

    array: Array
    requires_grad: bool = False
    grad_fn: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What one edge of the reverse pass carries: `node` sends `contribution` into `input`.

    `upstream` is the complete cotangent of `node`; `summed` the axes summed away because the
    forward op broadcast; `before` is the cotangent of `input` so far (None: first arrival).
    """

    node: NodeId
    slot: int
    input: NodeId
    upstream: Array
    contribution: Array
    summed: tuple[int, ...]
    before: Array | None
    after: Array


@dataclass(frozen=True, slots=True)
class Cost:
    """What a pass took: its graph's nodes and edges, steps, and bytes.

    `saved_bytes`: arrays kept from the forward computation for this pass, each buffer counted
    once. `gradient_bytes`: the seed and every contribution that travelled along an edge.
    """

    nodes: int
    edges: int
    steps: int
    saved_bytes: int
    gradient_bytes: int


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """One backward call as it ran.

    `root` is the node that the cotangent starts from: the call's target, or the last of the
    nodes `added` to reduce it. `seed` is the cotangent placed there. `grads` is every leaf's
    `.grad` after this call (no key: it is None).

    `upper` are the nodes that the call made with create_graph and on which the program does not
    build, `under` those of earlier calls that this one starts from or goes through. `values` holds
    the results of all nodes that the diagram itself does not have: under, added, upper.
    """

    call: BackwardCall
    root: NodeId
    added: tuple[Node, ...] = ()
    values: Mapping[NodeId, Value] = field(default_factory=dict)
    seed: Array | None = None
    steps: tuple[Step, ...] = ()
    grads: Mapping[NodeId, Array] = field(default_factory=dict)
    cost: Cost = field(default_factory=lambda: Cost(0, 0, 0, 0, 0))
    error: Failure | None = None
    under: tuple[Node, ...] = ()
    upper: tuple[Node, ...] = ()

    @property
    def beyond(self) -> tuple[Node, ...]:
        """The nodes that take part and are not the diagram's own, inputs before their users."""
        return (*self.under, *self.added, *self.upper)

    def cotangents(self, position: int | None = None) -> dict[NodeId, Array]:
        """The cotangent of each node once `position` steps are done (None: all of them)."""
        found: dict[NodeId, Array] = {}
        if self.seed is not None:
            found[self.root] = self.seed
        steps = self.steps if position is None else self.steps[:position]
        found.update((step.input, step.after) for step in steps)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Values of all nodes, the passes, what was printed, and the error that ended it, if any.

    `fitted` are nodes of a diagram drawn by hand as they were run, where their inputs made them
    other ones than they are drawn as: see `gradviz.edit.fit`.
    """

    values: Mapping[NodeId, Value] = field(default_factory=dict)
    passes: tuple[Pass, ...] = ()
    console: tuple[Printed, ...] = ()
    error: Failure | None = None
    fitted: Mapping[NodeId, Node] = field(default_factory=dict)

    def value(self, key: NodeId | None) -> Value | None:
        """The value of a node of the diagram, or of one that a pass made."""
        places = (self.values, *(done.values for done in self.passes))
        return next((found[key] for found in places if key in found), None) if key else None
