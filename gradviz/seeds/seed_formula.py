"""Formulas as people type them, evaluated over arrays without running any code.

Only what this module names is known: numbers, names given by the caller, signs, comparisons,
`x if test else z`, and a few functions of NumPy. Nothing else is looked up, called or imported.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gradviz.language import _

Names = Mapping[str, Any]
CONSTANTS: Names = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}
_DEEPEST = 40  # nesting
_LONGEST = 2_000  # characters

_FUNCTIONS: Mapping[str, tuple[int, Callable[..., Any]]] = {
    "abs": (1, np.abs),
    "cos": (1, np.cos),
    "exp": (1, np.exp),
    "floor": (1, np.floor),
    "log": (1, np.log),
    "max": (2, np.maximum),
    "min": (2, np.minimum),
    "sign": (1, np.sign),
    "sin": (1, np.sin),
    "sqrt": (1, np.sqrt),
    "tanh": (1, np.tanh),
    "where": (3, np.where),
}
_BINARY: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.true_divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
    ast.Pow: np.float_power,
}
_COMPARISONS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
}


class FormulaError(ValueError):
    """What is wrong in a formula, as a sentence."""


def parse(text: str) -> ast.expr:
    """The tree of a formula or of numbers in brackets. Raises FormulaError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise FormulaError(
            _("Write numbers in brackets, such as [1, 0.5], or a formula in i.")
        ) from None
    if len(text) > _LONGEST and not isinstance(tree, ast.List | ast.Tuple):
        raise FormulaError(_("The formula is too long."))
    return tree


def evaluate(tree: ast.expr, names: Names) -> Any:
    """The value of a formula by NumPy, NaN and inf included. Raises FormulaError."""
    with np.errstate(all="ignore"):  # they are shown, not warned of
        return _evaluate(tree, {**CONSTANTS, **names}, 0)


def _evaluate(tree: ast.AST, names: Mapping[str, Any], depth: int) -> Any:
    """A formula by NumPy. Only what is named here is known: nothing is looked up or called."""
    rule = _RULES.get(type(tree))
    if rule is None or depth > _DEEPEST:
        raise FormulaError(_("{text} is not known in a formula.").format(text=_quoted(tree)))
    return rule(tree, names, depth + 1)


def _constant(tree: Any, _names: Mapping[str, Any], _depth: int) -> Any:
    if type(tree.value) not in (int, float, bool):
        raise FormulaError(_("{text} is not known in a formula.").format(text=_quoted(tree)))
    try:
        return float(tree.value)
    except OverflowError:
        return math.inf


def _name(tree: Any, names: Mapping[str, Any], _depth: int) -> Any:
    if tree.id not in names:
        known = ", ".join(name for name in names if name not in CONSTANTS)
        raise FormulaError(
            _("{name} is not known in a formula; there are {known}.").format(
                name=tree.id[:40], known=known
            )
        )
    return names[tree.id]


def _binary(tree: Any, names: Mapping[str, Any], depth: int) -> Any:
    made = _BINARY.get(type(tree.op))
    if made is None:
        raise FormulaError(_("{text} is not known in a formula.").format(text=_quoted(tree)))
    return made(_evaluate(tree.left, names, depth), _evaluate(tree.right, names, depth))


def _unary(tree: Any, names: Mapping[str, Any], depth: int) -> Any:
    value = _evaluate(tree.operand, names, depth)
    if isinstance(tree.op, ast.USub):
        return np.negative(value)
    if isinstance(tree.op, ast.UAdd):
        return value
    raise FormulaError(_("{text} is not known in a formula.").format(text=_quoted(tree)))


def _compare(tree: Any, names: Mapping[str, Any], depth: int) -> Any:
    """1 where it holds, 0 elsewhere; a chain holds where all its parts do."""
    values = [_evaluate(side, names, depth) for side in (tree.left, *tree.comparators)]
    found: Any = 1.0
    for op, left, right in zip(tree.ops, values, values[1:], strict=False):
        made = _COMPARISONS.get(type(op))
        if made is None:
            raise FormulaError(_("{text} is not known in a formula.").format(text=_quoted(tree)))
        found = found * np.asarray(made(left, right), dtype=np.float64)
    return found


def _choose(tree: Any, names: Mapping[str, Any], depth: int) -> Any:
    test, yes, no = (_evaluate(part, names, depth) for part in (tree.test, tree.body, tree.orelse))
    return np.where(np.asarray(test) != 0, yes, no)


def _call(tree: Any, names: Mapping[str, Any], depth: int) -> Any:
    name = tree.func.id if isinstance(tree.func, ast.Name) else ""
    count, made = _FUNCTIONS.get(name, (0, None))
    if made is None or tree.keywords:
        raise FormulaError(
            _("{text} is not a function here; there are {known}.").format(
                text=_quoted(tree.func), known=", ".join(_FUNCTIONS)
            )
        )
    if len(tree.args) != count:
        raise FormulaError(
            _("{name} takes {wanted} numbers, not {found}.").format(
                name=name, wanted=count, found=len(tree.args)
            )
        )
    values = [_evaluate(argument, names, depth) for argument in tree.args]
    return made(np.asarray(values[0]) != 0, *values[1:]) if name == "where" else made(*values)


def _quoted(tree: ast.AST) -> str:
    try:
        text = ast.unparse(tree)
    except RecursionError:
        text = "…"
    return f"“{text[:40]}”"


_Rule = Callable[[Any, Mapping[str, Any], int], Any]
_RULES: Mapping[type[ast.AST], _Rule] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.IfExp: _choose,
    ast.Call: _call,
}
