"""A process is killed while it edits: what it leaves is what is offered, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.killed import Life


@pytest.mark.parametrize(("seed", "edits"), [(1, 4), (2, 60), (3, 160)])
def test_every_document_is_left_as_it_was_last_kept(tmp_path: Path, seed: int, edits: int) -> None:
    life = Life(tmp_path, seed)
    life.begin()
    life.wait_for_edits(edits)
    assert life.left() == []  # it lives: its documents are its own
    life.kill()
    life.lost()
