"""What a check found: values only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from gradviz.diagram import NodeId

Kind = Literal["differences", "adjoint", "torch"]
KINDS: tuple[Kind, ...] = ("differences", "adjoint", "torch")


@dataclass(frozen=True, slots=True)
class Proof:
    """One test of one gradient.

    `error` is the largest difference found, as a share of the size of what is compared. Where
    the test does not apply, `passed` is None and `note` says why; a note may also go with a test
    that passed, as where the function has a kink.
    """

    kind: Kind
    passed: bool | None
    error: float = 0.0
    note: str = ""


def tone(proofs: Iterable[Proof]) -> Literal["holds", "fails", "unknown"]:
    """Whether every test that applies passed, one failed, or none applies."""
    passed = [proof.passed for proof in proofs if proof.passed is not None]
    if not passed:
        return "unknown"
    return "holds" if all(passed) else "fails"


@dataclass(frozen=True, slots=True)
class NodeProof:
    """The tests of a node's rule at its own values, in double precision."""

    node: NodeId
    op: str
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class LeafProof:
    """The tests of the gradient that the backward call `index` brought to a leaf."""

    index: int
    leaf: NodeId
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was checked. `torch` says whether PyTorch was there to compare with."""

    nodes: tuple[NodeProof, ...]
    leaves: tuple[LeafProof, ...]
    torch: bool

    def proofs(self) -> Iterator[Proof]:
        for node in self.nodes:
            yield from node.proofs
        for leaf in self.leaves:
            yield from leaf.proofs

    @property
    def unknown(self) -> int:
        """How many rules and gradients no test applies to."""
        each = [one.proofs for one in self.nodes] + [one.proofs for one in self.leaves]
        return sum(tone(proofs) == "unknown" for proofs in each)

    @property
    def failed(self) -> int:
        """How many tests failed."""
        return sum(proof.passed is False for proof in self.proofs())

    @property
    def largest(self) -> float:
        """The largest error of any test that applied."""
        return max((p.error for p in self.proofs() if p.passed is not None), default=0.0)
