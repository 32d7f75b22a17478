"""`SideLists`: what may stand on either of two canvases, and what is chosen there."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject

from gradviz.diagram import Start
from gradviz.labels import call_title, clean, titles
from gradviz.language import _, current
from gradviz.run import Array
from gradviz.scene.measure import shorten
from gradviz.seeds.starts import REDUCTIONS
from gradviz.twin.comparing import Pair, Side, subject_of
from gradviz.twin.reading import output_of
from gradviz.twin.ways import EQUAL, Sides
from gradviz.ui.canvas.twin import TwinCanvas
from gradviz.ui.player import Player
from gradviz.ui.running.live import Live

_CALLS = 60  # of a training loop, that are listed
_LONG = 30  # characters of a row
Rows = list[tuple[str, str]]


class SideLists(QObject):
    """Fills the lists of the twin canvas and has what is chosen in them run."""

    def __init__(self, player: Player, live: Live, canvas: TwinCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._player, self._live, self._canvas = player, live, canvas
        self._shown: tuple[object, ...] = ()
        canvas.sides_chosen.connect(live.set_sides)
        player.moved.connect(self.sync)
        self.retranslate()

    def retranslate(self) -> None:
        names = _("What stands on the left"), _("What stands on the right")
        for chooser, name in zip(self._canvas.choosers, names, strict=True):
            chooser.setAccessibleName(name)
            chooser.setToolTip(name)
        self.sync()

    def sync(self) -> None:
        """Show what stands on either side now."""
        pair, sides = self._player.twin, self._live.sides
        if pair is None or sides is None:
            return
        shown = (pair, self._player.diagram, current())
        if len(self._shown) == 3 and all(a is b for a, b in zip(shown, self._shown, strict=True)):
            return
        self._shown = shown
        keys = keys_of(pair, sides)
        listed = tuple(
            rows(self._player, sides.index, key, other)
            for key, other in zip(keys, (pair.right, pair.left), strict=True)
        )
        self._canvas.set_choices((listed[0], listed[1]), keys)


def keys_of(pair: Pair, sides: Sides) -> tuple[str, str]:
    """The keys of what stands there; by itself, that is the reduction by its own name."""
    if sides.left == sides.right == EQUAL:
        return _reduction_key(pair), EQUAL
    return sides.left, sides.right


def _reduction_key(pair: Pair) -> str:
    name, start = pair.reduction or "sum", pair.left.done.call.start
    numbered = REDUCTIONS[name].indexed and start.kind == "reduction" and start.values is None
    return f"{name}:{start.index}" if numbered else name


def rows(player: Player, index: int, key: str, other: Side) -> Rows:
    """What may be chosen on a side that has `key` now, beside the other one."""
    call, _reading, source = subject_of(player.diagram, player.run, index)
    y = output_of(player.run, source)
    equal = _("Σ the equal reduction") if _is_seed(other) else _("v the equal seed")
    found = [(EQUAL, equal), *_reductions(y), *_seeds(y)]
    if call.start.kind == "seed":
        found.append(("own", _("v as it is set")))
    for name, seed in player.diagram.seeds.items():
        if seed.shape == y.shape:
            found.append((f"kept:{name}", f"v {clean(name)}"))
    if len(player.run.passes) > 1:
        known = titles(player.diagram)
        for at, done in enumerate(player.run.passes[:_CALLS]):
            text = _("pass {n}: {call}").format(n=at + 1, call=call_title(done, known))
            found.append((f"call:{at}", shorten(text, _LONG)))
    if key not in dict(found):
        found.append((key, _named(key)))
    return found


def _is_seed(side: Side) -> bool:
    start: Start = side.done.call.start
    return start.kind == "seed"


def _reductions(y: Array) -> Iterator[tuple[str, str]]:
    from gradviz.ui.choices import choices

    for row in choices("reduction", y):
        yield row.key, f"Σ {row.text}"


def _seeds(y: Array) -> Iterator[tuple[str, str]]:
    from gradviz.ui.choices import choices

    for row in choices("seed", y):
        if row.key != "typed":
            yield row.key, f"v {row.text}"


def _named(key: str) -> str:
    """The words of a row that the usual list is too short for."""
    name, _colon, argument = key.partition(":")
    if name in REDUCTIONS:
        return f"Σ {_(REDUCTIONS[name].title)} {argument}".rstrip()
    return f"v {key}"
