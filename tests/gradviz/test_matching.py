"""Which node is which when a script was written anew."""

from __future__ import annotations

import pytest

from gradviz.diagram import Diagram
from gradviz.matching import matched
from gradviz.script.sandbox import Sandbox

HEAD = "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\n"


def read(text: str) -> Diagram:
    with Sandbox() as sandbox:
        diagram, run = sandbox.run(HEAD + text)
    assert run.error is None
    return diagram


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("y = x * 2", "\n\ny = x * 2", {"x": "x", "y": "y"}),
        ("(x * 2).exp()", "\n(x * 2).exp()", {"exp@4": "exp@3", "mul@4": "mul@3", "x": "x"}),
        ("y = x.exp()", "y = x.tanh()", {"y": "y"}),  # a name is kept, whatever it is now
        ("y = x * 2\ny = y.exp()", "\ny = x * 2\ny = y.exp()", {"y": "y", "y#2": "y#2"}),
        ("z = (x * 2).sum()", "k = (x * 5).exp()\nz = (x * 2).sum()", {"mul@4": "mul@3"}),
        ("z = x.exp().sum()", "k = x.exp()\nz = x.exp().sum()", {"exp@4": "exp@3", "k": None}),
        ("z = (x * 2).sum()", "k = 5 * x", {"k": None}),
        ("z = (x * 2).sum()", "z = (x * 3).sum()", {"mul@3": "mul@3"}),
        ("y = x.exp()", "v = x.exp()", {"v": "y"}),  # called otherwise, and still the same
        ("y = x.exp() + 1", "w = x.exp()\ny = w + 1", {"y": "y", "w": "exp@3"}),
    ],
)
def test_names_and_what_is_read_say_what_is_the_same(
    before: str, after: str, expected: dict[str, str | None]
) -> None:
    found = matched(read(before), read(after))
    assert {key: found.get(key) for key in expected} == expected


def test_numbers_are_known_by_the_slots_that_they_fill() -> None:
    one, other = read("y = 3 * x + 5 * x"), read("\ny = 3 * x + 5 * x")
    found = matched(one, other)
    numbers = {key: node.data for key, node in other.nodes.items() if node.is_number}
    assert len(numbers) == 2
    for key, data in numbers.items():
        known = one.nodes[found[key]].data
        assert known is not None
        assert data is not None
        assert known.item() == data.item()


def test_a_leaf_that_is_called_otherwise_is_still_the_same() -> None:
    one = read("z = (x * 2).exp().sum()")
    with Sandbox() as sandbox:
        other, _run = sandbox.run(HEAD.replace("x", "v") + "\nz = (v * 2).exp().sum()")
    assert matched(one, other) == {
        "v": "x",
        "constant@4": "constant@3",
        "mul@4": "mul@3",
        "exp@4": "exp@3",
        "z": "z",
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = x.exp() + x.exp()", "y = x.exp() + x.exp() + x.exp()"),
        ("y = x * 2\ny = y * 2", "y = x * 2\ny = y * 2\ny = y * 2"),
    ],
)
def test_no_two_nodes_were_the_same_one(before: str, after: str) -> None:
    one, other = read(before), read(after)
    found = matched(one, other)
    assert len(set(found.values())) == len(found)


def test_the_same_nodes_are_the_same() -> None:
    one = read("y = x * 2")
    assert matched(one, one) == {key: key for key in one.nodes}
