"""Where a backward pass stopped, and which nodes and statements two passes share."""

from __future__ import annotations

import ast

from engine.formula import read
from engine.ops import OPS
from gradviz.diagram import NodeId
from gradviz.doctor.finding import Case
from gradviz.run import Pass


def history(case: Case, root: NodeId) -> list[NodeId]:
    """The op nodes with history that a pass from `root` goes through, in their order."""
    if root not in case.diagram.nodes:
        return []
    found, waiting = {root}, [root]
    while waiting:
        for source in case.diagram.nodes[waiting.pop()].inputs:
            value = case.run.values.get(source or "")
            if source is not None and source not in found and value and value.requires_grad:
                found.add(source)
                waiting.append(source)
    return [key for key, node in case.diagram.nodes.items() if key in found and node.inputs]


def origin(case: Case, done: Pass) -> NodeId:
    """Where the pass entered the diagram: its root, or what the nodes added to it reduce."""
    return done.root if done.root in case.diagram.nodes else done.call.target


def stopped_at(case: Case, failed: Pass) -> NodeId | None:
    """The node whose pullback a failed pass was about to run: the newest of those ready."""
    nodes = history(case, origin(case, failed))
    inside, done = set(nodes), {step.node for step in failed.steps}
    users = case.diagram.consumers()
    ready = [
        key
        for key in nodes
        if key not in done and all(user in done for user, _slot in users[key] if user in inside)
    ]
    return ready[-1] if ready else None


def shared(case: Case, failed: Pass) -> tuple[list[NodeId], list[Pass]]:
    """The nodes that earlier passes went through and this one needs too, and those passes."""
    nodes = history(case, origin(case, failed))
    mine, common, before = set(nodes), set[NodeId](), []
    for done in case.run.passes:
        if done is failed:
            break
        both = mine.intersection(step.node for step in done.steps)
        if both and done.error is None:
            common |= both
            before.append(done)
    return [key for key in nodes if key in common], before


def saved(case: Case, nodes: list[NodeId]) -> list[NodeId]:
    """Those of the nodes that keep values of the forward pass for their rules."""
    return [key for key in nodes if _saves(case, key)]


def _saves(case: Case, key: NodeId) -> bool:
    node, values = case.diagram.nodes[key], case.run.values
    op = OPS.get(node.op)
    sources = [values[source] for source in node.inputs if source is not None]
    if op is None:
        return False
    output = values[key].array
    for slot, source in enumerate(sources):
        if source.requires_grad:
            arrays = [value.array for value in sources]
            try:
                _formula, needs = read(op, slot, output, output, arrays, node.params)
            except (TypeError, ValueError, RuntimeError):
                continue
            if any(need == "y" or isinstance(need, int) for need in needs):
                return True
    return False


def copies(case: Case, nodes: list[NodeId], above: ast.stmt) -> list[str] | None:
    """The assignments that computed the nodes, to be written again above a statement.

    None where they are not plain assignments that come earlier in the same function.
    """
    made: dict[int, str] = {}
    for key in nodes:
        statement = case.text.at(case.line(key))
        if not isinstance(statement, ast.Assign) or statement.lineno >= above.lineno:
            return None
        made[statement.lineno] = case.text.segment(statement)
    texts = [made[line] for line in sorted(made)]
    return None if any("\n" in text for text in texts) else texts
