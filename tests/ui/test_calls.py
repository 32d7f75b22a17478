"""The list of backward calls: what it says, and what is done to it in place and on the canvas."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gradviz.diagram import BackwardCall, Diagram, Node, NodeId, Start
from gradviz.ui.docking.call_rows import CallRow
from gradviz.ui.panels.calls import CallsPanel
from gradviz.ui.widgets.call_table import NUMBER, START, TARGET
from tests.ui.conftest import App

# Of tool tips and menus, which the offscreen screen cannot bring to the front.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

SCRIPT = """\
import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x  # the output
z = 2 * x
y.sum().backward(retain_graph=True)
y.backward(gradient=torch.tensor([1.0, 0.0]))
"""
ALT, NONE = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def panel(app: App) -> CallsPanel:
    app.window.docks.show("calls")
    app.write(SCRIPT)
    app.qtbot.waitUntil(lambda: len(app.window.calls.panel.rows()) == 2)
    return app.window.calls.panel


def calls(app: App) -> tuple[BackwardCall, ...]:
    return app.window.document.diagram.calls


def key(app: App, code: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(app.window.calls.panel.table, code, modifier)
    app.settle()


def node(app: App, name: str) -> NodeId:
    nodes = app.window.document.diagram.nodes.values()
    return next(node.id for node in nodes if node.name == name)


def test_a_row_says_from_where_by_what_and_what_came_of_it(panel: CallsPanel) -> None:
    assert panel.rows() == [
        CallRow("y", "Σ sum", "retain_graph", "x.grad = [7, 9]", "done"),
        CallRow("y", "v = [1, 0]", "", "x.grad = [14, 9]", "done"),
    ]


def test_a_row_is_started_otherwise_in_its_place(app: App, panel: CallsPanel) -> None:
    panel.table.chosen.emit(0, START, "mean")
    app.settle()
    row = panel.rows()[0]
    assert (row.start, row.outcome) == ("Σ mean", "x.grad = [3.5, 4.5]")
    assert calls(app)[0].target == node(app, "y")
    assert app.window.document.diagram.source == SCRIPT  # as from the start bar
    assert not app.window.document.diagram.positions
    app.window.document.history.undo()
    app.settle()
    assert panel.rows()[0].start == "Σ sum"


def test_another_output_keeps_the_reduction(app: App, panel: CallsPanel) -> None:
    panel.table.chosen.emit(0, TARGET, node(app, "z"))
    app.settle()
    row = panel.rows()[0]
    assert (row.target, row.start, row.outcome) == ("z", "Σ sum", "x.grad = [2, 2]")


def test_the_choices_of_a_cell_are_those_of_the_start_bar(app: App, panel: CallsPanel) -> None:
    rows, key = panel._choices(1, START)
    assert (rows[0], key) == (("nothing", "– nothing"), "onehot:0")
    assert ("component:1", "Σ component 1") in rows
    assert ("ones", "v ones") in rows
    rows, key = panel._choices(0, TARGET)
    assert [text for _key, text in rows][-2:] == ["y", "z"]
    assert key == node(app, "y")


def test_a_call_that_fails_says_why_in_its_row(app: App, panel: CallsPanel) -> None:
    panel.table.chosen.emit(1, START, "nothing")
    app.settle()
    row = panel.rows()[1]
    assert row.came == "failed"
    assert row.outcome == "RuntimeError: grad can be implicitly created only for scalar outputs"


def test_a_refused_edit_says_why_in_its_row(app: App, panel: CallsPanel) -> None:
    panel._calling.want(0, "x", False)
    row = panel.rows()[0]
    assert row.came == "refused"
    assert row.outcome == "A backward call needs at least one input, or none named at all."
    panel.table.chosen.emit(1, START, "ones")
    app.settle()
    assert panel.rows()[0].came == "done"


def test_switched_off_a_call_stays_in_its_place(app: App, panel: CallsPanel) -> None:
    number = panel.table.calls.index(0, NUMBER)
    panel.table.calls.setData(number, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    app.settle()
    first, second = panel.rows()
    assert (first.enabled, first.outcome, second.outcome) == (False, "off", "x.grad = [7, 0]")
    app.window.player.choose(0)
    key(app, Qt.Key.Key_Space)
    assert panel.rows()[1].outcome == "x.grad = [14, 9]"


def test_flags_are_switched_in_place(app: App, panel: CallsPanel) -> None:
    keep, create, clear = panel.flag_actions(1)
    assert [action.isChecked() for action in (keep, create, clear)] == [False, False, False]
    clear.trigger()
    app.settle()
    assert panel.rows()[1].outcome == "x.grad = [7, 0]"
    panel.flag_actions(1)[1].trigger()
    app.settle()
    assert panel.rows()[1].flags == "create_graph  clears .grad"
    assert calls(app)[1].retain_graph


def test_inputs_are_chosen_among_the_leaves(app: App, panel: CallsPanel) -> None:
    app.write(SCRIPT.replace("z = 2 * x", "w = torch.ones(2, requires_grad=True)\ny = y * w"))
    app.qtbot.waitUntil(lambda: "w.grad" in panel.rows()[0].outcome)
    *_rest, _x, w = panel.flag_actions(0)
    assert w.text() == "gives w its gradient"
    w.trigger()
    app.settle()
    row = panel.rows()[0]
    assert (row.flags, row.outcome) == ("retain_graph  inputs=x", "x.grad = [7, 9]")


def test_a_choice_of_a_row_is_the_pass_on_screen(app: App, panel: CallsPanel) -> None:
    player = app.window.player
    panel.table.selectRow(1)
    assert player.index == 1
    player.choose(0)
    assert panel.table.chosen_rows() == [0]


def test_added_calls_are_doubled_moved_and_removed_by_keys(app: App, panel: CallsPanel) -> None:
    app.window.selection.select(node(app, "z"))
    panel.add.click()
    app.settle()
    assert [row.target for row in panel.rows()] == ["y", "y", "z"]
    assert panel.rows()[2].outcome == "x.grad = [16, 11]"
    assert app.window.player.index == 2
    panel.table.chosen.emit(2, START, "onehot:1")
    app.settle()
    key(app, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert (len(calls(app)), app.window.player.index) == (4, 3)
    panel.table.chosen.emit(3, TARGET, node(app, "y"))
    app.settle()
    key(app, Qt.Key.Key_Up, ALT)
    assert [row.target for row in panel.rows()] == ["y", "y", "y", "z"]
    assert app.window.player.index == 2
    assert app.window.document.diagram.source == SCRIPT
    app.window.live.refresh()  # the script is run anew: what was added stays in this order
    app.settle()
    assert [row.target for row in panel.rows()] == ["y", "y", "y", "z"]
    key(app, Qt.Key.Key_Delete)
    assert [row.target for row in panel.rows()] == ["y", "y", "z"]
    for _step in range(6):
        app.window.document.history.undo()
    app.settle()
    assert [row.target for row in panel.rows()] == ["y", "y"]


def test_a_copy_of_a_call_comes_after_what_the_script_makes(app: App, panel: CallsPanel) -> None:
    app.window.player.choose(0)
    panel.double.click()
    app.settle()
    assert [call.line for call in calls(app)] == [5, 6, None]
    assert panel.rows()[2].came == "failed"  # the second call has freed the graph
    assert app.window.player.index == 2


def test_the_script_follows_where_its_own_call_goes(app: App, panel: CallsPanel) -> None:
    app.window.player.choose(1)
    panel.remove.click()
    app.settle()
    source = app.window.document.diagram.source
    assert source is not None
    assert "gradient=" not in source
    assert "# the output" in source
    assert "y.sum().backward(retain_graph=True)" in source
    app.window.document.history.undo()
    app.settle()
    assert app.window.document.diagram.source == SCRIPT


def test_the_script_follows_where_its_calls_change_places(app: App, panel: CallsPanel) -> None:
    app.window.player.choose(0)
    panel.down.click()
    app.settle()
    assert [row.start for row in panel.rows()] == ["v = [1, 0]", "Σ sum"]
    source = app.window.document.diagram.source or ""
    assert source.index("gradient=") < source.index("sum()")
    assert panel.rows()[1].came == "failed"  # without retain_graph the first one frees


def test_two_rows_are_compared(app: App, panel: CallsPanel) -> None:
    panel.table.selectAll()
    panel.compare.click()
    app.settle()
    pair = app.window.player.twin
    assert pair is not None
    grads = [side.done.grads["x"].tolist() for side in (pair.left, pair.right)]
    assert grads == [[7, 9], [7, 0]]


def test_what_came_of_calls_is_told_only_while_it_holds(app: App, panel: CallsPanel) -> None:
    app.window.calls.calling.enable(1, False)
    app.window.calls.calling.move(0, 1)
    assert [row.came for row in panel.rows()] == ["off", "waiting"]
    app.settle()
    assert [row.outcome for row in panel.rows()] == ["off", "x.grad = [7, 9]"]


DRAWN = Diagram(positions={"x": (0, 0), "e": (250, 0)}, drawn=True).put(
    Node("x", "leaf", data=np.array([0, 1], np.float32), name="x"),
    Node("e", "exp", ("x",), name="y"),
)


@pytest.fixture
def drawn(app: App) -> App:
    app.window.drawing.listen()
    app.window.document.load(DRAWN, None)
    app.settle()
    app.window.docks.show("calls")
    return app


def test_backward_from_here_begins_with_nothing_and_offers_repairs(drawn: App) -> None:
    window = drawn.window
    window.selection.select("e")
    window.action("backward_here").trigger()
    drawn.settle()
    assert window.calls.panel.rows()[0].came == "failed"
    assert window.stage.banner.isVisible()
    window.action("way_sum").trigger()
    drawn.settle()
    assert window.calls.panel.rows()[0].start == "Σ sum"
    assert "y.sum().backward()" in (window.document.diagram.source or "")


@pytest.mark.parametrize(
    ("action", "start"),
    [("sum_here", Start("reduction", "sum")), ("seed_here", Start("seed", preset="ones"))],
)
def test_a_start_is_put_on_the_selected_node(drawn: App, action: str, start: Start) -> None:
    window = drawn.window
    window.selection.select("e")
    window.action(action).trigger()
    drawn.settle()
    (call,) = calls(drawn)
    found = call.start
    assert (call.target, found.kind, found.reduction, found.preset) == (
        "e", start.kind, start.reduction, start.preset,
    )  # fmt: skip
    assert window.player.run.passes[0].grads["x"] == pytest.approx(np.exp([0, 1]))


def test_a_wire_let_go_offers_sum_and_seed_first(drawn: App) -> None:
    from gradviz.ui.drawing.op_palette import Ground

    palette = drawn.window.drawing.palette
    palette.ask(Ground((500, 0), sources=("e",)))
    assert [row.key for row in palette._search("")[:2]] == ["call:sum", "call:seed"]
    assert [row.key for row in palette._search("backw")[:2]] == ["call:sum", "call:seed"]
    assert palette._search("sum")[0].key == "sum"  # the op itself
    palette.finder.line.setText("seed")
    QTest.keyClick(palette.finder.line, Qt.Key.Key_Return)
    drawn.settle()
    (call,) = calls(drawn)
    assert (call.target, call.start.preset) == ("e", "ones")
    palette.ask(Ground((500, 0)))
    assert not any(row.key.startswith("call:") for row in palette._search(""))


def test_without_a_call_the_panel_says_how_one_begins(drawn: App) -> None:
    panel = drawn.window.calls.panel
    assert panel.nothing.isVisible()
    panel.add.click()
    drawn.settle()
    assert panel.rows() == [CallRow("y", "Σ sum", "", "x.grad = [1, 2.718]", "done")]
    assert not panel.nothing.isVisible()


def test_a_step_of_the_pass_makes_no_row_anew(app: App, panel: CallsPanel) -> None:
    before = list(panel.table.calls.rows)
    app.window.player.go(1)
    assert all(one is other for one, other in zip(before, panel.table.calls.rows, strict=True))
    app.window.commands.set_language("zh")
    assert not any(one is other for one, other in zip(before, panel.table.calls.rows, strict=True))
