"""One backward call both ways, two ways to start it, or two calls: run alone, and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import BackwardCall, Diagram, NodeId, Start
from gradviz.labels import call_title, name_of, receiver, reduced, titles
from gradviz.language import _
from gradviz.run import Pass, Run
from gradviz.storeys import apart
from gradviz.twin.reading import Reading, as_reduction, output_of, reading_of
from gradviz.twin.timing import Timing, timing

Array = npt.NDArray[Any]
Evaluate = Callable[[Diagram], Run]
_ALIKE = 1e-5  # of the largest element: gradients in float32 are a multiple of one another
_BRIEF = 0.05  # seconds for which a side is timed where someone waits for the picture


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One way of starting: its diagram, its run of this one call, and what it is called."""

    diagram: Diagram
    run: Run
    title: str

    @property
    def done(self) -> Pass:
        return self.run.passes[0]


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two ways to start, each alone on cleared gradients.

    `differences` is, for each leaf, the largest absolute difference between the two gradients;
    `source` the node that both start from, where it is one. `reduction` names what one side is a
    reduction by where the other is the seed that equals it. `times` are those of the two sides,
    where they were measured.
    """

    left: Side
    right: Side
    source: NodeId | None
    differences: Mapping[NodeId, float]
    reduction: str | None = None
    times: tuple[Timing | None, Timing | None] = (None, None)

    def timed(self) -> Pair:
        """This pair with the time of each side, measured in this process, and briefly."""
        first, second = (
            timing(side, self.source, patience=_BRIEF) for side in (self.left, self.right)
        )
        return replace(self, times=(first, second))

    def swapped(self) -> Pair:
        """The same with left and right exchanged."""
        times = self.times[::-1]
        return replace(self, left=self.right, right=self.left, times=times)

    @property
    def largest(self) -> float:
        """The largest difference of any leaf's gradient; 0 means equal to the last bit."""
        return max(self.differences.values(), default=0.0)

    @property
    def scale(self) -> float | None:
        """The one factor that makes every gradient on the right of its left; None: there is none.

        Between mean and sum it is N, the number of elements.
        """
        left, right = self.left.done.grads, self.right.done.grads
        if left.keys() != right.keys():
            return None
        return factor([left[leaf] for leaf in left], [right[leaf] for leaf in left])

    def nodes(self) -> dict[NodeId, float | None]:
        """For each node that a cotangent reaches, by how much the two differ there.

        None where it is reached on one side only, as the nodes of an appended reduction are.
        """
        left, right = self.left.done.cotangents(), self.right.done.cotangents()
        return {
            key: distance(left[key], right[key]) if key in left and key in right else None
            for key in {**left, **right}
        }


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The same gradients twice: by the nodes of a reduction, and by the seed that equals it.

    `seed` is ∂R/∂y, in the shape of the node `source`. `differences` is, for each leaf, the
    largest absolute difference between the two gradients.
    """

    reduction: Side
    seed_side: Side
    name: str
    source: NodeId
    seed: Array
    differences: Mapping[NodeId, float]

    @property
    def largest(self) -> float:
        """The largest difference of any leaf's gradient; 0 means equal to the last bit."""
        return self.pair.largest

    @property
    def pair(self) -> Pair:
        """The two sides as any two are."""
        sides = (self.reduction, self.seed_side)
        return Pair(*sides, self.source, self.differences, reduction=self.name)


def compare(
    evaluate: Evaluate,
    diagram: Diagram,
    run: Run,
    *,
    index: int = 0,
    start: Start | None = None,
) -> Comparison:
    """Run the backward call `index` both ways, each alone on cleared gradients.

    `start` replaces the call's own start. Raises ValueError with one sentence where there is no
    such call, or where a way to start it cannot be run.
    """
    diagram = apart(diagram, run)
    call, reading, source = subject_of(diagram, run, index)
    if reading and start is None:
        left_diagram, left_call, name = diagram, call, reading.reduction
        written_as = reading.start
    else:
        written_as = as_reduction(start or call.start, output_of(run, source))
        left_call = replace(call, target=source, start=written_as)
        left_diagram = without(diagram, reading)
        name = written_as.reduction or "sum"
    y = receiver(name_of(source, titles(diagram)))
    left = titled(evaluate, left_diagram, left_call)
    if left_call is call:  # the script's own reduction
        left = replace(left, title=f"{reduced(written_as, y)}.backward()")
    seed = _equal_seed(left.done, source)
    by_seed = replace(call, target=source, start=Start("seed", values=seed))
    bare = without(diagram, reading)
    right = _alone(evaluate, bare, by_seed, title=f"{y}.backward(gradient=v)")
    return Comparison(left, right, name, source, seed, differences(left.done, right.done))


