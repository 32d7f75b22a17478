"""Wires: plugged in, unplugged, moved, swapped, cut, led elsewhere; and loops that are refused."""

import numpy as np
import pytest

from gradviz.diagram import BackwardCall, Diagram, Node
from gradviz.edit import healing, wires
from gradviz.edit.order import would_cycle
from gradviz.edit.outcome import Refusal


def chain() -> Diagram:
    """X = [2, 3], three, a = x * three, b = exp(a), c = b + x."""
    nodes = [
        Node("x", "leaf", data=np.array([2.0, 3.0]), name="x"),
        Node("three", "constant", data=np.array(3.0), is_number=True),
        Node("a", "mul", ("x", "three"), name="a"),
        Node("b", "exp", ("a",), name="b"),
        Node("c", "add", ("b", "x"), name="c"),
    ]
    return Diagram({node.id: node for node in nodes}, (BackwardCall("b"),))


def made(found: Diagram | Refusal) -> Diagram:
    assert isinstance(found, Diagram), found
    seen: set[str] = set()
    for key, node in found.nodes.items():
        assert key == node.id
        assert seen.issuperset(source for source in node.inputs if source is not None)
        seen.add(key)
    return found


def refused(found: Diagram | Refusal) -> str:
    assert isinstance(found, Refusal)
    return found.sentence


def inputs(diagram: Diagram, key: str) -> tuple[str | None, ...]:
    return diagram.nodes[key].inputs


def test_a_wire_takes_the_place_of_another() -> None:
    after = made(wires.connect(chain(), "x", "b", 0))
    assert inputs(after, "b") == ("x",)
    assert list(after.nodes) == list(chain().nodes)


def test_a_wire_that_is_there_changes_nothing() -> None:
    diagram = chain()
    assert wires.connect(diagram, "a", "b", 0) is diagram


def test_a_later_node_is_moved_before_its_new_user() -> None:
    diagram = chain().put(Node("s", "neg", ("x",)), Node("t", "sin", ("s",)))
    after = made(wires.connect(diagram, "t", "b", 0))
    assert list(after.nodes) == ["x", "three", "a", "s", "t", "b", "c"]


def test_a_loop_is_refused_and_named() -> None:
    found = wires.connect(chain(), "c", "a", 1)
    assert refused(found) == "This would close a loop: a → b → c → a."
    assert isinstance(found, Refusal)
    assert found.node == "a"
    assert refused(wires.connect(chain(), "b", "b", 0)) == "b cannot be its own input."


def test_a_long_loop_is_told_in_short() -> None:
    nodes = [Node(f"n{at}", "exp", (f"n{at - 1}" if at else None,)) for at in range(40)]
    diagram = Diagram({node.id: node for node in nodes})
    sentence = refused(wires.connect(diagram, "n39", "n0", 0))
    assert sentence.count("→") == 6
    assert "…" in sentence


def test_would_cycle_is_what_connect_refuses() -> None:
    diagram = chain()
    for source in diagram.nodes:
        for target, node in diagram.nodes.items():
            if node.inputs:
                found = wires.connect(diagram, source, target, 0)
                assert would_cycle(diagram, source, target) == isinstance(found, Refusal)
    assert not would_cycle(diagram, "gone", "a")


@pytest.mark.parametrize(
    ("source", "target", "slot", "sentence"),
    [
        ("b", "x", 0, "x holds a value and takes no inputs."),
        ("x", "b", 1, "b takes 1 input."),
        ("x", "c", 2, "c takes 2 inputs."),
        ("x", "c", -1, "c takes 2 inputs."),
        ("w", "c", 0, "There is no node “w”."),
        ("x", "w", 0, "There is no node “w”."),
    ],
)
def test_what_cannot_be_connected(source: str, target: str, slot: int, sentence: str) -> None:
    assert refused(wires.connect(chain(), source, target, slot)) == sentence


