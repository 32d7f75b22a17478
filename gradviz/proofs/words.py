"""What a check found, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from gradviz.cells import number
from gradviz.language import _, ngettext
from gradviz.proofs.proof import Kind, Proof, Report


def kind_words() -> dict[Kind, str]:
    """What each kind of test is called."""
    return {
        "differences": _("finite differences"),
        "adjoint": _("adjoint test"),
        "torch": "PyTorch",
    }


def told(proof: Proof) -> str:
    """A test in a cell: ✓ or ✗ with its error, a note, or why it does not apply."""
    if proof.passed is None:
        return f"– {proof.note}"
    text = f"{'✓' if proof.passed else '✗'} {number(proof.error)}"
    return f"{text} ({proof.note})" if proof.note else text


def told_lines(proofs: Sequence[Proof]) -> list[str]:
    """A line for each test; one sentence where none of them applies."""
    if not any(proof.passed is not None for proof in proofs):
        reasons = dict.fromkeys(proof.note for proof in proofs if proof.note)
        return [_("cannot be checked: {why}").format(why=next(iter(reasons), ""))]
    words = kind_words()
    return [f"{words[proof.kind]}: {told(proof)}" for proof in proofs]


def verdict(report: Report) -> str:
    """All of it in a line."""
    count = sum(proof.passed is not None for proof in report.proofs())
    if report.failed:
        return ngettext(
            "{failed} of {count} test failed", "{failed} of {count} tests failed", count
        ).format(failed=report.failed, count=count)
    text = ngettext("{count} test passed", "{count} tests passed", count).format(count=count)
    text += _("; the largest error is {error}").format(error=number(report.largest))
    if report.unknown:
        text += ngettext(
            "; {n} gradient cannot be checked", "; {n} gradients cannot be checked", report.unknown
        ).format(n=report.unknown)
    if not report.torch:
        text += _("; PyTorch is not installed here")
    return text
