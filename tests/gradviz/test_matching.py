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
        ("y = x.exp() + 1", "w = x.exp()\ny = w + 1", {"y": "y", "w": "exp@3"}),
    ],
)
def test_names_and_what_is_read_say_what_is_the_same(
    before: str, after: str, expected: dict[str, str]
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


def test_no_two_nodes_were_the_same_one() -> None:
    one, other = read("y = x.exp() + x.exp()"), read("y = x.exp() + x.exp() + x.exp()")
    found = matched(one, other)
    assert len(set(found.values())) == len(found)


def test_the_same_nodes_are_the_same() -> None:
    one = read("y = x * 2")
    assert matched(one, one) == {key: key for key in one.nodes}
