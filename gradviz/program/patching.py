"""Edits of a script's text that follow an edit of its diagram, statement by statement."""

from __future__ import annotations

import ast

from gradviz.diagram import LEAF, Diagram, Node, NodeId
from gradviz.doctor.text import Edit, applied, function, names
from gradviz.program import literals, naming_edits, patching_calls
from gradviz.program.body import Statement
from gradviz.program.literals import TORCH
from gradviz.program.patch import Beyond, Patch
from gradviz.program.phrase import Phrase, broken
from gradviz.run import Run

_MAKERS = ("tensor", "Parameter")


def patched(source: str, before: Diagram, after: Diagram, run: Run) -> str:
    """The script with the edit made in it. Raises Beyond where that cannot be done."""
    patch = Patch(source, before, after, run)
    _rename(patch)
    _sources(patch)
    _added(patch, _statements(patch))
    patching_calls.change(patch)
    _prints(patch)
    for statement, lines in patch.behind.items():
        patch.edits.append(patch.script.after(statement, *lines))
    _imports(patch)
    inner = [edit for edit in patch.edits if not any(_covers(w, edit) for w in patch.whole)]
    return applied(source, [*patch.whole, *inner])


def _rename(patch: Patch) -> None:
    taken = {node.name for node in patch.before.nodes.values()}
    for old, new in patch.changes.renamed.items():
        several = sum(node.name == old for node in patch.before.nodes.values()) > 1
        if several or new in taken:
            raise Beyond
    found = naming_edits.renaming(patch.script, patch.changes.renamed)
    if found is None:
        raise Beyond
    patch.edits += found


def _sources(patch: Patch) -> None:
    """New numbers for named sources."""
    for key in patch.changes.touched:
        node = patch.after.nodes[key]
        if node.is_source and node.name is not None:
            _literal(patch, patch.before.nodes[key], node)


def _literal(patch: Patch, old: Node, node: Node) -> None:
    statement = patch.statement(old.line)
    if not isinstance(statement, ast.Assign) or node.data is None or old.data is None:
        raise Beyond
    value = statement.value
    same_kind = (old.op, old.data.dtype) == (node.op, node.data.dtype)
    maker = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)
    if (
        same_kind
        and maker
        and isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in _MAKERS
        and value.args
        and isinstance(value.args[0], (ast.List, ast.Constant, ast.UnaryOp))
        and 0 < node.data.size <= literals.WRITTEN_OUT
    ):
        text = literals.nested(node.data, TORCH)
        patch.edits.append(patch.script.replace(value.args[0], text))
        return
    text = literals.array(node.data, TORCH, leaf=node.op == LEAF).text
    patch.made.append(text)
    patch.edits.append(patch.script.replace(value, text))


def _statements(patch: Patch) -> set[NodeId]:
    """Write the statements anew that nodes were changed in; which new nodes they took in."""
    dirty = _dirty(patch)
    joined = _joining(patch, dirty)
    for statement, members in dirty.items():
        _rewrite(patch, statement, members, joined)
    return set(joined)


def _dirty(patch: Patch) -> dict[ast.stmt, list[NodeId]]:
    """Statements with changed nodes, and all the nodes that they compute."""
    changed = [
        node
        for node in patch.before.nodes.values()
        if node.id in patch.changes.removed or node.id in patch.changes.touched
    ]
    found: dict[ast.stmt, list[NodeId]] = {}
    for node in changed:
        if node.is_source and node.name is not None:
            if node.id in patch.changes.removed:
                patch.remove(patch.statement(node.line))
            continue
        if node.upper is not None:
            raise Beyond
        if node.is_source and not patch.before.consumers()[node.id]:
            continue
        found.setdefault(patch.home(node), [])
    for node in patch.before.nodes.values():
        statement = patch.script.at(node.line)
        if statement in found and not node.is_source and statement is not None:
            found[statement].append(node.id)
    return found


def _joining(patch: Patch, dirty: dict[ast.stmt, list[NodeId]]) -> dict[NodeId, ast.stmt]:
    """New nodes without a name that are used once, within a statement that is rewritten."""
    homes = {key: statement for statement, keys in dirty.items() for key in keys}
    users = patch.after.consumers()
    found: dict[NodeId, ast.stmt] = {}
    for key in reversed(patch.changes.added):
        node = patch.after.nodes[key]
        into = [user for user, _slot in users[key]]
        if node.name is None and len(into) == 1 and not _ends(patch, key):
            home = homes.get(into[0]) or found.get(into[0])
            if home is not None:
                found[key] = home
    return found


