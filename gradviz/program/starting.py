"""Backward calls in PyTorch: what they start from, with which flags, and what is cleared before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import LEAF, BackwardCall, Diagram, NodeId, Start
from gradviz.language import N_, _
from gradviz.program import literals
from gradviz.program.body import Body, Statement
from gradviz.program.call import NotWritten
from gradviz.program.gradients import FAILS
from gradviz.program.names import is_variable
from gradviz.program.phrase import Phrase
from gradviz.program.uppers import Uppers
from gradviz.run import Run
from gradviz.seeds.starts import seed_values, written
from gradviz.storeys import gradient_id, gradient_of

Array = npt.NDArray[Any]
OFF = N_("backward call {number} is switched off")


def reads(call: BackwardCall) -> Iterator[NodeId]:
    """The nodes that a call names, as often as it does."""
    if not call.enabled:
        return
    yield from call.clear
    yield call.target
    if call.start.kind == "seed":
        yield call.target  # its shape, for `torch.ones_like(y)`
    if call.start.kind == "reduction" and call.start.reduction == "weighted":
        yield call.target
    yield from call.inputs or ()


def check(diagram: Diagram, run: Run) -> None:
    """Raise NotWritten where a call fails since what it starts from has no form in a program."""
    for at, (call, done) in enumerate(zip(diagram.calls, run.passes, strict=False)):
        if call.enabled and done.error is not None and not _has_start(call, diagram, run):
            raise NotWritten(_(FAILS).format(number=at + 1, message=done.error.message))


def _has_start(call: BackwardCall, diagram: Diagram, run: Run) -> bool:
    """Whether a program can name what the call starts from, and its seed."""
    key = call.target
    found = None if key in diagram.nodes else gradient_of(key)
    if found is not None:
        giving, key = diagram.calls[found[0]], found[1]
        if not (giving.enabled and giving.create_graph and _is_filled(key, giving, diagram)):
            return False
    if key not in run.values:
        return False
    try:
        if call.start.kind == "seed":
            seed_values(call.start, run.values[key].array)
    except ValueError:
        return False
    return True


def _is_filled(key: NodeId, call: BackwardCall, diagram: Diagram) -> bool:
    """Whether the call fills the `.grad` of a node: that of an input of it, else of a leaf."""
    if call.inputs is not None:
        return key in call.inputs
    return key in diagram.nodes and diagram.nodes[key].op == LEAF


def write(body: Body, index: int, uppers: Uppers) -> None:
    """The lines of a call, and of the gradients of its second storey that are built upon."""
    call = body.diagram.calls[index]
    if not call.enabled:
        body.statements.append(Statement(f"# {_(OFF).format(number=index + 1)}"))
        return
    plain = call.start.kind == "implicit" and not call.inputs
    if call.target not in body.waiting[-1:] or not plain:
        body.flush()
    for leaf in call.clear:
        body.statements.append(Statement(f"{body.read(leaf).owner}.grad = None"))
    root, arguments = _start(body, call)
    if call.gives:
        _capture(body, index, root, arguments, uppers)
        return
    arguments += _flags(call)
    if call.inputs is not None:
        named = [body.read(leaf).text for leaf in call.inputs]
        arguments.append(f"inputs=[{', '.join(named)}]")
    owner = root.owner
    text = f"{owner}.backward({', '.join(arguments)})"
    if index in body.caught:
        text = f"try:\n    {text}\nexcept {body.caught[index]} as error:\n    print(error)"
    body.statements.append(Statement(text))
    _give(body, index, uppers)


def _give(body: Body, index: int, uppers: Uppers) -> None:
    """Variables for the gradients of the call that are built upon."""
    call = body.diagram.calls[index]
    for node in uppers.given.get(index, ()):
        gradient = node.upper.gradient if node.upper is not None else None
        assert gradient is not None
        body.bind(replace(node, no_grad=False), Phrase(f"{body.phrases[gradient].owner}.grad"))
    if call.create_graph:
        for node in body.diagram.nodes.values():
            if _is_filled(node.id, call, body.diagram) and node.id in body.phrases:
                text = f"{body.phrases[node.id].owner}.grad"
                body.phrases[gradient_id(index, node.id)] = Phrase(text)


def _capture(body: Body, index: int, root: Phrase, arguments: list[str], uppers: Uppers) -> None:
    """`torch.autograd.grad`, and names for what it gives."""
    call = body.diagram.calls[index]
    inputs = call.inputs or ()
    named = [body.read(key).text for key in inputs]
    wanted = named[0] if len(named) == 1 else f"[{', '.join(named)}]"
    seed = [text.replace("gradient=", "grad_outputs=") for text in arguments]
    every = [root.text, wanted, *seed, *_flags(call)]
    text = f"torch.autograd.grad({', '.join(every)})"
    given = {n.upper.gradient: n for n in uppers.given.get(index, ()) if n.upper is not None}
    targets = []
    for key, its in zip(inputs, named, strict=True):
        node = given.get(key)
        fresh = f"{its}_grad"
        name = body.target(node) if node is not None else body.names.fresh(_stem(fresh))
        targets.append(name)
        phrase = Phrase(name)
        body.phrases[gradient_id(index, key)] = phrase
        if node is not None:
            body.phrases[node.id] = phrase
        body.captured.append(name)
    if len(targets) == 1:
        body.statements.append(Statement(f"{targets[0]} = {text}[0]"))
    else:
        body.statements.append(Statement(f"{', '.join(targets)} = {text}"))


def _stem(text: str) -> str:
    return text if text.isidentifier() else "grad"


def _flags(call: BackwardCall) -> list[str]:
    """The flags that differ from what is the rule: with create_graph the graph is kept."""
    flags = []
    if call.retain_graph != call.create_graph:
        flags.append(f"retain_graph={call.retain_graph}")
    if call.create_graph:
        flags.append("create_graph=True")
    return flags


def _start(body: Body, call: BackwardCall) -> tuple[Phrase, list[str]]:
    """What `.backward` is called on, and the seed among its arguments."""
    found = gradient_of(call.target)
    y = body.values[call.target if call.target in body.values or found is None else found[1]]
    start = call.start
    if start.kind == "reduction":
        return Phrase(_reduced(body, call, y)), []
    root = body.read(call.target)
    if start.kind == "implicit":
        return root, []
    return root, [f"gradient={_seed(body, call, y)}"]


def _seed(body: Body, call: BackwardCall, y: Array) -> str:
    start = call.start
    try:
        values = seed_values(start, y)
    except ValueError as problem:
        raise NotWritten(str(problem)) from problem
    held = _held(body, start, values)
    if held is not None:
        return held
    if start.preset == "ones" or _all_ones(values, y):
        text = f"torch.ones_like({body.read(call.target).text})"
    elif start.preset == "1/N":
        text = f"torch.full_like({body.read(call.target).text}, 1 / {max(y.size, 1)})"
    else:
        text = seed_text(start, values)
    return _variable(body, start.name or "", text)


def _all_ones(values: Array, y: Array) -> bool:
    return values.dtype == y.dtype and values.shape == y.shape and bool((values == 1).all())


def seed_text(start: Start, values: Array) -> str:
    """A seed written out; a random one that is large by how it was drawn."""
    made = drawn(start, values)
    return literals.array(values, literals.TORCH).text if made is None else f"torch.tensor({made})"


def drawn(start: Start, values: Array) -> str | None:
    """How a large random seed is drawn with NumPy."""
    kind, _colon, number = (start.preset or "").partition(":")
    if kind not in ("random", "normal") or values.size <= 16:
        return None
    how = f"choice([-1.0, 1.0], size={values.shape})"
    if kind == "normal":
        how = f"standard_normal({values.shape})"
    return f"np.random.default_rng({int(number or 0)}).{how}.astype(np.{values.dtype.name})"


def _held(body: Body, start: Start, values: Array) -> str | None:
    """The variable of the program that the seed was, where it is one with the same numbers."""
    key = body.names.holds.get(start.name or "")
    node = body.diagram.nodes.get(key or "")
    if node is None or node.id not in body.phrases or node.op == "leaf":
        return None
    known = body.values[node.id]
    same = known.dtype == values.dtype and known.shape == values.shape
    if same and known.tobytes() == values.tobytes():
        return body.phrases[node.id].text
    return None


def _variable(body: Body, name: str, text: str) -> str:
    """A line that gives the variable its value; another variable where the name is a node's."""
    name = name if is_variable(name) else "v"
    if name in {node.name for node in body.diagram.nodes.values()}:
        name = body.names.fresh(name)
    body.statements.append(Statement(f"{name} = {text}"))
    return name


def _reduced(body: Body, call: BackwardCall, y: Array) -> str:
    """The reduction of the target, in one expression."""
    start, root = call.start, body.read(call.target).owner
    name = start.reduction or "sum"
    if name == "weighted" and start.values is not None:
        weights = literals.array(start.values.astype(y.dtype), literals.TORCH).text
        root = body.read(call.target).owner
        return written(start, root, weights=_variable(body, start.name or "w", weights))
    if name in ("component", "logsumexp") and y.ndim != 1:
        root = f"{root}.reshape(-1)"
    if name in ("mse", "cross_entropy"):
        return _loss(body, start, root, y)
    return written(start, root)


def _loss(body: Body, start: Start, root: str, y: Array) -> str:
    if start.reduction == "mse":
        fits = start.values is not None and start.values.shape == y.shape
        target = start.values if fits and start.values is not None else np.zeros_like(y)
        text = literals.array(target.astype(y.dtype), literals.TORCH).text
        return f"F.mse_loss({root}, {_variable(body, 't', text)})"
    return written(start, root)
