"""A leaf's gradient from end to end: against differences of the whole, and against PyTorch."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.autograd import grad
from engine.state import set_grad_enabled
from engine.tensor import Tensor
from gradviz.cells import number
from gradviz.diagram import LEAF, Diagram, NodeId
from gradviz.jacobians.forward import forward, source
from gradviz.language import _
from gradviz.proofs import assuming, in_torch
from gradviz.proofs.differences import by_differences
from gradviz.proofs.proof import Kind, LeafProof, Proof
from gradviz.proofs.rule import DOUBLE, first_line, gap, held_to, settled
from gradviz.run import Pass, Run, Value

Array = npt.NDArray[Any]
_SINGLE = 1e-3  # what a gradient in single precision may be off by, as a share of its size
_DOUBLE = 1e-5
_REPEATED = 1e-6  # of the same once more in the same precision


def proved_leaves(diagram: Diagram, done: Pass) -> list[NodeId]:
    """The leaves that a pass brought something to; a pass that failed brought nothing."""
    if done.error is not None or done.seed is None:
        return []
    brought, nodes = done.cotangents(), (*diagram.nodes.values(), *done.added)
    return [node.id for node in nodes if node.op == LEAF and node.id in brought]


def prove_leaves(
    diagram: Diagram, run: Run, index: int, *, torch: bool, goes_on: Callable[[], bool]
) -> Iterator[LeafProof]:
    """Check what one pass brought to each leaf, as long as `goes_on` says so.

    The pass is repeated in double precision: that is what differences and PyTorch are held to,
    to many digits, and what the pass itself is held to, to as many as it has.
    """
    done = run.passes[index]
    leaves = proved_leaves(diagram, done)
    if not leaves or not goes_on():
        return
    nodes = {**diagram.nodes, **{node.id: node for node in (*done.under, *done.added)}}
    whole, values = replace(diagram, nodes=nodes), {**run.values, **done.values}
    brought = done.cotangents()
    kinds: tuple[Kind, ...] = ("differences", "torch") if torch else ("differences",)
    try:
        again = _Again(whole, done, values, leaves)
    except _CannotError as problem:
        note = str(problem)
        for leaf in leaves:
            yield LeafProof(index, leaf, tuple(Proof(kind, None, note=note) for kind in kinds))
        return
    theirs = again.in_torch() if torch else {}
    repeated: dict[NodeId, Array] = {}
    for at, leaf in enumerate(leaves):
        if at and not goes_on():
            return
        rounding = _share(brought[leaf], again.gradients[leaf], done, leaf)
        if rounding > (_DOUBLE if brought[leaf].dtype.itemsize >= 8 else _SINGLE):
            repeated = repeated or _Again(whole, done, values, leaves, double=False).gradients
            proofs = [_off(kind, rounding, brought[leaf], repeated[leaf]) for kind in kinds]
        else:
            others = [_compared(again.gradients[leaf], theirs, leaf)] if torch else []
            proofs = list(settled(again.differences(leaf), others, whole.nodes.values()))
        yield LeafProof(index, leaf, tuple(proofs))


class _CannotError(Exception):
    """Why a pass cannot be repeated, in a sentence."""


class _Again:
    """One pass anew, in double precision or in its own."""

    def __init__(
        self,
        whole: Diagram,
        done: Pass,
        values: Mapping[NodeId, Value],
        leaves: list[NodeId],
        *,
        double: bool = True,
    ) -> None:
        assert done.seed is not None
        self._wide, self._root = _doubled(whole) if double else whole, done.root
        self._wanted = self._wide.ancestors(done.root)
        self._tracked = {key for key in self._wanted if values[key].requires_grad}
        if not {step.node for step in done.steps} <= done.cotangents().keys():
            raise _CannotError(_("the call starts from several outputs"))
        if _hooked(done):
            raise _CannotError(_("a hook changes the gradient on its way"))
        try:
            self._known = forward(self._wide, self._wanted, {})
            end = self._known[done.root]
            self._seed = done.seed.astype(_array(end).dtype)
            found = grad(
                end, [self._known[key] for key in leaves], Tensor(self._seed), allow_unused=True
            )
        except KeyError as missing:
            note = _("a function of the script's own is on the way")
            raise _CannotError(note) from missing
        except (RuntimeError, ValueError, TypeError, NotImplementedError) as problem:
            raise _CannotError(first_line(problem)) from problem
        self.gradients = {
            leaf: np.zeros_like(_array(self._known[leaf])) if g is None else _array(g)
            for leaf, g in zip(leaves, found, strict=True)
        }

    def differences(self, leaf: NodeId) -> Proof:
        """The leaf's elements moved one at a time.

        What is computed from it without a history, as what is detached, stays as it is.
        """
        moving = _depending(self._wide, leaf, self._tracked)
        fixed = _depending(self._wide, leaf, self._wanted) - moving
        if any(_array(self._known[key]).dtype.kind == "c" for key in moving):
            return Proof("differences", None, note=_("complex numbers"))
        still = {key: self._known[key] for key in self._wanted - moving}

        def function(moved: Array) -> Array:
            given = {**still, leaf: source(self._wide.nodes[leaf], moved)}
            return _array(forward(self._wide, moving, given)[self._root])

        def rule(moved: Array) -> Array:
            end = source(self._wide.nodes[leaf], moved)
            with set_grad_enabled(True):
                root = forward(self._wide, moving, {**still, leaf: end})[self._root]
                (found,) = grad(root, [end], Tensor(self._seed), allow_unused=True)
            return np.zeros_like(moved) if found is None else _array(found)

        at, gradient = _array(self._known[leaf]), self.gradients[leaf]
        width = min(_array(self._known[key]).dtype.itemsize for key in moving)
        with warnings.catch_warnings(), set_grad_enabled(False):
            warnings.simplefilter("ignore")
            proof = by_differences(function, at, self._seed, gradient, width=width, rule=rule)
        why = assuming.assumed(self._wide.nodes[key] for key in moving)
        if proof.passed is False and why:
            return Proof("differences", None, note=why)
        if fixed and not proof.note:
            return replace(proof, note=_("what has no history stays as it is"))
        return proof

    def in_torch(self) -> Mapping[NodeId, Array] | str:
        """PyTorch's gradients of the same; a sentence where it cannot be repeated there."""
        nodes, leaves = self._wide.nodes, list(self.gradients)
        still = (key for key in self._wanted - self._tracked if not nodes[key].is_source)
        fixed = {key: _array(self._known[key]) for key in still}
        try:
            return in_torch.gradients(self._wide, self._root, self._seed, leaves, fixed)
        except KeyError as missing:
            return _("no single function of PyTorch's for {op}").format(op=missing.args[0])
        except Exception as problem:  # noqa: BLE001  whatever PyTorch raises is told
            return first_line(problem)


