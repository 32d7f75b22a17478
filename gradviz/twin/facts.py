"""What sets two ways of starting apart: their mechanism, and where each is used."""

from __future__ import annotations

from collections.abc import Mapping

from gradviz.cells import number
from gradviz.diagram import Node, NodeId, Start
from gradviz.labels import titles
from gradviz.language import N_, _, ngettext
from gradviz.twin.comparing import Pair, Side

_SAME = 1e-5  # of a factor: what rounding makes of 1
_USED: Mapping[str, str] = {
    "sum": N_("one objective for a whole batch, every element counting once"),
    "mean": N_("one objective whose gradients do not grow with the batch"),
    "weighted": N_("one objective whose terms do not count alike"),
    "component": N_("the derivative of a single output"),
    "norm": N_("the size of an output, as a penalty"),
    "logsumexp": N_("a smooth maximum"),
    "max": N_("the worst case"),
    "prod": N_("the likelihood of independent events"),
    "var": N_("the spread of an output"),
    "mse": N_("regression: the distance to a target"),
    "cross_entropy": N_("classification: the loss of the right class"),
    "implicit": N_("a loss that is one number already"),
    "ones": N_("the gradients of sum, without a node for it"),
    "onehot": N_("one row of the Jacobian: sensitivities, adversarial examples"),
    "seed": N_("weights known outside of the graph, or a gradient handed on from elsewhere"),
}


def extra_nodes(side: Side, source: NodeId | None) -> tuple[Node, ...]:
    """The nodes between what is reduced and where the pass starts, numbers and constants not."""
    if source is None:
        return ()
    whole = side.diagram.put(*side.done.added)
    beyond = whole.ancestors(side.done.root) - whole.ancestors(source)
    return tuple(node for key, node in whole.nodes.items() if key in beyond and not node.is_source)


def mechanism(side: Side, source: NodeId | None) -> str:
    """How the pass begins, in a sentence."""
    known = titles(side.diagram)
    target = side.done.call.target
    name = known.get(source or target, source or target)
    if side.done.call.start.kind == "seed":
        return _("nothing is added; v is placed at {name}").format(name=name)
    extra = extra_nodes(side, source)
    if not extra:
        return _("nothing is added; {name} is one number, and 1 is placed at it").format(name=name)
    return ngettext(
        "{count} node after {name} ({ops}); 1 is placed at it",
        "{count} nodes after {name} ({ops}); 1 is placed at the last",
        len(extra),
    ).format(count=len(extra), name=name, ops=", ".join(node.op for node in extra))


def used_for(start: Start, reduction: str | None = None) -> str:
    """Where such a start is used; `reduction` is that of the script where it has one itself."""
    return _(_USED[_kind(start, reduction)])


def _kind(start: Start, reduction: str | None) -> str:
    if start.kind == "reduction":
        return start.reduction or "sum"
    if start.kind == "implicit":
        return reduction or "implicit"
    values = start.values
    if start.preset == "ones" or (values is not None and values.size and (values == 1).all()):
        return "ones"
    hot = values is not None and values.size > 1 and sorted(values.ravel().tolist())
    if hot and hot[-1] == 1 and not any(hot[:-1]):
        return "onehot"
    return "seed"


def proportion(pair: Pair) -> str:
    """Whether one factor turns the gradients of the left into those of the right, in a sentence."""
    if pair.left.done.grads.keys() != pair.right.done.grads.keys():
        return _("The two do not reach the same leaves.")
    if pair.largest == 0:
        return _("Every leaf gets the same gradient from both.")
    scale = pair.scale
    if scale is None:
        return _("No one factor turns the gradients on the left into those on the right.")
    if abs(scale - 1) <= _SAME:
        return _("Every leaf gets the same gradient from both, but for rounding.")
    text = _("Every gradient on the right is {factor} times the one on the left.").format(
        factor=number(scale)
    )
    size = _size(pair)
    names = _kind(pair.left.done.call.start, None), _kind(pair.right.done.call.start, None)
    if set(names) == {"sum", "mean"} and size:
        why = _("mean = sum / N with N = {count}").format(count=size)
        return _("{why}: {text}").format(why=why, text=text[0].lower() + text[1:])
    return text


def _size(pair: Pair) -> int | None:
    """The elements of what both start from."""
    value = pair.left.run.values.get(pair.source or "")
    return None if value is None else int(value.array.size)
