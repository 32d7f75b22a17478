"""`Diagram`: a tensor computation and its backward calls, as one immutable value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy.typing as npt

from gradviz.language import _

Array = npt.NDArray[Any]
NodeId = str
Point = tuple[float, float]
Rect = tuple[float, float, float, float]  # left, top, width, height

LEAF, CONSTANT = "leaf", "constant"


@dataclass(frozen=True, slots=True)
class Upper:
    """Where a node stands that a backward call with create_graph made: in a second storey.

    `call` counts backward calls from 0. `origin` is the node of the storey below at which the node
    was made, by its pullback or as the sum of what reached it; `gradient` the node whose cotangent
    it is. They are None where that is not known, or nothing.
    """

    call: int
    origin: NodeId | None = None
    gradient: NodeId | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A source (`op` is "leaf" or "constant", with `data`) or an application of an engine op.

    `inputs` are the ids of the nodes that fill the op's slots, in order; None is an empty slot.
    `params` are the op's keyword parameters. `line` is the source line that made the node.
    """

    id: NodeId
    op: str
    inputs: tuple[NodeId | None, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    name: str | None = None
    data: Array | None = None
    line: int | None = None
    is_number: bool = False  # a Python number taking part in an op, as the 3 of `3 * x`
    no_grad: bool = False  # applied without keeping history
    upper: Upper | None = None  # None: the program itself made it

    @property
    def is_source(self) -> bool:
        return self.op in (LEAF, CONSTANT)


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """How a backward pass begins.

    kind "implicit": no seed given, allowed where the target has one element.
    kind "reduction": nodes appended to the target make it a scalar; `reduction` is a key of
    `gradviz.twin.REDUCTIONS` ("sum", "mean", "weighted", "component", "norm", "logsumexp", "max"…).
    kind "seed": `values` has the target's shape and is its cotangent.
    `values` also holds the weights of a "weighted" reduction. `preset` says how a seed was made
    ("ones", "1/N", "onehot:3", "random:7", "normal:7"), so that it can be made anew when the shape
    changes; "onehot:3" and a "component" reduction's `index` count elements in row-major order.
    """

    kind: Literal["implicit", "reduction", "seed"] = "implicit"
    reduction: str | None = None
    values: Array | None = None
    preset: str | None = None
    index: int = 0
    name: str | None = None  # the variable that held the seed in the script


@dataclass(frozen=True, slots=True, eq=False)
class BackwardCall:
    """One backward call: where it starts, by what, and with which of PyTorch's flags.

    `clear` names the leaves whose `.grad` is cleared just before the call.
    `edited` is true where the user chose the start, and it is not the script's own.
    A call that is not `enabled` stays in its place and is not run. With `captures` it is
    `torch.autograd.grad`, which gives the gradients of `inputs` and leaves every `.grad` alone.
    The target may be a gradient that an earlier call with create_graph gives: see
    `gradviz.storeys.gradient_id`.
    """

    target: NodeId
    start: Start = field(default_factory=Start)
    retain_graph: bool = False
    create_graph: bool = False
    inputs: tuple[NodeId, ...] | None = None
    clear: tuple[NodeId, ...] = ()
    line: int | None = None
    edited: bool = False
    enabled: bool = True
    captures: bool = False

    @property
    def cleared(self) -> tuple[NodeId, ...]:
        """The leaves whose `.grad` is cleared, which a call that is not run leaves alone."""
        return self.clear if self.enabled else ()

    @property
    def gives(self) -> bool:
        """Whether it is run as `torch.autograd.grad`: one that names no inputs cannot be."""
        return self.captures and self.inputs is not None

    def without(self, gone: Collection[NodeId]) -> BackwardCall | None:
        """The call when these nodes are gone; None where it has nothing to start from or to give.

        One that named them all as its inputs fills the `.grad` of every leaf then, unless it
        captures: PyTorch takes no call with an empty list of inputs.
        """
        inputs = tuple(key for key in self.inputs or () if key not in gone)
        if self.target in gone or (self.captures and self.inputs and not inputs):
            return None
        clear = tuple(leaf for leaf in self.clear if leaf not in gone)
        return replace(self, clear=clear, inputs=inputs or None)


@dataclass(frozen=True, slots=True)
class Note:
    """A text on the canvas, its upper left corner at `at` (None: no place was chosen)."""

    id: str
    text: str
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """A titled border around its member nodes, or, where it has none, around a rectangle.

    `colour` is a role of `gradviz.look.Palette`.
    """

    id: str
    title: str = ""
    members: tuple[NodeId, ...] = ()
    rect: Rect | None = None
    colour: str = "soft"


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What is wrong where: a node, a slot of it where it is about one, and a sentence."""

    node: NodeId
    slot: int | None
    sentence: str


@dataclass(frozen=True, slots=True, eq=False)
class Diagram:
    """Nodes in evaluation order, backward calls in the order they run, and where nodes are drawn.

    Invariant: a node's inputs come before it in `nodes`, so iterating is evaluating and a cycle
    cannot be written down. `source` is the script that the nodes were read from, if any;
    `positions` holds top-left corners, in canvas units, of the nodes the user has placed; `seeds`
    those that the user keeps under a name. `notes` and `frames` say something to the reader only.
    `drawn` says that the nodes hold, being drawn by hand, and `source` is written from them.
    """

    nodes: Mapping[NodeId, Node] = field(default_factory=dict)
    calls: tuple[BackwardCall, ...] = ()
    source: str | None = None
    title: str = ""
    positions: Mapping[NodeId, Point] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    seeds: Mapping[str, Array] = field(default_factory=dict)
    frames: tuple[Frame, ...] = ()
    drawn: bool = False

    def put(self, *nodes: Node) -> Diagram:
        """This diagram with the nodes added or replaced.

        Raises ValueError where an input is unknown or would come after its user.
        """
        merged = dict(self.nodes) | {node.id: node for node in nodes}
        seen: set[NodeId] = set()
        for node in merged.values():
            for source in node.inputs:
                if source is not None and source not in seen:
                    raise ValueError(f"{node.id}: its input {source} does not come before it")
            seen.add(node.id)
        return replace(self, nodes=merged)

    def remove(self, ids: Iterable[NodeId]) -> Diagram:
        """This diagram without the nodes; slots they filled become empty, calls from them go.

        So do calls of `torch.autograd.grad` for nothing else.

        What a call that goes has made stays, as nodes like any other.
        """
        gone = set(ids)
        kept = {
            key: replace(
                node, inputs=tuple(None if source in gone else source for source in node.inputs)
            )
            if gone.intersection(node.inputs)
            else node
            for key, node in self.nodes.items()
            if key not in gone
        }
        left = [(number, call.without(gone)) for number, call in enumerate(self.calls)]
        calls = tuple(call for _number, call in left if call is not None)
        positions = {key: at for key, at in self.positions.items() if key not in gone}
        frames = frames_without(self.frames, gone)
        made = replace(self, nodes=kept, calls=calls, positions=positions, frames=frames)
        if len(calls) == len(self.calls):
            return made
        from gradviz.storeys import renumbered  # it builds on this module

        stayed = [number for number, call in left if call is not None]
        return renumbered(made, {old: new for new, old in enumerate(stayed)})

    def with_call(self, index: int, call: BackwardCall) -> Diagram:
        """This diagram with one backward call replaced."""
        calls = (*self.calls[:index], call, *self.calls[index + 1 :])
        return replace(self, calls=calls)

    def problems(self) -> tuple[Problem, ...]:
        """What keeps nodes from being evaluated: empty slots, and sources without a value."""
        found: list[Problem] = []
        for node in self.nodes.values():
            if node.is_source and node.data is None:
                found.append(Problem(node.id, None, _("This node has no value yet.")))
            found += [
                Problem(node.id, slot, _("Input {slot} is not connected.").format(slot=slot + 1))
                for slot, source in enumerate(node.inputs)
                if source is None
            ]
        return tuple(found)

    def consumers(self) -> dict[NodeId, list[tuple[NodeId, int]]]:
        """For each node, the (user, slot) pairs that read it."""
        users: dict[NodeId, list[tuple[NodeId, int]]] = {key: [] for key in self.nodes}
        for node in self.nodes.values():
            for slot, source in enumerate(node.inputs):
                if source is not None:
                    users[source].append((node.id, slot))
        return users

    def ancestors(self, target: NodeId) -> set[NodeId]:
        """The target and everything it is computed from."""
        found, waiting = {target}, [target]
        while waiting:
            node = self.nodes.get(waiting.pop())  # a gradient that a call gives has none here
            for source in () if node is None else node.inputs:
                if source is not None and source not in found:
                    found.add(source)
                    waiting.append(source)
        return found


def frames_without(frames: Iterable[Frame], gone: Collection[NodeId]) -> tuple[Frame, ...]:
    """The frames without these members; one that has nothing left to go around is gone too."""
    kept = (
        replace(frame, members=tuple(key for key in frame.members if key not in gone))
        for frame in frames
    )
    return tuple(frame for frame in kept if frame.members or frame.rect)
