"""A leaf's `.grad` from call to call, and what adds up within one; against PyTorch's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from gradviz.accumulation import arrivals, contribution_text, history, leaves, meeting
from gradviz.diagram import BackwardCall, Diagram, Node
from gradviz.evaluate import evaluate
from gradviz.examples import examples
from gradviz.run import Run, Step
from gradviz.script.sandbox import Sandbox
from tests.gradviz.test_cli import cells, gradviz

CHANGED = """
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
w = torch.tensor([1.0, 1.0], requires_grad=True)
(x * w).sum().backward()
x.grad *= 0.5
(x * x).sum().backward()
w.grad = None
(x * w).sum().backward()
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def ran(sandbox: Sandbox, name: str) -> Run:
    return sandbox.run(next(each for each in examples() if each.name == name).source())[1]


def numbers(array: np.ndarray | None) -> list[float] | None:
    return None if array is None else array.tolist()


def test_what_each_call_found_brought_and_left(sandbox: Sandbox) -> None:
    run = ran(sandbox, "accumulate")
    assert leaves(run) == ("x",)
    told = [
        (m.how, numbers(m.found), numbers(m.brought), numbers(m.after)) for m in history(run, "x")
    ]
    assert told == [
        ("first", None, [7, 9], [7, 9]),
        ("added", [7, 9], [7, 9], [14, 18]),
        ("added", [14, 18], [7, 9], [21, 27]),
        ("cleared", None, [7, 9], [7, 9]),
    ]


def test_a_call_that_fails_brings_nothing(sandbox: Sandbox) -> None:
    first, second = history(ran(sandbox, "second-backward"), "x")
    assert (first.how, numbers(first.after)) == ("first", [7, 9])
    assert (second.how, second.brought, numbers(second.after)) == ("cleared", None, [0, 0])


def test_what_the_program_does_to_a_gradient_is_seen(sandbox: Sandbox) -> None:
    torch = pytest.importorskip("torch")
    _diagram, run = sandbox.run(CHANGED)
    assert run.error is None
    scope: dict[str, object] = {}
    exec(compile(CHANGED, "changed.py", "exec"), scope)
    x, w = history(run, "x"), history(run, "w")
    assert [m.how for m in x] == ["first", "changed", "added"]
    assert [m.how for m in w] == ["first", "untouched", "cleared"]
    assert numbers(x[1].found) == [0.5, 0.5]
    assert numbers(x[1].brought) == [4, 6]
    for name, last in (("x", x[-1]), ("w", w[-1])):
        leaf = scope[name]
        assert isinstance(leaf, torch.Tensor)
        assert numbers(last.after) == leaf.grad.tolist()


def test_contributions_arrive_one_by_one(sandbox: Sandbox) -> None:
    done = ran(sandbox, "fanout").passes[0]
    came = arrivals(done, "x")
    assert [(each.sender, numbers(each.contribution)) for each in came] == [
        ("line", [3, 3]),
        ("square", [4, 6]),
    ]
    assert [numbers(each.total) for each in came] == [[3, 3], [7, 9]]
    assert [each.sender for each in arrivals(done, "x", came[0].position)] == ["line"]
    assert [key for key, _came in meeting(done)] == ["x"]


def test_broadcasting_comes_back_as_a_sum(sandbox: Sandbox) -> None:
    done = ran(sandbox, "broadcast").passes[0]
    met = {key: [(a.sender, a.summed, a.contribution.shape) for a in came] for key, came in
           meeting(done)}  # fmt: skip
    assert met["scale"] == [("table", (1,), (3, 1))]
    assert met["add@7"] == [("table", (0,), (2,))]
    assert [a[1] for a in met["x"]] == [(), ()]


@pytest.mark.parametrize("name", [each.name for each in examples()])
def test_what_was_found_and_brought_is_what_is_there(name: str, sandbox: Sandbox) -> None:
    run = ran(sandbox, name)
    for leaf in leaves(run):
        for moment in history(run, leaf):
            if moment.brought is not None:
                found = 0 if moment.found is None else moment.found
                np.testing.assert_allclose(moment.after, found + moment.brought, rtol=1e-6)


def test_the_strip_on_the_command_line() -> None:
    ran = gradviz("grads", "example:accumulate")
    rows = [cells(line) for line in ran.stdout.splitlines() if line.strip().startswith("x.grad")]
    assert rows == [
        ["x.grad", "1", "None", "[7, 9]", "[7, 9]", "nothing was there before"],
        ["x.grad", "2", "[7, 9]", "[7, 9]", "[14, 18]", "added to what the last call left"],
        ["x.grad", "3", "[14, 18]", "[7, 9]", "[21, 27]", "added to what the last call left"],
        ["x.grad", "4", "cleared", "[7, 9]", "[7, 9]", "cleared before the call"],
    ]
    assert ".grad from call to call" not in gradviz("grads", "example:sum").stdout
    assert (
        ".grad from call to call"
        not in gradviz("grads", "example:accumulate", "--pass", "2").stdout
    )


def test_sums_on_the_command_line() -> None:
    ran = gradviz("grads", "example:broadcast", "--sums")
    rows = [cells(line) for line in ran.stdout.splitlines()]
    assert ["scale", "2", "table", "[[28], [28], [28]]", "1", "[[28], [28], [28]]"] in rows
    assert ["x", "7", "x ** 2", "[28, 42]", "[49, 63]"] in rows


def test_what_a_step_carries_says_what_was_summed_and_what_is_added() -> None:
    two, four = np.ones(2), np.ones((4, 2))
    step = Step("y", 0, "x", four, two, (0,), None, two)
    assert contribution_text(step) == "Σ axis 0 = [1, 1]"
    assert contribution_text(replace(step, before=two)) == "+ Σ axis 0 = [1, 1]"
    assert contribution_text(replace(step, summed=())) == "[1, 1]"


def test_a_call_that_names_nothing_to_capture_fills_every_grad() -> None:
    """`torch.autograd.grad` without inputs cannot be run: the call is a plain one until then."""
    nodes = [
        Node("x", "leaf", data=np.array([1.0, 2.0], np.float32), name="x"),
        Node("y", "sum", ("x",), {"dim": None, "keepdim": False}, name="y"),
    ]
    calls = (BackwardCall("y", captures=True), BackwardCall("y", captures=True, inputs=("x",)))
    run = evaluate(Diagram({node.id: node for node in nodes}, calls, drawn=True))
    told = [(m.how, numbers(m.brought), numbers(m.after)) for m in history(run, "x")]
    assert told == [("first", [1, 1], [1, 1]), ("untouched", None, [1, 1])]
