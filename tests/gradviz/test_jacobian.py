"""Jacobians: values, kinds, the seed times them, and the memory they take."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest

from gradviz.diagram import Diagram, NodeId
from gradviz.jacobians.jacobian import edges_between, jacobian, local_jacobian
from gradviz.jacobians.pattern import Pattern
from gradviz.jacobians.rows import Budget, Jacobian, JacobianProblem, StoppedError, shrunk
from gradviz.jacobians.through import ones_warning, pass_sentence, through
from gradviz.labels import titles
from gradviz.run import Run
from gradviz.script.sandbox import Sandbox


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


class Script:
    """A script as it ran, its nodes by title."""

    def __init__(self, sandbox: Sandbox, text: str) -> None:
        self.diagram, self.run = sandbox.run("import torch\n" + text)
        assert self.run.error is None, self.run.error.message
        self.ids = {title: key for key, title in titles(self.diagram).items()}

    @property
    def parts(self) -> tuple[Diagram, Run]:
        return self.diagram, self.run

    def of(self, of: str, wrt: str) -> Jacobian:
        return jacobian(*self.parts, self.ids[of], self.ids[wrt])

    def local(self, node: str, slot: int = 0) -> Jacobian:
        return local_jacobian(*self.parts, self.ids[node], slot)

    def ends(self, of: str, wrt: str) -> tuple[NodeId, NodeId]:
        return self.ids[of], self.ids[wrt]


PAIR = """
x = torch.tensor([2., 3.], requires_grad=True)
y = x ** 2 + 3 * x
y.backward(torch.tensor([0., 1.]))
"""


def test_a_matrix_and_its_labels(sandbox: Sandbox) -> None:
    found = Script(sandbox, PAIR).of("y", "x")
    assert found.matrix.tolist() == [[7, 0], [0, 9]]
    assert [found.row_label(at) for at in range(2)] == ["y[0]", "y[1]"]
    assert [found.column_label(at) for at in range(2)] == ["x[0]", "x[1]"]
    assert (found.kind, found.linked, found.downsampled) == ("diagonal", True, False)


def test_the_seed_picks_a_row_and_the_product_is_what_arrived(sandbox: Sandbox) -> None:
    script = Script(sandbox, PAIR)
    found = script.of("y", "x")
    pulled = through(*script.parts, 0, found, script.ends("y", "x"))
    assert pulled is not None
    assert pulled.product is not None
    assert (pulled.row, pulled.product.tolist(), pulled.difference) == (1, [0, 9], 0)
    assert pulled.agrees
    assert pulled.all_of_it
    assert pass_sentence(pulled, found, 1) == (
        "In pass 1: vᵀ · J = [0, 9], which is what arrived at x."
    )


def test_what_comes_another_way_is_told_apart(sandbox: Sandbox) -> None:
    script = Script(sandbox, PAIR)
    found = script.of("3 * x", "x")
    pulled = through(*script.parts, 0, found, script.ends("3 * x", "x"))
    assert pulled is not None
    assert pulled.product is not None
    assert pulled.product.tolist() == [0, 3]
    assert not pulled.all_of_it
    assert pass_sentence(pulled, found, 1) == (
        "In pass 1: vᵀ · J = [0, 3]; [0, 9] arrived at x, the rest by other ways."
    )


def test_a_node_by_one_that_it_does_not_depend_on(sandbox: Sandbox) -> None:
    script = Script(sandbox, PAIR + "z = torch.tensor([1., 1., 1.], requires_grad=True)\n"
                                    "w = z.exp()\n")  # fmt: skip
    for of, wrt, shape in (("w", "x", (3, 2)), ("x", "y", (2, 2))):
        found = script.of(of, wrt)
        assert (found.linked, found.kind, found.matrix.shape) == (False, "zero", shape)
        assert not found.matrix.any()


def test_a_node_by_itself(sandbox: Sandbox) -> None:
    assert Script(sandbox, PAIR).of("y", "y").matrix.tolist() == [[1, 0], [0, 1]]
    assert Script(sandbox, KINDS).of("gone", "gone").kind == "empty"


KINDS = """
x = torch.tensor([[1., 2., 3.], [4., 5., 6.]], requires_grad=True)
b = torch.tensor([1., 2., 3.], requires_grad=True)
w = torch.tensor([[1., 2.], [3., 4.], [5., 6.]], requires_grad=True)
tanh = x.tanh()
turned = x.t()
shaped = x.reshape(6)
picked = x[0]
wide = x + b
total = x.sum(1)
product = x @ w
joined = torch.cat([b, b])
sign = x.sign()
level = torch.softmax(x, 1)
twice = b * b
cut = x.detach() * 2
gone = x[:0]
"""


@pytest.mark.parametrize(
    ("node", "slot", "kind"),
    [
        ("tanh", 0, "diagonal"),
        ("turned", 0, "permutation"),
        ("shaped", 0, "diagonal"),
        ("picked", 0, "selection"),
        ("wide", 0, "diagonal"),
        ("wide", 1, "broadcast"),
        ("total", 0, "reduction"),
        ("product", 0, "full"),
        ("product", 1, "full"),
        ("joined", 1, "selection"),
        ("sign", 0, "zero"),
        ("level", 0, "full"),
        ("twice", 1, "diagonal"),
        ("gone", 0, "empty"),
    ],
)
def test_the_badge_of_an_edge(node: str, slot: int, kind: str, sandbox: Sandbox) -> None:
    assert Script(sandbox, KINDS).local(node, slot).kind == kind


def test_one_slot_of_an_op_that_takes_a_node_twice(sandbox: Sandbox) -> None:
    script = Script(sandbox, KINDS)
    assert np.diag(script.local("twice", 0).matrix).tolist() == [1, 2, 3]
    assert np.diag(script.of("twice", "b").matrix).tolist() == [2, 4, 6]


def test_edges_on_the_way(sandbox: Sandbox) -> None:
    script = Script(sandbox, PAIR)
    ends = script.ends("y", "x")
    assert edges_between(*script.parts, *ends) == [
        (script.ids["x ** 2"], 0),
        (script.ids["3 * x"], 0),
        (script.ids["y"], 0),
        (script.ids["y"], 1),
    ]


def test_ones_are_the_elementwise_derivative_or_not(sandbox: Sandbox) -> None:
    script = Script(sandbox, KINDS)
    assert not script.of("tanh", "x").ones.differs
    level = script.of("level", "x").ones
    assert level.differs
    assert level.derivative is not None
    np.testing.assert_allclose(level.sums, 0, atol=1e-7)
    assert (level.derivative > 0.05).all()
    wide = script.of("wide", "b")
    assert wide.ones.sums.tolist() == [2, 2, 2]
    assert (wide.ones.derivative, wide.ones.differs) == (None, True)
    assert ones_warning(wide) == (
        "A seed of ones is no elementwise derivative here: it adds up the rows, [2, 2, 2]."
    )


def test_the_warning_names_the_element_that_is_furthest_off(sandbox: Sandbox) -> None:
    script = Script(sandbox, "x = torch.tensor([1., 2.], requires_grad=True)\n"
                             "m = torch.tensor([[3., 1.], [0., 5.]])\ny = m @ x\n")  # fmt: skip
    assert ones_warning(script.of("y", "x")) == (
        "A seed of ones is not the elementwise derivative here: at x[1] it gives 6, while the"
        " derivative of this element by its own is 5."
    )


def test_nodes_that_have_no_derivative_are_refused_in_a_sentence(sandbox: Sandbox) -> None:
    script = Script(
        sandbox, KINDS + "n = torch.tensor([1, 2])\nq = b[n]\nc = torch.complex(b, b)\n"
    )
    with pytest.raises(JacobianProblem, match="n holds int64: only floating point"):
        script.of("x", "n")
    with pytest.raises(JacobianProblem, match="c is complex: its Jacobian is not one matrix"):
        script.of("c", "b")
    with pytest.raises(JacobianProblem, match="There is no such edge"):
        script.local("tanh", 3)
    assert not script.of("cut", "x").matrix.any()


LARGE = """
x = torch.linspace(-3, 3, 2048).reshape(32, 64).requires_grad_()
y = torch.relu(x)
"""


def test_a_large_one_is_downsampled_and_stays_within_the_limit(sandbox: Sandbox) -> None:
    script = Script(sandbox, LARGE)
    limit = 2 << 20  # the whole matrix takes 16 MiB
    script.of("y", "x")
    tracemalloc.start()
    try:
        found = jacobian(*script.parts, *script.ends("y", "x"), budget=Budget(limit))
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < limit
    assert found.downsampled
    assert found.matrix.shape[0] == found.matrix.shape[1] < 2048
    assert (found.kind, found.ones.differs) == ("diagonal", False)
    whole = script.of("y", "x")
    assert not whole.downsampled
    side = found.matrix.shape[0]
    for at in range(side):  # a block holds the largest in size of its elements
        rows = slice(found.row_starts[at], [*found.row_starts, 2048][at + 1])
        assert found.matrix[at, at] == np.abs(whole.matrix[rows, rows]).max()
    np.testing.assert_array_equal(found.matrix, shrunk(whole, side, side).matrix)
    assert found.row_label(0).startswith("y[0, 0] … [0, ")
    assert found.row_label(side - 1).endswith(" … [31, 63]")
    assert found.product(np.ones((32, 64))) is None


def test_one_row_that_is_too_large_is_refused(sandbox: Sandbox) -> None:
    script = Script(sandbox, LARGE)
    with pytest.raises(JacobianProblem, match=r"more than the 0\.00781 MiB that it may use"):
        jacobian(*script.parts, *script.ends("y", "x"), budget=Budget(1 << 13))


def test_progress_is_told_and_may_stop_it(sandbox: Sandbox) -> None:
    script = Script(sandbox, LARGE)
    told: list[tuple[int, int]] = []

    def progress(done: int, count: int) -> bool:
        told.append((done, count))
        return done < 300

    with pytest.raises(StoppedError):
        jacobian(*script.parts, *script.ends("y", "x"), budget=Budget(progress=progress))
    assert told == [(0, 2048), (128, 2048), (256, 2048), (384, 2048)]


def test_nan_shows_in_its_block(sandbox: Sandbox) -> None:
    found = Script(sandbox, "x = torch.tensor([0., 1., 4.], requires_grad=True)\n"
                            "y = x.sqrt() * 0 * x.log()\n").of("y", "x")  # fmt: skip
    assert np.isnan(found.matrix[0, 0])
    assert np.isnan(shrunk(found, 1, 1).matrix).all()


def test_a_node_that_a_pass_appended(sandbox: Sandbox) -> None:
    from dataclasses import replace

    from gradviz.diagram import Start
    from gradviz.evaluate import evaluate

    script = Script(sandbox, PAIR)
    call = replace(script.diagram.calls[0], start=Start("reduction", reduction="sum"))
    diagram = script.diagram.with_call(0, call)
    run = evaluate(diagram)
    found = jacobian(diagram, run, run.passes[0].root, script.ids["x"], index=0)
    assert (found.of, found.matrix.tolist()) == ("Σ sum", [[7, 9]])


@pytest.mark.parametrize(
    ("matrix", "kind"),
    [
        ([[2, 0], [0, 0]], "diagonal"),
        ([[0, 1], [1, 0]], "permutation"),
        ([[0, 2], [1, 0]], "full"),
        ([[0, 1], [0, 0]], "selection"),
        ([[1, 1]], "reduction"),
        ([[0, 3]], "reduction"),
        ([[1], [1]], "broadcast"),
        ([[1, 1], [1, 0]], "full"),
        ([[0, 0]], "zero"),
        ([[float("nan")]], "diagonal"),
    ],
)
def test_kinds_from_numbers(matrix: list[list[float]], kind: str) -> None:
    array = np.array(matrix, dtype=float)
    for block in (1, len(array)):
        pattern = Pattern(*array.shape)
        for at in range(0, len(array), block):
            pattern.feed(array[at : at + block])
        assert pattern.kind() == kind


def test_what_cancels_agrees_but_for_rounding(sandbox: Sandbox) -> None:
    script = Script(
        sandbox,
        "torch.manual_seed(0)\n"
        "w = torch.randn(3, 4, requires_grad=True)\n"
        "z = torch.softmax(w, 1)\n"
        "z.backward(torch.ones(3, 4))\n",
    )
    found = script.of("z", "w")
    pulled = through(*script.parts, 0, found, script.ends("z", "w"))
    assert pulled is not None
    assert pulled.arrived is not None
    assert np.abs(pulled.arrived).max() < 1e-6  # rows of a softmax sum to one
    assert pulled.summed > 0.1
    assert pulled.agrees
