"""The inspector's proofs: asked for with a button, told for the node that is shown."""

from __future__ import annotations

import pytest

from tests.ui.conftest import App


def lines(app: App) -> dict[str, str]:
    text = app.window.inspector.proofs.badge.text()
    return dict(line.split(": ", 1) for line in text.splitlines())


def test_a_check_tells_what_speaks_for_each_gradient(app: App) -> None:
    pytest.importorskip("torch")
    app.open("example:ones")
    proofs = app.window.inspector.proofs
    assert proofs.button.isVisibleTo(app.window.inspector)
    assert not proofs.badge.isVisibleTo(app.window.inspector)
    with app.qtbot.waitSignal(proofs.checked, timeout=60_000):
        proofs.button.click()
        assert proofs.verdict.text() == "checking …"
    app.window.selection.select("y")
    assert set(lines(app)) == {"finite differences", "adjoint test", "PyTorch"}
    assert all(text.startswith("✓") for text in lines(app).values())
    app.window.selection.select("x")
    assert set(lines(app)) == {"finite differences", "PyTorch"}
    assert proofs.verdict.text().startswith("11 tests passed; the largest error is ")
    assert not proofs.button.isVisibleTo(app.window.inspector)


def test_another_run_has_to_be_checked_anew(app: App) -> None:
    app.open("example:ones")
    proofs = app.window.inspector.proofs
    with app.qtbot.waitSignal(proofs.checked, timeout=60_000):
        proofs.button.click()
    app.window.starting.choose("1/N")
    app.settle()
    assert proofs.button.isVisibleTo(app.window.inspector)
    assert not proofs.badge.isVisibleTo(app.window.inspector)
