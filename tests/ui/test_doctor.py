"""The doctor in the window: found beside the event loop, shown, applied as one edit, undone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gradviz import storage
from gradviz.diagram import BackwardCall, Diagram, Node
from tests.gradviz.scripts import ARTICLE
from tests.gradviz.test_doctor import BROKEN, MARK
from tests.ui.conftest import App

LOOP = """import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x * x
y.backward()
"""
RISKY = MARK.sub("", BROKEN["log of nothing"])


def examined(app: App) -> None:
    """Wait until the doctor has looked at what is on screen."""
    window = app.window
    app.settle()
    app.qtbot.waitUntil(lambda: not (window.evaluator.busy or window.doctors.busy), timeout=20_000)


def write(app: App, text: str) -> None:
    app.write(text)
    examined(app)


def grads(app: App) -> list[float]:
    done = app.window.player.current
    assert done is not None
    found: list[float] = done.grads["x"].tolist()
    return found


def table(app: App) -> list[list[str]]:
    """What stands in the table of gradients."""
    shown = app.window.doctors.panel.preview.table
    cells = [[shown.item(row, at) for at in range(3)] for row in range(shown.rowCount())]
    return [[cell.text() if cell else "" for cell in row] for row in cells]


def test_the_panel_is_opened_by_its_shortcut(app: App) -> None:
    QTest.keySequence(app.window, app.window.action("doctor").shortcut())
    assert app.window.doctors.panel.isVisible()
    assert app.window.action("doctor").isChecked()
    app.window.doctors.panel.close_button.click()
    assert not app.window.doctors.panel.isVisible()
    assert not app.window.action("doctor").isChecked()


def test_a_repair_is_previewed_applied_as_one_edit_and_undone(app: App) -> None:
    app.open("example:nonscalar")
    app.window.doctors.open()
    examined(app)
    panel, document = app.window.doctors.panel, app.window.document
    source = document.diagram.source or ""
    assert panel.findings.count() == 1
    assert panel.findings.item(0).text().startswith("line 7, error\ny is not a scalar")
    assert panel.repairs.count() == 3
    panel.repairs.setCurrentRow(1)
    assert panel.preview.text.toPlainText() == "7 - y.backward()\n7 + y.mean().backward()"
    assert table(app) == [["x.grad", "None", "[3.5, 4.5]"]]
    panel.apply.click()
    assert document.diagram.source == source.replace("y.backward()", "y.mean().backward()")
    examined(app)
    assert grads(app) == [3.5, 4.5]
    assert panel.calm.text().startswith("Nothing found")
    assert document.history.count() == 1
    app.window.action("undo").trigger()
    examined(app)
    assert document.diagram.source == source
    assert panel.findings.count() == 1
    assert panel.pages.currentIndex() == 1


def test_a_click_on_a_finding_goes_to_its_line_and_node(app: App) -> None:
    app.open("example:sum")
    write(app, RISKY)
    app.window.doctors.open()
    panel, code = app.window.doctors.panel, app.window.code.editor
    item = panel.findings.item(0)
    QTest.mouseClick(
        panel.findings.viewport(),
        Qt.MouseButton.LeftButton,
        pos=panel.findings.visualItemRect(item).center(),
    )
    assert code.textCursor().selectedText() == "entropy = -(p * torch.log(p)).sum()"
    node = app.window.selection.node
    assert app.window.player.diagram.nodes[node or ""].op == "log"


def test_risks_are_counted_and_open_no_banner(app: App) -> None:
    write(app, RISKY)
    assert app.window.doctors.count.text() == "1 remark of the doctor"
    assert not app.window.stage.banner.isVisible()
    app.window.doctors.count.click()
    assert app.window.doctors.panel.isVisible()
    write(app, RISKY.replace("0.0, 0.5", "0.25, 0.5"))
    assert not app.window.doctors.count.isVisible()
    assert app.window.doctors.panel.calm.text().startswith("Nothing found")


def test_the_banner_shows_what_each_quick_repair_would_do(app: App) -> None:
    app.open("example:nonscalar")
    examined(app)
    banner = app.window.stage.banner
    said = [banner.previews[banner.buttons[key]].text() for key in ("sum", "mean", "ones")]
    assert said == ["x.grad = [7, 9]", "x.grad = [3.5, 4.5]", "x.grad = [7, 9]"]
    assert banner.buttons["mean"].toolTip() == "x.grad: None → [3.5, 4.5]"
    banner.doctor.click()
    assert app.window.doctors.panel.isVisible()
    assert not banner.isVisible()  # the panel says it all
    app.window.doctors.panel.close_button.click()
    assert banner.isVisible()


@pytest.mark.parametrize(
    ("title", "said"),
    [
        (
            "lost by detach",
            "The history is cut in line 4: detach() gives a tensor without one",
        ),
        (
            "a leaf updated",
            "Line 6: w is a leaf that requires grad, and this line writes over it",
        ),
        (
            "a saved input overwritten",
            "Line 6 changes in place a tensor that pow (line 5) needs for its gradient",
        ),
        ("integers that should require grad", "Line 3 wants gradients for integers"),
    ],
)
def test_the_banner_knows_every_error_that_the_doctor_knows(
    app: App, title: str, said: str
) -> None:
    source = MARK.sub("", BROKEN[title])
    write(app, source)
    banner = app.window.stage.banner
    finding = app.window.doctors.panel.finding
    assert finding is not None
    assert banner.isVisible()
    assert banner.title.text() == said
    button = banner.others[0]
    assert button.isVisible()
    button.click()
    examined(app)
    assert app.window.player.run.error is None
    assert not banner.isVisible()
    assert app.window.document.diagram.source == finding.repairs[0].source
    app.window.action("undo").trigger()
    examined(app)
    assert banner.isVisible()


def test_a_banner_that_was_put_away_stays_away(app: App) -> None:
    write(app, LOOP)
    banner = app.window.stage.banner
    banner.close_button.click()
    assert not banner.isVisible()
    app.window.selection.select("y")
    assert not banner.isVisible()
    write(app, LOOP + "\n")
    assert banner.isVisible()


def test_the_article_s_freed_graph_has_both_repairs(app: App) -> None:
    write(app, ARTICLE["2.1"])
    banner, panel = app.window.stage.banner, app.window.doctors.panel
    assert banner.buttons["retain"].isVisible()
    assert banner.previews[banner.buttons["retain"]].text() == "x.grad = [3.5, 4.5]"
    assert banner.others[0].text() == "Compute it again before the second call"
    assert panel.repairs.count() == 2
    banner.buttons["retain"].click()
    examined(app)
    assert app.window.player.run.error is None
    assert app.window.player.run.passes[1].grads["x"].tolist() == [3.5, 4.5]
    app.window.action("undo").trigger()
    examined(app)
    banner.others[0].click()
    examined(app)
    assert app.window.player.run.passes[-1].grads["x"].tolist() == [3.5, 4.5]


def test_a_seed_of_another_dtype_is_a_note_that_pytorch_casts_it(app: App) -> None:
    write(app, MARK.sub("", BROKEN["seed of another dtype"]))
    panel = app.window.doctors.panel
    assert app.window.doctors.count.text() == "1 remark of the doctor"
    assert panel.findings.item(0).text() == (
        "line 6, note\nthe seed is float64, and y is float32: PyTorch casts the seed"
    )
    assert not app.window.stage.banner.isVisible()


def test_another_script_gives_up_what_was_looked_at(app: App) -> None:
    app.write(LOOP)
    app.window.doctors.look()
    busy = [app.window.doctors.doctoring.busy]
    app.write(RISKY)
    busy.append(app.window.doctors.doctoring.busy)
    assert busy == [True, False]
    examined(app)
    assert app.window.doctors.panel.summary.text() == "1 risk"


def test_a_request_to_stop_shows_what_there_is(app: App) -> None:
    app.write(LOOP)
    doctors = app.window.doctors
    doctors.look()
    doctors.doctoring.stop()
    examined(app)
    assert doctors.panel.findings.count() == 1
    assert doctors.panel.summary.text() == "1 error, stopped before every repair was tried"
    assert doctors.panel.repairs.count() == 0
    doctors.panel.rest.click()
    examined(app)
    assert doctors.panel.summary.text() == "1 error"
    assert doctors.panel.repairs.count() == 3


def test_a_repair_of_an_older_script_is_not_applied(app: App) -> None:
    write(app, LOOP)
    (repair, *_rest) = app.window.doctors.panel.finding.repairs  # type: ignore[union-attr]
    app.window.code.editor.appendPlainText("z = (x")
    app.window.doctors.apply(repair)
    assert (app.window.document.diagram.source or "").endswith("z = (x")


def test_no_script_is_not_looked_at(app: App) -> None:
    app.window.doctors.open()
    app.window.files.new()
    examined(app)
    panel = app.window.doctors.panel
    assert panel.calm.text() == "Open or write a script, and the doctor looks at it."
    write(app, "print(undefined)\n")
    assert "does not know this error: name 'undefined'" in panel.calm.text()


def test_a_diagram_without_a_script_is_repaired_as_one(app: App, tmp_path: Path) -> None:
    x = np.array([2.0, 3.0], dtype=np.float32)
    nodes = {"x": Node("x", "leaf", name="x", data=x), "y": Node("y", "exp", ("x",), name="y")}
    path = tmp_path / "a.gradviz"
    storage.write(path, Diagram(nodes, (BackwardCall("y"),)))
    app.open(str(path))
    examined(app)
    panel = app.window.doctors.panel
    assert panel.findings.item(0).text().startswith("error\ny is not a scalar")
    panel.repairs.setCurrentRow(1)
    assert not panel.preview.remark.isHidden()
    panel.apply.click()
    examined(app)
    assert grads(app) == pytest.approx((np.exp(x) / 2).tolist())
    app.window.action("undo").trigger()
    assert app.window.document.diagram.calls[0].start.kind == "implicit"


def test_closing_while_it_looks_ends_it(app: App) -> None:
    app.write(LOOP)
    doctoring = app.window.doctors.doctoring
    app.window.doctors.look()
    doctoring.close()
    assert not doctoring.busy
    assert doctoring._thread is not None
    assert not doctoring._thread.is_alive()


def test_which_repair_is_asked_of_the_guide(app: App) -> None:
    app.open("example:nonscalar")
    app.window.doctors.open()
    examined(app)
    panel = app.window.doctors.panel
    assert panel.guide.isVisible()
    panel.guide.click()
    assert app.window.guide.shown
    write(app, RISKY)
    assert not panel.guide.isVisible()


def test_undo_and_redo_while_it_looks_leave_the_last_one_found(app: App) -> None:
    write(app, LOOP)
    panel, doctors = app.window.doctors.panel, app.window.doctors
    panel.apply.click()
    app.settle()
    doctors.look()
    app.window.action("undo").trigger()
    app.settle()
    doctors.look()
    app.window.action("redo").trigger()
    examined(app)
    assert grads(app) == [4, 6]
    assert panel.calm.text().startswith("Nothing found")
    app.window.action("undo").trigger()
    app.window.action("redo").trigger()
    app.window.action("undo").trigger()
    examined(app)
    assert panel.summary.text() == "1 error"
    assert panel.repairs.count() == 3


def test_a_panel_asks_for_its_own_room_only(app: App) -> None:
    app.window.doctors.open()
    pages = app.window.docks.pages
    assert pages.minimumSizeHint() == app.window.doctors.panel.minimumSizeHint()
    assert pages.minimumSizeHint().width() < app.window.minimumWidth()


def test_losses_of_devices_are_called_so_with_the_quick_repairs(app: App) -> None:
    write(app, MARK.sub("", BROKEN["losses of two devices"]))
    banner = app.window.stage.banner
    assert "holds 2 losses" in banner.title.text()
    assert banner.previews[banner.buttons["mean"]].text() == "w.grad = [2.5, 2]"


def test_a_list_of_outputs_is_repaired_in_the_script_only(app: App) -> None:
    app.write(MARK.sub("", BROKEN["a list of outputs"]))
    banner = app.window.stage.banner
    assert not banner.isVisible()  # what the start bar would do is not what the script says
    examined(app)
    assert not banner.buttons["sum"].isVisible()
    assert banner.title.text().startswith("Line 6: y, y.exp() in the list are not scalars")
    banner.others[0].click()
    examined(app)
    assert app.window.player.run.error is None
    assert "[total, y.sum(), y.exp().sum()]" in (app.window.document.diagram.source or "")


def test_a_doctor_that_goes_wrong_says_so(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object, **_keywords: object) -> None:
        raise ValueError("odd")

    monkeypatch.setattr("gradviz.doctor.examine.examine", broken)
    app.window.doctors.open()
    write(app, RISKY)
    assert app.window.status.currentMessage() == "ValueError: odd"
    assert app.window.doctors.panel.calm.text().startswith("The doctor stopped")
