"""A node's rule at its own values: against differences, its own adjoint, and PyTorch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.autograd import grad
from engine.func import jvp
from engine.op import Op
from engine.ops import OPS
from engine.tensor import Tensor, apply
from gradviz.diagram import Node, NodeId
from gradviz.language import _
from gradviz.proofs import assuming, in_torch
from gradviz.proofs.differences import by_differences, is_rough
from gradviz.proofs.proof import KINDS, NodeProof, Proof
from gradviz.run import Value

Array = npt.NDArray[Any]
_ADJOINT = 1e-8
_TORCH = 1e-6
DOUBLE = {"f": np.dtype(np.float64), "c": np.dtype(np.complex128)}  # by the kind of number
_ZERO = 1e-14


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A node with its inputs in double precision, the slots that gradients flow to, and a seed."""

    node: Node
    op: Op
    inputs: tuple[Array, ...]
    slots: tuple[int, ...]
    seed: Array

    def apply(self, *given: Tensor) -> Tensor:
        return apply(self.op, given, self.node.params)

    def tensors(self) -> list[Tensor]:
        """The inputs, those that gradients flow to as leaves."""
        return [
            Tensor(np.array(array), requires_grad=slot in self.slots)
            for slot, array in enumerate(self.inputs)
        ]

    def moved(self, slot: int, array: Array) -> Site:
        """The same with another array in a slot."""
        inputs = (*self.inputs[:slot], array, *self.inputs[slot + 1 :])
        return replace(self, inputs=inputs)

    def gradients(self) -> list[Array]:
        """What the rule sends to each of the slots."""
        leaves = self.tensors()
        wanted = [leaves[slot] for slot in self.slots]
        found = grad(self.apply(*leaves), wanted, Tensor(self.seed), allow_unused=True)
        return [
            np.zeros_like(leaf._array) if g is None else g._array
            for leaf, g in zip(wanted, found, strict=True)
        ]


def prove(node: Node, values: Mapping[NodeId, Value], *, torch: bool) -> NodeProof:
    """Check the node's rule by all three means, as far as each applies."""
    try:
        site = _site(node, values)
        if isinstance(site, str):
            return NodeProof(node.id, node.op, _none(site))
        gradients = site.gradients()
    except (RuntimeError, ValueError, TypeError, NotImplementedError, KeyError) as problem:
        return NodeProof(node.id, node.op, _none(first_line(problem)))
    if any(array.dtype.kind == "c" for array in (*site.inputs, site.seed)):
        differences, *others = _none(_("complex numbers"))
    else:
        differences, others = _differences(site, gradients), [_adjoint(site, gradients)]
    if torch:
        others.append(_torch(site, gradients))
    return NodeProof(node.id, node.op, settled(differences, others, (node,)))


def settled(
    differences: Proof, others: Sequence[Proof], nodes: Iterable[Node]
) -> tuple[Proof, ...]:
    """All proofs; where the function is not smooth, other means may not speak against it."""
    if differences.passed is False or not is_rough(differences):
        return (differences, *others)
    excused = {"adjoint"}
    if differences.passed is None or any(assuming.several(node) for node in nodes):
        excused.add("torch")
    return (
        differences,
        *(
            Proof(proof.kind, None, note=differences.note)
            if proof.passed is False and proof.kind in excused
            else proof
            for proof in others
        ),
    )


def first_line(problem: Exception) -> str:
    """The first line of what an error says, or its name."""
    return next(iter(str(problem).splitlines()), type(problem).__name__)


def _none(note: str) -> tuple[Proof, ...]:
    return tuple(Proof(kind, None, note=note) for kind in KINDS[:2])


def _site(node: Node, known: Mapping[NodeId, Value]) -> Site | str:
    """The node where it can be tried; else a sentence that says why it cannot."""
    if node.op not in OPS:
        return _("a function of the script's own")
    values = [known[key or ""] for key in node.inputs]
    op = OPS[node.op]
    tracked = [value.requires_grad for value in values]
    slots = tuple(at for at, on in enumerate(tracked) if on and op.reaches(at))
    if not slots:
        return _("not reached")
    inputs = tuple(_double(value.array) for value in values)
    draw, shape = np.random.default_rng(1), known[node.id].array.shape
    seed = draw.uniform(0.5, 1.5, shape)
    made = apply(op, tuple(Tensor(np.array(a)) for a in inputs), node.params)._array
    if made.dtype.kind == "c":
        seed = seed + 1j * draw.uniform(0.5, 1.5, shape)
    return Site(node, op, inputs, slots, seed.astype(made.dtype))


