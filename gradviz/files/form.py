"""A diagram as the JSON of a `.gradviz` file: what is in it, and whether it holds together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from engine.ops import OPS
from gradviz.diagram import (
    BackwardCall,
    Diagram,
    Frame,
    Node,
    NodeId,
    Note,
    Start,
    Upper,
)
from gradviz.files.file_forms import (
    VERSION,
    CallForm,
    Document,
    FrameForm,
    NodeForm,
    NoteForm,
    StartForm,
    UpperForm,
)
from gradviz.files.numerals import array_form, array_of, param_form, param_of
from gradviz.language import N_, _
from gradviz.look import roles
from gradviz.seeds.starts import REDUCTIONS
from gradviz.storeys import is_there

TWICE = N_("the node “{node}” is there twice")
NO_INPUT = N_("node “{node}”, input {slot}: there is no node “{input}” before it")
UNKNOWN_OP = N_("node “{node}”: there is no operation “{op}”")
BAD_ARRAY = N_("{place}: {reason}")
NO_TARGET = N_("backward call {number}: there is no node “{node}”")
NO_REDUCTION = N_("backward call {number}: there is no reduction “{name}”")
NODE_PLACE = N_("node “{node}”")
SEED_PLACE = N_("seed “{name}”")
CALL_PLACE = N_("backward call {number}")
NO_MEMBER = N_("frame “{frame}”: there is no node “{node}”")
NO_COLOUR = N_("frame “{frame}”: there is no colour “{colour}”")


class FormError(ValueError):
    """A document that does not hold together; the text names the place."""


def document_of(diagram: Diagram) -> Document:
    """The form of a diagram. Raises ValueError where it holds what a file cannot."""
    return Document(
        VERSION,
        diagram.title,
        diagram.source,
        [NoteForm(note.id, note.text, note.at) for note in diagram.notes],
        [node_form(node) for node in diagram.nodes.values()],
        [_call_form(call) for call in _whole_calls(diagram)],
        {key: diagram.positions[key] for key in diagram.nodes if key in diagram.positions},
        {name: array_form(seed) for name, seed in diagram.seeds.items()},
        [
            FrameForm(
                frame.id,
                frame.title,
                [key for key in frame.members if key in diagram.nodes],
                frame.rect,
                frame.colour,
            )
            for frame in diagram.frames
        ],
        diagram.drawn,
    )


def node_form(node: Node) -> NodeForm:
    """The form of a node. Raises ValueError where it holds what a file cannot."""
    return NodeForm(
        node.id,
        node.op,
        list(node.inputs),
        {key: param_form(node.params[key]) for key in sorted(node.params)},
        node.name,
        None if node.data is None else array_form(node.data),
        node.line,
        node.is_number,
        node.no_grad,
        None if (up := node.upper) is None else UpperForm(up.call, up.origin, up.gradient),
    )


def _call_form(call: BackwardCall) -> CallForm:
    start = call.start
    values = None if start.values is None else array_form(start.values)
    return CallForm(
        call.target,
        StartForm(start.kind, start.reduction, values, start.preset, start.index, start.name),
        call.retain_graph,
        call.create_graph,
        None if call.inputs is None else list(call.inputs),
        list(call.clear),
        call.line,
        call.edited,
        call.enabled,
        call.captures,
    )


def _whole_calls(diagram: Diagram) -> list[BackwardCall]:
    """The calls that mean something: an edit may be ahead of the nodes that its call needs."""
    known = diagram.nodes
    found: list[BackwardCall] = []
    for call in diagram.calls:
        if is_there(call.target, known, found):
            clear = tuple(key for key in call.clear if key in known)
            inputs = call.inputs and tuple(key for key in call.inputs if key in known)
            found.append(replace(call, clear=clear, inputs=inputs))
    return found


def diagram_of(document: Document) -> Diagram:
    """The diagram of a document. Raises FormError where it does not hold together."""
    nodes: dict[NodeId, Node] = {}
    for form in document.nodes:
        if form.id in nodes:
            raise FormError(_(TWICE).format(node=form.id))
        nodes[form.id] = node_of(form, nodes)
    calls: list[BackwardCall] = []
    for number, call in enumerate(document.calls, 1):
        calls.append(_call(call, number, nodes, calls))
    return Diagram(
        nodes,
        tuple(calls),
        document.source,
        document.title,
        {key: at for key, at in document.positions.items() if key in nodes},
        tuple(_note(form, number) for number, form in enumerate(document.notes, 1)),
        {
            name: _at(_(SEED_PLACE).format(name=name), array_of, seed)
            for name, seed in document.seeds.items()
        },
        tuple(_frame(form, nodes) for form in document.frames),
        document.drawn,
    )


def node_of(form: NodeForm, before: Collection[NodeId]) -> Node:
    """The node of a form; its inputs are among `before`. Raises FormError."""
    for slot, source in enumerate(form.inputs):
        if source is not None and source not in before:
            raise FormError(_(NO_INPUT).format(node=form.id, slot=slot, input=source))
    if form.op not in ("leaf", "constant") and form.op not in OPS:
        raise FormError(_(UNKNOWN_OP).format(node=form.id, op=form.op))
    place = _(NODE_PLACE).format(node=form.id)
    return Node(
        form.id,
        form.op,
        tuple(form.inputs),
        {key: _at(place, param_of, value) for key, value in form.params.items()},
        form.name,
        None if form.data is None else _at(place, array_of, form.data),
        form.line,
        form.is_number,
        form.no_grad,
        None if (up := form.upper) is None else Upper(up.call, up.origin, up.gradient),
    )


def _call(
    form: CallForm, number: int, nodes: Mapping[NodeId, Node], before: Sequence[BackwardCall]
) -> BackwardCall:
    for key in (*(form.inputs or ()), *form.clear):
        if key not in nodes:
            raise FormError(_(NO_TARGET).format(number=number, node=key))
    if not is_there(form.target, nodes, before):
        raise FormError(_(NO_TARGET).format(number=number, node=form.target))
    start = form.start
    if start.reduction is not None and start.reduction not in REDUCTIONS:
        raise FormError(_(NO_REDUCTION).format(number=number, name=start.reduction))
    place = _(CALL_PLACE).format(number=number)
    values = None if start.values is None else _at(place, array_of, start.values)
    return BackwardCall(
        form.target,
        Start(start.kind, start.reduction, values, start.preset, start.index, start.name),
        form.retain_graph,
        form.create_graph,
        None if form.inputs is None else tuple(form.inputs),
        tuple(form.clear),
        form.line,
        form.edited,
        form.enabled,
        form.captures,
    )


def _note(form: str | NoteForm, number: int) -> Note:
    return (
        Note(f"note#{number}", form) if isinstance(form, str) else Note(form.id, form.text, form.at)
    )


def _frame(form: FrameForm, nodes: Mapping[NodeId, Node]) -> Frame:
    for key in form.members:
        if key not in nodes:
            raise FormError(_(NO_MEMBER).format(frame=form.id, node=key))
    if form.colour not in roles():
        raise FormError(_(NO_COLOUR).format(frame=form.id, colour=form.colour))
    return Frame(form.id, form.title, tuple(form.members), form.rect, form.colour)


def _at(place: str, read: Callable[[Any], Any], form: Any) -> Any:
    """Read a part; what is wrong with it is told with its place."""
    try:
        return read(form)
    except (ValueError, TypeError, msgspec.MsgspecError) as problem:
        raise FormError(_(BAD_ARRAY).format(place=place, reason=problem)) from problem
