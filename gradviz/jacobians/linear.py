"""A backward pass for any seed, out of passes already run: the pass is linear in its seed.

    known = Combination.of(run, 0)                 # None where the pass cannot be recombined
    known = known.with_unit(3, unit_pass)          # the same call from a seed of 1 at component 3
    known.run(v)                                   # as if the call had started from v

A step's upstream, contribution, before and after are linear in the seed, a leaf's `.grad` is what
was there before plus something linear. So the pass from v is the pass that was run, plus, for each
component of v that has changed, its change times the unit pass. All numbers of a pass lie in one
flat array: one sum, however many the steps are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from gradviz.diagram import BackwardCall, Diagram, NodeId
from gradviz.run import Array, Pass, Run, Step

MOST = 4_000_000  # numbers of one pass that are recombined; a larger one is run


def unit_calls(call: BackwardCall, y: Array, components: tuple[int, ...]) -> Iterator[BackwardCall]:
    """The call as it is, then started from 1 at each component: alone, the graph being kept."""
    alone = replace(call, retain_graph=True, clear=(), edited=True)
    yield alone
    for k in components:
        seed = np.zeros(y.shape, y.dtype)
        seed.reshape(-1)[k] = 1
        start = replace(call.start, values=seed, preset=None, name=None)
        yield replace(alone, start=start)


def unit_diagram(diagram: Diagram, index: int, y: Array, components: tuple[int, ...]) -> Diagram:
    """The diagram with nothing but the calls of `unit_calls`, to be run once.

    What they start from may be a gradient: calls that make such ones are made before.
    """
    units = tuple(unit_calls(diagram.calls[index], y, components))
    return replace(diagram, calls=(*_makers(diagram, index), *units))


def unit_passes(diagram: Diagram, index: int, run: Run) -> tuple[Pass, ...]:
    """The pass alone and the unit passes, of the run of a `unit_diagram`."""
    return run.passes[len(_makers(diagram, index)) :]


def _makers(diagram: Diagram, index: int) -> tuple[BackwardCall, ...]:
    """The calls before, where one of them makes a graph of its gradients."""
    before = diagram.calls[:index]
    return before if any(call.create_graph for call in before) else ()


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    """Where a pass's numbers lie in its flat array: a step's contribution, then its sum if new."""

    keys: tuple[tuple[NodeId, int, NodeId, tuple[int, ...]], ...]
    shapes: tuple[tuple[int, ...], ...]
    cuts: tuple[tuple[int, int, int], ...]  # contribution from, to; the sum's end (same: no sum)
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Combination:
    """The pass `index` of a run with what is known of its unit passes. See the module.

    `flat` are the pass's numbers, `units` those of each unit pass by component, and `later` the
    leaves whose `.grad` changes in each pass from `index` on.
    """

    base: Run
    index: int
    form: _Form
    flat: Array
    units: Mapping[int, Array]
    later: tuple[tuple[NodeId, ...], ...]

    @classmethod
    def of(cls, run: Run, index: int) -> Combination | None:
        """The combination of one pass; None where the pass does not add up as a linear one does.

        So it is where it failed or was not begun by a seed, where a hook changed a gradient on its
        way, where a `.grad` holds what no pass explains, and where a number is NaN or inf.
        """
        if not 0 <= index < len(run.passes):
            return None
        done = run.passes[index]
        if done.error is not None or done.seed is None or done.call.start.kind != "seed":
            return None
        if done.call.create_graph:  # the values of its second storey follow the seed too
            return None
        form = _form_of(done)
        if form is None or not _explained(run, index):
            return None
        flat = _flatten(done, form)
        later = tuple(_shifted(run, index))
        return cls(run, index, form, flat, {}, later) if np.isfinite(flat).all() else None

    def knows(self, v: Array) -> bool:
        """Whether every component in which v differs from the pass's seed has its unit pass."""
        return self._seed.shape == v.shape and all(
            int(k) in self.units for k in np.flatnonzero(v != self._seed)
        )

    def agrees(self, done: Pass) -> bool:
        """Whether the same call, run again by itself, gave the same numbers."""
        return _same_form(done, self.form) and np.array_equal(_flatten(done, self.form), self.flat)

    def with_unit(self, component: int, done: Pass) -> Combination | None:
        """With one unit pass more; None where that took other steps or is not finite."""
        if done.error is not None or not _same_form(done, self.form):
            return None
        flat = _flatten(done, self.form)
        if not np.isfinite(flat).all():
            return None
        return replace(self, units={**self.units, component: flat})

    def with_units_of(self, other: Combination) -> Combination:
        """With the unit passes of a combination of the same call from another seed."""
        same = self.form.keys == other.form.keys and self.form.shapes == other.form.shapes
        return replace(self, units=other.units) if same else self

    def run(self, v: Array) -> Run:
        """The run as it would be with the seed v; `knows(v)` must hold."""
        done = self.base.passes[self.index]
        seed = np.array(v, self._seed.dtype)
        flat, change = self.flat, (seed - self._seed).reshape(-1)
        for k in np.flatnonzero(change):
            flat = flat + change[k] * self.units[int(k)]
        steps, totals = self._steps(seed, flat, done)
        start = replace(done.call.start, values=seed, preset=None, name=None)
        call = replace(done.call, start=start, edited=True)
        passes = list(self.base.passes)
        known = _totals(done)
        for at, leaves in enumerate(self.later, self.index):
            old = passes[at]
            grads = dict(old.grads)
            for leaf in leaves:
                grads[leaf] = grads[leaf] + (totals[leaf] - known[leaf])
            passes[at] = replace(old, grads=grads)
        passes[self.index] = replace(passes[self.index], call=call, seed=seed, steps=steps)
        return replace(self.base, passes=tuple(passes))

    @property
    def _seed(self) -> Array:
        seed = self.base.passes[self.index].seed
        assert seed is not None
        return seed

    def _steps(
        self, seed: Array, flat: Array, done: Pass
    ) -> tuple[tuple[Step, ...], dict[NodeId, Array]]:
        sums: dict[NodeId, Array] = {done.root: seed}
        steps: list[Step] = []
        form = self.form
        for key, shape, (start, middle, end) in zip(form.keys, form.shapes, form.cuts, strict=True):
            node, slot, target, summed = key
            sent, before = flat[start:middle], None
            if len(shape) != 1:  # a vector lies there as it is
                sent = sent.reshape(shape)
            after = sent
            if end > middle:
                before, after = sums.get(target), flat[middle:end].reshape(shape)
            steps.append(Step(node, slot, target, sums[node], sent, summed, before, after))
            sums[target] = after
        return tuple(steps), sums


