"""A diagram as a PyTorch program that prints the same gradients."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from gradviz.diagram import LEAF, Diagram, Node, NodeId
from gradviz.program import (
    starting,
    torch_calls,
    torch_forms,
    torch_layers,
    torch_pieces,
    torch_pools,
    torch_stand_ins,
)
from gradviz.program.body import Body, Statement
from gradviz.program.bundled import Bundled
from gradviz.program.call import Call, refusal
from gradviz.program.literals import TORCH
from gradviz.program.phrase import Phrase
from gradviz.program.sameness import keeps_history
from gradviz.program.uppers import Uppers, is_ready, uppers
from gradviz.program.uppers import check as check_given
from gradviz.program.whole import Program, check, joined, without_refused
from gradviz.run import Run

FORMS = {
    **torch_stand_ins.FORMS,
    **torch_pieces.FORMS,
    **torch_layers.FORMS,
    **torch_forms.FORMS,
}


def write(diagram: Diagram, run: Run) -> Program:
    """The diagram as PyTorch code; the run says its nodes' values.

    Raises NotWritten where it is not finished, or an op cannot be written.
    """
    diagram = without_refused(diagram, run)
    check(diagram, run)
    values = {key: value.array for key, value in run.values.items()}
    diagram = torch_pools.recognized(diagram, values)
    starting.check(diagram, run)
    upper = uppers(diagram)
    check_given(diagram, upper, values)
    body = Body(
        diagram,
        values,
        TORCH,
        written,
        inline=lambda node: True,
        numbers=torch_forms.NUMBERS,
        uses=uses(diagram, upper),
    )
    if run.error is None:
        body.caught = {at: done.error.type for at, done in enumerate(run.passes) if done.error}
    body.add_sources()
    bundled, done = Bundled(body), 0
    for node in diagram.nodes.values():
        if not node.is_source and node.id not in upper.made and not bundled.add(node):
            body.add(_with_history(node))
        while done < len(diagram.calls) and _is_ready(done, body, upper):
            starting.write(body, done, upper)
            done += 1
    body.flush()
    for index in range(done, len(diagram.calls)):
        starting.write(body, index, upper)
    _add_prints(body)
    return joined(body.statements, _head)


def written(call: Call) -> Phrase:
    """One node in PyTorch. Raises NotWritten where its op has no form there."""
    form = FORMS.get(call.node.op)
    try:
        if form is not None:
            return form(call)
        template = torch_calls.CALLS.get(call.node.op)
        if template is not None:
            return call.fill(template)
    except (KeyError, IndexError):  # a parameter or an input that the call needs is not there
        pass
    raise refusal(call.node, "PyTorch")


def uses(diagram: Diagram, upper: Uppers) -> Counter[NodeId]:
    """How often each node is read: by other nodes, by calls, and by the prints at the end."""
    found: Counter[NodeId] = Counter()
    for node in diagram.nodes.values():
        if node.id not in upper.made:
            found.update(key for key in node.inputs if key is not None)
        found[node.id] += node.op == LEAF
    for call in diagram.calls:
        found.update(starting.reads(call))
    return found


def _with_history(node: Node) -> Node:
    """What never keeps history does not need to be without it."""
    return replace(node, no_grad=False) if node.no_grad and not keeps_history(node) else node


def _is_ready(index: int, body: Body, upper: Uppers) -> bool:
    """Whether everything that the call names has been computed.

    A reduction comes last, unless what it or a later call gives is built upon.
    """
    call = body.diagram.calls[index]
    last = call.start.kind == "reduction" and index > max(upper.given, default=-1)
    keys = starting.reads(call)
    return not last and all(is_ready(key, body.diagram, index, body.phrases) for key in keys)


def _add_prints(body: Body) -> None:
    leaves = [node for node in body.diagram.nodes.values() if node.op == LEAF]
    if not leaves or not body.diagram.calls:
        return
    body.statements.append(Statement(""))
    for node in leaves:
        text = body.read(node.id).text
        label = (node.name or text).replace("\\", "\\\\")
        body.statements.append(Statement(f'print("{label}.grad:", {text}.grad)'))
    for text in body.captured:
        body.statements.append(Statement(f'print("{text}:", {text})'))


def _head(text: str) -> list[str]:
    """Imports, and the functions that the program needs."""
    head = ["import base64", ""] if "base64." in text else []
    if re.search(r"\bnp\.", text):
        head.append("import numpy as np")
    head.append("import torch")
    if re.search(r"\bF\.", text):
        head.append("import torch.nn.functional as F")
    head.append("")
    for name, definition in torch_pieces.HELPERS.items():
        if re.search(rf"\b{name}\(", text):
            head += ["", *definition.split("\n"), "", ""]
    return head
