"""The variables that gradients are kept in, as `.grad` keeps them: added up from call to call."""

from __future__ import annotations

from gradviz.diagram import BackwardCall, NodeId
from gradviz.labels import titles
from gradviz.language import N_, _
from gradviz.program.body import Body, Statement
from gradviz.program.call import NotWritten
from gradviz.run import Pass, Run

FAILS = N_("Backward call {number} fails: {message}")
CALL = N_("backward call {number}, from {name}")


class Gradients:
    """Writes what a call brought onto what is there."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._there: dict[NodeId, str] = {}
        self._captured: list[str] = []

    def variable(self, leaf: NodeId) -> str:
        """The name of a leaf's gradient, the same for all calls."""
        text = self._body.phrases[leaf].text
        return f"{text}_grad" if text.isidentifier() else "grad"

    def clear(self, call: BackwardCall) -> None:
        for leaf in call.clear:
            self._there.pop(leaf, None)

    def first(self, call: BackwardCall, leaf: NodeId) -> str | None:
        """The variable that the leaf's gradient goes to at once; None where it is added to one."""
        if call.gives or leaf in self._there:
            return None
        return self._own(leaf)

    def add(self, call: BackwardCall, leaf: NodeId, text: str) -> None:
        """The gradient `text` has arrived at the leaf."""
        if call.gives:
            stem = self._body.phrases[leaf].text
            name = self._body.names.fresh(f"d{stem}" if stem.isidentifier() else "d")
            self._captured.append(name)
            self._say(name, text)
        elif leaf in self._there:
            self._say(self._there[leaf], f"{self._there[leaf]} + {text}")
        else:
            self._there[leaf] = self._own(leaf)
            self._say(self._there[leaf], text)

    def _own(self, leaf: NodeId) -> str:
        return self._names.setdefault(leaf, self._body.names.fresh(self.variable(leaf)))

    @property
    def _names(self) -> dict[NodeId, str]:
        return self._body.gradients

    def _say(self, name: str, text: str) -> None:
        if name != text:
            self._body.statements.append(Statement(f"{name} = {text}"))

    def prints(self) -> None:
        """A line for each leaf."""
        body = self._body
        body.statements.append(Statement(""))
        for node in body.diagram.nodes.values():
            if node.op == "leaf" and node.id in body.phrases:
                label = (node.name or body.phrases[node.id].text).replace("\\", "\\\\")
                found = self._there.get(node.id, "None")
                body.statements.append(Statement(f'print("{label}.grad:", {found})'))
        for name in self._captured:
            body.statements.append(Statement(f'print("{name}:", {name})'))


def check_passes(run: Run) -> None:
    """Raise NotWritten where a call fails, which only PyTorch's own program can show."""
    for at, done in enumerate(run.passes):
        if done.error is not None:
            raise NotWritten(_(FAILS).format(number=at + 1, message=done.error.message))


def heading(body: Body, at: int) -> None:
    """A comment over what a call does."""
    target = body.diagram.calls[at].target
    name = titles(body.diagram)[target]
    body.statements.append(Statement(""))
    body.statements.append(Statement(f"# {_(CALL).format(number=at + 1, name=name)}"))


def reached(done: Pass, call: BackwardCall) -> dict[NodeId, None]:
    """The leaves at which the call's gradients arrive, in the order of their arrival."""
    senders = {step.node for step in done.steps}
    ends = dict.fromkeys(step.input for step in done.steps if step.input not in senders)
    if not done.steps:
        ends[done.root] = None
    wanted = call.inputs
    return {key: None for key in ends if wanted is None or key in wanted}
