"""Running sums, products and extremes against PyTorch, to second order where factors are 0."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, assert_same, leaves, run

PROGRAMS = (
    *("x.cumsum(0)", "x.cumsum(-1)", "torch.cumsum(x, 1)", "x.cumsum(1, dtype=torch.float64)"),
    *("x.cumprod(0)", "x.cumprod(-1)", "torch.cumprod(x, dim=1, dtype=torch.float64)"),
    *("x.cummax(0)[0]", "x.cummax(1).values", "x.cummin(1)[0]", "x.cummin(0).values"),
    *("x.cummax(0)[1]", "x.cummin(1).indices", "x.logcumsumexp(0)", "torch.logcumsumexp(x, 1)"),
    *("x.prod()", "x.prod(0)", "x.prod(-1, keepdim=True)", "torch.prod(x, dim=1)"),
    *("x.prod(dtype=torch.float64)", "x.prod(0, dtype=torch.float64)"),
    *("x.cumsum(0).cumsum(1)", "x.T.cumprod(0)", "x.detach().cumsum(0, dtype=torch.int64)"),
)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_scan(program: str, dtype: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (2, 3)}, dtype))


@pytest.mark.parametrize(
    "call", ["cumsum(0)", "cumprod(0)", "cummax(0)[0]", "logcumsumexp(-1)", "prod()", "prod(0)"]
)
@pytest.mark.parametrize("shape", [(), (1,), (0,)])
def test_numbers_and_empty_vectors(call: str, shape: tuple[int, ...]) -> None:
    assert_same(f"y = x.{call}", leaves({"x": shape}))


ZEROS = {
    "one": [[2.0, 0.0, 3.0], [1.0, 5.0, -2.0]],
    "two": [[0.0, 2.0, 0.0], [3.0, 0.0, 1.0]],
    "all": [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
    "first": [[0.0, 2.0, 3.0], [0.0, 1.0, 1.0]],
}


@pytest.mark.parametrize("call", ["prod()", "prod(0)", "prod(1)", "cumprod(0)", "cumprod(1)"])
@pytest.mark.parametrize("case", ZEROS)
def test_zeros_among_factors(case: str, call: str) -> None:
    assert_same(f"y = x.{call}", {"x": np.array(ZEROS[case])})


SECOND = """
g, = torch.autograd.grad((x.{call} * w).sum(), x, create_graph=True)
h, = torch.autograd.grad((g * k).sum(), x)
"""


@pytest.mark.parametrize("call", ["prod()", "prod(1)", "cumprod(1)", "cumprod(0)"])
@pytest.mark.parametrize("case", ZEROS)
def test_second_derivative_where_factors_are_zero(case: str, call: str) -> None:
    x = np.array(ZEROS[case])
    shape = {"prod()": (), "prod(1)": (2,)}.get(call, (2, 3))
    arrays = {"x": x, **leaves({"w": shape, "k": (2, 3)})}
    mine, theirs = (run(side, SECOND.format(call=call), arrays) for side in (ENGINE, TORCH))
    assert mine.error == theirs.error is None
    np.testing.assert_allclose(mine.names["h"].numpy(), theirs.names["h"].numpy(), atol=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        *("cummax(0)[0]", "cummin(0)[0]", "cummax(0)[1]", "cummin(0)[1]"),
        *("cumsum(0)", "cumprod(0)", "logcumsumexp(0)", "prod(0)"),
    ],
)
@pytest.mark.parametrize(
    "values",
    [
        [1.0, 2.0, 2.0, 1.0, 2.0],
        [3.0, 3.0, 3.0],
        [1.0, np.nan, 3.0, np.nan, 2.0],
        [np.inf, 1.0, np.inf],
        [-np.inf, 1.0, -np.inf],
    ],
)
def test_ties_nan_and_infinity(call: str, values: list[float]) -> None:
    assert_same(f"y = x.{call}", {"x": np.array(values)})


def test_integers_are_summed_in_the_widest_type() -> None:
    for call in ("cumsum(0)", "cumprod(1)", "prod()", "prod(1)", "cummax(0)[0]", "cummin(1)[1]"):
        for kind in ("bool", "int8", "uint8", "int64"):
            assert_same(f"y = k.{call}", {"k": np.array([[3, 0, 2], [1, 4, 1]]).astype(kind)})


@pytest.mark.parametrize(
    "program",
    [
        *("x.cumsum(2)", "x.cumprod(-3)", "x.cummax(5)", "x.logcumsumexp(2)", "x.prod(2)"),
        *("x.long().logcumsumexp(0)", "x[:0].prod(0)", "x[:, :0].cumsum(1)"),
    ],
)
def test_what_is_refused(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (2, 3)}))


def test_what_is_printed() -> None:
    program = "shown = repr(torch.tensor([1., 3., 2.]).cummax(0))"
    assert run(ENGINE, program, {}).names["shown"] == run(TORCH, program, {}).names["shown"]
