"""`Desk`: what the guide's pages share: their subject, its results, and what they ask for."""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

from PySide6.QtCore import QObject, Signal

from gradviz.guide.snippet import Told, tell
from gradviz.guide.subject import Subject, article
from gradviz.guide.ways import Outcome, Way, outcome, start_of
from gradviz.ui.running.errands import Errands, Failed
from gradviz.ui.running.work import Worker
from gradviz.ui.theme import ThemeSource

_ARTICLE = ("article",)


class Desk(QObject):
    """`changed` says that the subject or a result is another.

    The rest asks for something: to open a script, to start the pass in a way, for another page.
    """

    changed = Signal()
    open_asked = Signal(str)
    way_asked = Signal(object)
    turn_asked = Signal(str)

    def __init__(self, errands: Errands, theme: ThemeSource, parent: QObject) -> None:
        super().__init__(parent)
        self.errands, self.theme = errands, theme
        self._own: Subject | None = None
        errands.done.connect(self._done)

    @property
    def subject(self) -> Subject | None:
        """What the pages speak about; None until the article's example has run."""
        if self._own is not None:
            return self._own
        found = self.errands.ask(_ARTICLE, article)
        return found if isinstance(found, Subject) else None

    @property
    def vector(self) -> Subject | None:
        """The subject where it has several elements, else the article's."""
        about = self.subject
        if about is None or not about.scalar:
            return about
        found = self.errands.ask(_ARTICLE, article)
        return found if isinstance(found, Subject) else None

    def show(self, subject: Subject | None) -> None:
        """Speak about this output; None for the article's."""
        before, self._own = self._own, subject
        nodes = [each.diagram.nodes if each else None for each in (before, subject)]
        if nodes[0] is not nodes[1]:
            self.errands.forget()  # results are about nodes that are gone
        else:
            self.errands.unask()  # as while a seed is dragged; pages ask again for what they show
        self.changed.emit()

    def told(self, name: str) -> Told | Failed | None:
        """What a script of the guide printed; None until it has run."""

        def job(worker: Worker) -> object:
            return tell(worker, name)

        return cast("Told | Failed | None", self.errands.ask(("script", name), job))

    def outcome(self, way: Way, about: Subject | None = None) -> Outcome | None:
        """The gradients of this way for an output, the subject; None until they are there."""
        about = about or self.subject
        if about is None:
            return None

        def job(worker: Worker) -> object:
            return outcome(worker, way, about)

        found = self.errands.ask(_key(way, about), job)
        return Outcome(error=found.sentence) if isinstance(found, Failed) else cast(
            "Outcome | None", found
        )  # fmt: skip

    def _done(self, key: Hashable) -> None:
        self.changed.emit()


def _key(way: Way, about: Subject) -> Hashable:
    """What the gradients depend on: not on what becomes of the graph."""
    values = start_of(way, about).values
    seed = b"" if values is None else values.tobytes()
    component = way.component if way.end == "component" else 0
    return about.own, about.node, way.end, component, seed
