"""A diagram built by hand: it runs, its program follows, and everything is undone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gradviz.diagram import BackwardCall, Diagram, NodeId, Start
from gradviz.edit import names, nodes, wires
from gradviz.edit.outcome import Added
from tests.ui.conftest import App

# Of tool tips, which the offscreen screen cannot bring to the front.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)


def add(app: App, name: str, *sources: NodeId) -> NodeId:
    outcome = nodes.add(app.window.document.diagram, name, at=(10.0, 20.0), sources=sources)
    assert isinstance(outcome, Added)
    assert app.window.drawing.editing.make(f"Add {name}", outcome)
    app.settle()
    return outcome.ids[0]


def put(app: App, key: NodeId, *values: float) -> None:
    diagram = app.window.document.diagram
    node = replace(diagram.nodes[key], data=np.array(values, np.float32))
    app.window.drawing.editing.make("Value", diagram.put(node))
    app.settle()


def built(app: App) -> tuple[NodeId, NodeId]:
    """y = x * x + x with x = [2, 3]; the ids of x and y."""
    x = add(app, "leaf")
    put(app, x, 2.0, 3.0)
    y = add(app, "add", add(app, "mul", x, x), x)
    return x, y


def test_a_diagram_built_from_nothing_runs_and_is_a_program(app: App) -> None:
    x, y = built(app)
    window = app.window
    assert window.player.run.values[y].array.tolist() == [6, 12]
    call = BackwardCall(y, Start("reduction", reduction="sum"), edited=True)
    diagram = window.document.diagram
    window.drawing.editing.make("Append sum", replace(diagram, calls=(call,)))
    app.settle()
    done = window.player.current
    assert done is not None
    assert done.grads[x].tolist() == [5, 7]
    source = window.document.diagram.source
    assert source is not None
    assert window.code.editor.toPlainText() == source
    assert "torch.tensor([2.0, 3.0], requires_grad=True)" in source.replace("2., 3.", "2.0, 3.0")
    assert "sum().backward()" in source


def test_every_step_is_undone_and_done_again(app: App) -> None:
    first = app.window.document.diagram
    built(app)
    window = app.window
    last = window.document.diagram
    steps = window.document.history.count()
    assert steps == 4
    for _step in range(steps):
        window.document.history.undo()
        app.settle()
    assert window.document.diagram is first
    assert not window.document.modified
    for _step in range(steps):
        window.document.history.redo()
        app.settle()
    assert window.document.diagram.nodes.keys() == last.nodes.keys()
    assert window.player.run.values.keys() == last.nodes.keys()


def test_a_half_built_diagram_computes_as_far_as_it_can(app: App) -> None:
    x = add(app, "leaf")
    put(app, x, 2.0, 3.0)
    y = add(app, "exp", x)
    z = add(app, "matmul", y)
    values = app.window.player.run.values
    assert y in values
    assert z not in values
    source = app.window.document.diagram.source or ""
    assert "exp" in source
    assert source.rstrip().splitlines()[-1].startswith("#   ")


def test_what_is_refused_changes_nothing_and_says_why(app: App) -> None:
    _x, y = built(app)
    diagram = app.window.document.diagram
    said: list[str] = []
    app.window.drawing.editing.refused.connect(lambda refusal: said.append(refusal.sentence))
    square = next(key for key, node in diagram.nodes.items() if node.op == "mul")
    assert not app.window.drawing.editing.make("Connect", wires.connect(diagram, y, square, 0))
    assert len(said) == 1
    assert app.window.document.diagram is diagram


def test_typing_goes_on_from_what_was_drawn_and_keeps_places(app: App) -> None:
    _x, y = built(app)
    window = app.window
    at = window.document.diagram.positions[y]
    window.code.editor.appendPlainText("z = x + 1")
    app.settle()
    diagram: Diagram = window.document.diagram
    assert not diagram.drawn
    assert {node.name for node in diagram.nodes.values()} >= {"x", "z"}
    sums = [key for key, node in diagram.nodes.items() if node.op == "add" and node.name != "z"]
    assert [diagram.positions.get(key) for key in sums] == [at]
    window.document.history.undo()
    app.settle()
    assert window.document.diagram.drawn


@pytest.mark.parametrize("name", ["sum", "fanout", "broadcast"])
def test_an_edit_of_a_script_leaves_the_nodes_where_they_are(app: App, name: str) -> None:
    app.open(f"example:{name}")
    window = app.window
    before = window.stage.places()
    leaf = next(key for key, node in window.document.diagram.nodes.items() if node.op == "leaf")
    new = add(app, "exp", leaf)
    after = window.stage.places()
    known = window.document.diagram.nodes.keys() - {new}
    assert {key: after[key] for key in known} == {key: before[key] for key in known}
    assert after[new] == (10.0, 20.0)


def test_a_call_that_starts_from_what_is_not_finished_is_left_out(app: App) -> None:
    x = add(app, "leaf")
    put(app, x, 2.0, 3.0)
    y = add(app, "exp", x)
    half = add(app, "add", y)
    editing = app.window.drawing.editing
    told: list[str] = []
    app.window.evaluator.failed.connect(told.append)
    calls = (BackwardCall(half), BackwardCall(y, Start("reduction", reduction="sum")))
    editing.make("Backward", replace(editing.diagram, calls=calls))
    app.settle()
    assert told == []
    source = editing.diagram.source or ""
    assert source.count("backward()") == 1
    assert "# Not finished" in source
    passes = app.window.player.run.passes
    assert [done.error is None for done in passes] == [False, True]


@pytest.mark.parametrize("library", ["pytorch", "numpy", "jax"])
def test_a_diagram_is_written_as_a_program(app: App, tmp_path: Path, library: str) -> None:
    app.open("example:sum")
    app.answers.path = tmp_path / "out.py"
    app.window.action(f"as_{library}").trigger()
    app.qtbot.waitUntil((tmp_path / "out.py").exists)
    text = (tmp_path / "out.py").read_text()
    assert f"import {library.replace('pytorch', 'torch')}" in text
    compile(text, "out.py", "exec")


COMMENTED = """import torch