def test_slots_of_a_row_of_inputs_come_and_go() -> None:
    diagram = chain().put(Node("k", "cat", (None,), {"dim": 0}))
    one = made(wires.connect(diagram, "x", "k", 0))
    two = made(wires.connect(one, "a", "k", 1))
    three = made(wires.connect(two, "b", "k", 2))
    assert inputs(three, "k") == ("x", "a", "b")
    assert inputs(made(wires.disconnect(three, "k", 1)), "k") == ("x", "b")
    assert inputs(made(wires.cut(three, [("k", 0), ("k", 1), ("k", 2)])), "k") == (None,)


def test_an_input_that_may_be_left_out_goes_with_its_wire() -> None:
    diagram = chain().put(Node("l", "nll_loss", ("x", "three"), {"reduction": "mean"}))
    weighted = made(wires.connect(diagram, "x", "l", 2))
    assert inputs(weighted, "l") == ("x", "three", "x")
    assert inputs(made(wires.disconnect(weighted, "l", 2)), "l") == ("x", "three")
    assert inputs(made(wires.disconnect(weighted, "l", 0)), "l") == (None, "three", "x")


def test_cutting_empties_slots() -> None:
    after = made(wires.cut(chain(), [("c", 1), ("b", 0)]))
    assert (inputs(after, "c"), inputs(after, "b")) == (("b", None), (None,))
    assert wires.cut(after, [("b", 0)]) is after
    assert refused(wires.cut(after, [("b", 3)])) == "b takes 1 input."


def test_an_end_is_moved_in_one_go() -> None:
    after = made(wires.move(chain(), ("c", 1), ("b", 0)))
    assert (inputs(after, "c"), inputs(after, "b")) == (("b", None), ("x",))
    assert inputs(made(wires.move(chain(), ("c", 0), ("c", 1))), "c") == (None, "b")
    assert refused(wires.move(chain(), ("c", 0), ("a", 0))) == "This would close a loop: a → b → a."


def test_swap() -> None:
    assert inputs(made(wires.swap(chain(), "c")), "c") == ("x", "b")
    assert refused(wires.swap(chain(), "b")) == "b takes 1 input."


def test_users_are_led_to_another_node() -> None:
    diagram = chain().put(Node("d", "sin", ("a",), name="d"))
    after = made(wires.reroute(diagram, "a", "d"))
    assert (inputs(after, "b"), inputs(after, "d")) == (("d",), ("a",))
    assert list(after.nodes) == ["x", "three", "a", "d", "b", "c"]
    assert refused(wires.reroute(chain(), "x", "b")) == "This would close a loop: a → b → a."


def test_a_node_is_dropped_onto_a_wire() -> None:
    diagram = chain().put(Node("n", "neg", (None,)))
    after = made(wires.insert(diagram, "n", "b", 0))
    assert (inputs(after, "b"), inputs(after, "n")) == (("n",), ("a",))
    assert refused(wires.insert(after, "n", "c", 0)) == "-a has no free input."
    assert refused(wires.insert(diagram, "c", "n", 0)) == "No wire ends there."


def test_deleting_empties_slots_and_healing_joins() -> None:
    assert inputs(made(healing.delete(chain(), ["b"])), "c") == (None, "x")
    healed = made(healing.heal(chain(), ["b"]))
    assert inputs(healed, "c") == ("a", "x")
    assert healed.calls[0].target == "a"


def test_healing_takes_out_several_and_the_numbers_that_only_they_read() -> None:
    healed = made(healing.heal(chain(), ["a", "b"]))
    assert inputs(healed, "c") == ("x", "x")
    assert "three" not in healed.nodes
    assert "three" in made(healing.heal(chain(), ["b"])).nodes


def test_healing_prefers_the_input_of_the_node_s_own_shape() -> None:
    diagram = chain().put(Node("m", "sub", ("c", "x"), name="m"), Node("e", "exp", ("m",)))
    values = {"c": np.array(1.0), "x": np.zeros(2), "m": np.zeros(2)}
    assert inputs(made(healing.heal(diagram, ["m"], values)), "e") == ("x",)
    assert inputs(made(healing.heal(diagram, ["m"])), "e") == ("c",)


def test_healing_a_source_leaves_its_users_open() -> None:
    assert inputs(made(healing.heal(chain(), ["x"])), "a") == (None, "three")
    assert refused(healing.heal(chain(), ["w"])) == "There is no node “w”."
