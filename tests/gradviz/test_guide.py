"""The guide: the path is a tree, its code does what is promised, its scripts run as in PyTorch."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gradviz.diagram import BackwardCall, Start
from gradviz.examples import example
from gradviz.guide.decision import ENDS, FIRST, QUESTIONS, path_to, standing
from gradviz.guide.mistakes import MISTAKES
from gradviz.guide.needs import NEEDS
from gradviz.guide.snippet import code, names, tell
from gradviz.guide.subject import Subject, article, subject_of
from gradviz.guide.ways import Way, outcome
from gradviz.guide.ways import code as code_of
from gradviz.script.sandbox import Sandbox

LAYER = """import torch

x = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0]])
w = torch.tensor([[0.5, -0.25, 1.0, 2.0], [1.5, 0.75, -1.0, 0.0]], requires_grad=True)
b = torch.tensor([0.5, 0.0, 1.0, -1.0], requires_grad=True)
y = torch.tanh(x @ w + b)
"""
VECTOR = """import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x
"""
DOUBLE = VECTOR.replace("3.0], ", "3.0], dtype=torch.float64, ")
SCALAR = VECTOR.replace("y = x**2", "y = x[0] ** 2").replace("3 * x", "3 * x[1]")
FORWARDS = {"vector": VECTOR, "layer": LAYER, "double": DOUBLE, "scalar": SCALAR}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def about(sandbox: Sandbox, forward: str) -> Subject:
    diagram, run = sandbox.run(forward)
    last = [key for key, node in diagram.nodes.items() if node.name == "y"][-1]
    found = subject_of(diagram, run, BackwardCall(last))
    assert found is not None
    return found


def test_every_answer_leads_on_and_every_end_is_reached_once() -> None:
    reached = [answer.to for question in QUESTIONS.values() for answer in question.answers]
    assert sorted(reached) == sorted([*ENDS, *(key for key in QUESTIONS if key != FIRST)])
    assert path_to("samples") == ("one", "aim", "which", "apart", "samples")
    assert path_to("mean") == ("one", "aim", "scale", "mean")


@pytest.mark.parametrize(
    ("start", "key"),
    [
        (Start(), "aim"),
        (Start("reduction", reduction="sum"), "sum"),
        (Start("reduction", reduction="mean"), "mean"),
        (Start("reduction", reduction="norm"), "scale"),
        (Start("reduction", reduction="component", index=1), "component"),
        (Start("reduction", reduction="weighted", values=np.ones(2)), "weights"),
        (Start("seed", values=np.array([0.0, 1.0])), "component"),
        (Start("seed", values=np.array([1.0, 1.0])), "weights"),
    ],
)
def test_where_a_call_stands(sandbox: Sandbox, start: Start, key: str) -> None:
    found = article(sandbox)
    assert not found.own
    assert standing(replace(found, call=BackwardCall(found.node, start))) == key


@pytest.mark.parametrize("name", ["sum", "mean", "nonscalar", "weighted", "onehot"])
def test_where_the_examples_stand(sandbox: Sandbox, name: str) -> None:
    diagram, run = sandbox.run(example(name).source())
    found = subject_of(diagram, run, diagram.calls[0])
    assert found is not None
    assert (found.name, found.value.shape, [leaf for _key, leaf in found.leaves]) == (
        "y", (2,), ["x"],
    )  # fmt: skip
    at = {"nonscalar": "aim", "weighted": "weights", "onehot": "component"}.get(name, name)
    assert standing(found) == at


def test_inside_a_transformed_function_there_is_no_leaf(sandbox: Sandbox) -> None:
    diagram, run = sandbox.run(code("jacrev"))
    assert diagram.calls
    assert subject_of(diagram, run, diagram.calls[0]) is None


def test_a_leaf_may_be_the_output(sandbox: Sandbox) -> None:
    diagram, run = sandbox.run(VECTOR)
    found = subject_of(diagram, run, BackwardCall("x"))
    assert found is not None
    assert outcome(sandbox, Way("mean"), found).grads[0][1].tolist() == [0.5, 0.5]


def test_a_scalar_needs_no_seed(sandbox: Sandbox) -> None:
    assert standing(about(sandbox, SCALAR)) == "plain"


def _by_torch(script: str, subject: Subject, end: str) -> list[Any]:
    """The gradients that the script leaves in PyTorch, in the form of an outcome's."""
    found: dict[str, Any] = {}
    exec(compile(script, "script.py", "exec"), found)
    if end not in ("jacobian", "samples"):
        made = [found.get(f"{name}_grad", found[name].grad) for _key, name in subject.leaves]
        return [each.detach().numpy() for each in made]
    shape = subject.value.shape if end == "jacobian" else subject.value.shape[:1]
    rows = [found[f"{name}_rows"].detach().numpy() for _key, name in subject.leaves]
    return [each.reshape(*shape, *each.shape[1:]) for each in rows]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("name", FORWARDS)