# What we start from.
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x  # two elements

y.sum().backward()
print(x.grad)
"""


def test_what_was_written_by_hand_stays_when_the_diagram_is_edited(app: App) -> None:
    app.write(COMMENTED)
    window = app.window
    diagram = window.document.diagram
    window.drawing.editing.make("Rename", names.rename(diagram, "y", "out"))
    app.settle()
    assert window.code.editor.toPlainText() == COMMENTED.replace("y ", "out ", 1).replace(
        "\ny.", "\nout."
    )
    assert [line.text for line in window.player.run.console] == ["tensor([7., 9.])\n"]
    window.document.history.undo()
    app.settle()
    assert window.code.editor.toPlainText() == COMMENTED


def test_a_script_comes_back_whole_when_the_diagram_is_whole_again(app: App) -> None:
    app.write(COMMENTED)
    window = app.window
    editing = window.drawing.editing
    power = next(key for key, node in editing.diagram.nodes.items() if node.op == "pow")
    editing.make("Unplug", wires.disconnect(editing.diagram, power, 0))
    app.settle()
    assert "# Not finished" in (editing.diagram.source or "")
    editing.make("Connect", wires.connect(editing.diagram, "x", power, 0))
    app.settle()
    assert editing.diagram.source == COMMENTED


def test_a_loop_is_written_out_and_that_is_said_once(app: App) -> None:
    app.write(
        "import torch\nx = torch.tensor([2.0, 3.0], requires_grad=True)\ny = x\n"
        "for _ in range(3):\n    y = y * x\ny.sum().backward()\n"
    )
    window = app.window
    said: list[str] = []
    window.live.unrolled.connect(said.append)
    editing = window.drawing.editing
    first = next(key for key, node in editing.diagram.nodes.items() if node.op == "mul")
    editing.make("Replace", nodes.replace_op(editing.diagram, first, "add"))
    app.settle()
    assert len(said) == 1
    assert window.stage.banner.card.property("tone") == "note"  # nothing is wrong
    source = editing.diagram.source or ""
    assert "for" not in source
    add(app, "exp", "x")
    assert len(said) == 1
    window.document.history.undo()
    window.document.history.undo()
    app.settle()
    assert "for _ in range(3)" in (editing.diagram.source or "")