def _double(array: Array) -> Array:
    return array.astype(DOUBLE.get(array.dtype.kind, array.dtype))


def _differences(site: Site, gradients: Sequence[Array]) -> Proof:
    """The worst of all slots."""
    if site.node.op in assuming.RULES:
        return Proof("differences", None, note=assuming.note(site.node))
    proofs = []
    for at, (slot, gradient) in enumerate(zip(site.slots, gradients, strict=True)):

        def function(moved: Array, slot: int = slot) -> Array:
            given = [Tensor(array) for array in site.moved(slot, moved).inputs]
            made: Array = site.apply(*given)._array
            return made

        def rule(moved: Array, slot: int = slot, at: int = at) -> Array:
            return assuming.folded(site.node, site.moved(slot, moved).gradients()[at])

        held = assuming.folded(site.node, gradient)
        proofs.append(by_differences(function, site.inputs[slot], site.seed, held, rule=rule))
    return worst(proofs)


def worst(proofs: Sequence[Proof]) -> Proof:
    """The one that speaks for several: a failure, else the one with the largest error."""
    tried = [proof for proof in proofs if proof.passed is not None]
    if not tried:
        return proofs[0] if proofs else Proof("differences", None, note=_("not reached"))
    failed = [proof for proof in tried if not proof.passed]
    found = max(failed or tried, key=lambda proof: proof.error)
    note = next((proof.note for proof in tried if proof.note), "")
    return Proof(found.kind, found.passed, found.error, found.note or note)


def _adjoint(site: Site, gradients: Sequence[Array]) -> Proof:
    """<v, J u> = <Jᵀ v, u>, J u being what the derivative of the pullback by v gives."""
    if site.seed.dtype.itemsize < 4:
        return Proof("adjoint", None, note=_("not in double precision"))
    draw = np.random.default_rng(2)
    along = [draw.normal(size=site.inputs[slot].shape) for slot in site.slots]

    def function(*moving: Tensor) -> Tensor:
        given = [Tensor(np.array(array)) for array in site.inputs]
        for slot, leaf in zip(site.slots, moving, strict=True):
            given[slot] = leaf
        return site.apply(*given)

    try:
        ends = tuple(Tensor(np.array(site.inputs[slot])) for slot in site.slots)
        _y, moved = jvp(function, ends, tuple(Tensor(u) for u in along))
    except (RuntimeError, ValueError, TypeError, NotImplementedError):
        return Proof("adjoint", None, note=_("its rule has no derivative of its own"))
    terms = [site.seed * moved._array, *(g * u for g, u in zip(gradients, along, strict=True))]
    there, here = float(terms[0].sum()), float(sum(term.sum() for term in terms[1:]))
    size = max(float(sum(np.abs(term).sum() for term in terms)), 1e-12)
    if not np.isfinite([here, there, size]).all():
        return Proof("adjoint", None, note=_("not finite here"))
    error = abs(here - there) / size
    tolerance = _ADJOINT if site.seed.dtype == np.float64 else _TORCH
    return Proof("adjoint", error <= tolerance, error)


def _torch(site: Site, gradients: Sequence[Array]) -> Proof:
    if not in_torch.known(site.node):
        return Proof("torch", None, note=_("no single function of PyTorch's"))
    try:
        theirs = in_torch.pulled_back(site.node, site.inputs, site.seed, site.slots)
    except Exception as problem:  # noqa: BLE001  whatever PyTorch raises is told
        return Proof("torch", None, note=first_line(problem))
    tolerance = _TORCH if site.seed.dtype in DOUBLE.values() else 1e-4
    return worst([held_to(a, b, tolerance) for a, b in zip(gradients, theirs, strict=True)])


def held_to(ours: Array, theirs: Array, tolerance: float = _TORCH) -> Proof:
    """Our gradient against PyTorch's of the same."""
    error = gap(ours, theirs)
    if error <= tolerance:
        return Proof("torch", True, error)
    if not (np.isfinite(ours).all() and np.isfinite(theirs).all()):
        return Proof("torch", None, note=_("not finite here"))
    if float(np.abs(ours - theirs).max(initial=0.0)) < _ZERO:
        return Proof("torch", True, 0.0)  # both are zero but for rounding
    return Proof("torch", False, error)


def gap(a: Array, b: Array) -> float:
    """The largest difference as a share of the largest element; NaN and inf equal themselves."""
    if a.shape != b.shape:
        return float("inf")
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    if same.all():
        return 0.0
    apart, size = np.abs(a - b)[~same], np.abs(b[np.isfinite(b)]).max(initial=1e-12)
    return float(apart.max() / size) if np.isfinite(apart).all() else float("inf")