def _compared(ours: Array, theirs: Mapping[NodeId, Array] | str, leaf: NodeId) -> Proof:
    if isinstance(theirs, str):
        return Proof("torch", None, note=theirs)
    return held_to(ours, theirs[leaf])


def _off(kind: Kind, error: float, brought: Array, again: Array) -> Proof:
    """What a pass is that differs from itself in double precision.

    Where the same rules bring the same numbers once more, it is rounding.
    """
    if gap(brought, again) <= _REPEATED:
        if not np.isfinite(brought).all():
            return Proof(kind, None, note=_("not finite here"))
        note = _("lost to rounding: {error}").format(error=number(error))
        return Proof(kind, None, note=note)
    return Proof(kind, False, error, _("done again, the same rules bring another gradient"))


def _hooked(done: Pass) -> bool:
    """Whether a hook put another cotangent in the place of one that had come."""
    came = done.cotangents()
    return any(
        not np.array_equal(step.upstream, came[step.node], equal_nan=True) for step in done.steps
    )


def _share(ours: Array, exact: Array, done: Pass, leaf: NodeId) -> float:
    """The largest difference as a share of the largest number that the gradient was made of.

    A sum that cancels, as that for a bias before a normalization, is no more exact than its terms.
    """
    sent = (a for s in done.steps if s.input == leaf for a in (s.upstream, s.contribution))
    largest = max((float(np.abs(a).max(initial=0.0)) for a in sent), default=0.0)
    found, size = gap(ours, exact), float(np.abs(exact).max(initial=1e-12))
    return found * size / largest if np.isfinite(largest) and largest > size else found


def _depending(diagram: Diagram, leaf: NodeId, among: set[NodeId]) -> set[NodeId]:
    """The leaf and everything among these nodes that is computed from it by way of them."""
    found = {leaf}
    for key, node in diagram.nodes.items():
        if key in among and not found.isdisjoint(node.inputs):
            found.add(key)
    return found


def _array(tensor: Tensor) -> Array:
    return tensor._array


def _doubled(diagram: Diagram) -> Diagram:
    """The diagram with the numbers of its sources in double precision."""
    return replace(
        diagram,
        nodes={
            key: replace(node, data=node.data.astype(DOUBLE[node.data.dtype.kind]))
            if node.data is not None and node.data.dtype.kind in DOUBLE
            else node
            for key, node in diagram.nodes.items()
        },
    )