def compare_starts(
    evaluate: Evaluate, diagram: Diagram, run: Run, index: int, starts: tuple[Start, Start]
) -> Pair:
    """The backward call `index` started in two ways that need not be equal.

    Raises ValueError with one sentence where there is no such call, or a start cannot be run.
    """
    diagram = apart(diagram, run)
    call, reading, source = subject_of(diagram, run, index)
    bare = without(diagram, reading)
    left, right = (
        titled(evaluate, bare, replace(call, target=source, start=start)) for start in starts
    )
    return Pair(left, right, source, differences(left.done, right.done))


def compare_calls(evaluate: Evaluate, diagram: Diagram, run: Run, indices: tuple[int, int]) -> Pair:
    """Two backward calls of the program, each alone on cleared gradients.

    Raises ValueError with one sentence where there is no such call, or one cannot be run.
    """
    diagram = apart(diagram, run)
    calls = [call_at(diagram, index) for index in indices]
    left, right = (titled(evaluate, diagram, call) for call in calls)
    source = calls[0].target if calls[0].target == calls[1].target else None
    return Pair(left, right, source, differences(left.done, right.done))


def subject_of(
    diagram: Diagram, run: Run, index: int
) -> tuple[BackwardCall, Reading | None, NodeId]:
    """The call, the script's own reduction that it starts from if any, and what is reduced.

    Raises ValueError with one sentence where there is no such call, or no such value.
    """
    call = call_at(diagram, index)
    reading = reading_of(diagram, call, run.values)
    source = reading.source if reading else call.target
    output_of(run, source)
    return call, reading, source


def call_at(diagram: Diagram, index: int) -> BackwardCall:
    """The backward call. Raises ValueError with one sentence where there is none."""
    if not 0 <= index < len(diagram.calls):
        raise ValueError(
            _("There is no backward call {number}; the program makes {count}.").format(
                number=index + 1, count=len(diagram.calls)
            )
        )
    return diagram.calls[index]


def _equal_seed(done: Pass, source: NodeId) -> Array:
    """∂R/∂y: the complete cotangent of the reduced node, read off the pass."""
    _refuse_failed(done)
    found = done.cotangents().get(source)
    if found is None:
        raise ValueError(_("No gradient reaches {name}.").format(name=source))
    return found


def passes_of(run: Run) -> tuple[Pass, ...]:
    """The passes of a run. Raises ValueError where it came to an end before there were any."""
    if not run.passes and run.error is not None:
        raise ValueError(run.error.message)
    return run.passes


def _refuse_failed(done: Pass) -> None:
    if done.error is not None:
        raise ValueError(done.error.message)


def without(diagram: Diagram, reading: Reading | None) -> Diagram:
    """The diagram without the script's own reduction, where nothing else reads it."""
    if reading is None:
        return diagram
    users = diagram.consumers()
    gone: list[NodeId] = []
    for key in reversed(reading.chain):
        if all(user in gone for user, _slot in users[key]):
            gone.append(key)
    for key in reading.chain:
        gone += [
            source
            for source in diagram.nodes[key].inputs
            if source is not None
            and diagram.nodes[source].op == "constant"
            and all(user in gone for user, _slot in users[source])
        ]
    return diagram.remove(gone)


def _alone(evaluate: Evaluate, diagram: Diagram, call: BackwardCall, *, title: str) -> Side:
    single = replace(diagram, calls=(replace(call, clear=(), enabled=True, captures=False),))
    run = evaluate(single)
    passes_of(run)
    return Side(single, run, title)


def titled(evaluate: Evaluate, diagram: Diagram, call: BackwardCall) -> Side:
    """The call alone on cleared gradients. Raises ValueError where it is refused."""
    side = _alone(evaluate, diagram, call, title="")
    _refuse_failed(side.done)
    return replace(side, title=call_title(side.done, titles(diagram)))


def differences(left: Pass, right: Pass) -> dict[NodeId, float]:
    """For each leaf, the largest absolute difference between its two gradients."""
    return {
        leaf: distance(left.grads.get(leaf), right.grads.get(leaf))
        for leaf in {**left.grads, **right.grads}
    }


def distance(a: Array | None, b: Array | None) -> float:
    """The largest absolute difference of two arrays; inf where they are not of one shape."""
    if a is None or b is None or a.shape != b.shape:
        return float("inf")
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    if same.all():
        return 0.0
    return float(np.max(np.where(same, 0, np.abs(_wide(a) - _wide(b)))))


def factor(of: list[Array], become: list[Array]) -> float | None:
    """The c for which c times each array of the first list is that of the second; else None."""
    if not of or any(a.shape != b.shape for a, b in zip(of, become, strict=True)):
        return None
    a, b = (np.concatenate([_wide(item).ravel() for item in items]) for items in (of, become))
    if not a.size or not (np.isfinite(a).all() and np.isfinite(b).all()):
        return None
    place = int(np.argmax(np.abs(a)))
    if a[place] == 0:
        return None
    ratio = b[place] / a[place]
    close = np.abs(b - ratio * a).max() <= _ALIKE * max(np.abs(b).max(), np.abs(ratio * a).max())
    return float(ratio.real) if close and ratio.imag == 0 else None


def _wide(array: Array) -> Array:
    """Numbers in double precision, complex ones as such."""
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
