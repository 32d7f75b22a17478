"""What nodes, steps and backward calls are called, and the sentence that a step is told in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from gradviz.cells import Wording, array_text, wording
from gradviz.diagram import Diagram, Node, NodeId, Start
from gradviz.expressions import ATOM, LIMIT, SUM, Expression, expression, within
from gradviz.language import _
from gradviz.memo import Memo
from gradviz.parameters import clean as clean
from gradviz.run import Pass, Step
from gradviz.scene.measure import shorten
from gradviz.seeds.starts import written
from gradviz.storeys import gradient_of

_GIVEN: Mapping[str, str] = {"mse": "t", "cross_entropy": "k"}  # as `written` has them


def titles(diagram: Diagram) -> Mapping[NodeId, str]:
    """A title for every node: its variable's name, else a short expression, at most 24 characters.

    Where a name was given to several tensors, as in a loop, the later ones carry a count.
    """
    now, nodes = wording(), diagram.nodes
    known = _called.find(nodes, *now)
    if known is None:
        last = _called.last
        before = last if last is not None and last.wording == now else _Called(now)
        known = _called.keep(_call(nodes, before), nodes, *now)
    return known.titles


@dataclass(frozen=True, slots=True)
class _Called:
    """What nodes are called, in full as parts of other names, and as titles."""

    wording: Wording
    nodes: Mapping[NodeId, Node] = field(default_factory=dict)
    texts: Mapping[NodeId, Expression] = field(default_factory=dict)
    titles: Mapping[NodeId, str] = field(default_factory=dict)


# Of nodes, which many diagrams share: only starts differ while a seed is dragged.
_called: Memo[_Called] = Memo(8)


def _call(nodes: Mapping[NodeId, Node], before: _Called) -> _Called:
    """Names for all nodes. An edit by hand leaves nearly all of them as they were `before`."""
    found: dict[NodeId, str] = {}
    texts: dict[NodeId, Expression] = {}
    used: Counter[str] = Counter()
    # Those that are called otherwise than before, or not there any more.
    other: set[NodeId | None] = set(before.nodes.keys() - nodes.keys())
    for key, node in nodes.items():
        same = node is before.nodes.get(key) and not node.name and node.upper is None
        if same and other.isdisjoint(node.inputs):
            texts[key], found[key] = before.texts[key], before.titles[key]
            continue
        if node.name:
            used[node.name] += 1
            name = clean(node.name)
            own = name if used[node.name] == 1 else f"{name} ({used[node.name]})"
            texts[key] = (own, ATOM)
        else:
            texts[key] = _unnamed(node, texts)
        found[key] = shorten(texts[key][0], LIMIT)
        if texts[key] != before.texts.get(key):
            other.add(key)
    return _Called(before.wording, nodes, texts, found)


def _unnamed(node: Node, texts: Mapping[NodeId, Expression]) -> Expression:
    """A gradient says of what, as in `∇x`; anything else is an expression."""
    of = texts.get(node.upper.gradient or "") if node.upper is not None else None
    return expression(node, texts) if of is None else (f"∇{within(of, ATOM)}", ATOM)


def added_titles(done: Pass, known: Mapping[NodeId, str]) -> dict[NodeId, str]:
    """Titles of the nodes that a pass has beyond the diagram's, such as "Σ sum" and "∇x"."""
    texts: dict[NodeId, Expression] = {key: _as_known(title) for key, title in known.items()}
    found: dict[NodeId, str] = {}
    given = {node.id for node in done.added if node.is_source}
    for node in done.beyond:
        name = given_name(done.call.start) if node.id in given else node.name
        texts[node.id] = (clean(name), ATOM) if name else _unnamed(node, texts)
        found[node.id] = shorten(texts[node.id][0], LIMIT)
    if done.added:
        last = done.added[-1]
        name = done.call.start.reduction or last.op
        word = _("component {k}").format(k=done.call.start.index)
        found[last.id] = f"Σ {word}" if name == "component" else f"Σ {name}"
    return found


