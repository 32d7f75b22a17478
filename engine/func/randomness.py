"""Random numbers within a map: refused, or the same for every entry."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.func import messages
from engine.random import default_generator
from engine.streams import Array


class Draws:
    """Watches the default generator from one entry to the next."""

    def __init__(self, randomness: str) -> None:
        self._randomness = randomness
        self._start = default_generator.packed()

    def entry_done(self) -> None:
        """An entry ran. Raises RuntimeError where it drew numbers and may not."""
        after = default_generator.packed()
        if (after == self._start).all():
            return
        if self._randomness == "error":
            raise RuntimeError(messages.DREW)
        if self._randomness == "different":
            raise NotImplementedError(
                "vmap with randomness='different' draws its numbers in an order of its own."
            )
        self._end = after
        default_generator.restore(self._start)

    def done(self) -> None:
        """All entries ran: the stream goes on from where one entry left it."""
        end: Array | None = getattr(self, "_end", None)
        if end is not None:
            default_generator.restore(end)


@contextmanager
def draws(randomness: str) -> Iterator[Draws]:
    """Watch what a map draws."""
    made = Draws(randomness)
    yield made
    made.done()
