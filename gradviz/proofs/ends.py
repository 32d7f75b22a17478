"""A leaf's gradient from end to end: against differences of the whole, and against PyTorch."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.state import set_grad_enabled
from engine.tensor import Tensor
from gradviz.diagram import LEAF, Diagram, NodeId
from gradviz.forward import forward, source
from gradviz.language import _
from gradviz.proofs import in_torch
from gradviz.proofs.differences import by_differences
from gradviz.proofs.proof import LeafProof, Proof
from gradviz.proofs.rule import gap
from gradviz.run import Pass, Run, Value

Array = npt.NDArray[Any]
_SINGLE = 1e-3  # what a gradient in single precision may be off by, as a share of its size
_DOUBLE = 1e-5


def prove_leaves(diagram: Diagram, run: Run, index: int, *, torch: bool) -> Iterator[LeafProof]:
    """Check what one pass brought to each leaf. A pass that failed brought nothing."""
    done = run.passes[index]
    if done.error is not None or done.seed is None:
        return
    whole, values = diagram.put(*done.added), {**run.values, **done.values}
    brought = done.cotangents()
    leaves = [key for key, node in whole.nodes.items() if node.op == LEAF and key in brought]
    theirs = _torch_gradients(whole, done, leaves) if torch else {}
    for leaf in leaves:
        proofs = [_differences(whole, done, values, leaf)]
        if isinstance(theirs, str):
            proofs.append(Proof("torch", None, note=theirs))
        elif torch:
            error = _share(brought[leaf], theirs[leaf], done, leaf)
            proofs.append(Proof("torch", error <= _tolerance(brought[leaf]), error))
        yield LeafProof(index, leaf, tuple(proofs))


def _tolerance(array: Array) -> float:
    return _DOUBLE if array.dtype.itemsize >= 8 else _SINGLE


def _share(ours: Array, theirs: Array, done: Pass, leaf: NodeId) -> float:
    """The largest difference as a share of the largest number that the gradient was made of.

    A sum that cancels, as that for a bias before a normalization, is no more exact than its terms.
    """
    found = gap(ours, theirs)
    sent = (a for s in done.steps if s.input == leaf for a in (s.upstream, s.contribution))
    largest = max((float(np.abs(a).max(initial=0.0)) for a in sent), default=0.0)
    size = float(np.abs(theirs).max(initial=1e-12))
    return found * size / largest if np.isfinite(largest) and largest > size else found


def _torch_gradients(
    whole: Diagram, done: Pass, leaves: list[NodeId]
) -> Mapping[NodeId, Array] | str:
    """PyTorch's gradients of the same computation; a sentence where it cannot be repeated."""
    assert done.seed is not None
    try:
        return in_torch.gradients(whole, done.root, done.seed, leaves)
    except KeyError as missing:
        return _("no single function of PyTorch's for {op}").format(op=missing.args[0])
    except Exception as problem:  # noqa: BLE001  whatever PyTorch raises is told
        return str(problem).splitlines()[0]


def _differences(whole: Diagram, done: Pass, values: Mapping[NodeId, Value], leaf: NodeId) -> Proof:
    """The whole computation in double precision, the leaf's elements moved one at a time.

    What is computed from the leaf without a history, as what is detached, stays as it is.
    """
    seed, gradient = done.seed, done.cotangents()[leaf]
    assert seed is not None
    if gradient.dtype.kind == "c" or seed.dtype.kind == "c":
        return Proof("differences", None, note=_("complex numbers"))
    wide = _doubled(whole)
    wanted = wide.ancestors(done.root)
    moving = _depending(wide, leaf, {key for key in wanted if values[key].requires_grad})
    fixed = _depending(wide, leaf, wanted) - moving
    try:
        with warnings.catch_warnings(), set_grad_enabled(False):
            warnings.simplefilter("ignore")
            known = forward(wide, wanted, {})
            still = {key: known[key] for key in wanted - moving}

            def function(moved: Array) -> Array:
                given = {**still, leaf: source(wide.nodes[leaf], moved)}
                return _array(forward(wide, moving, given)[done.root])

            proof = by_differences(
                function,
                _array(known[leaf]),
                seed,
                gradient,
                rtol=_tolerance(gradient),
                width=min(_array(known[key]).dtype.itemsize for key in moving),
            )
    except KeyError:
        return Proof("differences", None, note=_("a function of the script's own is on the way"))
    except (RuntimeError, ValueError, TypeError, NotImplementedError) as problem:
        return Proof("differences", None, note=str(problem).splitlines()[0])
    if fixed and not proof.note:
        return replace(proof, note=_("what has no history stays as it is"))
    return proof


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
            key: replace(node, data=node.data.astype(np.float64))
            if node.data is not None and node.data.dtype.kind == "f"
            else node
            for key, node in diagram.nodes.items()
        },
    )