def _form_of(done: Pass) -> _Form | None:
    """How the numbers lie; None where what a node sends on is not the sum of what reached it."""
    assert done.seed is not None
    if done.seed.dtype.kind != "f":
        return None
    sums: dict[NodeId, Array] = {done.root: done.seed}
    cuts: list[tuple[int, int, int]] = []
    at, dtype = 0, done.seed.dtype
    for step in done.steps:
        if not _adds_up(step, sums, dtype):
            return None
        sums[step.input] = step.after
        size = step.contribution.size
        middle = at + size
        end = middle if step.before is None else middle + size
        cuts.append((at, middle, end))
        at = end
    if at > MOST:
        return None
    keys = tuple((s.node, s.slot, s.input, s.summed) for s in done.steps)
    return _Form(keys, tuple(s.contribution.shape for s in done.steps), tuple(cuts), at)


def _adds_up(step: Step, sums: Mapping[NodeId, Array], dtype: np.dtype[np.generic]) -> bool:
    reached, before = sums.get(step.node), sums.get(step.input)
    if reached is None or not _equal(step.upstream, reached) or step.after.dtype != dtype:
        return False
    if before is None or step.before is None:
        return before is None and step.before is None and _equal(step.after, step.contribution)
    return _equal(step.before, before) and _equal(step.after, before + step.contribution)


def _equal(a: Array, b: Array) -> bool:
    return a is b or np.array_equal(a, b)


def _same_form(done: Pass, form: _Form) -> bool:
    if len(done.steps) != len(form.keys) or done.error is not None:
        return False
    return all(
        (s.node, s.slot, s.input, s.summed) == key
        and s.contribution.shape == shape
        and (s.before is None) == (middle == end)
        for s, key, shape, (_start, middle, end) in zip(
            done.steps, form.keys, form.shapes, form.cuts, strict=True
        )
    )


def _flatten(done: Pass, form: _Form) -> Array:
    assert done.seed is not None
    flat = np.empty(form.size, done.seed.dtype)
    for step, (start, middle, end) in zip(done.steps, form.cuts, strict=True):
        flat[start:middle] = step.contribution.reshape(-1)
        flat[middle:end] = step.after.reshape(-1) if end > middle else ()
    return flat


def _totals(done: Pass) -> dict[NodeId, Array]:
    """What reached each node in all."""
    return {step.input: step.after for step in done.steps}


def _delivered(done: Pass) -> dict[NodeId, Array]:
    """What a `.grad` may have got of it: `autograd.grad` leaves them alone."""
    return {} if done.call.gives else _totals(done)


def _explained(run: Run, index: int) -> bool:
    """Whether each `.grad`, from the pass on, is what was there before plus what a pass brought."""
    before = run.passes[index - 1].grads if index else {}
    for done in run.passes[index:]:
        totals, cleared = _delivered(done), set(done.call.cleared)
        for leaf, grad in done.grads.items():
            parts = [] if leaf in cleared or leaf not in before else [before[leaf]]
            parts += [totals[leaf]] if leaf in totals else []
            if not parts or not _equal(grad, parts[0] if len(parts) == 1 else parts[0] + parts[1]):
                return False
        before = done.grads
    return True


def _shifted(run: Run, index: int) -> Iterator[tuple[NodeId, ...]]:
    """For the pass and each that follows, the leaves whose `.grad` holds what the pass brought."""
    done = run.passes[index]
    touched = {leaf for leaf in done.grads if leaf in _delivered(done)}
    yield tuple(sorted(touched))
    for later in run.passes[index + 1 :]:
        touched -= set(later.call.cleared)
        yield tuple(sorted(touched & set(later.grads)))
