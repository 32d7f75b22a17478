"""Nodes as text on the clipboard: copied, cut, and pasted into this document or another one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from gradviz.diagram import Diagram, Frame, Node, NodeId, Point
from gradviz.edit.healing import delete
from gradviz.edit.names import free_id
from gradviz.edit.nodes import OFFSET, copied
from gradviz.edit.outcome import Added, Refusal, missing
from gradviz.files.file_forms import NodeForm
from gradviz.files.form import FormError, node_form, node_of
from gradviz.language import N_, _
from gradviz.scene.framing import COLOURS
from gradviz.storage import MAX_BYTES

VERSION = 1

NOTHING = N_("There are no nodes on the clipboard.")
NEWER = N_("The nodes were copied by a newer version of the app.")
DAMAGED = N_("The copied nodes cannot be read: {reason}")
TOO_LARGE = N_("The copied nodes are over {size} MiB.")


class _FrameForm(msgspec.Struct, omit_defaults=True):
    members: list[str]
    title: str = ""
    colour: str = COLOURS[0]


class _Clip(msgspec.Struct, omit_defaults=True):
    """What is on the clipboard. `sources` says what nodes outside were: op and name."""

    gradviz_nodes: int
    nodes: list[NodeForm]
    positions: dict[str, tuple[float, float]] = {}
    sources: dict[str, tuple[str, str | None]] = {}
    frames: list[_FrameForm] = []


def copy(
    diagram: Diagram, ids: Collection[NodeId], shown: Mapping[NodeId, Point] | None = None
) -> str | Refusal:
    """The text of nodes, in one line; `shown` are places of nodes that were never moved."""
    wrong = missing(diagram, *ids)
    if wrong is not None:
        return wrong
    places = {**(shown or {}), **diagram.positions}
    nodes = [node for key, node in diagram.nodes.items() if key in ids]
    outside = {key for node in nodes for key in node.inputs if key is not None} - set(ids)
    frames = [
        _FrameForm(list(frame.members), frame.title, frame.colour)
        for frame in diagram.frames
        if frame.members and set(frame.members) <= set(ids)
    ]
    try:
        clip = _Clip(
            VERSION,
            [node_form(replace(node, line=None, upper=None)) for node in nodes],
            {node.id: places[node.id] for node in nodes if node.id in places},
            {key: _mark(diagram.nodes[key]) for key in sorted(outside)},
            frames,
        )
        return msgspec.json.encode(clip).decode()
    except (ValueError, TypeError) as problem:
        return Refusal(str(problem))


def cut(
    diagram: Diagram, ids: Collection[NodeId], shown: Mapping[NodeId, Point] | None = None
) -> tuple[str, Diagram] | Refusal:
    """The text of nodes, and the diagram without them."""
    text = copy(diagram, ids, shown)
    if isinstance(text, Refusal):
        return text
    left = delete(diagram, ids)
    return left if isinstance(left, Refusal) else (text, left)


def paste(
    diagram: Diagram, text: str, *, at: Point | None = None, outside: bool = False
) -> Added | Refusal:
    """The diagram with the nodes of a text, under new ids and names.

    Their upper left corner comes to lie at `at`, or beside where they were. Wires among them are
    kept; with `outside` also those from nodes that this diagram has, of the same op and name.
    """
    clip = _read(text)
    if isinstance(clip, Refusal):
        return clip
    nodes: dict[NodeId, Node] = {}
    try:
        for form in clip.nodes:
            if form.id in nodes or form.id in clip.sources:
                raise FormError(_("the node “{node}” is there twice").format(node=form.id))
            nodes[form.id] = node_of(form, {*nodes, *clip.sources})
    except (FormError, RecursionError) as problem:
        return Refusal(_(DAMAGED).format(reason=problem))
    kept = {
        key
        for key, mark in clip.sources.items()
        if outside and key in diagram.nodes and _mark(diagram.nodes[key]) == mark
    }
    made = copied(
        diagram,
        [_wired(node, nodes, kept) for node in nodes.values()],
        _step(clip.positions, at),
        positions=clip.positions,
    )
    return Added(_framed(made.diagram, clip, dict(zip(nodes, made.ids, strict=True))), made.ids)


def _wired(node: Node, inside: Collection[NodeId], kept: Collection[NodeId]) -> Node:
    """The node with the wires that are not kept unplugged."""
    inputs = tuple(key if key in inside or key in kept else None for key in node.inputs)
    return replace(node, inputs=inputs, upper=None)


def _mark(node: Node) -> tuple[str, str | None]:
    return node.op, node.name


def _step(positions: Mapping[str, Point], at: Point | None) -> Point:
    if at is None or not positions:
        return OFFSET
    return (
        at[0] - min(x for x, _y in positions.values()),
        at[1] - min(y for _x, y in positions.values()),
    )


def _framed(diagram: Diagram, clip: _Clip, ids: Mapping[NodeId, NodeId]) -> Diagram:
    frames = list(diagram.frames)
    for form in clip.frames:
        members = tuple(ids[key] for key in form.members if key in ids)
        if members and form.colour in COLOURS:
            key = free_id([frame.id for frame in frames], "frame")
            frames.append(Frame(key, form.title, members, colour=form.colour))
    return replace(diagram, frames=tuple(frames)) if clip.frames else diagram


def _read(text: str) -> _Clip | Refusal:
    if len(text) > MAX_BYTES:
        return Refusal(_(TOO_LARGE).format(size=MAX_BYTES >> 20))
    try:
        found: Any = msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return Refusal(_(NOTHING))
    version = found.get("gradviz_nodes") if isinstance(found, dict) else None
    if type(version) is not int or version < 1:
        return Refusal(_(NOTHING))
    if version > VERSION:
        return Refusal(_(NEWER))
    try:
        clip = msgspec.convert(found, _Clip)
    except (msgspec.ValidationError, RecursionError) as problem:
        return Refusal(_(DAMAGED).format(reason=problem))
    return clip if clip.nodes else Refusal(_(NOTHING))