def name_of(key: NodeId, known: Mapping[NodeId, str]) -> str:
    """The title of a node; of a gradient that no pass gives, what it would be."""
    given = None if key in known else gradient_of(key)
    return known.get(key, key) if given is None else f"∇{name_of(given[1], known)}"


def _as_known(title: str) -> Expression:
    """A title as a part of another one: what has a space in it needs parentheses."""
    return title, ATOM if " " not in title or title.endswith(")") else SUM


def step_name(step: Step, known: Mapping[NodeId, str]) -> str:
    """A step by what it does: `x ** 2 → x`."""
    return f"{known.get(step.node, step.node)} → {known.get(step.input, step.input)}"


def start_name(done: Pass) -> str:
    """The name of position 0 of a pass: the seed's variable, else v; 1 where none was given."""
    start = done.call.start
    return clean(start.name or "v") if start.kind == "seed" else "1"


def call_title(done: Pass, known: Mapping[NodeId, str]) -> str:
    """A backward call as it would be written: `y.sum().backward()`, `y.backward(gradient=v)`."""
    target, start = receiver(name_of(done.call.target, known)), done.call.start
    if start.kind == "seed":
        return f"{target}.backward(gradient={start_name(done)})"
    if start.kind == "implicit":
        return f"{target}.backward()"
    if done.added and done.added[0].op == "view":
        target = f"{target}.reshape(-1)"
    return f"{reduced(start, target)}.backward()"


def reduced(start: Start, y: str) -> str:
    """A reduction of y as it would be written, with what its numbers are called."""
    return written(start, y, weights=given_name(start))


def given_name(start: Start) -> str:
    """What the numbers of a reduction are called; weights as the seed was that they come from."""
    return _GIVEN.get(start.reduction or "") or clean(start.name or "w")


def receiver(title: str) -> str:
    """A title as a method is called on it: an operator outside of brackets asks for parentheses."""
    depth = 0
    for at, letter in enumerate(title):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and (letter == " " or (letter in "-~∇" and at == 0)):
            return f"({title})"
    return title


def sentence(done: Pass, position: int, known: Mapping[NodeId, str]) -> str:
    """What happened at this position of a pass, in the current language."""
    if position <= 0 or not done.steps:
        return _start_sentence(done, known)
    step, count = done.steps[position - 1], len(done.steps)
    words = {
        "k": position,
        "n": count,
        "node": known.get(step.node, step.node),
        "input": known.get(step.input, step.input),
        "contribution": array_text(step.contribution),
    }
    if step.before is not None:
        text = _(
            "step {k} of {n}: {node} sends {contribution} to {input}, "
            "which held {before} and now holds {after}"
        ).format(**words, before=array_text(step.before), after=array_text(step.after))
    else:
        text = _("step {k} of {n}: {node} sends {contribution} to {input}").format(**words)
    if step.summed:
        axes = ", ".join(map(str, step.summed))
        text = _("{sentence} (summed over axis {axes}, which was broadcast)").format(
            sentence=text, axes=axes
        )
    return text


def _start_sentence(done: Pass, known: Mapping[NodeId, str]) -> str:
    if not done.call.enabled:
        return _("this backward call is switched off")
    if done.error is not None and not done.steps:
        return clean(f"{done.error.type}: {done.error.message}").removeprefix(": ")
    target, start = name_of(done.call.target, known), done.call.start
    seed = "1" if done.seed is None else array_text(done.seed)
    if start.kind == "seed":
        return _("start: the seed {name} = {seed} is placed at {target}").format(
            name=start_name(done), seed=seed, target=target
        )
    root = known.get(done.root, done.root)
    if done.added:
        return _("start: {root} was added to {target}; {seed} is placed at it").format(
            root=root, target=target, seed=seed
        )
    return _("start: {root} is a scalar, so {seed} is placed at it").format(root=root, seed=seed)
