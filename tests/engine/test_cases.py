"""The recorded cases: the engine does what PyTorch did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import errors
from tests.engine.cases.driver import differences, run

RECORDS = Path(__file__).parent / "cases" / "public.jsonl"
CASES = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_does_what_pytorch_did(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "_given", set())  # as in a process of its own
    wrong = differences(case, run(case))
    assert wrong == []
