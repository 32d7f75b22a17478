"""A diagram as a NumPy program: the computation, then each step of the reverse pass on a line."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from engine.ops import OPS
from gradviz.diagram import LEAF, Diagram, Node, NodeId
from gradviz.program import arrays, forward, helpers, literals, phrase, starting
from gradviz.program.body import Body, Statement
from gradviz.program.call import Call, refusal
from gradviz.program.gradients import Gradients, check_passes, heading, reached
from gradviz.program.literals import NUMPY
from gradviz.program.phrase import Phrase
from gradviz.program.settled import settled
from gradviz.program.traced import Traced
from gradviz.program.whole import Program, check, joined, without_refused
from gradviz.run import Pass, Run, Step

_IN_PLACE = ("select", "slice", "index")  # ops whose gradient is put where the piece came from


def write(diagram: Diagram, run: Run) -> Program:
    """The diagram as NumPy code that writes its reverse passes out.

    Raises NotWritten where it is not finished, a call fails, or an op or its rule has no form.
    """
    from gradviz.evaluate import evaluate

    diagram = without_refused(diagram, run)
    check(diagram, run)
    check_passes(run)
    diagram = settled(diagram, run)
    run = evaluate(diagram)
    check(diagram, run)
    values = {key: value.array for key, value in run.values.items()}
    named = _named(diagram, run)
    body = Body(
        diagram,
        values,
        NUMPY,
        forward.written,
        inline=lambda node: node.id not in named,
        numbers=arrays.NUMBERS,
        uses=_uses(diagram, run),
        leaves=False,
    )
    body.add_sources()
    for node in diagram.nodes.values():
        if not node.is_source:
            body.add(replace(node, no_grad=False))
    body.flush()
    gradients = Gradients(body)
    for at, done in enumerate(run.passes):
        heading(body, at)
        _Reverse(body, at, done, gradients).write()
    gradients.prints()
    return joined(body.statements, _head)


def _named(diagram: Diagram, run: Run) -> set[NodeId]:
    """Nodes that rules may read: they have variables of their own."""
    found = {call.target for call in diagram.calls}
    for done in run.passes:
        for step in done.steps:
            found.update((step.node, step.input))
            found.update(key for key in diagram.nodes[step.node].inputs if key is not None)
    return found


def _uses(diagram: Diagram, run: Run) -> Counter[NodeId]:
    """How often each node is read; all that rules may read is read once more, at the end."""
    found: Counter[NodeId] = Counter()
    for node in diagram.nodes.values():
        found.update(key for key in node.inputs if key is not None)
    kept = _named(diagram, run) | {n.id for n in diagram.nodes.values() if n.op == LEAF}
    found.update(key for key in kept if not diagram.nodes[key].is_number)
    return found


class _Reverse:
    """One reverse pass, step by step."""

    def __init__(self, body: Body, at: int, done: Pass, gradients: Gradients) -> None:
        self._body = body
        self._call = body.diagram.calls[at]
        self._done = done
        self._gradients = gradients
        self._arrivals = Counter(step.input for step in done.steps)
        self._begun: set[NodeId] = set()
        self._names: dict[NodeId, str] = {}

    def write(self) -> None:
        done = self._done
        assert done.seed is not None
        self._begun.add(done.root)
        self._say(f"{self._name(done.root)} = {self._seed(done.seed)}")
        if self._arrivals[done.root]:
            self._say(f"{self._name(done.root)} = {self._name(done.root)}.copy()")
        for step in done.steps:
            self._step(step)
        self._gradients.clear(self._call)
        for leaf in reached(done, self._call):
            self._gradients.add(self._call, leaf, self._name(leaf))

    def _say(self, text: str) -> None:
        self._body.statements.append(Statement(text))

    def _name(self, key: NodeId) -> str:
        """`g_y` for the cotangent of y."""
        known = self._names.get(key)
        if known is None:
            text = self._body.phrases[key].text
            stem = f"g_{text}" if text.isidentifier() else "g"
            known = self._body.cotangents.get(key) or self._body.names.fresh(stem)
            self._names[key] = self._body.cotangents[key] = known
        return known

    def _seed(self, seed: Any) -> str:
        y = self._body.values[self._done.root]
        if seed.dtype == y.dtype and (seed == 1).all():
            return f"np.ones_like({self._body.phrases[self._done.root].text})"
        text = literals.array(seed, NUMPY).text
        drawn = starting.drawn(self._call.start, seed)
        return drawn or text

    def _step(self, step: Step) -> None:
        node = self._body.diagram.nodes[step.node]
        name, several = self._name(step.input), self._arrivals[step.input] > 1
        in_place = node.op in _IN_PLACE and step.slot == 0
        if (several or in_place) and step.input not in self._begun:
            self._say(f"{name} = np.zeros_like({self._body.phrases[step.input].text})")
        self._begun.add(step.input)
        if in_place:
            self._put(node, name, self._name(step.node))
            return
        made = self._contribution(step, node)
        self._say(f"{name} {'+=' if several else '='} {made.text}")

    def _put(self, node: Node, name: str, g: str) -> None:
        """Add the cotangent of a piece at its place."""
        inputs = [self._body.phrase(key) for key in node.inputs if key is not None]
        piece = self._call_of(node, [Phrase(name), *inputs[1:]])
        made = arrays.written(piece)
        assert made is not None
        if node.op == "index":
            key = made.text.removeprefix(f"{name}[").removesuffix("]")
            key = f"({key})" if "," in key else key
            self._say(f"np.add.at({name}, {_tuple_key(key)}, {g})")
        else:
            self._say(f"{made.text} += {g}")

    def _call_of(self, node: Node, inputs: list[Phrase]) -> Call:
        values = self._body.values
        found = [values[key] for key in node.inputs if key is not None]
        numbers = [False] * len(found)
        return Call(node, inputs, found, values[node.id], NUMPY, numbers)

    def _contribution(self, step: Step, node: Node) -> Phrase:
        """What the node sends to the slot, in the shape of its input."""
        try:
            made = self._rule(step, node)
            fitted = _fitted(made, step)
        except forward.CANNOT:
            raise refusal(node, "NumPy") from None
        too_long = len(fitted.text.text) > forward.LONGEST
        if too_long or not forward.same(fitted.value, step.contribution):
            raise refusal(node, "NumPy")
        return fitted.text

    def _rule(self, step: Step, node: Node) -> Traced:
        body, op = self._body, OPS[node.op]
        keys = [key for key in node.inputs if key is not None]
        found = [body.values[key] for key in keys]
        y = body.values[node.id]
        wanted = tuple(slot == step.slot for slot in range(len(keys)))
        plan = op.plan(wanted, of_complex=y.dtype.kind == "c")
        ((_slot, rule),) = plan.active
        inputs = [
            self._traced(array, body.phrase(key)) for array, key in zip(found, keys, strict=True)
        ]
        kept = op.extra(y, *found, **node.params) if op.extra is not None else {}
        if node.op in ("max_dim", "min_dim"):
            kept = {"indices": self._places(node, inputs[0], kept["indices"])}
        made = rule(
            self._traced(step.upstream, Phrase(self._name(step.node))),
            self._traced(y, body.phrases[node.id]),
            *inputs,
            **node.params,
            **{name: self._kept(item) for name, item in kept.items()},
        )
        return made if isinstance(made, Traced) else inputs[0].constant(made)

    def _traced(self, array: Any, text: Phrase) -> Traced:
        return Traced(array, text, NUMPY, forward.inner)

    def _kept(self, item: Any) -> Any:
        if isinstance(item, np.ndarray):
            return self._traced(item, literals.array(item, NUMPY))
        return item

    def _places(self, node: Node, x: Traced, found: Any) -> Traced:
        text = f"np.{'argmax' if node.op == 'max_dim' else 'argmin'}({x.text.text}"
        return self._traced(found, Phrase(f"{text}, axis={node.params['dim']}, keepdims=True)"))


def _tuple_key(key: str) -> str:
    """An index as an argument: a slice has no colons there."""
    return re.sub(r"(?<=[(, ]):(?=[,)])", "slice(None)", key)


def _fitted(made: Traced, step: Step) -> Traced:
    """Summed over the axes along which the forward op broadcast, in the shape of the input."""
    shape = step.contribution.shape
    if made.shape == shape:
        return made
    if made.value.size < step.contribution.size:
        return made._made(
            np.broadcast_to(made.value, shape),
            phrase.call("np.broadcast_to", made.text.text, phrase.tuple_text(shape) or "()"),
        )
    summed = made.sum(axis=step.summed or None)
    found: Traced = summed if summed.shape == shape else summed.reshape(shape)
    return found


def _head(text: str) -> list[str]:
    head = ["import base64", ""] if "base64." in text else []
    head.append("import numpy as np")
    if re.search(r"\bspecial\.", text):
        head.append("from scipy import special")
    head.append("")
    for name, definition in helpers.DEFINITIONS.items():
        if re.search(rf"\b{name}\(", text):
            head += ["", *definition.split("\n"), "", ""]
    return head
