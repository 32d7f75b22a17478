"""Where a dragged wire may go."""

import numpy as np

from gradviz.diagram import Diagram, Node
from gradviz.edit import ports
from gradviz.evaluate import evaluate


def layer() -> Diagram:
    nodes = [
        Node("x", "leaf", data=np.ones((2, 3)), name="x"),
        Node("w", "leaf", data=np.ones((3, 4)), name="w"),
        Node("v", "leaf", data=np.ones(5), name="v"),
        Node("m", "mm", ("x", "w"), name="m"),
        Node("t", "tanh", ("m",), name="t"),
        Node("s", "add", ("t", None), name="s"),
    ]
    return Diagram({node.id: node for node in nodes})


def values(diagram: Diagram) -> dict[str, np.ndarray]:
    return {key: value.array for key, value in evaluate(diagram).values.items()}


def said(source: str, target: str, slot: int, *, known: bool = True) -> str | None:
    diagram = layer()
    found = ports.objection(diagram, source, target, slot, values(diagram) if known else None)
    return None if found is None else found.sentence


def test_a_port_says_why_not() -> None:
    assert said("t", "m", 0) == "This would close a loop: m → t → m."
    assert said("v", "x", 0) == "x holds a value and takes no inputs."
    assert said("x", "m", 1) == "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"
    assert said("v", "s", 1) == (
        "The size of tensor a (4) must match the size of tensor b (5) at non-singleton dimension 1"
    )


def test_a_port_that_takes_the_wire() -> None:
    assert said("m", "s", 1) is None
    assert said("w", "t", 0) is None
    assert said("v", "s", 1, known=False) is None
    diagram = layer().put(Node("p", "add", (None, None)))
    assert ports.objection(diagram, "v", "p", 0, values(diagram)) is None


def test_a_number_widens_no_dtype() -> None:
    two = Node("two", "constant", data=np.array(2.5), is_number=True)
    diagram = layer().put(two)
    assert ports.objection(diagram, "two", "s", 1, values(diagram)) is None


def test_what_takes_a_value() -> None:
    vector = {entry.id for entry in ports.taking(np.ones(3, np.float32))}
    assert {"sum", "exp", "add", "softmax", "t"} <= vector
    assert not {"linalg_det", "trace", "permute", "leaf"} & vector
    square = {entry.id for entry in ports.taking(np.eye(2, dtype=np.float32))}
    assert {"linalg_det", "trace", "permute"} <= square
    integers = {entry.id for entry in ports.taking(np.ones(3, np.int64))}
    assert "mean" not in integers
    assert {entry.id for entry in ports.taking(None)} >= vector | square


def test_what_a_port_is_called() -> None:
    diagram = layer().put(Node("g", "gather", ("x", None), {"dim": 1}, name="g"))
    assert ports.named(diagram, "g", 1) == "g · index"
    assert ports.named(diagram, "t", 0) == "t"
