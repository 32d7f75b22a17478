"""Pictures without what takes no gradient."""

from __future__ import annotations

from gradviz.examples import example
from gradviz.scene.picture import picture
from gradviz.script.sandbox import Sandbox


def test_constants_and_what_is_made_of_them_are_left_out() -> None:
    text = (
        "import torch\nx = torch.tensor([2.0, 3.0], requires_grad=True)\n"
        "w = torch.tensor([1.0, 2.0])\ns = w * 3\n(x * s).sum().backward()\n"
    )
    with Sandbox() as sandbox:
        diagram, run = sandbox.run(text)
    whole, left = picture(diagram, run).figure(), picture(diagram, run, bare=True).figure()
    kept = {box.id for box in left.boxes}
    assert {box.id for box in whole.boxes} - kept >= {"w", "s"}
    assert "x" in kept
    assert [box.title for box in left.boxes] == ["x", "x * s", "Σ (x * s).sum()"]
    assert all(edge.source in kept and edge.target in kept for edge in left.edges)


def test_what_stays_stands_where_it_stood() -> None:
    with Sandbox() as sandbox:
        diagram, run = sandbox.run(example("sum").path.read_text())
    whole, left = picture(diagram, run), picture(diagram, run, bare=True)
    places = whole.geometry.positions()
    assert left.geometry.positions() == {key: places[key] for key in left.geometry.ids}
    steps = left.figure(2)
    assert [edge.state for edge in steps.edges].count("current") == 1


def test_a_second_storey_stands_without_them_too() -> None:
    text = (
        "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "y = (2 * x**3).sum()\ny.backward(create_graph=True)\n"
    )
    with Sandbox() as sandbox:
        diagram, run = sandbox.run(text)
    whole, left = picture(diagram, run), picture(diagram, run, bare=True)
    gone = set(whole.geometry.ids) - set(left.geometry.ids)
    constants = {key for key, node in diagram.nodes.items() if node.op == "constant"}
    assert constants
    assert gone >= constants
    assert [storey.level for storey in left.geometry.storeys] == [1]
    assert "grad1:x" in left.geometry.ids
    assert left.figure(3).edges
