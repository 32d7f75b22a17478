"""Undo returns the identical values, typing undoes as one, and refining is not a step."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gradviz.diagram import Diagram
from gradviz.ui.documents.document import Document


@pytest.fixture
def document(qtbot: QtBot) -> Document:
    return Document()


def test_undo_and_redo_return_the_identical_diagrams(document: Document) -> None:
    first, second = Diagram(title="first"), Diagram(title="second")
    start = document.diagram
    document.edit("one", first)
    document.edit("two", second)
    document.history.undo()
    assert document.diagram is first
    document.history.undo()
    assert document.diagram is start
    document.history.redo()
    document.history.redo()
    assert document.diagram is second


def test_changed_tells_before_and_after(document: Document) -> None:
    seen: list[tuple[object, object]] = []
    document.changed.connect(lambda before, after: seen.append((before, after)))
    start, edited = document.diagram, Diagram(title="x")
    document.edit("edit", edited)
    document.history.undo()
    assert seen == [(start, edited), (edited, start)]


def test_edits_with_the_same_key_undo_as_one(document: Document) -> None:
    start = document.diagram
    for text in ("x", "x =", "x = 1"):
        document.edit("Typing", replace(document.diagram, source=text), merge="burst 1")
    document.edit("Typing", replace(document.diagram, source="x = 12"), merge="burst 2")
    assert document.history.count() == 2
    document.history.undo()
    assert document.diagram.source == "x = 1"
    document.history.undo()
    assert document.diagram is start


def test_refining_is_no_step_and_lives_through_undo(document: Document) -> None:
    typed = replace(document.diagram, source="x = 1")
    document.edit("Typing", typed)
    refined = replace(typed, title="read")
    document.refine(refined)
    assert (document.history.count(), document.diagram) == (1, refined)
    document.edit("more", Diagram(title="more"))
    document.history.undo()
    assert document.diagram is refined
    document.history.undo()
    document.history.redo()
    assert document.diagram is refined


def test_a_script_written_after_saving_is_not_in_its_file(
    document: Document, tmp_path: Path
) -> None:
    for name, modified in (("x.gradviz", False), ("x.py", True)):
        document.load(Diagram(source="x = 1"), tmp_path / name)
        document.refine(replace(document.diagram, title="same text"))
        assert not document.modified
        document.refine(replace(document.diagram, source="x = 2"))
        assert document.modified == modified


def test_the_mark_of_changes_follows_the_saved_state(document: Document, tmp_path: Path) -> None:
    document.edit("edit", Diagram(title="x"))
    assert document.modified
    document.saved(tmp_path / "x.py")
    assert not document.modified
    document.history.undo()
    assert document.modified
    document.history.redo()
    assert not document.modified


def test_typing_after_saving_is_a_new_step(document: Document, tmp_path: Path) -> None:
    document.edit("Typing", Diagram(source="a"), merge="burst")
    document.saved(tmp_path / "x.py")
    document.edit("Typing", Diagram(source="ab"), merge="burst")
    assert document.history.count() == 2
    document.history.undo()
    assert document.diagram.source == "a"
    assert not document.modified


def test_loading_empties_the_history(document: Document) -> None:
    document.edit("edit", Diagram(title="x"))
    document.load(Diagram(title="other"), None, filename="other.py")
    assert not document.history.canUndo()
    assert (document.filename, document.diagram.title) == ("other.py", "other")


class Text(str):
    """One that can be asked whether anybody still holds it."""

    __slots__ = ("__weakref__",)


def test_what_was_merged_away_is_let_go(document: Document) -> None:
    """Qt keeps a merged command for ever; the diagrams in it must not stay with it."""
    gone = []
    for text in map(Text, ("x", "x =", "x = 1")):
        gone.append(weakref.ref(text))
        document.edit("Typing", Diagram(source=text), merge="burst")
    del text
    gc.collect()
    assert [ref() is None for ref in gone] == [True, True, False]
    document.history.undo()
    assert document.diagram.source is None
    document.history.redo()
    assert document.diagram.source == "x = 1"
