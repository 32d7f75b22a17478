"""What is drawn by hand becomes, in the document, what PyTorch would run on its inputs."""

from __future__ import annotations

import numpy as np

from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.edit import nodes
from gradviz.edit.outcome import Added
from tests.ui.conftest import App


def drawn() -> tuple[Diagram, str, str]:
    """A matrix times a vector, and the sum of that along its last axis."""
    start = Diagram(drawn=True).put(
        Node("w", "leaf", data=np.ones((2, 3), np.float32), name="w"),
        Node("x", "leaf", data=np.arange(3, dtype=np.float32), name="x"),
    )
    product = nodes.add(start, "matmul", sources=["w", "x"])
    assert isinstance(product, Added)
    total = nodes.add(product.diagram, "softmax", sources=product.ids)
    assert isinstance(total, Added)
    return total.diagram, product.ids[0], total.ids[0]


def test_a_product_becomes_the_one_of_its_ranks(app: App) -> None:
    diagram, product, last = drawn()
    document = app.window.document
    document.load(Diagram(drawn=True), None)
    call = BackwardCall(last, Start("seed", preset="ones"))
    document.edit("Add", Diagram(diagram.nodes, (call,), drawn=True))
    app.settle()
    app.qtbot.waitUntil(lambda: document.diagram.nodes[product].op == "mv")
    assert document.diagram.nodes[last].params == {"dim": 0}
    run = app.window.player.run
    assert run.values[product].array.tolist() == [3, 3]
    assert run.error is None
    document.history.undo()
    app.settle()
    assert document.diagram.nodes == {}
    document.history.redo()
    app.settle()
    assert document.diagram.nodes[product].op == "mv"