def test_the_code_does_what_is_promised(sandbox: Sandbox, name: str, end: str) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    subject = about(sandbox, FORWARDS[name])
    if end == "plain" and not subject.scalar:
        assert "implicitly created" in outcome(sandbox, Way(end), subject).error
        return
    for again in ("once", "retain", "create"):
        way = Way(end, component=subject.value.size - 1, again=again)
        script = FORWARDS[name] + code_of(way, subject) + "\n"
        _diagram, run = sandbox.run(script)
        assert run.error is None
        promised = outcome(sandbox, way, subject)
        assert not promised.error
        theirs = _by_torch(script, subject, end)
        assert len(promised.grads) == len(theirs) > 0
        for (_leaf, ours), their in zip(promised.grads, theirs, strict=True):
            assert ours.shape == their.shape
            np.testing.assert_allclose(ours, their, rtol=1e-5, atol=1e-6)


def test_the_weights_of_a_seed_are_kept(sandbox: Sandbox) -> None:
    found = article(sandbox)
    seeded = BackwardCall(found.node, Start("seed", values=np.array([1.0, 0.5])))
    subject = replace(found, call=seeded)
    assert code_of(Way("weights"), subject).startswith("v = torch.tensor([1.0, 0.5])\n")
    assert outcome(sandbox, Way("weights"), subject).grads[0][1].tolist() == [7.0, 4.5]
    assert code_of(Way("weights"), found).startswith("v = torch.ones_like(y)\n")


def test_rows_of_a_large_output_come_one_at_a_time(sandbox: Sandbox) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    script = "import torch\nx = torch.ones(3000, requires_grad=True)\ny = 2 * x\n"
    line = code_of(Way("jacobian"), about(sandbox, script))
    found: dict[str, Any] = {}
    exec(compile(script + line, "script.py", "exec"), found)
    (row,) = next(found["rows"])
    assert row[:2].tolist() == [2.0, 0.0]


def test_names_that_code_can_use(sandbox: Sandbox) -> None:
    script = (
        "import torch\nlayer = torch.nn.Linear(2, 2)\n"
        "a_rather_long_name_of_a_variable = torch.ones(2, requires_grad=True)\n"
        "y = layer(a_rather_long_name_of_a_variable)\n"
    )
    subject = about(sandbox, script)
    leaves = [name for _key, name in subject.leaves]
    assert "a_rather_long_name_of_a_variable" in leaves
    assert len(set(leaves)) == 3
    _diagram, run = sandbox.run(script + code_of(Way("jacobian"), subject) + "\n")
    assert run.error is None


def test_many_rows_are_cut_and_said_to_be(sandbox: Sandbox) -> None:
    long = "import torch\nx = torch.ones(100, requires_grad=True)\ny = x * 2\n"
    found = outcome(sandbox, Way("jacobian"), about(sandbox, long))
    assert found.note == "the first 64 of 100 rows"
    np.testing.assert_array_equal(found.grads[0][1], 2 * np.eye(100)[:64])


