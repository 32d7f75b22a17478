"""`gradviz check`: every rule and every gradient of a program, checked by independent means."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from gradviz.commands.common import (
    Opened,
    Sheet,
    add_row,
    opened,
    sheet,
    show,
    show_failure,
    working,
)
from gradviz.diagram import NodeId
from gradviz.labels import added_titles, titles
from gradviz.language import _
from gradviz.proofs import Proof, Report
from gradviz.proofs import check as check_all
from gradviz.proofs.proof import KINDS
from gradviz.proofs.words import kind_words, told, verdict


def check(src: str, *, as_json: bool = False) -> int:
    """Print what passed and by how much; status 1 where a test failed, or the program raised."""
    with opened(src) as found:
        with working(_("checking {src}").format(src=found.loaded.filename)):
            report = check_all(found.diagram, found.run)
        status = max(found.status(), int(report.failed > 0))
        if as_json:
            _write(report, found)
            return status
        show(*sheets(report, found))
        print(verdict(report))
        show_failure(found.run.error)
        return status


def _write(report: Report, found: Opened) -> None:
    from gradviz.proofs.report import document
    from gradviz.report import dumps, error_of

    sys.stdout.write(dumps(document(report, error_of(found.run.error))))


def sheets(report: Report, found: Opened) -> Iterator[Sheet]:
    """A row for each node's rule, then for each gradient that a pass brought to a leaf."""
    known: dict[NodeId, str] = dict(titles(found.diagram))
    for done in found.run.passes:
        known |= added_titles(done, known)
    words = kind_words()
    kinds = [kind for kind in KINDS if kind != "torch" or report.torch]
    heads = [words[kind] for kind in kinds]
    rules = sheet(_("the rule of each node"), _("node"), _("op"), *heads)
    for node in report.nodes:
        add_row(rules, known.get(node.node, node.node), node.op, *_cells(node.proofs, kinds))
    yield rules
    if not report.leaves:
        return
    kinds.remove("adjoint")
    heads = [words[kind] for kind in kinds]
    ends = sheet(_("each gradient from end to end"), _("pass"), _("leaf"), *heads)
    for leaf in report.leaves:
        name = f"{known.get(leaf.leaf, leaf.leaf)}.grad"
        add_row(ends, str(leaf.index + 1), name, *_cells(leaf.proofs, kinds))
    yield ends


def _cells(proofs: Sequence[Proof], kinds: Sequence[str]) -> Iterator[str]:
    by_kind = {proof.kind: proof for proof in proofs}
    for kind in kinds:
        proof = next((p for name, p in by_kind.items() if name == kind), None)
        yield "" if proof is None else told(proof)
