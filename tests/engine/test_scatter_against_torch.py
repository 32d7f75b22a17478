"""Gathering, scattering and indexing along axes against PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import assert_same, leaves

INDEX = np.array([[0, 2, 1], [1, 1, 0]])
ROWS = np.array([1, 0])
TWICE = np.array([1, 0, 1])
MASK = np.array([[True, False, True], [False, True, True]])


def _arrays(dtype: str = "float64") -> dict[str, np.ndarray]:
    made = leaves({"x": (2, 3), "w": (2, 3), "v": (3,), "s": ()}, dtype)
    return {**made, "ki": INDEX, "kr": ROWS, "kt": TWICE, "km": MASK}


ALONG = (
    *("x.gather(1, ki)", "torch.gather(x, 0, ki.clamp(max=1))", "x.gather(1, ki[:1, :2])"),
    *("x.gather(1, ki.int())", "torch.take_along_dim(x, ki, 1)", "x.take_along_dim(kr)"),
    *("x.take_along_dim(-ki[:1], dim=1)", "x.index_select(1, kt)", "torch.index_select(x, 0, kr)"),
    *("x.take(ki)", "x.take(-kt)", "torch.take(x, kt)"),
)
WRITTEN = (
    *("x.scatter(1, ki.sort(1)[0], w)", "x.scatter(1, ki[:1], w)", "x.scatter(1, ki, 2.5)"),
    *("x.scatter(1, ki, value=3)", "torch.scatter(x, 1, ki[:, :1], w)"),
    *("x.scatter_add(1, ki, w)", "torch.scatter_add(x, 0, ki.clamp(max=1), w)"),
    *("x.index_add(0, kr, w)", "x.index_add(1, kt, w, alpha=2)", "x.index_copy(0, kr, w)"),
    *("torch.index_copy(x, 1, kt[:2], w[:, :2])", "x.index_fill(1, kt, 2.0)"),
    *("x.index_fill(0, kr[:1], s)", "x.index_fill(1, kt, s)", "x.index_fill(1, -kt, 1)"),
    *("x.index_put((kr,), w)", "x.index_put((kr, kr), v[:2])", "x.index_put((km,), s)"),
    *("x.index_put((kt,), v, accumulate=True)", "torch.index_put(x, (kr, kr + 1), v[:2], True)"),
    *("x.put(kt, v, accumulate=True)", "x.put(kr + 3, v[:2])", "torch.put(x, kr, v[:2])"),
)
MASKED = (
    *("x.masked_select(km)", "torch.masked_select(x, x > 0)", "v.masked_select(km)"),
    *("x.masked_select(km[0])", "x.masked_scatter(km, w)", "v.masked_scatter(km, w)"),
    *("x.masked_scatter(x > 0, w.flatten())", "x.masked_fill(km, 2.0)", "x[km]"),
)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("program", [*ALONG, *WRITTEN, *MASKED])
def test_elements_put_and_taken(program: str, dtype: str) -> None:
    assert_same(f"y = {program}", _arrays(dtype))


@pytest.mark.parametrize("include", [True, False])
@pytest.mark.parametrize("reduce", ["sum", "prod", "mean", "amax", "amin"])
def test_scatter_reduce(reduce: str, include: bool) -> None:
    call = f"(1, ki, w, '{reduce}', include_self={include})"
    assert_same(f"y = x.scatter_reduce{call}", _arrays())
    if reduce != "sum":
        call = f"(1, kt, w, '{reduce}', include_self={include})"
        assert_same(f"y = x.index_reduce{call}", _arrays())


@pytest.mark.parametrize("include", [True, False])
@pytest.mark.parametrize("reduce", ["prod", "amax", "amin", "mean"])
@pytest.mark.parametrize(
    "source", [[[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]], [[2.0, 2.0, 2.0], [1.0, 1.0, 1.0]]]
)
def test_reductions_at_zeros_and_ties(source: object, reduce: str, include: bool) -> None:
    arrays = {"x": np.array([[0.0, 2.0, 1.0], [1.0, 1.0, 0.0]]), "w": np.array(source)}
    program = f"y = x.scatter_reduce(1, ki, w, '{reduce}', include_self={include})"
    assert_same(program, {**arrays, "ki": INDEX})


@pytest.mark.parametrize(
    "program",
    [
        *("k.scatter_add(1, ki, k)", "k.scatter_reduce(1, ki, k, 'mean')", "k.index_add(0, kr, k)"),
        *("k.scatter_reduce(1, ki, k, 'amax', include_self=False)", "k.scatter(1, ki, 7)"),
        *("k.scatter(1, ki, k, reduce='add')", "k.scatter(1, ki, 2, reduce='multiply')"),
        *("k.index_select(1, kt)", "k.take(kt)", "k.masked_select(km)", "k.gather(1, ki)"),
    ],
)
def test_integers(program: str) -> None:
    integers = np.array([[3, 0, 2], [1, 4, 1]])
    assert_same(f"y = {program}", {**_arrays(), "k": integers})


@pytest.mark.parametrize(
    "program",
    [
        *("s.gather(0, kz)", "v.gather(0, kz)", "s.gather(0, kz[None])", "s.index_select(0, kz)"),
        *("s.scatter(0, kz, s)", "s.scatter_add(0, kz[None], s)", "s.index_add(0, kz, s)"),
        *("s.index_fill(0, kz, 2.0)", "s.index_copy(0, kz, s)", "s.take(kz)", "s.put(kz, s)"),
        *("s.masked_select(km[0])", "v.gather(0, kz[None][:0])", "x.scatter(1, ki[:0], w)"),
        *("x.index_select(0, kr[:0])", "x.masked_select(km & False)", "x.take(ki[:0])"),
    ],
)
def test_numbers_and_empty_indices(program: str) -> None:
    assert_same(f"y = {program}", {**_arrays(), "kz": np.array(0)})


REFUSED = (
    *("x.gather(2, ki)", "x.gather(1, ki + 9)", "x.gather(1, -ki)", "x.gather(1, kr)"),
    *("x.gather(1, ki.double())", "x.gather(0, ki.repeat(1, 2))", "x.scatter(1, ki + 9, w)"),
    *("x.scatter(1, -ki, w)", "x.scatter(3, ki, w)", "x.scatter(1, ki.float(), w)"),
    *("x.scatter(1, kr, w)", "x.scatter(1, ki, w.float())", "x.scatter(1, ki, w[:1])"),
    *("x.scatter_add(1, ki, w[:1])", "x.scatter_add(1, ki + 9, w)"),
    *("x.scatter_reduce(1, ki, w, 'none')", "x.index_select(2, kr)", "x.index_select(0, ki)"),
    *("x.index_select(0, kr + 5)", "x.index_select(0, -kr)", "x.index_select(0, v)"),
    *("x.index_add(0, kt, w)", "x.index_add(0, kr + 7, w)", "x.index_add(0, kr, w.float())"),
    *("x.index_add(0, kr, w[:, :1])", "x.index_add(0, v[:2], w)", "x.index_add(4, kr, w)"),
    *("x.index_copy(0, kt, w)", "x.index_copy(0, kr + 7, w)", "x.index_copy(0, kr, w.float())"),
    *("x.index_copy(0, kr, w[:, :1])", "x.index_fill(0, kr + 7, 1.0)", "x.index_fill(0, kr, v)"),
    *("x.index_fill(0, v, 1.0)", "x.index_fill(5, kr, 1.0)", "x.index_put((kr + 9,), v)"),
    *("x.index_put((kr,), v[:2])", "x.index_reduce(0, kr, w, 'sum')", "x.take(kr + 9)"),
    *("x.index_reduce(0, kt, w, 'mean')", "x.put(kr + 9, v[:2])", "x.put(kr, v)"),
    *("x.take(v)", "x.put(kr, v[:2].float())", "x.masked_select(x)", "x.masked_select(km[:, :2])"),
    *("x.masked_scatter(km, v)", "x.masked_scatter(x, w)", "x.masked_scatter(km, w.float())"),
    *("x.take_along_dim(ki, 2)", "x.take_along_dim(kr, 1)", "x.take_along_dim(v)"),
)


@pytest.mark.parametrize("program", REFUSED)
def test_what_is_refused(program: str) -> None:
    assert_same(f"y = {program}", _arrays())


@pytest.mark.parametrize(
    "program",
    [
        *("y.scatter_(1, ki, w)", "y.scatter_add_(1, ki, w)", "y.index_add_(0, kr, w)"),
        *("y.index_copy_(0, kr, w)", "y.index_fill_(0, kr, 2.0)", "y.index_put_((kr,), w)"),
        *("y.masked_scatter_(km, w)", "y.put_(kt, v, accumulate=True)"),
        *("y.scatter_reduce_(1, ki, w, 'sum')", "y.index_reduce_(1, kt, w, 'amax')"),
    ],
)
def test_in_place(program: str) -> None:
    assert_same(f"y = x * 1\n{program}", _arrays())


def test_scatter_with_reduce_has_no_gradient() -> None:
    import engine

    x = engine.zeros(2, 3, requires_grad=True)
    with pytest.raises(NotImplementedError, match="use scatter_add or scatter_reduce"):
        x.scatter(1, engine.tensor(INDEX), x, reduce="add")
