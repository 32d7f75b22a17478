"""Which tensors inside a map depend on the entry: PyTorch takes no Python number from those."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, cast

from engine.func import messages
from engine.state import STATE

if TYPE_CHECKING:
    from engine.record import Record
    from engine.tensor import Tensor

Levels = frozenset[int]
NOWHERE: Levels = frozenset()
_next_level = count().__next__


class _Mapped(int):
    """The number of a recorded entry whose tensor depends on entries, and of which maps."""

    levels: Levels


class Marks:
    """Stands where a recording stands, hears of every op, and hands on to the recording itself.

    Each map that runs is a level; a tensor is marked with those whose entry it depends on.
    Tensors are kept alive while maps run, so that an id() is never handed out twice.
    """

    def __init__(self, recording: Record | None) -> None:
        self.recording = recording
        self.running: list[int] = []
        self._marked: dict[int, tuple[Tensor, Levels]] = {}
        self._written: dict[int, tuple[Tensor, int]] = {}
        self._entry = 0

    def __getattr__(self, name: str) -> Any:
        if self.recording is not None:
            return getattr(self.recording, name)
        return None if name == "_max_elements" else lambda *_: None

    def begin_entry(self) -> None:
        """The next entry's turn."""
        self._entry += 1

    def mark(self, tensor: Tensor) -> Tensor:
        """The tensor, which depends on the entry of the innermost map."""
        self._mark(tensor, frozenset({self.running[-1]}))
        return tensor

    def _mark(self, tensor: Tensor, levels: Levels) -> None:
        self._marked[id(tensor)] = (tensor, levels | self._levels(tensor))

    def _levels(self, tensor: Tensor) -> Levels:
        held = self._marked.get(id(tensor))
        return NOWHERE if held is None else held[1]

    def holds(self, tensor: Tensor) -> bool:
        """Whether the tensor depends on the entry of the innermost map."""
        return self.running[-1] in self._levels(tensor)

    def holds_anywhere(self, tensor: Tensor) -> bool:
        """Whether it depends on the entry of any map that runs."""
        return not self._levels(tensor).isdisjoint(self.running)

    # What a recording is told

    def applied(
        self, op: str, inputs: tuple[Tensor, ...], params: Mapping[str, Any], out: Tensor
    ) -> None:
        levels = NOWHERE.union(*(self._levels(t) for t in inputs))
        if levels:
            self._mark(out, levels)
        if self.recording is not None:
            self.recording.applied(op, inputs, params, out)

    def number_of(self, tensor: Tensor) -> int:
        number = _Mapped(-1 if self.recording is None else self.recording.number_of(tensor))
        number.levels = self._levels(tensor)
        return number

    def bind(self, tensor: Tensor, number: int) -> None:
        self._note_write(tensor)
        if isinstance(number, _Mapped) and number.levels:
            self._mark(tensor, number.levels)
        if self.recording is not None:
            self.recording.bind(tensor, int(number))

    def forget(self, tensor: Tensor) -> None:
        self._note_write(tensor)
        if self.recording is not None:
            self.recording.forget(tensor)

    def _note_write(self, tensor: Tensor) -> None:
        """Refuse what PyTorch does once and a loop over the entries would do again and again."""
        _, entry = self._written.setdefault(id(tensor), (tensor, self._entry))
        if entry != self._entry and not self.holds_anywhere(tensor):
            raise NotImplementedError("vmap over a function that writes to a tensor from outside.")


@contextmanager
def following() -> Iterator[Marks]:
    """While a map runs, the marks hear of every op."""
    mode, outside = STATE.mode, STATE.mapping
    outer = mode.record
    made = Marks(outer) if outside is None else outside
    mode.record, STATE.mapping = cast("Record", made), made
    made.running.append(_next_level())
    try:
        yield made
    finally:
        made.running.pop()
        mode.record, STATE.mapping = outer, outside


def refuse_number(tensor: Tensor, text: str = messages.ITEM) -> None:
    """Raise RuntimeError where a Python value is taken from what depends on an entry."""
    marks: Marks | None = STATE.mapping
    if marks is not None and marks.holds_anywhere(tensor):
        raise RuntimeError(text)
