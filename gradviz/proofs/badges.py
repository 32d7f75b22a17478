"""What was found, as badges of nodes."""

from __future__ import annotations

from collections.abc import Mapping

from gradviz.diagram import NodeId
from gradviz.figure import Badge, Badges
from gradviz.language import N_, _
from gradviz.proofs.proof import Kind, Proof, Report
from gradviz.proofs.words import told_lines

# As short as a badge is: their full names are in its tip.
_SHORT: Mapping[Kind, str] = {"differences": N_("fd"), "adjoint": N_("adj"), "torch": "torch"}


def badges(report: Report, index: int) -> Badges:
    """A badge for each node's rule, and for what the pass `index` brought to each leaf."""
    found: dict[NodeId, tuple[Badge, ...]] = {
        each.node: (badge(each.proofs),) for each in report.nodes
    }
    found |= {each.leaf: (badge(each.proofs),) for each in report.leaves if each.index == index}
    return found


def badge(proofs: tuple[Proof, ...]) -> Badge:
    """Which tests passed, or failed, with their largest error; else that none applied."""
    tip = "\n".join(told_lines(proofs))
    failed = [proof for proof in proofs if proof.passed is False]
    counted = failed or [proof for proof in proofs if proof.passed]
    if not counted:
        return Badge("? " + _("not checked"), "unknown", tip)
    names = " ".join(_(_SHORT[proof.kind]) for proof in counted)
    error = f"{max(proof.error for proof in counted):.0e}".replace("e-0", "e-").replace("e+0", "e+")
    largest = "0" if error == "0e+0" else error
    glyph = "✗" if failed else "✓"
    return Badge(f"{glyph} {names} {largest}", "fails" if failed else "holds", tip)
