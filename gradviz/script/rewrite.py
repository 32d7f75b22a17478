"""Pieces of syntax tree that the policy puts in: guard calls, names for values, safe operators."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import TypeVar

ATTRIBUTE, WRITE, NAME = "<read>", "<write>", "<name>"
# These can turn a short script into hours of work or gigabytes inside one C call.
GUARDED_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Mult: "<mul>",
    ast.Pow: "<pow>",
    ast.LShift: "<lshift>",
}
GUARDED_IN_PLACE: Mapping[type[ast.operator], str] = {
    ast.Mult: "<imul>",
    ast.Pow: "<ipow>",
    ast.LShift: "<ilshift>",
}
# A value written like this is never a tensor, so it needs no name.
_NEVER_TENSORS = (ast.Constant, ast.Lambda, ast.JoinedStr, ast.Compare)

_Placed = TypeVar("_Placed", ast.expr, ast.stmt)


def call(guard: str, *arguments: ast.expr) -> ast.Call:
    """A call of a guard."""
    return ast.Call(ast.Name(guard, ast.Load()), list(arguments), [])


def placed(made: _Placed, original: ast.AST) -> _Placed:
    """The new piece, said to stand where the original stands in the script."""
    return ast.fix_missing_locations(ast.copy_location(made, original))


def naming(variable: str) -> ast.stmt:
    """A statement that tells a value the name of its variable."""
    value = ast.Name(variable, ast.Load())
    return ast.Expr(call(NAME, ast.Constant(variable), value))


def named_value(value: ast.expr, target: ast.expr) -> ast.expr:
    """The value, told its name on the way to its variable, attribute or key."""
    name = _name_of(target)
    if name is None or isinstance(value, _NEVER_TENSORS):
        return value
    return placed(call(NAME, ast.Constant(name), value), value)


def _name_of(target: ast.expr) -> str | None:
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, ast.Attribute):
        return target.attr
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        key = target.slice.value
        return key if isinstance(key, str) and key.isprintable() and len(key) < 60 else None
    return None


def named_targets(targets: Iterable[ast.expr]) -> list[str]:
    """The variables among assignment targets, inside tuples and stars too."""
    found: list[str] = []
    for target in targets:
        if isinstance(target, ast.Name):
            found.append(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            found += named_targets(target.elts)
        elif isinstance(target, ast.Starred):
            found += named_targets([target.value])
    return found


def augmented(node: ast.AugAssign) -> list[ast.stmt]:
    """An augmented assignment whose operator is guarded; as it is where it needs no guard.

    `a[i] *= b` becomes `o = a; k = i; o[k] = <imul>(o[k], b)`, so that `a` and `i` are
    evaluated once.
    """
    guard = GUARDED_IN_PLACE.get(type(node.op))
    if guard is None:
        return [node]
    target = node.target
    if isinstance(target, ast.Name):
        old: ast.expr = ast.Name(target.id, ast.Load())
        made: list[ast.stmt] = [ast.Assign([target], call(guard, old, node.value))]
    elif isinstance(target, ast.Attribute):
        owner = ast.Name("<owner>", ast.Load())
        old = ast.Attribute(owner, target.attr, ast.Load())
        new = ast.Attribute(owner, target.attr, ast.Store())
        made = [
            ast.Assign([ast.Name("<owner>", ast.Store())], target.value),
            ast.Assign([new], call(guard, old, node.value)),
        ]
    else:
        owner, key = ast.Name("<owner>", ast.Load()), ast.Name("<key>", ast.Load())
        made = [
            ast.Assign([ast.Name("<owner>", ast.Store())], target.value),
            ast.Assign([ast.Name("<key>", ast.Store())], target.slice),
            ast.Assign(
                [ast.Subscript(owner, key, ast.Store())],
                call(guard, ast.Subscript(owner, key, ast.Load()), node.value),
            ),
        ]
    return [placed(statement, node) for statement in made]
