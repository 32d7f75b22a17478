"""Variances, sums past nan, covariances, differences and areas, masked reductions: as PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, assert_same, leaves, run

SPREAD = (
    *(
        "x.var()",
        "x.var(0)",
        "x.var(dim=1, keepdim=True)",
        "x.var((0, 1))",
        "x.var(unbiased=False)",
    ),
    *("x.var(False)", "x.var(1, False)", "x.var(1, False, True)", "x.var(1, correction=0)"),
    *("torch.var(x, 1, correction=0.5)", "x.std()", "x.std(1)", "x.std(False)"),
    *("x.std(dim=1, unbiased=True)", "torch.std(x, 0, correction=0)", "x.std(0, keepdim=True)"),
    *("torch.var_mean(x)[0]", "torch.var_mean(x, 1)[1]", "torch.var_mean(x, False)[0]"),
    *("torch.std_mean(x, 1, keepdim=True)[0]", "torch.std_mean(x, 0, correction=0)[1]"),
)
TOTALS = (
    *("x.nansum()", "x.nansum(0)", "x.nansum(1, keepdim=True)", "x.nansum(dtype=torch.float64)"),
    *("x.nanmean()", "x.nanmean(1)", "torch.nanmean(x, 0, keepdim=True)", "x.count_nonzero()"),
    *("torch.count_nonzero(x > 0, 1)", "x.sum(())", "x.mean(())", "x.sum(dim=None, keepdim=True)"),
    *("x.sum([])", "x.mean(dim=[], keepdim=True)", "x.any(())", "x.all(dim=(0, 1))"),
)
LONG = tuple(f"x.renorm({p}, {dim}, 0.8)" for p in (1, 2, 3, 0.5, "float('inf')") for dim in (0, 1))
BETWEEN = (
    *("x.cov()", "x[0].cov()", "torch.cov(x, correction=0)", "torch.cov(x, aweights=k[0])"),
    *("x.corrcoef()", "x[0].corrcoef()", "x.diff()", "x.diff(dim=0)", "x.diff(n=2)"),
    *("x.diff(n=0)", "x.diff(n=9)", "torch.diff(x, prepend=x[:, :1], append=x)", "(x > 0).diff()"),
    *("torch.gradient(x)[0]", "torch.gradient(x, dim=1)[0]", "torch.gradient(x, spacing=2.0)[1]"),
    *("torch.gradient(x, dim=1, edge_order=2)[0]", "torch.gradient(x, spacing=[2.0, 0.5])[1]"),
    *("torch.trapezoid(x)", "torch.trapz(x, dx=0.5)", "torch.trapezoid(x, x[0])"),
    *("torch.trapezoid(x, x, dim=0)", "torch.cumulative_trapezoid(x, dim=0)"),
    *("torch.cumulative_trapezoid(x, x[0])", "torch.trapezoid(x, dim=0)"),
)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("program", [*SPREAD, *TOTALS, *LONG, *BETWEEN])
def test_statistic(program: str, dtype: str) -> None:
    arrays = leaves({"x": (2, 3), "k": (2, 3)}, dtype)
    assert_same(f"y = {program}", {**arrays, "k": abs(arrays["k"])}, tolerance=_exact(dtype))


def _exact(dtype: str) -> float:
    return 1e-12 if dtype == "float64" else 5e-6


@pytest.mark.parametrize(
    "program",
    [
        "torch.gradient(x, spacing=(k[0, :2], k[0]), edge_order=1)[1]",
        "torch.gradient(x, spacing=(k[0],), dim=1, edge_order=2)[0]",
        "torch.gradient(x, spacing=(k[0],), dim=1)[0]",
    ],
)
def test_gradient_at_uneven_points(program: str) -> None:
    arrays = {**leaves({"x": (2, 3)}), "k": np.array([[0.0, 0.5, 2.0]])}
    assert_same(f"y = {program}", arrays, shallow=True)


@pytest.mark.parametrize("call", ["var()", "std()", "var(0)", "std(0, correction=2)", "std(False)"])
@pytest.mark.parametrize("values", [[2.0], [3.0, 3.0, 3.0], [], [1.0, np.nan, 2.0]])
def test_no_spread_and_no_freedom(values: list[float], call: str) -> None:
    assert_same(f"y = x.{call}", {"x": np.array(values)})


@pytest.mark.parametrize("call", ["var()", "std(1)", "nansum(1)"])
def test_half_precision(call: str) -> None:
    assert_same(f"y = x.{call}", leaves({"x": (2, 3)}, "float16"))


@pytest.mark.parametrize(
    "call", ["nansum()", "nansum(0)", "nanmean()", "nanmean(1)", "nanmedian()"]
)
def test_nan_is_passed_over(call: str) -> None:
    x = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan]])
    assert_same(f"y = x.{call}", {"x": x})


@pytest.mark.parametrize("p", [1, 2, 3, 0.5, "float('inf')"])
def test_renorm_of_zeros_and_short_slices(p: object) -> None:
    x = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, -3.0], [0.1, 0.1, 0.0]])
    assert_same(f"y = x.renorm({p}, 0, 1.0)", {"x": x})


@pytest.mark.parametrize(
    "program",
    [
        *("x.long().var()", "x.long().std(0)", "x.var(4)", "x.var((0, 0))", "x.long().nanmean()"),
        *("x.renorm(-1, 0, 1.0)", "x.renorm(2, 5, 1.0)", "x[0].renorm(2, 0, 1.0)"),
        *("x.renorm(2, 0, -1.0)", "x[None].cov()", "x[None].corrcoef()", "x[0, 0].diff()"),
        *("x.diff(n=-1)", "x.diff(dim=4)", "torch.gradient(x, dim=3)", "torch.trapezoid(x, dim=4)"),
        *("torch.gradient(x, edge_order=3)", "torch.gradient(x[0], spacing=[1.0, 2.0])"),
        *("torch.gradient(x, dim=1, spacing=[1.0, 2.0])", "torch.gradient(x[:, :1])"),
        *("torch.trapezoid(x, x[0, :2])", "torch.cumulative_trapezoid(x, x[0, :2])"),
        *("x.long().nansum()", "x.count_nonzero(4)", "x.long().cov()", "x.to(torch.uint8).any()"),
    ],
)
def test_what_is_refused(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (2, 3)}))


MASKED = (
    *(
        "sum(x, 1, mask=km)",
        "sum(x)",
        "sum(x, (0, 1), keepdim=True, mask=km)",
        "prod(x, 1, mask=km)",
    ),
    *("prod(x, mask=km)", "cumsum(x, 1, mask=km)", "cumprod(x, 0, mask=km)", "amax(x, 1, mask=km)"),
    *("amin(x, mask=km)", "mean(x, 1, mask=km)", "mean(x)", "median(x, 1, mask=km)"),
    *("norm(x, 2, 1, mask=km)", "norm(x, float('-inf'), 0, mask=km)", "var(x, 1, mask=km)"),
    *("var(x, 0, False)", "std(x, 1, mask=km)", "std(x, correction=0, mask=km)"),
    *("softmax(x, 1, mask=km)", "log_softmax(x, 1, mask=km[0])", "softmin(x, 0, mask=km)"),
    *("logsumexp(x, 1, mask=km)", "logaddexp(x, x, input_mask=km, other_mask=~km)"),
    *("normalize(x, 2, 1, mask=km)", "argmax(x, 1, mask=km)", "argmin(x, mask=km)"),
)


@pytest.mark.parametrize("program", MASKED)
def test_masked(program: str) -> None:
    mask = np.array([[True, False, True], [False, True, True]])
    assert_same(f"y = torch.masked.{program}", {**leaves({"x": (2, 3)}), "km": mask})


def test_masked_where_nothing_is_left() -> None:
    mask = np.array([[False, False, False], [False, True, True]])
    for name in ("sum", "prod", "mean", "amax", "amin", "median", "softmax", "logsumexp", "var"):
        program = f"y = torch.masked.{name}(x, 1, mask=km)"
        assert_same(program, {**leaves({"x": (2, 3)}), "km": mask})


SEARCHED = (
    *("torch.nonzero(k > 1)", "torch.argwhere(k)", "torch.stack(k.nonzero(as_tuple=True))"),
    *(
        "torch.bincount(k[0])",
        "torch.bincount(k[0], minlength=9)",
        "torch.bincount(k[0], x[0].detach())",
    ),
    *("torch.histc(x.detach(), 4)", "torch.histc(x.detach(), 3, -1, 1)", "torch.unique(k)"),
    *("torch.unique(k, return_inverse=True)[1]", "torch.unique(k, return_counts=True)[1]"),
    *("torch.unique(k, dim=1)", "torch.unique_consecutive(k)", "torch.isin(k, k[0, :1])"),
    *("torch.unique_consecutive(k, return_counts=True)[1]", "torch.isin(k, 2, invert=True)"),
    *("torch.bucketize(x.detach(), k[1])", "torch.searchsorted(k[1], x.detach(), right=True)"),
    *("torch.searchsorted(k.sort(1)[0], k, side='right')", "torch.bucketize(2, k[1])"),
    *("torch.nonzero_static(k, size=4)", "torch.unravel_index(k, (2, 5))[1]"),
    *("torch.histogram(x.detach(), 3)[0]", "torch.histogram(x.detach(), 4, range=(-1.0, 1.0))[1]"),
    *("torch.tril_indices(3, 2, 1)", "torch.triu_indices(2, 3, dtype=torch.int32)"),
)


@pytest.mark.parametrize("program", SEARCHED)
def test_questions_without_gradient(program: str) -> None:
    k = np.array([[3, 0, 2], [1, 2, 4]])
    assert_same(f"y = {program}", {**leaves({"x": (2, 3)}), "k": k})


def test_what_is_printed() -> None:
    program = "shown = repr(torch.tensor([1., 3., 2.]).aminmax())"
    assert run(ENGINE, program, {}).names["shown"] == run(TORCH, program, {}).names["shown"]


def test_questions_about_values_have_no_gradient() -> None:
    import engine

    x = engine.ones(2, requires_grad=True)
    for call in (x.unique, x.unique_consecutive, lambda: engine.tensor([0, 1]).bincount(x)):
        with pytest.raises(NotImplementedError, match="has no gradient"):
            call()
    assert x.detach().unique().tolist() == [1.0]
