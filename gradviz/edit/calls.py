"""Backward calls as a list: added, removed, put in another order, switched off, set up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradviz.diagram import LEAF, Array, BackwardCall, Diagram, NodeId, Start
from gradviz.edit.call_list import relisted
from gradviz.edit.outcome import Refusal, missing
from gradviz.labels import titles
from gradviz.language import _
from gradviz.seeds.starts import REDUCTIONS
from gradviz.storeys import is_there

Edit = Diagram | Refusal
Leaves = Iterable[NodeId]


def add(
    diagram: Diagram, target: NodeId, start: Start | None = None, *, index: int | None = None
) -> Edit:
    """A new call, the last one or before the one at `index`."""
    at = len(diagram.calls) if index is None else max(0, min(index, len(diagram.calls)))
    wrong = _nowhere(diagram, target, at) or _unknown(start)
    if wrong is not None:
        return wrong
    call = BackwardCall(target, start or Start(), edited=True)
    listed = _listed(diagram)
    return relisted(diagram, [*listed[:at], (None, call), *listed[at:]])


def remove(diagram: Diagram, index: int) -> Edit:
    """Take a call out of the list, and those that start from a gradient that it gives."""
    listed = _listed(diagram)
    return _no_call(diagram, index) or relisted(diagram, listed[:index] + listed[index + 1 :])


def move(diagram: Diagram, index: int, to: int) -> Edit:
    """Have a call run as number `to` (counted from 0)."""
    wrong = _no_call(diagram, index) or _no_call(diagram, to)
    if wrong is not None or index == to:
        return wrong or diagram
    calls = _listed(diagram)
    calls.insert(to, calls.pop(index))
    return relisted(diagram, calls)


def duplicate(diagram: Diagram, index: int) -> Edit:
    """The same call once more, right after it."""
    wrong = _no_call(diagram, index)
    if wrong is not None:
        return wrong
    again = replace(diagram.calls[index], line=None, edited=True)
    listed = _listed(diagram)
    return relisted(diagram, [*listed[: index + 1], (None, again), *listed[index + 1 :]])


def set_enabled(diagram: Diagram, index: int, *, wanted: bool) -> Edit:
    """Have a call run, or stay in the list without."""
    return _change(diagram, index, enabled=wanted)


def set_target(diagram: Diagram, index: int, target: NodeId) -> Edit:
    """Start a call from another node. A seed that was made by rule is made anew for it."""
    wrong = _no_call(diagram, index) or _nowhere(diagram, target, index)
    return wrong or _change(diagram, index, target=target)


def set_start(diagram: Diagram, index: int, start: Start, y: Array | None = None) -> Edit:
    """Begin a call in another way.

    With the target's value `y` a reduction or a rule that cannot be made of it is refused. No
    seed at all, and one of another shape, are PyTorch's to refuse, when the call runs.
    """
    wrong = _no_call(diagram, index) or _unknown(start) or _impossible(start, y)
    return wrong or _change(diagram, index, start=start)


def set_flags(
    diagram: Diagram,
    index: int,
    *,
    retain_graph: bool | None = None,
    create_graph: bool | None = None,
    captures: bool | None = None,
) -> Edit:
    """Set PyTorch's flags of a call; None leaves one as it is."""
    flags = {"retain_graph": retain_graph, "create_graph": create_graph, "captures": captures}
    return _change(diagram, index, **{key: flag for key, flag in flags.items() if flag is not None})


def set_inputs(diagram: Diagram, index: int, inputs: Leaves | None) -> Edit:
    """The nodes whose `.grad` a call fills; None for all leaves."""
    chosen = None if inputs is None else tuple(dict.fromkeys(inputs))
    wrong = missing(diagram, *(chosen or ()))
    if wrong is None and chosen == ():
        wrong = Refusal(_("A backward call needs at least one input, or none named at all."))
    return wrong or _change(diagram, index, inputs=chosen)


def set_clear(diagram: Diagram, index: int, leaves: Leaves) -> Edit:
    """The leaves whose `.grad` is cleared just before a call."""
    chosen = tuple(dict.fromkeys(leaves))
    wrong = missing(diagram, *chosen)
    if wrong is None:
        for key in chosen:
            if diagram.nodes[key].op != LEAF:
                text = _("{name} is no leaf and has no .grad to clear.")
                wrong = Refusal(text.format(name=titles(diagram)[key]), key)
    return wrong or _change(diagram, index, clear=chosen)


def _change(diagram: Diagram, index: int, **changes: object) -> Edit:
    wrong = _no_call(diagram, index)
    if wrong is not None:
        return wrong
    call = diagram.calls[index]
    if all(getattr(call, name) == value for name, value in changes.items()):
        return diagram
    found: BackwardCall = replace(call, edited=True, **changes)  # type: ignore[arg-type]
    listed = _listed(diagram)
    return relisted(diagram, [*listed[:index], (index, found), *listed[index + 1 :]])


def _listed(diagram: Diagram) -> list[tuple[int | None, BackwardCall]]:
    return list(enumerate(diagram.calls))


def _nowhere(diagram: Diagram, target: NodeId, index: int) -> Refusal | None:
    """A refusal where call number `index` could not start from the target."""
    there = is_there(target, diagram.nodes, diagram.calls[:index])
    return None if there else Refusal(_("There is no node “{node}”.").format(node=target), target)


def _no_call(diagram: Diagram, index: int) -> Refusal | None:
    if 0 <= index < len(diagram.calls):
        return None
    text = _("There is no backward call {number}; there are {count}.")
    return Refusal(text.format(number=index + 1, count=len(diagram.calls)))


def _unknown(start: Start | None) -> Refusal | None:
    name = start.reduction if start is not None else None
    if name is None or name in REDUCTIONS:
        return None
    return Refusal(_("There is no reduction {name}.").format(name=name))


def _impossible(start: Start, y: Array | None) -> Refusal | None:
    """A refusal where the reduction, or the rule of the seed, cannot be made of y."""
    if y is None or start.kind == "implicit":
        return None
    from engine.tensor import Tensor
    from gradviz.seeds.starts import reduce, seed_values

    try:
        if start.kind == "reduction":
            reduce(Tensor(y.copy()), start)
        else:
            seed_values(start, y)
    except Exception as problem:  # noqa: BLE001  whatever an op raises is what is refused
        return Refusal(str(problem) or type(problem).__name__)
    return None
