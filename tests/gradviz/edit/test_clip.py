"""Nodes on the clipboard, within a document and across documents; and whatever else is there."""

import json
from typing import Any

import numpy as np
import pytest

from gradviz.diagram import Diagram, Frame, Node
from gradviz.edit import clip
from gradviz.edit.outcome import Added, Refusal
from gradviz.evaluate import evaluate


def layer() -> Diagram:
    nodes = [
        Node("x", "leaf", data=np.array([2.0, 3.0], np.float32), name="x", line=2),
        Node("w", "leaf", data=np.array([1.0, 0.5], np.float32), name="w"),
        Node("m", "mul", ("w", "x"), name="m", line=4),
        Node("s", "sum", ("m",), {"dim": (0,), "keepdim": False}, name="s"),
    ]
    places = {"w": (0.0, 0.0), "m": (100.0, 50.0)}
    frames = (Frame("f", "product", ("w", "m"), colour="leaf"), Frame("g", "", ("x",)))
    return Diagram({node.id: node for node in nodes}, positions=places, frames=frames)


def text(found: object) -> str:
    assert isinstance(found, str), found
    return found


def pasted(found: Added | Refusal) -> tuple[Diagram, list[Node]]:
    assert isinstance(found, Added), found
    return found.diagram, [found.diagram.nodes[key] for key in found.ids]


def refused(found: object) -> str:
    assert isinstance(found, Refusal)
    return found.sentence


def test_a_paste_beside_has_new_ids_names_and_places() -> None:
    copied = text(clip.copy(layer(), ["w", "m", "s"], {"s": (200.0, 0.0)}))
    diagram, (w, m, s) = pasted(clip.paste(layer(), copied))
    assert (w.id, w.name, w.data.dtype) == ("w#2", "w2", np.float32)
    assert (m.inputs, m.line) == (("w#2", None), None)
    assert (s.inputs, s.params) == (("m#2",), {"dim": (0,), "keepdim": False})
    assert diagram.positions["m#2"] == (132.0, 82.0)
    assert diagram.positions["s#2"] == (232.0, 32.0)
    assert diagram.frames[-1] == Frame("frame", "product", ("w#2", "m#2"), colour="leaf")


def test_wires_from_outside_are_kept_on_demand() -> None:
    copied = text(clip.copy(layer(), ["w", "m"]))
    _diagram, (_w, m) = pasted(clip.paste(layer(), copied, outside=True))
    assert m.inputs == ("w#2", "x")
    diagram, _nodes = pasted(
        clip.paste(layer(), text(clip.copy(layer(), ["m", "s"])), outside=True)
    )
    assert evaluate(diagram).values["s#2"].array.item() == 3.5


def test_another_document_s_node_of_that_id_is_not_taken_for_it() -> None:
    copied = text(clip.copy(layer(), ["m"]))
    other = Diagram({"x": Node("x", "constant", data=np.zeros(2)), "w": layer().nodes["w"]})
    _diagram, (m,) = pasted(clip.paste(other, copied, outside=True))
    assert m.inputs == ("w", None)
    _diagram, (m,) = pasted(clip.paste(Diagram(), copied, outside=True))
    assert (m.id, m.name, m.inputs) == ("m", "m", (None, None))


def test_a_paste_at_the_cursor() -> None:
    copied = text(clip.copy(layer(), ["m", "w"]))
    diagram, _nodes = pasted(clip.paste(Diagram(), copied, at=(10.0, 20.0)))
    assert diagram.positions == {"w": (10.0, 20.0), "m": (110.0, 70.0)}


def test_cut_takes_them_away() -> None:
    found = clip.cut(layer(), ["m"])
    assert isinstance(found, tuple)
    copied, left = found
    assert left.nodes["s"].inputs == (None,)
    assert copied.startswith('{"gradviz_nodes":')
    assert refused(clip.cut(layer(), ["z"])) == "There is no node “z”."


def test_many_pastes() -> None:
    copied, diagram = text(clip.copy(layer(), list(layer().nodes))), layer()
    for _again in range(5):
        diagram, _nodes = pasted(clip.paste(diagram, copied))
    assert len(diagram.nodes) == 24
    names = [node.name for node in diagram.nodes.values()]
    assert len(set(names)) == 24


def changed(**fields: Any) -> str:
    found = json.loads(text(clip.copy(layer(), ["w", "m"])))
    for path, value in fields.items():
        *way, last = path.split("__")
        at = found
        for part in way:
            at = at[int(part) if part.isdigit() else part]
        at[last] = value
    return json.dumps(found)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("", "There are no nodes on the clipboard."),
        ("x = torch.tensor([1, 2])", "There are no nodes on the clipboard."),
        ("[1, 2]", "There are no nodes on the clipboard."),
        ('{"gradviz": 1, "nodes": []}', "There are no nodes on the clipboard."),
        ('{"gradviz_nodes": 1, "nodes": []}', "There are no nodes on the clipboard."),
        ('{"gradviz_nodes": "1", "nodes": []}', "There are no nodes on the clipboard."),
        ("[" * 100_000, "There are no nodes on the clipboard."),
        ("\ud800", "There are no nodes on the clipboard."),
        (changed(gradviz_nodes=2), "The nodes were copied by a newer version of the app."),
        (
            changed(nodes__1__op="system"),
            "The copied nodes cannot be read: node “m”: there is no operation “system”",
        ),
        (
            changed(nodes__1__inputs=["w", "z"]),
            "The copied nodes cannot be read: node “m”, input 1: there is no node “z” before it",
        ),
        (
            changed(nodes__1__id="w"),
            "The copied nodes cannot be read: the node “w” is there twice",
        ),
        (
            changed(nodes__0__data={"dtype": "float32", "shape": [3], "values": [1, 2]}),
            "The copied nodes cannot be read: node “w”: the shape [3] needs 3 values, there are 2",
        ),
        (
            changed(nodes=3),
            "The copied nodes cannot be read: Expected `array`, got `int` - at `$.nodes`",
        ),
        (
            changed(positions={"w": [1]}),
            "The copied nodes cannot be read: Expected `array` of length 2, got 1 - at",
        ),
    ],
)
def test_broken_and_foreign_texts(given: str, sentence: str) -> None:
    assert refused(clip.paste(layer(), given)).startswith(sentence)
