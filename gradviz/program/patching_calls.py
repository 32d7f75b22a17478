"""Edits of a script's backward calls."""

from __future__ import annotations

import ast
from dataclasses import replace

from gradviz.diagram import BackwardCall
from gradviz.program import starting, uppers
from gradviz.program.body import Statement
from gradviz.program.changes import is_changed, same_start
from gradviz.program.naming_edits import bound
from gradviz.program.patch import Beyond, Patch
from gradviz.program.phrase import Phrase, broken


def change(patch: Patch) -> None:
    last: ast.stmt | None = None
    for at, (old, new) in enumerate(patch.changes.calls):
        if old is None and new is not None:
            last = _add_call(patch, at, new, last)
        elif new is None and old is not None:
            _remove_variables(patch, old)
            patch.remove(patch.statement(old.line))
        elif old is not None and new is not None:
            last = patch.outermost(old.line) if old.enabled else last
            if is_changed(old, new):
                _change_call(patch, at, old, new)


def _change_call(patch: Patch, at: int, old: BackwardCall, new: BackwardCall) -> None:
    statement = patch.statement(old.line)
    owner = backward_call(statement)
    if owner is None or not isinstance(statement, ast.Expr) or new.gives:
        raise Beyond
    if not new.enabled:
        _switch_off(patch, statement)
        return
    call = statement.value
    assert isinstance(call, ast.Call)
    if same_start(old, new) and (old.inputs, old.clear) == (new.inputs, new.clear):
        if new.target != old.target:
            name = patch.after.nodes[new.target].name if new.target in patch.after.nodes else None
            if name is None:
                raise Beyond
            patch.edits.append(patch.script.replace(owner, name))
        _flags(patch, call, old, new)
        return
    if old.clear != new.clear:
        raise Beyond
    own = patch.script.segment(owner) if new.target == old.target else None
    _remove_variables(patch, old)
    lines = _call_lines(patch, at, new, own)
    indent = patch.script.indent(statement)
    patch.whole.append(patch.script.replace(statement, f"\n{indent}".join(lines)))


def _switch_off(patch: Patch, statement: ast.stmt) -> None:
    """The call's line becomes a comment."""
    if isinstance(patch.script.parents.get(statement), ast.With):
        raise Beyond
    segment = patch.script.segment(statement)
    lines = segment.split("\n")
    patch.whole.append(patch.script.replace(statement, "\n".join(f"# {x}" for x in lines)))


def _flags(patch: Patch, call: ast.Call, old: BackwardCall, new: BackwardCall) -> None:
    """The flags that are not what is the rule: a graph is kept where another is made."""
    said = {"retain_graph": new.retain_graph != new.create_graph, "create_graph": new.create_graph}
    missing = []
    for flag, must in said.items():
        wanted = getattr(new, flag)
        if not any(keyword.arg == flag for keyword in call.keywords):
            missing += [f"{flag}={wanted}"] if must else []
        elif wanted != getattr(old, flag):
            without = None if must else patch.script.without_keyword(call, flag)
            patch.edits.append(without or patch.script.keyword(call, flag, str(wanted)))
    if missing:
        patch.edits.append(patch.script.argument(call, ", ".join(missing)))


def _call_lines(patch: Patch, at: int, call: BackwardCall, own: str | None = None) -> list[str]:
    """The lines of a call; `own` is how the script writes its target where that has no name."""
    body = patch.body(set())
    body.phrases |= patch.fresh
    for key in call.inputs or ():
        if key not in body.phrases and not patch.after.nodes[key].is_source:
            raise Beyond  # it stands within another line and has no name there
    if call.target not in body.phrases:
        if own is None:
            raise Beyond
        name = body.names.fresh("t")
        body.statements.append(Statement(f"{name} = {own}"))
        body.phrases[call.target] = Phrase(name)
    starting.write(body, at, uppers.Uppers())
    lines = [broken(line.text) for line in body.statements]
    patch.made += lines
    return lines


def _remove_variables(patch: Patch, old: BackwardCall) -> None:
    """The lines right above a call that were written with it, for its seed, go with it."""
    statement = patch.statement(old.line)
    parent = patch.script.parents[statement]
    if not (patch.before.drawn and isinstance(parent, ast.Module)):
        return
    body = patch.body(set())
    body.diagram = replace(patch.after, calls=(replace(old, inputs=None, clear=()),))
    if old.target not in body.phrases:
        return
    try:
        starting.write(body, 0, uppers.Uppers())
    except ValueError:  # its rule makes no seed any more
        return
    own = [line.text.partition(" = ")[2] for line in body.statements[:-1]]
    above = parent.body[: parent.body.index(statement)]
    for text, its in zip(reversed(own), reversed(above), strict=False):
        same = bound(its) and patch.script.segment(its).partition(" = ")[2] == text
        if not same or _is_read(patch, its, statement):
            return
        patch.remove(its)


def _is_read(patch: Patch, its: ast.stmt, statement: ast.stmt) -> bool:
    """Whether a line gives a variable to others than this statement, or has a remark."""
    own = bound(its)
    inside = {*ast.walk(its), *ast.walk(statement)}
    others = any(
        isinstance(node, ast.Name) and node.id in own and node not in inside
        for node in ast.walk(patch.script.tree)
    )
    return others or "#" in patch.script.lines[its.lineno - 1]


def _add_call(patch: Patch, at: int, call: BackwardCall, last: ast.stmt | None) -> ast.stmt | None:
    place = patch.place(call.target) if call.target in patch.after.nodes else None
    if last is not None and (place is None or place.lineno < last.lineno):
        place = last
    if place is None:
        raise Beyond
    patch.behind.setdefault(place, []).extend(_call_lines(patch, at, call))
    return place


def backward_call(statement: ast.stmt) -> ast.expr | None:
    """What `.backward` is called on, where the statement is that call."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        if isinstance(function, ast.Attribute) and function.attr == "backward":
            return function.value
    return None
