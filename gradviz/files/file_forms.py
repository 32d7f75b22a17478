"""What a `.gradviz` file holds, as msgspec reads and writes it: its version, and its forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec

from gradviz.diagram import Point, Rect
from gradviz.files.numerals import ArrayForm

VERSION = 1
# From each older version, what makes its document one of the next version.
MIGRATIONS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


class UpperForm(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """An `Upper`."""

    call: int
    origin: str | None = None
    gradient: str | None = None


class NodeForm(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A `Node`."""

    id: str
    op: str
    inputs: list[str | None] = []
    params: dict[str, Any] = {}
    name: str | None = None
    data: ArrayForm | None = None
    line: int | None = None
    is_number: bool = False
    no_grad: bool = False
    upper: UpperForm | None = None


class StartForm(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A `Start`."""

    kind: Literal["implicit", "reduction", "seed"] = "implicit"
    reduction: str | None = None
    values: ArrayForm | None = None
    preset: str | None = None
    index: int = 0
    name: str | None = None


class CallForm(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A `BackwardCall`."""

    target: str
    start: StartForm = msgspec.field(default_factory=StartForm)
    retain_graph: bool = False
    create_graph: bool = False
    inputs: list[str] | None = None
    clear: list[str] = []
    line: int | None = None
    edited: bool = False
    enabled: bool = True
    captures: bool = False


class NoteForm(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A `Note`."""

    id: str
    text: str
    at: Point | None = None


class FrameForm(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A `Frame`."""

    id: str
    title: str = ""
    members: list[str] = []
    rect: Rect | None = None
    colour: str = "soft"


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """The whole file, version 1; a note was a bare text once.

    A field that is not known is refused: it would be lost with the next save.
    """

    gradviz: int
    title: str = ""
    source: str | None = None
    notes: list[str | NoteForm] = []
    nodes: list[NodeForm] = []
    calls: list[CallForm] = []
    positions: dict[str, tuple[float, float]] = {}
    seeds: dict[str, ArrayForm] = {}
    frames: list[FrameForm] = []
    drawn: bool = False
