"""`Policy`: which Python a script may use, and how it is rewritten to go through the guards.

Names in angle brackets, such as `<read>`, cannot be written in a script: only the rewriting uses
them, and the script can neither read nor replace what they stand for.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any, TypeVar

from RestrictedPython.transformer import INSPECT_ATTRIBUTES, RestrictingNodeTransformer

from gradviz.language import _
from gradviz.script import refusal
from gradviz.script.refusal import Refusal
from gradviz.script.rewrite import (
    ATTRIBUTE,
    GUARDED_OPERATORS,
    WRITE,
    augmented,
    call,
    named_targets,
    named_value,
    naming,
    placed,
)

MAGIC_METHODS = frozenset(
    f"__{name}__"
    for name in (
        "init call len iter next enter exit repr str bool float int index hash contains "
        "getitem setitem delitem eq ne lt le gt ge neg pos abs invert reversed "
        "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift "
        "radd rsub rmul rtruediv rfloordiv rmod rpow rmatmul "
        "iadd isub imul itruediv ifloordiv imod ipow imatmul post_init"
    ).split()
)
READABLE = frozenset({"__name__", "__class__", "__doc__", "__version__", "__init__"})
_Node = TypeVar("_Node", bound=ast.AST)


class Policy(RestrictingNodeTransformer):
    """Visit a module to rewrite it in place; `refusals` then says what it may not use.

    `available` are the built-in names, `modules` the importable ones.
    """

    def __init__(self, available: Collection[str], modules: Collection[str]) -> None:
        super().__init__()
        self.refusals: list[Refusal] = []
        self._available = available
        self._modules = modules
        self._bound: set[str] = set()
        self._classes: list[bool] = []  # innermost last: is this scope a class?

    # What is refused

    def refuse(self, node: ast.AST, text: str, **parts: Any) -> None:
        line = getattr(node, "lineno", 1)
        self.refusals.append(Refusal(line, _(text).format(line=line, **parts)))

    def error(self, node: ast.AST, info: str) -> None:
        """What the rules inherited from RestrictedPython object to."""
        self.not_allowed(node)

    def warn(self, node: ast.AST, info: str) -> None:
        """Warnings say nothing that the refusals do not."""

    def not_allowed(self, node: ast.AST) -> None:
        line = getattr(node, "lineno", 1)
        self.refusals.append(refusal.construct(type(node).__name__, line))

    def check_name(
        self, node: ast.AST, name: str | None, allow_magic_methods: bool = False
    ) -> None:
        """Names with two leading underscores belong to Python, but for `__name__` and methods."""
        if name is None or not name.startswith("__") or name == "__":
            return
        if allow_magic_methods and name in MAGIC_METHODS and self._classes[-1:] == [True]:
            return
        self.refuse(node, refusal.NO_NAME, name=name)

    def visit_Module(self, node: ast.Module) -> ast.AST:
        self._bound = _bound_names(node)
        return self._contents(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        loaded = isinstance(node.ctx, ast.Load)
        if loaded and node.id == "__name__":
            return node
        if loaded and node.id in refusal.BUILTINS and node.id not in self._bound:
            if node.id not in self._available:
                self.refuse(node, refusal.AVAILABLE, name=node.id)
            return node
        self.check_name(node, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self._check_attribute(node)
        node = self._contents(node)
        if isinstance(node.ctx, ast.Load):
            return placed(call(ATTRIBUTE, node.value, ast.Constant(node.attr)), node)
        node.value = placed(call(WRITE, node.value), node.value)
        return node

    def _check_attribute(self, node: ast.Attribute) -> None:
        name = node.attr
        if name in INSPECT_ATTRIBUTES:
            self.refuse(node, refusal.NO_ATTRIBUTE, name=name)
        if not name.startswith("__"):
            return
        if isinstance(node.ctx, ast.Load):
            of_super = (
                isinstance(node.value, ast.Call)
                and isinstance(node.value.func, ast.Name)
                and node.value.func.id == "super"
            )
            if name in READABLE or (of_super and name in MAGIC_METHODS):
                return
        self.refuse(node, refusal.NO_ATTRIBUTE, name=name)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        return self._contents(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return self._contents(node)

    # Definitions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.check_name(node, node.name, allow_magic_methods=True)
        self.check_function_argument_names(node)
        return self._scope(node, is_class=False)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.check_function_argument_names(node)
        return self._scope(node, is_class=False)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.check_name(node, node.name)
        if node.keywords:
            self.refuse(node, refusal.NO_CLASS_KEYWORDS)
        return self._scope(node, is_class=True)

    def visit_Global(self, node: ast.Global) -> ast.AST:
        for name in node.names:
            self.check_name(node, name)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        for name in node.names:
            self.check_name(node, name)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        self.check_name(node, node.name)
        return self._contents(node)

    # Imports

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for alias in node.names:
            self._check_module(node, alias.name)
            name, module = alias.asname, alias.name
            if name is None:
                name = module = alias.name.partition(".")[0]
            self.check_name(node, name)
            target = ast.Name(name, ast.Store())
            made.append(ast.Assign([target], call("<import>", ast.Constant(module))))
        return [placed(statement, node) for statement in made]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        if node.module == "__future__":
            return [placed(ast.Pass(), node)]
        module = "." * node.level + (node.module or "")
        self._check_module(node, module)
        made: list[ast.stmt] = []
        for alias in node.names:
            if alias.name == "*":
                self.refuse(node, refusal.NO_STAR)
                continue
            self.check_name(node, alias.name)
            self.check_name(node, alias.asname)
            value = call("<import from>", ast.Constant(module), ast.Constant(alias.name))
            made.append(ast.Assign([ast.Name(alias.asname or alias.name, ast.Store())], value))
        return [placed(statement, node) for statement in made] or [placed(ast.Pass(), node)]

    def _check_module(self, node: ast.AST, module: str) -> None:
        if module not in self._modules:
            tops = sorted({name.partition(".")[0] for name in self._modules})
            self.refuse(node, refusal.NO_MODULE, name=module, modules=", ".join(tops))

    # Operators and assignments

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        node = self._contents(node)
        guard = GUARDED_OPERATORS.get(type(node.op))
        if guard is None:
            return node
        return placed(call(guard, node.left, node.right), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        node = self._contents(node)
        statements = augmented(node)
        if isinstance(node.target, ast.Name):
            statements.append(placed(naming(node.target.id), node))
        return statements

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        targets = named_targets(node.targets)
        node = self._contents(node)
        if len(node.targets) == 1:
            node.value = named_value(node.value, node.targets[0])
            if isinstance(node.targets[0], ast.Name):
                return node
        return [node, *(placed(naming(target), node) for target in targets)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node = self._contents(node)
        if node.value is not None:
            node.value = named_value(node.value, node.target)
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        node = self._contents(node)
        node.value = named_value(node.value, node.target)
        return node

    def guard_iter(self, node: _Node) -> _Node:
        """Loops and comprehensions need no guard; a loop's variables learn their names."""
        if not isinstance(node, ast.For):
            return self._contents(node)
        targets = named_targets([node.target]) if not _counts(node.iter) else []
        header = node.target
        node = self._contents(node)
        node.body[:0] = [placed(naming(target), header) for target in targets]
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        targets = named_targets(
            [item.optional_vars for item in node.items if item.optional_vars is not None]
        )
        header = node.items[0].context_expr
        node = self._contents(node)
        node.body[:0] = [placed(naming(target), header) for target in targets]
        return node

    # Walking

    def _contents(self, node: _Node) -> _Node:
        visited: _Node = self.node_contents_visit(node)
        return visited

    def _scope(self, node: _Node, *, is_class: bool) -> _Node:
        self._classes.append(is_class)
        try:
            return self._contents(node)
        finally:
            self._classes.pop()


def _counts(iterable: ast.expr) -> bool:
    """Whether a loop runs over `range(…)`: its variable is a number and needs no name."""
    return (
        isinstance(iterable, ast.Call)
        and isinstance(iterable.func, ast.Name)
        and iterable.func.id == "range"
    )


def _bound_names(module: ast.Module) -> set[str]:
    """Every name that the script gives to something itself, in whatever scope."""
    bound: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                bound.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name is not None:
            bound.add(node.name)
    return bound
