"""Checking the gradients: asked for, told on every node and in the inspector, given up."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradviz.figure import Badge
from gradviz.ui.docking.proving import Proving
from tests.ui.conftest import App

LOOP = """import torch
x = torch.ones(4, requires_grad=True)
y = x
for _ in range(400):
    y = y * 1.001 + x
y.sum().backward()
"""


def lines(app: App) -> dict[str, str]:
    text = app.window.inspector.proofs.badge.text()
    return dict(line.split(": ", 1) for line in text.splitlines())


def badges(app: App) -> dict[str, Badge]:
    figure = app.window.stage.figure
    assert figure is not None
    return {box.title: badge for box in figure.boxes for badge in box.badges}


def check(app: App) -> Proving:
    proving = app.window.proving
    with app.qtbot.waitSignal(app.window.inspector.proofs.checked, timeout=60_000):
        app.window.action("check").trigger()
    return proving


def test_a_check_tells_what_speaks_for_each_gradient(app: App) -> None:
    pytest.importorskip("torch")
    app.open("example:ones")
    proofs = app.window.inspector.proofs
    assert proofs.button.isVisibleTo(app.window.inspector)
    assert not proofs.badge.isVisibleTo(app.window.inspector)
    with app.qtbot.waitSignal(proofs.checked, timeout=60_000):
        proofs.button.click()
        assert proofs.verdict.text() == "checking …"
        assert proofs.button.text() == "Cancel"
    app.window.selection.select("y")
    assert set(lines(app)) == {"finite differences", "adjoint test", "PyTorch"}
    assert all(text.startswith("✓") for text in lines(app).values())
    app.window.selection.select("x")
    assert set(lines(app)) == {"finite differences", "PyTorch"}
    assert proofs.verdict.text().startswith("11 tests passed; the largest error is ")
    assert not proofs.button.isVisibleTo(app.window.inspector)
    assert app.window.status.currentMessage() == proofs.verdict.text()
    assert not app.window.action("check").isEnabled()


def test_every_node_with_a_gradient_has_a_badge(app: App) -> None:
    pytest.importorskip("torch")
    app.open("example:sum")
    assert badges(app) == {}
    check(app)
    found = badges(app)
    assert set(found) == {"x", "x ** 2", "3 * x", "y", "Σ loss"}
    assert {badge.tone for badge in found.values()} == {"holds"}
    assert found["y"].text.startswith("✓ fd adj torch ")
    assert found["x"].text.startswith("✓ fd torch ")
    assert found["x"].tip.startswith("finite differences: ✓ ")
    assert app.window.stage.figure is not None
    assert "agrees" in [entry.text for entry in app.window.stage.figure.legend]


def test_an_exported_picture_has_the_badges_of_the_canvas(app: App, tmp_path: Path) -> None:
    app.open("example:ones")
    check(app)
    app.window.commands.export(tmp_path / "a.svg")
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert svg.count('class="verdict holds"') == len(badges(app)) + 1  # and the legend's
    assert badges(app)["y"].text in svg


def test_another_run_has_to_be_checked_anew(app: App) -> None:
    app.open("example:ones")
    check(app)
    assert badges(app)
    app.window.starting.choose("1/N")
    app.settle()
    assert badges(app) == {}
    proofs = app.window.inspector.proofs
    assert proofs.button.isVisibleTo(app.window.inspector)
    assert not proofs.badge.isVisibleTo(app.window.inspector)
    assert app.window.action("check").isEnabled()
    check(app)
    assert badges(app)


def test_badges_of_leaves_are_about_the_pass_on_screen(app: App) -> None:
    app.write(
        "import torch\n"
        "x = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "y = x * 2\n"
        "y.register_hook(lambda g: g * 3)\n"
        "x.sum().backward()\n"
        "y.sum().backward()\n"
    )
    check(app)
    tones = []
    for index in (0, 1):
        app.window.player.choose(index)
        tones.append((badges(app)["x"].tone, badges(app)["x"].text))
    assert tones[0][0] == "holds"
    assert tones[1] == ("unknown", "? not checked")
    assert badges(app)["x"].tip == "cannot be checked: a hook changes the gradient on its way"
    app.window.selection.select("x")
    assert app.window.inspector.proofs.badge.text() == badges(app)["x"].tip


def test_a_check_is_given_up(app: App) -> None:
    app.write(LOOP)
    window = app.window
    window.action("check").trigger()
    app.qtbot.waitUntil(lambda: window.proving.progress[0] > 0, timeout=60_000)
    assert window.proving.progress[1] == 802
    assert window.status.progress.maximum() == 802
    assert window.inspector.proofs.verdict.text().startswith("checking: ")
    window.status.cancel.click()
    assert not window.proving.busy
    assert not window.status.progress.isVisibleTo(window)
    assert window.inspector.proofs.button.text() == "Check the gradients"
    assert window.action("check").isEnabled()
    assert badges(app) == {}


def test_what_was_said_in_another_language_goes(app: App) -> None:
    app.open("example:ones")
    check(app)
    app.window.commands.set_language("zh")
    app.settle()
    assert badges(app) == {}
    assert app.window.inspector.proofs.button.isVisibleTo(app.window.inspector)
    assert app.window.action("check").isEnabled()


def test_a_process_that_is_lost_is_told(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    app.open("example:ones")
    monkeypatch.setattr("gradviz.proofs.serving.MODULE", "gradviz.no_such_module")
    window = app.window
    window.action("check").trigger()
    app.qtbot.waitUntil(lambda: not window.proving.busy, timeout=60_000)
    said = window.inspector.proofs.verdict.text()
    assert said.startswith("the check stopped before its end: ModuleNotFoundError")
    assert window.action("check").isEnabled()
