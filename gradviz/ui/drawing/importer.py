"""`Importer`: a value read from a file; which array of several, and how an image is taken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gradviz.diagram import LEAF, Array, Node, NodeId
from gradviz.edit import leaves
from gradviz.edit.importing import IMAGES, members, read
from gradviz.edit.outcome import Refusal
from gradviz.language import _
from gradviz.ui.documents.files import Files
from gradviz.ui.drawing.subject import Subject
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.choice import Choice
from gradviz.ui.widgets.said import Said

_WAYS = ("grey", "colour")  # to take an image


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """A file, and what it holds: the arrays of an NPZ, the ways to take an image."""

    path: Path
    keys: tuple[str, ...] = ()
    chosen: str = ""
    image: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    source: _Source
    array: Array | Refusal


class Importer(QWidget):
    """`button` asks for the file. Files are read beside the event loop."""

    def __init__(self, subject: Subject, files: Files, theme: ThemeSource) -> None:
        super().__init__()
        self._subject, self._files = subject, files
        self._source: _Source | None = None
        self.button, self.which, self.said = QPushButton(), Choice(theme), Said()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for part in (self.which, self.said):
            column.addWidget(part)
        self.button.clicked.connect(self.ask)
        self.which.activated.connect(lambda _at: self._which())

    def retranslate(self) -> None:
        self.button.setText(_("File…"))
        self.button.setToolTip(_("Numbers from a CSV, NPY or NPZ file, or an image"))
        self.which.setAccessibleName(_("Which of them"))

    def stops(self) -> list[QWidget]:
        """What Tab goes through."""
        return [self.button, self.which]

    def show_node(self, node: Node, *, fresh: bool) -> None:
        if fresh:
            self._source = None
            self.said.say("")
        source = self._source
        self.which.setVisible(source is not None and len(source.keys) > 1)
        self.setVisible(source is not None)
        if source is not None:
            rows = [(key, _way(key) if source.image else key) for key in source.keys]
            self.which.set_rows(rows, source.chosen)

    def adopt(self, path: Path) -> None:
        """The value of the node was read from an image already: offer its other way."""
        node = self._subject.node
        if node is not None and path.suffix.lower() in IMAGES:
            self._source = _Source(path, _WAYS, _WAYS[0], image=True)
            self.show_node(node, fresh=False)

    def ask(self) -> None:
        """Ask for the file."""

        def chosen(path: Path) -> None:
            self.take(path)

        self._files.dialogs.open_values("", chosen)

    def take(self, path: Path, chosen: str = "") -> None:
        """Read the value of the node from a file; `chosen` is one of those that it holds."""
        key = self._subject.key
        self._files.aside.run(lambda: _read(path, chosen), lambda found: self._found(key, found))

    def _which(self) -> None:
        if self._source is not None:
            self.take(self._source.path, self.which.key or "")

    def _found(self, key: NodeId, found: _Found) -> None:
        node = self._subject.node
        if node is None or node.id != key or not node.is_source:
            return  # another one is selected by now
        self._source = found.source
        if isinstance(found.array, Refusal):
            self.said.say(found.array.sentence, wrong=True)
            self.show_node(node, fresh=False)
            return
        array, note = _for(node, found.array)
        made = leaves.set_data(self._subject.diagram, key, array)
        name = found.source.path.name
        wrong = self._subject.make(_("Read {name}").format(name=name), made)
        self.said.say(wrong or note or name, wrong=bool(wrong))
        after = self._subject.node
        if after is not None:
            self.show_node(after, fresh=False)


def _for(node: Node, array: Array) -> tuple[Array, str]:
    """The array as the node can have it, and what became of its dtype."""
    if node.op != LEAF or array.dtype.kind in "fc":
        return array, ""
    text = _("{given} was cast to float32: only floating-point numbers have gradients.")
    return array.astype(np.float32), text.format(given=array.dtype.name)


def _read(path: Path, chosen: str) -> _Found:
    if path.suffix.lower() in IMAGES:
        chosen = chosen or _WAYS[0]
        array = read(path, grey=chosen == "grey")
        return _Found(_Source(path, _WAYS, chosen, image=True), array)
    if path.suffix.lower() != ".npz":
        return _Found(_Source(path), read(path))
    keys = members(path)
    if isinstance(keys, Refusal):
        return _Found(_Source(path), keys)
    chosen = chosen or next(iter(keys), "")
    return _Found(_Source(path, keys, chosen), read(path, chosen))


def _way(key: str) -> str:
    return _("grey, rows × columns") if key == "grey" else _("colour, 3 × rows × columns")