def _ends(patch: Patch, key: NodeId) -> bool:
    return any(call.target == key for call in patch.after.calls)


def _rewrite(
    patch: Patch, statement: ast.stmt, members: list[NodeId], joined: dict[NodeId, ast.stmt]
) -> None:
    own = {key for key in members if key in patch.after.nodes}
    own |= {key for key, home in joined.items() if home is statement}
    call = patching_calls.backward_call(statement)
    if call is not None:
        _rewrite_target(patch, statement, call, own)
        return
    body = patch.body(own)
    lines = [line for line in body.statements if line.text]
    if not lines:
        patch.remove(statement)
        return
    if any(line.no_grad != patch.is_inside_with(statement) for line in lines):
        raise Beyond
    patch.made += [line.text for line in lines]
    target = _target(statement)
    *first, last = lines
    head, _equals, value = last.text.partition(" = ")
    if target is not None and isinstance(statement, ast.Assign) and head == patch.renamed(target):
        patch.edits.append(patch.script.replace(statement.value, value))
        if first:
            patch.edits.append(patch.script.before(statement, *(s.text for s in first)))
    else:
        indent = patch.script.indent(statement)
        text = f"\n{indent}".join(broken(line.text) for line in lines)
        patch.whole.append(patch.script.replace(statement, text))
    for line in lines:
        if line.node is not None:
            patch.anchors[line.node] = statement


def _rewrite_target(patch: Patch, statement: ast.stmt, owner: ast.expr, own: set[NodeId]) -> None:
    """The expression before `.backward()`."""
    calls = [call for call in patch.before.calls if patch.script.at(call.line) is statement]
    if len(calls) != 1 or calls[0].target not in patch.after.nodes:
        if not own and calls and calls[0].target in patch.changes.removed:
            return  # the call goes as well
        raise Beyond
    body = patch.body(own)
    target = body.phrases.get(calls[0].target)
    if target is None:
        raise Beyond
    first = [line.text for line in body.statements if line.node != calls[0].target]
    if any(line.node == calls[0].target for line in body.statements):
        raise Beyond
    patch.made += [*first, target.text]
    patch.edits.append(patch.script.replace(owner, target.owner))
    if first:
        patch.edits.append(patch.script.before(statement, *first))


def _prints(patch: Patch) -> None:
    """Lines that print what is gone go too."""
    left = {node.name for node in patch.after.nodes.values()}
    gone = {patch.before.nodes[key].name for key in patch.changes.removed} - left - {None}
    for statement in patch.script.tree.body if gone else ():
        value = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(value, ast.Call) and function(value) == "print" and names(value) & gone:
            patch.remove(statement)


def _added(patch: Patch, joined: set[NodeId]) -> None:
    own = {key for key in patch.changes.added if key not in joined}
    if not own:
        return
    body = patch.body(own, sources=True)
    body.flush()
    for line in body.statements:
        if line.no_grad:
            raise Beyond
        anchor = _anchor(patch, line)
        if line.node is not None:
            patch.anchors[line.node] = anchor
        patch.made.append(line.text)
        patch.behind.setdefault(anchor, []).append(broken(line.text))
        if line.node is not None and patch.after.nodes[line.node].name is None:
            patch.fresh[line.node] = Phrase(line.text.partition(" = ")[0])


def _anchor(patch: Patch, line: Statement) -> ast.stmt:
    """Behind which statement a new line stands: the last of those that it builds upon."""
    node = patch.after.nodes[line.node or ""]
    if node.is_source:
        return patch.last_source()
    found = [patch.place(key) for key in node.inputs if key is not None]
    placed = [statement for statement in found if statement is not None]
    return max(placed, key=lambda s: s.lineno, default=patch.last_source())


def _imports(patch: Patch) -> None:
    """What the new text needs and the script does not import yet."""
    needed = naming_edits.missing_imports(patch.script, "\n".join(patch.made))
    if needed is None:
        raise Beyond
    if needed:
        first = next(
            s for s in patch.script.tree.body if isinstance(s, (ast.Import, ast.ImportFrom))
        )
        patch.edits.append(patch.script.after(first, *needed))


def _covers(whole: Edit, edit: Edit) -> bool:
    return whole.start <= edit.start and edit.end <= whole.end and edit.start < whole.end


def _target(statement: ast.stmt) -> str | None:
    """The one variable that an assignment gives a value."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else None
    return None
