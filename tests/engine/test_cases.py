"""The recorded cases: each has a verdict, and what is not offered yet is listed by feature."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import errors
from tests.engine.cases.driver import differences, run

RECORDS = Path(__file__).parent / "cases" / "public.jsonl"
CASES = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]

# What the engine does not offer yet. A case that comes to pass must leave this list.
NOT_YET = {
    "devices other than the CPU": {"seed-dtype-06"},
    "median, cummax": {"ties-04", "ties-07"},
    "pooling, convolution": {"ties-08", "nets-02", "nets-03"},
    "leaky_relu, elu": {"kinks-02"},
    "embedding": {"index-03"},
    "prod, cumprod, cumsum": {
        "shape-ops-01",
        "prod-cum-02",
        "prod-cum-04",
        "prod-cum-05",
    },
    "linalg.solve": {"linalg-06"},
    "var, std, layer_norm": {"stats-01", "stats-04", "stats-05"},
    "is_grads_batched": {"grad-api-07"},
    "autograd.functional, func": {
        "functional-01",
        "functional-05",
        "functional-06",
        "functional-07",
        "functional-08",
    },
    "conjugation of complex gradients": {"complex-inference-03"},
    "inference_mode": {"complex-inference-05"},
}
MISSING = {case: feature for feature, cases in NOT_YET.items() for case in cases}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_does_what_pytorch_did(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "_given", set())  # as in a process of its own
    wrong = differences(case, run(case))
    if case["id"] in MISSING:
        assert wrong, f"{MISSING[case['id']]} works here: take the case off the list"
    else:
        assert wrong == []


def test_the_list_of_what_is_missing_names_cases_there_are() -> None:
    assert {case["id"] for case in CASES} >= set(MISSING)
