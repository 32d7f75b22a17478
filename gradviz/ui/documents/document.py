"""`Document`: the current diagram, its file and its undo stack."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from gradviz.diagram import Diagram

_MERGE_ID = 1


class _State:
    """One point in the history. Neighbouring commands share it, so refining it refines both."""

    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram


_NOTHING = _State(Diagram())


class _Edit(QUndoCommand):
    """The only command: redo shows `after`, undo shows `before`."""

    def __init__(self, document: Document, text: str, after: _State, merge: str) -> None:
        super().__init__(text)
        self.document = document
        self.before = document.state
        self.after = after
        self.merge = merge

    def redo(self) -> None:
        self.document.show(self.after)

    def undo(self) -> None:
        self.document.show(self.before)

    def id(self) -> int:
        return _MERGE_ID if self.merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Edit) or other.merge != self.merge:
            return False
        self.after = other.after
        other.before = other.after = _NOTHING  # Qt keeps the merged command, which is no use now
        return True


class Document(QObject):
    """Holds the current `Diagram`; every edit goes through `edit` and can be undone.

    `changed(before, after)` follows every change of the value, with the two diagrams.
    """

    changed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history = QUndoStack(self)
        self.history.setUndoLimit(1000)
        self.path: Path | None = None
        self.filename = ""  # what the script is called in a traceback
        self.state = _State(Diagram())

    @property
    def diagram(self) -> Diagram:
        return self.state.diagram

    @property
    def modified(self) -> bool:
        return not self.history.isClean()

    def edit(self, text: str, diagram: Diagram, *, merge: str = "") -> None:
        """Make `diagram` the current one; edits in a row with the same `merge` undo as one."""
        if diagram is not self.diagram:
            self.history.push(_Edit(self, text, _State(diagram), merge))

    def refine(self, diagram: Diagram) -> None:
        """Replace the current value by what was derived from it: not an undo step.

        A script's file does not have a text that was written after it was saved.
        """
        before = self.diagram
        if diagram is not before:
            self.state.diagram = diagram
            script = self.path is not None and self.path.suffix.lower() == ".py"
            if script and diagram.source != before.source and not self.modified:
                self.history.resetClean()
            self.changed.emit(before, diagram)

    def load(
        self, diagram: Diagram, path: Path | None, *, filename: str = "", modified: bool = False
    ) -> None:
        """Start over with another diagram and an empty history; `modified`, if no file has it."""
        before = self.diagram
        self.path = path
        self.filename = filename or (path.name if path else "script.py")
        self.state = _State(diagram)
        self.history.clear()
        if modified:
            self.history.resetClean()
        self.changed.emit(before, diagram)

    def saved(self, path: Path, state: object = None) -> None:
        """The file now holds the current value, or that of `state`, an earlier `self.state`."""
        self.path, self.filename = path, path.name
        if state is None or state is self.state:
            self.history.setClean()
        else:
            self.history.resetClean()

    def unsaved(self) -> None:
        """No file holds any value of the history now."""
        self.history.resetClean()

    def close(self) -> None:
        """Nobody is told any more; the undo stack speaks once again while it is destroyed."""
        self.history.cleanChanged.disconnect()
        self.history.indexChanged.disconnect()

    def show(self, state: _State) -> None:
        """Make a point of the history the current one (used by the undo stack)."""
        before = self.diagram
        self.state = state
        self.changed.emit(before, state.diagram)
