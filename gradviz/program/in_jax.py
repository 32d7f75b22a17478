"""A diagram as a JAX program: a function for each output, differentiated by `grad` or `vjp`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gradviz.diagram import LEAF, BackwardCall, Diagram, NodeId
from gradviz.language import N_, _
from gradviz.program import arrays, forward, literals, phrase, starting
from gradviz.program.body import Body, Statement
from gradviz.program.call import Call, NotWritten
from gradviz.program.gradients import Gradients, check_passes, heading, reached
from gradviz.program.literals import JAX, JAX_SINGLE, Library
from gradviz.program.phrase import Phrase
from gradviz.program.sameness import keeps_history
from gradviz.program.settled import settled
from gradviz.program.whole import Program, check, joined, without_refused
from gradviz.run import Pass, Run

COMPLEX = N_("{name} is complex: JAX's gradients are the conjugates of PyTorch's.")


def write(diagram: Diagram, run: Run) -> Program:
    """The diagram as JAX code; the run says its nodes' values.

    Raises NotWritten where it is not finished, a call fails, or an op has no form in JAX.
    """
    from gradviz.evaluate import evaluate

    diagram = without_refused(diagram, run)
    check(diagram, run)
    check_passes(run)
    diagram = settled(diagram, run)
    run = evaluate(diagram)
    check(diagram, run)
    return _Writer(diagram, run).program()


def library_for(diagram: Diagram) -> Library:
    """JAX with numbers of 64 bits where the diagram has any."""
    wide = any(
        node.data is not None
        and not node.is_number
        and node.data.dtype in (np.float64, np.complex128)
        for node in diagram.nodes.values()
    )
    return JAX if wide else JAX_SINGLE


class _Writer:
    def __init__(self, diagram: Diagram, run: Run) -> None:
        self._run = run
        self._diagram = diagram
        self._library = library_for(diagram)
        self._values = {key: value.array for key, value in run.values.items()}
        self._body = self._fresh(_uses(diagram, diagram))
        self._functions: dict[tuple[str, ...], str] = {}  # names, by what they compute

    def _fresh(self, uses: Counter[NodeId]) -> Body:
        return Body(
            self._diagram,
            self._values,
            self._library,
            _written,
            inline=lambda node: True,
            numbers=arrays.NUMBERS,
            uses=uses,
            leaves=False,
        )

    def program(self) -> Program:
        body = self._body
        for node in self._diagram.nodes.values():
            if node.is_source and not body.within(node) and body.uses[node.id]:
                body.bind(node, body.source(node))
        gradients = Gradients(body)
        for at, done in enumerate(self._run.passes):
            heading(body, at)
            self._call(self._diagram.calls[at], done, gradients)
        gradients.prints()
        return joined(body.statements, self._head)

    def _call(self, call: BackwardCall, done: Pass, gradients: Gradients) -> None:
        """The function of the target, its derivative, and what that brings to the leaves."""
        body, ends = self._body, reached(done, call)
        leaves = [key for key in self._diagram.nodes if key in ends and key in body.phrases]
        y = self._values[done.root]
        if y.dtype.kind == "c" or any(self._values[leaf].dtype.kind == "c" for leaf in leaves):
            raise NotWritten(_(COMPLEX).format(name=_title(self._diagram, done.root)))
        name = self._function(done.root, leaves)
        given = ", ".join(body.phrases[leaf].text for leaf in leaves)
        gradients.clear(call)
        targets = [gradients.first(call, leaf) or self._variable(leaf) for leaf in leaves]
        if call.start.kind == "implicit" and not y.ndim:
            which = f", argnums={phrase.tuple_text(range(len(leaves)))}" if len(leaves) > 1 else ""
            self._assign(targets, f"jax.grad({name}{which})({given})", alone=True)
        else:
            seed = self._seed(call, done)
            value, back = body.names.fresh("value"), body.names.fresh("pullback")
            self._say(f"{value}, {back} = jax.vjp({name}, {given})")
            self._assign(targets, f"{back}({seed})", alone=False)
        for leaf, target in zip(leaves, targets, strict=True):
            gradients.add(call, leaf, target)

    def _assign(self, targets: Sequence[str], value: str, *, alone: bool) -> None:
        """Give the variables what a call returns; `alone`: a single one is not in a tuple."""
        left = ", ".join(targets)
        if len(left) > phrase.WIDTH - 40:
            every = self._body.names.fresh("grads")
            self._say(f"{every} = {value}")
            for at, target in enumerate(targets):
                self._say(f"{target} = {every}[{at}]")
        else:
            self._say(f"{left if alone or len(targets) > 1 else f'({left},)'} = {value}")

    def _variable(self, leaf: NodeId) -> str:
        body = self._body
        known = body.cotangents.get(leaf)
        if known is None:
            text = body.phrases[leaf].text
            known = body.names.fresh(f"g_{text}" if text.isidentifier() else "g")
            body.cotangents[leaf] = known
        return known

    def _say(self, text: str) -> None:
        self._body.statements.append(Statement(text))

    def _seed(self, call: BackwardCall, done: Pass) -> str:
        assert done.seed is not None
        if call.start.kind == "implicit" or (done.seed == 1).all():
            shape = phrase.tuple_text(done.seed.shape) if done.seed.ndim else "()"
            return literals.ones(shape, done.seed.dtype, self._library)
        drawn = starting.drawn(call.start, done.seed)
        if drawn is not None:
            return f"jnp.array({drawn})"
        return literals.array(done.seed, self._library).text

    def _function(self, root: NodeId, leaves: Sequence[NodeId]) -> str:
        """The function of the leaves that computes the root; written once for all calls."""
        inside = self._diagram.ancestors(root)
        nodes = {key: node for key, node in self._diagram.nodes.items() if key in inside}
        part = replace(self._diagram, nodes=nodes)
        inner = self._fresh(_uses(part, self._diagram))
        inner.names.take_all(self._body.names)
        inner.uses[root] += 1
        inner.phrases = {
            key: text
            for key, text in self._body.phrases.items()
            if self._diagram.nodes[key].is_source
        }
        for node in part.nodes.values():
            if not node.is_source:
                inner.add(node)
        result = inner.read(root)
        inner.flush()
        given = ", ".join(self._body.phrases[leaf].text for leaf in leaves)
        lines = [*inner.statements, Statement(f"return {result.text}")]
        key = (given, *(statement.text for statement in lines))
        known = self._functions.get(key)
        if known is None:
            known = self._functions[key] = self._body.names.fresh("f")
            self._say(f"def {known}({given}):")
            for line in lines:
                self._body.statements.append(Statement(f"    {line.text}", line.node))
            self._say("")
        return known

    def _head(self, text: str) -> list[str]:
        head = ["import base64", ""] if "base64." in text else []
        head += ["import jax", "import jax.numpy as jnp"]
        if re.search(r"\bnp\.", text):
            head.append("import numpy as np")
        head.append("")
        if self._library is JAX:
            head += ['jax.config.update("jax_enable_x64", True)', ""]
        return head


def _written(call: Call) -> Phrase:
    """One node; without history where the diagram has none for it."""
    made = forward.written(call)
    if call.node.no_grad and keeps_history(call.node):
        return phrase.call("jax.lax.stop_gradient", made.text)
    return made


def _uses(part: Diagram, whole: Diagram) -> Counter[NodeId]:
    """How often each node is read; leaves are arguments and so never part of an expression."""
    found: Counter[NodeId] = Counter()
    for node in part.nodes.values():
        found.update(key for key in node.inputs if key is not None)
    found.update(node.id for node in whole.nodes.values() if node.op == LEAF)
    return found


def _title(diagram: Diagram, key: NodeId) -> str:
    return diagram.nodes[key].name or key
