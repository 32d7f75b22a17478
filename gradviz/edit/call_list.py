"""The list of backward calls with what counts on its numbers: gradients, and nodes made by calls.

A call may start from a gradient that an earlier one gives, and says so by that one's number; a
node that a call made does as well. Both follow when the list changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gradviz.diagram import BackwardCall, Diagram, Node, NodeId
from gradviz.edit.outcome import Refusal
from gradviz.language import _
from gradviz.storeys import gradient_id, gradient_of, is_there

# Each call of the new list with its number in the old one, None for a new call.
Listed = Sequence[tuple[int | None, BackwardCall]]


def relisted(diagram: Diagram, calls: Listed) -> Diagram | Refusal:
    """The diagram with these calls. Those that start from a gradient of one left out go too.

    A call that would come before the one whose gradient it starts from is refused.
    """
    kept = list(calls)
    while True:
        numbers = {old: new for new, (old, _call) in enumerate(kept) if old is not None}
        left = [(old, call) for old, call in kept if _still_given(call, diagram, numbers)]
        if len(left) == len(kept):
            break
        kept = left
    made = tuple(
        replace(call, target=_renumbered(call.target, diagram, numbers))
        if old is not None
        else call
        for old, call in kept
    )
    for number, call in enumerate(made):
        if not is_there(call.target, diagram.nodes, made[:number]):
            return _too_early(number, call)
    nodes = {key: _follows(node, numbers) for key, node in diagram.nodes.items()}
    same = all(node is diagram.nodes[key] for key, node in nodes.items())
    return replace(diagram, calls=made, nodes=diagram.nodes if same else nodes)


def without_lost(diagram: Diagram) -> Diagram:
    """The diagram without calls that start from what is not there any more."""
    calls = [
        (number, call)
        for number, call in enumerate(diagram.calls)
        if is_there(call.target, diagram.nodes, diagram.calls[:number])
    ]
    if len(calls) == len(diagram.calls):
        return diagram
    found = relisted(diagram, calls)
    return diagram if isinstance(found, Refusal) else found


def _still_given(call: BackwardCall, diagram: Diagram, numbers: Mapping[int, int]) -> bool:
    """Whether every call that the target is a gradient of is in the list."""
    key = call.target
    while key not in diagram.nodes and (found := gradient_of(key)) is not None:
        number, key = found
        if number not in numbers:
            return False
    return True


def _renumbered(key: NodeId, diagram: Diagram, numbers: Mapping[int, int]) -> NodeId:
    found = None if key in diagram.nodes else gradient_of(key)
    if found is None:
        return key
    return gradient_id(numbers[found[0]], _renumbered(found[1], diagram, numbers))


def _follows(node: Node, numbers: Mapping[int, int]) -> Node:
    """The node, of its call's new number; of a call that is gone it is one like any other."""
    upper = node.upper
    if upper is None or numbers.get(upper.call) == upper.call:
        return node
    number = numbers.get(upper.call)
    return replace(node, upper=None if number is None else replace(upper, call=number))


def _too_early(number: int, call: BackwardCall) -> Refusal:
    found = gradient_of(call.target)
    giving = found[0] + 1 if found is not None else number + 1
    text = _(
        "Backward call {number} starts from a gradient that call {giving} gives, "
        "which has to come before it."
    )
    return Refusal(text.format(number=number + 1, giving=giving), call.target)
