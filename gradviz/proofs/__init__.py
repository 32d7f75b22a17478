"""Is every gradient right? Each node's rule and each leaf's gradient, by independent means."""

from __future__ import annotations

from gradviz.proofs.checking import check
from gradviz.proofs.proof import LeafProof, NodeProof, Proof, Report

__all__ = ["LeafProof", "NodeProof", "Proof", "Report", "check"]
