"""Views, copies, parts and joins against PyTorch: values, graphs, memory, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, assert_same, leaves, run

MOVED = (
    *("x.flip(0)", "x.flip(0, 1)", "torch.flip(x, (1,))", "x.flip(dims=(-1,))", "x.fliplr()"),
    *("x.flipud()", "x.roll(1)", "x.roll(-5, 1)", "x.roll((1, 2), (0, 1))", "x.rot90()"),
    *("torch.rot90(x, -1, (0, 1))", "x.rot90(2)", "x.rot90(5, (1, 0))", "x.movedim(0, -1)"),
    *("x.movedim((0, 1), (1, 0))", "x.moveaxis(1, 0)", "x.swapdims(0, 1)", "x.swapaxes(0, 1)"),
    *(
        "x.repeat(2, 1)",
        "x.repeat((2, 1, 2))",
        "x.repeat(0, 1)",
        "x.tile(2)",
        "torch.tile(x, (2, 1))",
    ),
    *("x.repeat_interleave(2)", "x.repeat_interleave(2, 1)", "x.T.repeat_interleave(2, dim=0)"),
    *("x.repeat_interleave(torch.tensor([2, 0]), 0)", "x.repeat_interleave(torch.tensor(2), 1)"),
    *("x.tril()", "x.triu(1)", "torch.tril(x, diagonal=-1)", "x.diagonal()", "x.diagonal(1)"),
    *("x.diagonal(-1, 1, 0)", "x.diagonal(9)", "x.diag()", "x[0].diag(1)", "torch.diag(x, -1)"),
    *("torch.diag_embed(x)", "torch.diag_embed(x, 1, 0, 2)", "x.diagflat()", "x[0].diagflat(-1)"),
    *("x.trace()", "torch.trace(x)", "torch.fill(x, 2.0)", "torch.fill(x, x.sum())", "x.mH"),
    *("x.H", "x.adjoint()", "x.ravel()", "x.T.ravel()", "x.unflatten(1, (3, -1))"),
)
PARTS = (
    *("x.select(1, -1)", "torch.select(x, 0, 1)", "x.narrow(1, 1, 2)", "x.narrow(0, -1, 1)"),
    *("x.unfold(1, 2, 1)", "x.unfold(0, 2, 2)", "x.T.unfold(0, 2, 1)", "x.unfold(1, 0, 1)"),
    *("x.tensor_split(2, 1)[0]", "x.tensor_split((1, 2), dim=1)[1]", "x.hsplit(3)[1]"),
    *("x.tensor_split(torch.tensor([1]))[0]", "x.vsplit(2)[1]", "x[None].dsplit([1])[1]"),
    *("x.split(2, 1)[1]", "x.split([1, 2], 1)[1]", "x.chunk(2)[1]", "x.unbind(1)[2]"),
    *(
        "x.split_with_sizes((1, 1))[0]",
        "torch.unsafe_split(x, 1)[1]",
        "torch.unsafe_chunk(x, 2, 1)[0]",
    ),
    *("torch.unsafe_split_with_sizes(x, [1, 1])[1]", "x.as_strided((2, 2), (1, 2))"),
    *(
        "x.as_strided((2, 2), (1, 1), 1)",
        "x[1:].as_strided((2,), (1,))",
        "x.T.as_strided((3,), (2,))",
    ),
)
COPIES = tuple(
    f"torch.{call}"
    for call in (
        *("view_copy(x, (3, 2))", "expand_copy(x, (2, 2, 3))", "permute_copy(x, (1, 0))"),
        *("transpose_copy(x, 0, 1)", "t_copy(x)", "squeeze_copy(x[:1])", "squeeze_copy(x[:1], 0)"),
        *("unsqueeze_copy(x, 1)", "alias_copy(x)", "diagonal_copy(x, 1)", "select_copy(x, 1, 0)"),
        *("as_strided_copy(x, (2, 2), (1, 2))", "slice_copy(x, 1, 0, 3, 2)", "unbind_copy(x)[1]"),
        *("narrow_copy(x, 1, 1, 1)", "unfold_copy(x, 1, 2, 1)", "split_copy(x, 1)[1]"),
        *("split_with_sizes_copy(x, [1, 1])[0]",),
    )
)
WRITTEN = (
    *("torch.slice_scatter(x, w[:, :2], 1, 0, 3, 2)", "x.slice_scatter(w[:1], end=1)"),
    *("torch.select_scatter(x, w[0], 0, -1)", "torch.diagonal_scatter(x, w[0, :2])"),
    *("x.diagonal_scatter(w[0, :2], 1)", "torch.as_strided_scatter(x.detach(), w[0], (3,), (2,))"),
)
JOINED = (
    *("torch.hstack([x, w])", "torch.hstack([x[0], w[0]])", "torch.vstack([x[0], w[0]])"),
    *("torch.row_stack([x, w])", "torch.dstack([x, w])", "torch.column_stack([x, w[:, 0]])"),
    *("torch.atleast_1d(x[0, 0])", "torch.atleast_2d(x[0])", "torch.atleast_3d(x)"),
    *("torch.atleast_3d(x[0])", "torch.block_diag(x, w[0], x[0, 0])", "torch.combinations(x[0])"),
    *("torch.combinations(x[0], 3)", "torch.combinations(x[0], with_replacement=True)"),
    *("torch.cartesian_prod(x[0], w[0, :2])", "torch.cartesian_prod(x[0])"),
    *(
        "torch.meshgrid(x[0], w[0], indexing='ij')[1]",
        "torch.meshgrid(x[0], w[:, 0], indexing='xy')[0]",
    ),
    *("torch.broadcast_tensors(x, w[0])[1]", "x.sum_to_size(1, 3)", "x.sum_to_size(3)"),
    *("x.sum_to_size(2, 3)", "torch.stack(torch.broadcast_tensors(x, w))"),
)


@pytest.mark.parametrize("program", [*MOVED, *PARTS, *COPIES, *WRITTEN, *JOINED])
def test_shape_operator(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (2, 3), "w": (2, 3)}))


@pytest.mark.parametrize(
    "call", ["flip(0)", "tril()", "repeat(2, 1)", "roll(1)", "diag()", "trace()"]
)
@pytest.mark.parametrize("kind", ["bool", "int32", "float16"])
def test_other_dtypes(kind: str, call: str) -> None:
    assert_same(f"y = k.{call}", {"k": np.array([[3, 0, 2], [1, 4, 1]]).astype(kind)})


@pytest.mark.parametrize(
    "call",
    [
        *("flip(())", "roll(1)", "repeat(2)", "tile(2)", "unfold(0, 1, 1)", "diagflat()"),
        *("movedim(0, 0)", "repeat_interleave(2)", "ravel()", "diag()", "tril()"),
        *("split(1)", "unbind()", "chunk(1)", "roll(1, 0)", "select(0, 0)", "narrow(0, 0, 1)"),
        *("tensor_split(1)", "hsplit(1)", "diagonal()", "flipud()", "mT", "H", "mH"),
    ],
)
def test_numbers(call: str) -> None:
    assert_same(f"y = x.{call}", leaves({"x": ()}))


VIEWS = (
    *("diagonal()", "select(0, 1)", "unfold(1, 2, 2)", "narrow(1, 0, 2)", "as_strided((2,), (3,))"),
    *(
        "movedim(0, 1)",
        "tensor_split(2)[0]",
        "hsplit(3)[2]",
        "swapdims(0, 1)",
        "unflatten(1, (3, 1))",
    ),
)


@pytest.mark.parametrize("call", VIEWS)
def test_views_show_the_memory_that_they_came_from(call: str) -> None:
    written = f"v = k.{call}\nk[1, 1] = 50.\nk[0, 0] = 40.\nv.mul_(2)"
    program = f"{written}\ny = torch.cat([v.flatten(), k.flatten()])"
    assert_same(program, {"k": np.arange(6.0).reshape(2, 3)})


@pytest.mark.parametrize(
    "call", ["diagonal()", "select(0, 1)", "unfold(0, 1, 1)", "narrow(1, 0, 2)"]
)
def test_writing_through_a_view_goes_on_in_the_graph(call: str) -> None:
    program = f"z = x * 1\nz.{call}.mul_(3)\ny = z * w"
    assert_same(program, leaves({"x": (2, 3), "w": (2, 3)}), shallow=True)


REFUSED = (
    *(
        "x.flip(3)",
        "x.flip(0, 0)",
        "x.flip()",
        "x.tile()",
        "x.repeat()",
        "x.roll((1, 2))",
        "x.roll((1, 2), (0,))",
        "x.roll(1, 5)",
    ),
    *("x[0].tril()", "x.diagonal(0, 0, 0)", "x.diagonal(0, 0, 3)", "torch.diag(x[None])"),
    *("torch.diag_embed(x, 0, 0, 0)", "x[0].trace()", "x.select(5, 0)", "x.select(0, 5)"),
    *("x.unfold(1, 9, 1)", "x.unfold(1, 2, 0)", "x.unfold(1, -1, 1)", "x.unfold(4, 2, 1)"),
    *("x.tensor_split(0)", "x.tensor_split(2, 5)", "x[0].vsplit(2)", "x.hsplit(2)", "x.dsplit(2)"),
    *("x.movedim((0, 1), (0,))", "x.movedim((0, 0), (0, 1))", "x.movedim((0, 1), (1, 1))"),
    *(
        "x.movedim(0, 4)",
        "x.repeat(2)",
        "x.repeat(2, -1)",
        "x.repeat_interleave(-1)",
        "x[0].rot90()",
    ),
    *("x.repeat_interleave(torch.tensor([1, 2, 3]), 0)", "x.rot90(1, (0, 0))", "x.rot90(1, (0,))"),
    *(
        "x.repeat_interleave(torch.tensor([1, -2]), 0)",
        "x[0].fliplr()",
        "x.as_strided((9, 9), (1, 1))",
    ),
    *(
        "x.as_strided((2,), (1, 1))",
        "x.as_strided((2,), (-1,))",
        "torch.slice_scatter(x, w, 0, 0, 1)",
    ),
    *("torch.select_scatter(x, w, 0, 1)", "torch.diagonal_scatter(x, w)", "torch.column_stack([])"),
    *(
        "torch.hstack([])",
        "torch.vstack([])",
        "torch.hstack([x, w[0]])",
        "torch.vstack([x, w[0, :2]])",
    ),
    *("torch.broadcast_tensors(x, w[0, :2])", "torch.meshgrid(x[0], indexing='zz')"),
    *("torch.combinations(x)", "torch.combinations(x[0], -1)", "torch.cartesian_prod(x)"),
    *("torch.block_diag(x[None])", "x.split_with_sizes([1, 3])", "x.split_with_sizes([-1, 3])"),
    *("torch.unsafe_split(x, -1)", "x.sum_to_size(5)", "x.sum_to_size(1, 1, 1, 3)", "x[None].H"),
    *("x[0].H", "x[0].mH", "x[0].mT", "x.expand(2)", "x.expand(-1, 2, 3)", "x.expand(4, 3)"),
    *("x.unflatten(1, (2, 2))", "x.unflatten(1, ())", "x.unflatten(3, (1, 2))", "x.chunk(0)"),
    *(
        "x.chunk(2, 4)",
        "x.narrow(0, 1, 5)",
        "x.narrow(0, 0, -1)",
        "x.narrow(3, 0, 1)",
        "x.split(-1)",
    ),
    *("x.narrow(0, 9, 1)", "torch.cat([])", "torch.stack([])", "x.split(0)", "x.unbind(4)"),
    *("x.split([1, 3])", "x.split(1, 4)", "x.swapdims(0, 5)", "torch.fill(x, w)"),
)


@pytest.mark.parametrize("program", REFUSED)
def test_what_is_refused(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (2, 3), "w": (2, 3)}))


def test_as_strided_gives_no_gradient_to_what_the_tensor_does_not_show() -> None:
    assert_same("y = x[:, :2].as_strided((3,), (1,), 1)", leaves({"x": (2, 3)}))


def test_shapes_without_tensors() -> None:
    for program in ("torch.broadcast_shapes((2, 1), (3,), 1)", "torch.block_diag().shape"):
        shown = [run(side, f"y = tuple({program})", {}).names["y"] for side in (ENGINE, TORCH)]
        assert shown[0] == shown[1]


def test_sparse_is_declined() -> None:
    import engine

    with pytest.raises(NotImplementedError, match="sparse tensors are not available"):
        engine.ones(2).to_sparse()


@pytest.mark.parametrize(
    "call",
    [
        *("unsqueeze_(0)", "unsqueeze_(-1)", "squeeze_()", "squeeze_(0)", "squeeze_((0, 1))"),
        *("t_()", "transpose_(0, 1)", "swapaxes_(0, 1)", "swapdims_(0, 1)", "unsqueeze_(5)"),
    ],
)
def test_axes_changed_in_place(call: str) -> None:
    assert_same(f"y = x * 1\nz = y.{call}\ny = y * 2", leaves({"x": (1, 3)}))
    assert_same(f"y = (x * 1)[0:1]\ny.{call}\ny.mul_(2)", leaves({"x": (2, 3)}), shallow=True)
    assert_same(f"y = k.{call}", {"k": np.ones((1, 3))})


def test_axes_of_a_leaf_or_of_what_was_saved_cannot_be_changed() -> None:
    assert_same("y = x.t_()", leaves({"x": (2, 3)}))
    assert_same("z = x * 1\ny = (z * z).sum()\nz.t_()\ny.backward()", leaves({"x": (2, 3)}))
    assert_same("y = x.exp()\ny.unsqueeze_(0)", leaves({"x": (2, 3)}), shallow=True)


@pytest.mark.parametrize(
    "program",
    [
        *("k.fill_diagonal_(2.0)", "k[1:].fill_diagonal_(3.0)", "k.T.fill_diagonal_(2.0)"),
        *("torch.ones(7, 2).fill_diagonal_(2.0, wrap=True)", "k[0].fill_diagonal_(2.0)"),
        *("(x * 1).fill_diagonal_(2.0)", "x.fill_diagonal_(2.0)", "torch.narrow_copy(x, 0, 1, 1)"),
    ],
)
def test_the_diagonal_filled(program: str) -> None:
    arrays = {**leaves({"x": (2, 3)}), "k": np.arange(12.0).reshape(4, 3)}
    assert_same(f"y = {program}", arrays, shallow=True)


@pytest.mark.parametrize(
    "program",
    [
        *("x.sum(axis=0)", "torch.sum(x, axis=1, keepdims=True)", "x.mean(axis=1)"),
        *("torch.max(x, axis=1)[0]", "x.min(axis=0, keepdims=True).indices", "x.argmax(axis=0)"),
        *("torch.cat([x, x], axis=1)", "torch.stack([x, x], axis=1)", "x.softmax(axis=0)"),
        *("x.std(axis=0)", "x.prod(axis=1)", "x.cumsum(axis=0)", "x.sort(axis=0)[0]"),
        *("x.unsqueeze(axis=0)", "x[:1].squeeze(axis=0)", "x.any(axis=1)", "x.amax(axis=0)"),
        *("x.median(axis=0)[0]", "torch.unbind(x, axis=1)[0]", "x.chunk(2, axis=0)[1]"),
        *("x.view(size=(3, 2))", "x.expand(size=(2, 2, 3))", "x.split(split_size=1)[1]"),
        *("torch.swapaxes(x, axis0=0, axis1=1)", "torch.unflatten(x, dim=1, sizes=(3, 1))"),
        *("torch.max(input=x, other=x)", "torch.flip(x, dims=(0,))", "x.diff(axis=0)"),
    ],
)
def test_arguments_by_their_names(program: str) -> None:
    assert_same(f"y = {program}", leaves({"x": (2, 3)}))


@pytest.mark.parametrize(
    "call",
    [
        *(
            "[:, k]",
            ".index_select(1, k)",
            ".expand(2, 2, 3).clone()",
            ".T.tril()",
        ),
        *(".T.roll(1, 0)", ".T.amax(0)", ".T.scatter_add(0, k[:, None], x.T)", ".T.flip(0)"),
        *(".T.masked_fill(x.T > 0, 0.0)", ".T.cumsum(0)", ".rot90()", ".T.var(0, keepdim=True)"),
    ],
)
def test_results_lie_in_memory_as_those_of_pytorch(call: str) -> None:
    arrays = {**leaves({"x": (2, 3)}), "k": np.array([2, 0, 1])}
    assert_same(f"y = torch.tensor(x{call}.stride())", arrays)


def test_a_view_of_an_expanded_copy_written_to_has_the_right_second_derivative() -> None:
    program = (
        "b = x.unsqueeze(1).expand(3, 2, 3).contiguous()\nv = b.view(6, 3)[:3]\nv.mul_(2)\n"
        "g, = torch.autograd.grad((v * v * v).sum(), x, create_graph=True)\n"
        "y, = torch.autograd.grad((g * k).sum(), x)"
    )
    assert_same(program, leaves({"x": (3, 3), "k": (3, 3)}))


def test_empty_vectors_may_stand_among_what_is_joined() -> None:
    assert_same("y = torch.cat([w, x, w])", leaves({"x": (2, 3), "w": (0,)}))
