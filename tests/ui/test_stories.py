"""Long stories in a real window: document, canvas, file and what is kept never disagree."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from gradviz import storage
from gradviz.diagram import Diagram
from gradviz.edit import nodes
from gradviz.edit.outcome import Added
from gradviz.figure import Figure
from gradviz.files import kept
from gradviz.scene.picture import Picture, picture
from gradviz.ui.canvas.spatial import Spatial
from tests.ui.apps import Apps
from tests.ui.killed import fingerprint

_SUM = """import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
y.sum().backward()
"""
_LINES = ("z = x * 3\n", "# note\n", "w = (x\n", "y = y + x\n", "y.mean().backward()\n")
STEPS = 60


class Story:
    """One document in its window, and the file that it is saved to."""

    def __init__(self, apps: Apps, path: Path, seed: int) -> None:
        self.apps, self.path, self.dice = apps, path, random.Random(seed)
        storage.write(path, Diagram(source=_SUM))
        self.window = apps.window(str(path))
        apps.answer(self.window)
        self.first = self.window.document.diagram

    def step(self) -> None:
        kinds = ("type", "type", "start", "move", "draw", "undo", "undo", "redo", "save", "reload")
        getattr(self, f"_{self.dice.choice(kinds)}")()
        self.apps.settle()
        self.agree()

    def agree(self) -> None:
        """Everything shows the same diagram."""
        window, diagram = self.window, self.window.document.diagram
        shown, figure = window.player.diagram, window.stage.figure
        if window.player.run.error is None:
            assert shown.nodes.keys() == diagram.nodes.keys()
            assert window.code.editor.toPlainText() == (diagram.source or "")
            if shown.nodes:
                assert figure is not None
                boxes = {box.id for box in figure.boxes}
                assert shown.nodes.keys() <= boxes
            self._look(window.stage.figure)
        for key, at in diagram.positions.items():
            boxed = [box for box in figure.boxes if box.id == key] if figure else []
            assert all((box.x, box.y) == at for box in boxed) or window.player.run.error
        mine = self.apps.files
        if window.document.modified:
            assert len(mine) == 1
            found = kept.read(self.apps.windows.session.folder / mine[0])
            assert fingerprint(found.diagram) == fingerprint(diagram)
        else:
            assert mine == []
            assert self._saved(storage.read(self.path)) == self._saved(diagram)

    def _look(self, seen: Figure | None) -> None:
        """What the canvas kept from picture to picture is what it would draw anew."""
        stage, player = self.window.stage, self.window.player
        if seen is None:
            return
        diagram, run, index = player.scene
        found = picture(diagram, run, index=index, positions=stage.places(), opened=stage.opened)
        anew = Picture(found.geometry, diagram, run, found.done).with_marks(stage.marks)
        figure = anew.figure(player.position, selection=self.window.selection.node)
        assert (seen.boxes, seen.edges) == (figure.boxes, figure.edges)
        drawn, places = stage.canvas.spatial, Spatial(figure)
        assert drawn.rects.tolist() == places.rects.tolist()
        assert drawn.curves.tolist() == places.curves.tolist()
        assert (drawn.row, drawn.sources.tolist()) == (places.row, places.sources.tolist())

    @staticmethod
    def _saved(diagram: Diagram) -> str:
        """What was put in by hand: the rest comes of the script, or the script of the nodes."""
        source = "" if diagram.drawn else diagram.source
        calls = tuple(call for call in diagram.calls if call.edited and not diagram.drawn)
        return fingerprint(replace(diagram, source=source, calls=calls))

    def _type(self) -> None:
        editor = self.window.code.editor
        editor.moveCursor(editor.textCursor().MoveOperation.End)
        editor.insertPlainText(self.dice.choice(_LINES))

    def _start(self) -> None:
        if self.window.starting.output is not None:
            self.window.starting.choose(self.dice.choice(["sum", "mean", "ones"]))

    def _move(self) -> None:
        if "x" in self.window.player.diagram.nodes:
            corner = (float(self.dice.randrange(90)), float(self.dice.randrange(90)))
            self.window.stage.canvas.moved.emit({"x": corner})

    def _draw(self) -> None:
        diagram = self.window.document.diagram
        sources = [key for key in ("x",) if key in diagram.nodes]
        made = nodes.add(diagram, self.dice.choice(["relu", "exp"]), at=(5.0, 6.0), sources=sources)
        assert isinstance(made, Added)
        self.window.drawing.editing.make("Add", made)

    def _undo(self) -> None:
        for _time in range(self.dice.randrange(1, 4)):
            self.window.action("undo").trigger()

    def _redo(self) -> None:
        self.window.action("redo").trigger()

    def _save(self) -> None:
        self.window.action("save").trigger()

    def _reload(self) -> None:
        """Another program writes the file; the document takes it, or its reader is asked."""
        text = _SUM + f"# outside {self.dice.random()}\n"
        storage.write(self.path, Diagram(source=text))
        self.window.filing.following.look()
        self.apps.settle()
        bar = self.window.filing.bar
        if bar.notice is not None:
            bar.buttons[self.dice.randrange(2)].click()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_long_story(apps: Apps, tmp_path: Path, seed: int) -> None:
    story = Story(apps, tmp_path / "a.gradviz", seed)
    for _step in range(STEPS):
        story.step()
    while story.window.document.history.canUndo():
        story.window.action("undo").trigger()
    apps.settle()
    now = story.window.document.diagram
    assert storage.dumps(now) == storage.dumps(story.first)