@pytest.mark.parametrize("name", names())
def test_its_scripts_print_and_fail_as_in_pytorch(sandbox: Sandbox, name: str) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    error = ""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            exec(compile(code(name), name, "exec"), {"__name__": "script"})
        except RuntimeError as raised:
            error = f"RuntimeError: {raised}"
    told = tell(sandbox, name)
    assert (told.printed, told.error) == (printed.getvalue(), error)


def test_every_script_is_shown_and_every_mistake_does_what_it_says(sandbox: Sandbox) -> None:
    pairs = [pair for mistake in MISTAKES for pair in mistake.pairs]
    assert len(MISTAKES) == 3
    shown = [each for pair in pairs for each in (pair.name, pair.repaired)]
    assert sorted(names()) == sorted(shown + [need.name for need in NEEDS])
    for pair in pairs:
        wrong, right = tell(sandbox, pair.name), tell(sandbox, pair.repaired)
        assert bool(wrong.error) == (pair.kind == "fails")
        assert right.printed
        assert not right.error
        assert (wrong.printed != right.printed) == (pair.kind != "casts")


def test_gradients_are_told(sandbox: Sandbox) -> None:
    assert tell(sandbox, "cleared").grads == ("x.grad = [7, 9]",)
    assert tell(sandbox, "shape").grads == ()


def test_a_script_that_there_is_not() -> None:
    with pytest.raises(KeyError, match="the guide has no script 'zzz'"):
        code("zzz")


@pytest.mark.parametrize("end", ENDS)
def test_an_empty_or_a_complex_output_is_no_error_of_ours(sandbox: Sandbox, end: str) -> None:
    empty = about(sandbox, "import torch\nx = torch.ones(0, requires_grad=True)\ny = x * 2\n")
    found = outcome(sandbox, Way(end), empty)
    assert code_of(Way(end), empty)
    assert found.grads[0][1].shape == (0,) if not found.error else found.error
    twisted = about(
        sandbox,
        "import torch\nx = torch.ones(2, dtype=torch.complex64, requires_grad=True)\ny = x * 2j\n",
    )
    seeded = replace(
        twisted, call=BackwardCall(twisted.node, Start("seed", values=np.array([1j, 2.0])))
    )
    assert code_of(Way(end), seeded)
    done = outcome(sandbox, Way(end), seeded)
    assert done.error or done.grads[0][1].shape[-1] == 2


def test_an_error_further_on_does_not_hide_the_gradients(sandbox: Sandbox) -> None:
    script = (
        "import torch\n\n\nclass Own(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(ctx, x):\n        return x * 2\n\n"
        "    @staticmethod\n    def backward(ctx, g):\n        return g * 2\n\n\n"
        "x = torch.tensor([2.0, 3.0], requires_grad=True)\ny = x**2\nz = Own.apply(x)\n"
    )
    assert outcome(sandbox, Way("sum"), about(sandbox, script)).grads[0][1].tolist() == [4.0, 6.0]
    assert outcome(sandbox, Way("jacobian"), about(sandbox, script)).grads[0][1].shape == (2, 2)


def test_what_is_said_of_costs_is_counted() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    passes = 0

    class Counted(torch.autograd.Function):  # type: ignore[misc, name-defined]
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any) -> Any:
            return x * 1.0

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None: ...

        @staticmethod
        def backward(_ctx: Any, gradient: Any) -> Any:
            nonlocal passes
            passes += 1
            return gradient

    def f(x: Any) -> Any:
        y = Counted.apply(x)
        return y**2 + 3 * y

    x, leaf = torch.ones(3), torch.ones(3, requires_grad=True)
    sample = torch.func.grad(lambda w, s: (f(w) * s).sum())
    for count, job in (
        (1, lambda: f(leaf).backward(torch.ones(3))),
        (1, lambda: torch.autograd.grad(f(leaf), leaf, torch.eye(3), is_grads_batched=True)),
        (3, lambda: torch.autograd.functional.jacobian(f, x)),
        (1, lambda: torch.func.jacrev(f)(x)),
        (1, lambda: torch.func.vmap(sample, in_dims=(None, 0))(x, torch.ones(5, 3))),
    ):
        passes = 0
        job()
        assert passes == count
