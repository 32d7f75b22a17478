"""`Notice`: what the files of a document have to say, and what can be answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Notice:
    """A text of the catalogue with its fields, and buttons: their texts and what they do.

    Without fields the text may be a sentence as it is. Every button takes the notice away.
    """

    kind: str
    text: str
    fields: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[tuple[str, Callable[[], None]], ...] = ()
