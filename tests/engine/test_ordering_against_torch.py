"""Sorting, selection, medians and modes against PyTorch: which of equal elements is reported."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, assert_same, leaves, run

PICKED = (
    *("x.sort()", "x.sort(0)", "x.sort(dim=1, descending=True)", "x.sort(0, True)"),
    *("torch.sort(x, stable=True)", "x.sort(stable=True, dim=0, descending=True)"),
    *("x.topk(2)", "x.topk(1, 0)", "x.topk(2, largest=False)", "torch.topk(x, 2, dim=1)"),
    *("x.topk(0)", "x.kthvalue(2)", "x.kthvalue(1, 0)", "x.kthvalue(3, dim=1, keepdim=True)"),
    *("x.median(0)", "x.median(dim=1, keepdim=True)", "x.nanmedian(1)", "x.mode(0)"),
    *("x.mode()", "torch.mode(x, 1, keepdim=True)", "x.max(0)", "x.min(1, keepdim=True)"),
    *("x.aminmax(dim=0)", "x.aminmax()", "x.aminmax(dim=1, keepdim=True)"),
)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("output", [0, 1])
@pytest.mark.parametrize("program", PICKED)
def test_values_and_places(program: str, output: int, dtype: str) -> None:
    assert_same(f"y = {program}[{output}]", leaves({"x": (2, 3)}, dtype))


@pytest.mark.parametrize(
    "program",
    [
        *("x.median()", "x.nanmedian()", "x.max()", "x.min()", "x.argsort()", "x.argsort(0, True)"),
        *("torch.argsort(x, dim=0)", "x.msort()", "torch.msort(x)", "x.sort()[0].sort(0)[0]"),
    ],
)
def test_single_results(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (2, 3)}))


@pytest.mark.parametrize(
    "call",
    [
        *("sort()", "topk(1)", "kthvalue(1)", "median(0)", "nanmedian(0)", "mode()", "max(0)"),
        "aminmax(dim=0)",
    ],
)
def test_a_number_counts_as_a_vector_of_one(call: str) -> None:
    for output in (0, 1):
        assert_same(f"y = x.{call}[{output}]", leaves({"x": ()}))


TIED = {
    "pairs": [2.0, 1.0, 2.0, 1.0, 2.0],
    "equal": [1.0, 1.0, 1.0, 1.0],
    "middle": [3.0, 2.0, 2.0, 2.0, 1.0, 2.0],
    "many": [1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 3.0, 0.0, 0.0, 3.0, 2.0],
    "nan": [1.0, np.nan, 3.0, np.nan, 2.0, 1.0],
    "only nan": [np.nan, np.nan, np.nan],
    "infinite": [np.inf, 1.0, -np.inf, np.inf],
}


@pytest.mark.parametrize(
    "call",
    [
        *("sort()", "sort(descending=True)", "median(0)", "nanmedian(0)", "max(0)", "min(0)"),
        *("kthvalue(1)", "kthvalue(2)", "kthvalue(3)", "aminmax(dim=0)", "aminmax()"),
    ],
)
@pytest.mark.parametrize("case", TIED)
def test_which_of_equal_elements(case: str, call: str) -> None:
    for output in (0, 1):
        assert_same(f"y = x.{call}[{output}]", {"x": np.array(TIED[case])})


@pytest.mark.parametrize("call", ["median()", "nanmedian()", "max()", "min()", "amax()", "amin()"])
@pytest.mark.parametrize("case", TIED)
def test_equal_elements_share(case: str, call: str) -> None:
    assert_same(f"y = x.{call}", {"x": np.array(TIED[case])})


@pytest.mark.parametrize("case", TIED)
def test_the_most_frequent_value(case: str) -> None:
    for output in (0, 1):
        assert_same(f"y = x.mode()[{output}]", {"x": np.array(TIED[case])})


def test_every_order_statistic_of_short_lines_with_ties() -> None:
    random = np.random.default_rng(5)
    for n in range(1, 12):
        line = random.integers(0, 4, n).astype(float)
        for k in range(1, n + 1):
            assert_same(f"y = x.kthvalue({k})[1]", {"x": line})


@pytest.mark.parametrize("n", [1, 2, 3, 5, 9, 16, 17, 40, 200])
def test_which_of_equal_elements_lead(n: int) -> None:
    random = np.random.default_rng(n)
    for values in (2, 5):
        line = random.integers(0, values, n).astype(float)
        for k in {1, n // 100, n // 2, n}:
            for largest in (True, False):
                assert_same(f"y = x.topk({k}, largest={largest})[0]", {"x": line})
        assert_same("y = x.mode()[1]", {"x": line})


@pytest.mark.parametrize("kind", ["int64", "uint8", "bool"])
def test_integers(kind: str) -> None:
    array = np.array([[3, 0, 2], [1, 4, 1]]).astype(kind)
    calls = ["sort()", "sort(descending=True)", "max(1)", "mode()", "aminmax(dim=0)"]
    if kind != "bool":
        calls += ["topk(2)", "kthvalue(2)", "median(1)"]
    for call in calls:
        assert_same(f"y = k.{call}[0]", {"k": array})


@pytest.mark.parametrize(
    "program",
    [
        *("x.sort(4)", "x.topk(7)", "x.topk(-1)", "x.topk(1, 3)", "x.kthvalue(9)", "x.kthvalue(0)"),
        *("x.kthvalue(1, 5)", "x.median(4)", "x.mode(-3)", "x[:0].median(0)[0]", "x[:0].median()"),
        *("x[:0].median(1)[0]", "x[:0].mode(0)", "x[:0].kthvalue(1, 0)", "x[:0].sort(0)[0]"),
        *("x[:0].aminmax()", "x[:0].aminmax(dim=0)", "x[:0].max(0)", "x[:0].amax(0)"),
        *("x.bool().median()", "x.bool().argmax()", "x[:0].argmax(0)", "x[:0].argmin()"),
    ],
)
def test_empty_and_refused(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (2, 3)}))


@pytest.mark.parametrize(
    "program",
    [
        *("x.quantile(0.3)", "x.quantile(0.5, 0)", "x.quantile(0.25, dim=1, keepdim=True)"),
        *("x.quantile(k)", "x.quantile(k, 1)", "x.quantile(k, 0, True)", "x.nanquantile(0.4)"),
        *("x.nanquantile(k, 1)", "torch.quantile(x, 1.0)", "torch.quantile(x, k, dim=0)"),
        *(
            f"x.quantile(0.3, 1, interpolation='{way}')"
            for way in ("linear", "lower", "higher", "midpoint", "nearest")
        ),
    ],
)
def test_quantiles(program: str) -> None:
    assert_same(f"y = {program}", {**leaves({"x": (2, 3)}), "k": np.array([0.1, 0.5, 1.0])})


@pytest.mark.parametrize("call", ["quantile(0.5)", "nanquantile(0.5)", "nanquantile(0.3)"])
@pytest.mark.parametrize("case", ["nan", "only nan", "pairs"])
def test_quantiles_of_nan(case: str, call: str) -> None:
    assert_same(f"y = x.{call}", {"x": np.array(TIED[case])})


@pytest.mark.parametrize(
    "program",
    [
        *("x.quantile(2.0)", "x.quantile(-0.5)", "x.long().quantile(0.5)", "x[:0].quantile(0.5)"),
        *("x.quantile(k)", "x.quantile(0.5, interpolation='none')", "x.quantile(0.5, 4)"),
        *("x.quantile(k.double() + 1)", "x.quantile(k.double()[None])"),
    ],
)
def test_quantiles_that_are_refused(program: str) -> None:
    assert_same(f"y = {program}", {**leaves({"x": (2, 3)}), "k": np.array([0.5], np.float32)})


@pytest.mark.parametrize("call", ["sort()", "topk(2)", "kthvalue(1)", "median(0)", "mode(0)"])
def test_what_is_printed(call: str) -> None:
    program = f"shown = repr(torch.tensor([1., 3., 2.]).{call})"
    assert run(ENGINE, program, {}).names["shown"] == run(TORCH, program, {}).names["shown"]
