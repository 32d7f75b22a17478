"""`OpPalette`: what to add, found at the cursor by name, symbol, TeX or Chinese; or a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from gradviz.diagram import CONSTANT, LEAF, Node, NodeId, Point
from gradviz.edit import nodes
from gradviz.edit.catalogue import accepting, entry, family_title, giving, kind_of
from gradviz.edit.entry import Entry
from gradviz.edit.names import leaf_name
from gradviz.edit.outcome import Added, Refusal
from gradviz.edit.search import search
from gradviz.edit.typed import Typed, typed
from gradviz.language import _
from gradviz.look import NODE
from gradviz.ui.drawing.editing import Editing
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.finder import Finder
from gradviz.ui.widgets.found import Found

_LISTED = 60
_NARROW = 56.0  # px, the box of a number
_LEAF_KEY, _CONSTANT_KEY = "value:leaf", "value:constant"
_SUM_KEY, _SEED_KEY = "call:sum", "call:seed"


@dataclass(frozen=True, slots=True)
class Ground:
    """Where what is added goes: its corner, and the wires it is led to.

    `sources` fill its first slots; `wire` is the input that reads it, through which with `insert`
    the present wire goes on. `instead` is a node whose op is to be replaced.
    """

    at: Point = (0.0, 0.0)
    sources: tuple[NodeId, ...] = ()
    wire: tuple[NodeId, int] | None = None
    insert: bool = False
    instead: NodeId | None = None


class OpPalette(QObject):
    """Of one window. What is typed may be a value as well: a number, a list, `randn(2, 3)`.

    `backward_asked(node, key)`: a backward call from the node that the wire leaves.
    """

    backward_asked = Signal(str, str)

    def __init__(self, editing: Editing, theme: ThemeSource, window: QWidget) -> None:
        super().__init__(window)
        self._editing, self._theme, self._window = editing, theme, window
        self._finder: Finder | None = None
        self._ground = Ground()
        self._typed = ""

    @property
    def finder(self) -> Finder:
        if self._finder is None:
            self._finder = Finder(self._theme, self._window)
            self._finder.chosen.connect(self._chosen)
        return self._finder

    def ask(self, ground: Ground, at: QPoint | None = None) -> None:
        """Show it at a place of the window; what is chosen is added on that ground."""
        self._ground = ground
        self.finder.ask(
            self._search,
            at,
            placeholder=_("Add: a name, a symbol, or a value"),
            nothing=_("Nothing of that name can be added."),
        )

    def _among(self) -> Iterable[Entry] | None:
        """What fits the wire that it is added to; None: everything."""
        ground = self._ground
        if ground.sources or ground.insert or ground.instead is not None:
            return accepting()
        if ground.wire is None:
            return None
        node = self._editing.diagram.nodes.get(ground.wire[0])
        return giving(kind_of(node.op, ground.wire[1]) if node is not None else "")

    def _search(self, text: str) -> Sequence[Found]:
        self._typed = text
        rows = [
            Found(hit.entry.id, hit.entry.title, self._hint(hit.entry))
            for hit in search(text, self._among())[:_LISTED]
        ]
        return [*self._calls(text.strip().casefold()), *self._values(text), *rows]

    def _calls(self, text: str) -> list[Found]:
        """The ways to begin a backward call at the wire's source; not before an op of that name."""
        ground = self._ground
        led = len(ground.sources) == 1 and ground.wire is None and not ground.insert
        if not led or (text and entry(text) is not None):
            return []
        rows = [
            Found(_SUM_KEY, _("Σ sum and backward"), _("backward call")),
            Found(_SEED_KEY, _("v seed and backward"), _("backward call")),
        ]
        return [row for row in rows if text in row.text.casefold()]

    def _hint(self, found: Entry) -> str:
        return f"{found.id}  ·  {family_title(found.family)}"

    def _values(self, text: str) -> list[Found]:
        """The typed text as a value, where it is one and a source fits."""
        ground = self._ground
        if ground.sources or ground.insert or ground.instead is not None:
            return []
        if not any(letter.isdigit() for letter in text) or not isinstance(typed(text), Typed):
            return []
        leaf = Found(_LEAF_KEY, _("Leaf {value}").format(value=text.strip()), _("requires grad"))
        constant = Found(_CONSTANT_KEY, _("Constant {value}").format(value=text.strip()))
        single = typed(text, floating=True)
        is_number = isinstance(single, Typed) and single.array.ndim == 0
        return [constant, leaf] if is_number else [leaf, constant]

    def _chosen(self, key: str) -> None:
        ground, diagram = self._ground, self._editing.diagram
        if key in (_SUM_KEY, _SEED_KEY) and ground.sources:
            self.backward_asked.emit(ground.sources[0], "sum" if key == _SUM_KEY else "ones")
            return
        if key in (_LEAF_KEY, _CONSTANT_KEY):
            self._add_value(LEAF if key == _LEAF_KEY else CONSTANT)
            return
        found = entry(key)
        title = found.title if found is not None else key
        if ground.instead is not None:
            outcome = nodes.replace_op(diagram, ground.instead, key)
            self._editing.make(_("Replace by {op}").format(op=title), outcome)
            return
        made = nodes.add(
            diagram,
            key,
            at=ground.at,
            sources=ground.sources,
            wire=ground.wire,
            insert=ground.insert,
        )
        self._editing.make(_("Add {op}").format(op=title), made)

    def _add_value(self, op: str) -> None:
        """A source of the typed value; a plain number that an op reads is one of Python's."""
        ground, diagram = self._ground, self._editing.diagram
        found = typed(self._typed, floating=op == LEAF)
        if isinstance(found, Refusal):
            self._editing.make("", found)
            return
        name = leaf_name(diagram) if op == LEAF else None
        number = op == CONSTANT and found.array.ndim == 0 and not found.dtype_said
        node = Node(name or op, op, name=name, data=found.array, is_number=number)
        x, y = ground.at
        if number and ground.wire is not None:  # a number's box is narrow: it ends at the pointer
            x += NODE.min_width - _NARROW
        made: Added | Refusal = nodes.add_source(diagram, node, at=(x, y), wire=ground.wire)
        text = _("Leaf {value}") if op == LEAF else _("Constant {value}")
        self._editing.make(text.format(value=self._typed.strip()), made)
