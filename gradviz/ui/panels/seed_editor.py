"""`SeedEditor`: the numbers of the seed, to be dragged, typed, pasted, or read from a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gradviz.diagram import Diagram
from gradviz.labels import titles
from gradviz.language import _
from gradviz.run import Array
from gradviz.seeds.starts import preset_seed
from gradviz.ui.dialogs import Dialogs
from gradviz.ui.documents.document import Document
from gradviz.ui.panels.seed_tools import SeedTools
from gradviz.ui.player import Player
from gradviz.ui.running.live import Live
from gradviz.ui.starting import Starting
from gradviz.ui.theme import ThemeSource

if TYPE_CHECKING:
    from gradviz.ui.widgets.seed_plot import SeedPlot

_HEIGHT = 204


class SeedEditor(QWidget):
    """Under the start bar. Every change of the seed is an edit of the document; drags are one.

    `shown(bool)` follows its coming and going.
    """

    shown = Signal(bool)

    def __init__(
        self,
        document: Document,
        player: Player,
        starting: Starting,
        live: Live,
        dialogs: Dialogs,
        theme: ThemeSource,
    ) -> None:
        super().__init__()
        self.setObjectName("SeedEditor")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(_HEIGHT)
        self._document, self._player, self._starting = document, player, starting
        self._live, self._dialogs, self._theme = live, dialogs, theme
        self._draft: Array | None = None  # what is being dragged
        self._turn = 0
        self._seen: tuple[object, ...] = ()
        self.tools = SeedTools(theme)
        self.plot: SeedPlot | None = None  # is made when it is first seen
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 10, 12, 8)
        self._row.setSpacing(16)
        column = QVBoxLayout()
        column.addWidget(self.tools)
        column.addStretch(1)
        self._row.addLayout(column)
        self._connect()
        self.hide()

    def retranslate(self) -> None:
        self.tools.retranslate()
        self._seen = ()
        self.sync()

    def set_shown(self, on: bool) -> None:
        """Come or go."""
        if on != self.isVisible():
            self.setVisible(on)
            self.shown.emit(on)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.plot is None:
            from gradviz.ui.widgets.seed_plot import SeedPlot  # brings pyqtgraph in

            self.plot = SeedPlot(self._theme)
            self._row.addWidget(self.plot, 1)
            self.plot.pressed.connect(self._pressed)
            self.plot.dragged.connect(self._dragged)
            self.plot.released.connect(self._released)
            self.plot.onehot.connect(self.choose_component)
            self.plot.typed.connect(self._number_typed)
        self._seen = ()
        self.sync()

    def values(self) -> Array | None:
        """The seed on screen: the start's own, else the one that it comes to."""
        done, values = self._player.current, self._starting.values
        if values is None and done is not None:
            values = done.cotangents().get(self._starting.subject or "")
        y = self._starting.output
        if y is None:
            return None
        fits = values is not None and values.shape == y.shape
        return values if fits else np.ones_like(y)

    def sync(self) -> None:
        """Show the seed of the call on screen."""
        if not self.isVisible() or self.plot is None:
            return
        y = self._starting.output
        v = self._draft if self._draft is not None else self.values()
        other = self._document.diagram.seeds.get(self.tools.other or "")
        if other is not None and (y is None or other.shape != y.shape):
            other = None
        seen = (y, v, other, self._document.diagram.seeds, self._starting.subject)
        if all(a is b for a, b in zip(seen, self._seen, strict=False)) and self._seen:
            return
        self._seen = seen
        call = self._starting.made
        preset = call.start.preset if call else None
        self.tools.show_seed(y, self._starting.key, preset, self._document.diagram.seeds)
        subject = self._starting.subject or ""
        name = titles(self._player.diagram).get(subject, subject)
        self.plot.show_seed(v, y, name, other)

    def use_preset(self, preset: str) -> None:
        """Start by a seed such as "1/N" or "normal:7"."""
        y = self._starting.output
        if y is not None:
            self._use(preset_seed(preset, y), preset)

    def choose_component(self, k: int) -> None:
        """Start by 1 at the component k of the output and 0 elsewhere."""
        self.use_preset(f"onehot:{k}")

    def take_text(self, text: str) -> bool:
        """Start by what the text says; else say what is wrong with it and leave the seed."""
        from gradviz.seeds.seed_text import read_text

        y = self._starting.output
        return y is not None and self._try(lambda: read_text(text, y))

    def take_file(self, path: Path) -> bool:
        """Start by the numbers in a file; else say what is wrong with them and leave the seed."""
        from gradviz.seeds.seed_text import fitted, numbers_in

        y, given = self._starting.output, ""

        def read() -> Array:
            nonlocal given
            assert y is not None
            found = numbers_in(path, y)
            given = str(found.dtype)
            return fitted(found, y)

        if y is None or not self._try(read):
            return False
        if given != str(y.dtype):
            text = _("{given} was cast to {wanted}, as PyTorch does.")
            self.tools.note(text.format(given=given, wanted=y.dtype))
        return True

    def _connect(self) -> None:
        tools = self.tools
        tools.preset.connect(self.use_preset)
        tools.onehot.connect(self._onehot_asked)
        tools.typed.connect(self._typed)
        tools.pasted.connect(self._paste)
        tools.file_asked.connect(self._ask_file)
        tools.kept.connect(self._keep)
        tools.dropped.connect(self._drop)
        tools.recalled.connect(self._recall)
        tools.other_chosen.connect(self.sync)
        self._player.moved.connect(self.sync)
        self._document.changed.connect(self._changed)

    def _changed(self, _before: Diagram, _after: Diagram) -> None:
        self.sync()

    def _use(self, values: Array, preset: str | None = None) -> None:
        self.tools.fail("")
        self._starting.use(values, preset=preset)

    def _try(self, read: Callable[[], Array]) -> bool:
        try:
            values = read()
        except ValueError as problem:
            self.tools.fail(str(problem))
            return False
        self._use(values)
        return True

    def _onehot_asked(self) -> None:
        if self.plot is not None:
            self.choose_component(self.plot.chosen)

    def _typed(self, text: str) -> None:
        if self.take_text(text):
            self.tools.formula.setModified(False)

    def _number_typed(self, k: int, text: str) -> None:
        from gradviz.seeds.seed_text import read_text

        y, v = self._starting.output, self.values()
        if y is None or v is None:
            return

        def changed() -> Array:
            made = v.copy()
            made.reshape(-1)[k] = read_text(text, y.reshape(-1)[k])
            return made

        self._try(changed)

    def _paste(self) -> None:
        self.take_text(QGuiApplication.clipboard().text())

    def _ask_file(self) -> None:
        def chosen(path: Path) -> None:
            self.take_file(path)

        self._dialogs.open_numbers("", chosen)

    def _pressed(self, k: int) -> None:
        self._turn += 1
        self._draft = self.values()
        self._live.drag(k)

    def _dragged(self, k: int, value: float) -> None:
        if self._draft is None:
            return
        draft = self._draft.copy()
        draft.reshape(-1)[k] = value
        self._draft = draft
        self.tools.fail("")
        self._starting.use(draft, merge=f"seed {self._turn}")
        self.sync()

    def _released(self) -> None:
        self._draft = None
        self._live.settle()

    def _keep(self, name: str) -> None:
        v, diagram = self.values(), self._document.diagram
        if v is not None:
            text = _("Keep seed {name}").format(name=name)
            self._document.edit(text, replace(diagram, seeds={**diagram.seeds, name: v}))

    def _drop(self, name: str) -> None:
        diagram = self._document.diagram
        seeds = {key: seed for key, seed in diagram.seeds.items() if key != name}
        if len(seeds) < len(diagram.seeds):
            text = _("Forget seed {name}").format(name=name)
            self._document.edit(text, replace(diagram, seeds=seeds))

    def _recall(self, name: str) -> None:
        from gradviz.seeds.seed_text import fitted

        y, seed = self._starting.output, self._document.diagram.seeds.get(name)
        if y is not None and seed is not None:
            self._try(lambda: fitted(seed, y))
