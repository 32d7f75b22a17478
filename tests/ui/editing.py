"""A process that edits documents in real windows at random, until it is killed; see `killed`.

    python -m tests.ui.editing FOLDER SEED

It writes a line of JSON for each state of each document, and for what it knows to be kept.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from gradviz import storage
from gradviz.diagram import Diagram
from gradviz.edit import nodes
from gradviz.edit.outcome import Added
from gradviz.script.sandbox import Sandbox
from gradviz.ui.app import make_app
from gradviz.ui.asking.settings import Settings
from gradviz.ui.documents.session import Session
from gradviz.ui.documents.windows import Windows
from gradviz.ui.running.evaluator import Evaluator
from gradviz.ui.theme import ThemeSource
from gradviz.ui.window import Window
from tests.ui.killed import fingerprint

SCRIPT = """import torch
x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x ** 2 + 3 * x
y.sum().backward()
"""


class Editing:
    """Edits one window, and tells of each state of its document."""

    def __init__(self, window: Window, dice: random.Random) -> None:
        self.window, self.dice = window, dice
        self.state = 0
        document = window.document
        document.changed.connect(self.tell)
        document.history.cleanChanged.connect(self.tell)

    def tell(self, *_changed: object) -> None:
        self.state += 1
        document = self.window.document
        self._say(print=fingerprint(document.diagram), modified=document.modified)

    def edit(self) -> None:
        """Do something that a person might do, and tell of what is kept."""
        window, dice = self.window, self.dice
        keeper = window.filing.keeper
        assert keeper is not None
        if not keeper.busy and not window.files.busy:
            self._say(kept=True)
        what = dice.choice(
            ["type"] * 6 + ["undo", "redo", "start", "move", "draw"] + ["save"] * self.saves
        )
        if what == "type":
            editor = window.code.editor
            editor.moveCursor(editor.textCursor().MoveOperation.End)
            QTest.keyClicks(editor, dice.choice(["# note", " more", "z = x * 2", "#"]))
            if dice.random() < 0.3:
                QTest.keyClick(editor, Qt.Key.Key_Return)
        elif what == "start":
            if window.starting.output is not None:
                window.starting.choose(dice.choice(["sum", "mean", "ones"]))
        elif what == "move":
            if window.document.diagram.nodes:
                window.stage.canvas.moved.emit({"x": (dice.random() * 100, 10.0)})
        elif what == "draw":
            made = nodes.add(window.document.diagram, dice.choice(["leaf", "exp"]), at=(1.0, 2.0))
            assert isinstance(made, Added)
            window.drawing.editing.make("Add", made)
        else:
            window.action(what).trigger()

    @property
    def saves(self) -> int:
        return 1 if self.window.document.path is not None else 0

    def _say(self, **facts: object) -> None:
        line = {"doc": self.window.number, "state": self.state, "at": time.time(), **facts}
        print(json.dumps(line), flush=True)


def main(folder: Path, seed: int) -> int:
    app = make_app()
    dice = random.Random(seed)
    (folder / "a.py").write_text(SCRIPT, encoding="utf-8")
    storage.write(folder / "b.gradviz", Diagram(source=SCRIPT, title="b"))
    windows = Windows(
        Settings(folder / "settings.ini"),
        ThemeSource("light"),
        lambda: Evaluator(Sandbox),
        Session(folder / "unsaved"),
    )
    all_of_them = []
    for source in ("example:sum", str(folder / "a.py"), str(folder / "b.gradviz")):
        window = windows.add(source)
        window.show()
        all_of_them.append(Editing(window, dice))

    def edit() -> None:
        if not any(one.window.files.busy for one in all_of_them):
            dice.choice(all_of_them).edit()
        timer.start(dice.randrange(10, 250))

    timer = QTimer()
    timer.setSingleShot(True)
    timer.timeout.connect(edit)
    timer.start(300)
    return app.exec()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
