"""What was found, as badges of nodes."""

from __future__ import annotations

from collections.abc import Mapping

from gradviz.diagram import NodeId
from gradviz.figure import Badge, Badges
from gradviz.language import N_, _
from gradviz.proofs.proof import Kind, Proof, Report, tone
from gradviz.proofs.words import told_lines
from gradviz.scene.badges import GLYPHS

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
    verdict, tip = tone(proofs), "\n".join(told_lines(proofs))
    if verdict == "unknown":
        return Badge(f"{GLYPHS[verdict]} {_('not checked')}", verdict, tip)
    counted = [proof for proof in proofs if proof.passed is (verdict == "holds")]
    names = " ".join(_(_SHORT[proof.kind]) for proof in counted)
    error = _rounded(max(proof.error for proof in counted))
    return Badge(f"{GLYPHS[verdict]} {names} {error}", verdict, tip)


def _rounded(error: float) -> str:
    """An error by its size: one digit."""
    return f"{error:.0e}".replace("e-0", "e-").replace("e+00", "") if error else "0"
