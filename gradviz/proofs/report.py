"""The JSON document of `gradviz check --json`."""

from __future__ import annotations

from typing import Any

from gradviz.proofs.proof import Proof, Report, tone
from gradviz.report import VERSION, Writer

Json = Any


def document(report: Report, error: Json = None) -> dict[str, Json]:
    """Everything that was checked; `error` is what ended the program, if anything did."""
    write = Writer(full=False)
    return {
        "gradviz": VERSION,
        "error": error,
        "torch": report.torch,
        "failed": report.failed,
        "largest": write.param(report.largest),
        "nodes": [
            {"id": each.node, "op": each.op, **_proofs(each.proofs, write)} for each in report.nodes
        ],
        "leaves": [
            {"pass": each.index + 1, "id": each.leaf, **_proofs(each.proofs, write)}
            for each in report.leaves
        ],
    }


def _proofs(proofs: tuple[Proof, ...], write: Writer) -> dict[str, Json]:
    told = [
        {
            "kind": proof.kind,
            "passed": proof.passed,
            "error": None if proof.passed is None else write.param(proof.error),
            "note": proof.note,
        }
        for proof in proofs
    ]
    return {"verdict": tone(proofs), "proofs": told}
