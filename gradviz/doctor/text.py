"""`Text`: a script's source, its syntax tree, and edits that keep comments and layout."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

SIMPLE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant, ast.List, ast.Tuple)
_LAYOUT = (tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
_LOOPS = (ast.For, ast.While)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """The characters from `start` to `end`, replaced by `text`."""

    start: int
    end: int
    text: str


def applied(source: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made."""
    for edit in sorted(set(edits), reverse=True):
        source = source[: edit.start] + edit.text + source[edit.end :]
    return source


@lru_cache(maxsize=4)
def read(source: str) -> Text:
    """The script. An edit's text is read for the edit, for the doctor, and for the next edit."""
    return Text(source)


class Text:
    """A script. Where it cannot be read as Python, it has no statements, and so no edits."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines = source.split("\n")
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line) + 1)
        self._starts = starts
        try:
            self.tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.tree = ast.Module([], [])
        self.parents = {
            child: parent
            for parent in ast.walk(self.tree)
            for child in ast.iter_child_nodes(parent)
        }
        self.torch = self._alias("torch")

    def _alias(self, module: str) -> str:
        """What the script calls a module."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name == module and alias.asname is not None:
                        return alias.asname
        return module

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """Every statement, those inside of others too, in the order of their lines."""
        found = (node for node in ast.walk(self.tree) if isinstance(node, ast.stmt))
        return tuple(sorted(found, key=lambda node: (node.lineno, node.col_offset)))

    @cached_property
    def _ends(self) -> list[int]:
        """Where each token ends that is not layout."""
        try:
            tokens = list(tokenize.generate_tokens(io.StringIO(self.source).readline))
        except (tokenize.TokenError, IndentationError, SyntaxError):
            return []
        return [
            self._starts[token.end[0] - 1] + token.end[1]
            for token in tokens
            if token.type not in _LAYOUT and token.type != tokenize.ENDMARKER
        ]

    # Places

    def _offset(self, line: int, column: int) -> int:
        """Syntax trees count columns in bytes."""
        text = self.lines[line - 1]
        return self._starts[line - 1] + len(text.encode()[:column].decode("utf-8", "replace"))

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def segment(self, node: ast.expr | ast.stmt) -> str:
        return self.source[self.start(node) : self.end(node)]

    def operand(self, node: ast.expr) -> str:
        """The expression so that an attribute may follow it."""
        text = self.segment(node)
        number = isinstance(node, ast.Constant)
        return text if isinstance(node, SIMPLE) and not number else f"({text})"

    def at(self, line: int | None) -> ast.stmt | None:
        """The innermost statement that the line is part of; of a compound one, its header."""
        found = None
        for node in self.statements:
            if line is not None and node.lineno <= line <= (node.end_lineno or node.lineno):
                found = node
        return found

    def expressions(self, line: int | None) -> Iterator[ast.expr]:
        """The expressions of the statement on this line, the outer ones first."""
        statement = self.at(line)
        for node in ast.walk(statement) if statement is not None else ():
            if isinstance(node, ast.expr):
                yield node

    def calls(self, line: int | None) -> Iterator[ast.Call]:
        return (node for node in self.expressions(line) if isinstance(node, ast.Call))

    def statement_of(self, node: ast.AST) -> ast.stmt:
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def loop_of(self, node: ast.AST) -> ast.For | ast.While | None:
        """The innermost loop around."""
        found: ast.AST | None = self.parents.get(node)
        while found is not None and not isinstance(found, (*_LOOPS, ast.FunctionDef)):
            found = self.parents.get(found)
        return found if isinstance(found, _LOOPS) else None

    def assignment(self, name: str, before: int | None = None) -> ast.Assign | None:
        """The last statement above the line that gives the variable a value."""
        found = None
        for node in self.statements:
            if before is not None and node.lineno >= before:
                break
            if isinstance(node, ast.Assign) and name in map(named, node.targets):
                found = node
        return found

    # Edits

    def replace(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        return Edit(self.start(node), self.end(node), text)

    def followed(self, node: ast.expr, text: str) -> Edit:
        """The expression with attribute or call put behind it."""
        if isinstance(node, SIMPLE):
            return Edit(self.end(node), self.end(node), text)
        return self.replace(node, self.operand(node) + text)

    def before_attribute(self, node: ast.Attribute, text: str) -> Edit:
        """The text put before the dot of `….name`, behind the parentheses if there are any."""
        dot = self.source.rindex(".", 0, self.end(node) - len(node.attr) + 1)
        return Edit(dot, dot, text)

    def without_attribute(self, node: ast.Attribute) -> Edit:
        """`value.name` or, where it is called, `value.name(…)` made `value`."""
        dot = self.source.rindex(".", 0, self.end(node) - len(node.attr) + 1)
        parent = self.parents.get(node)
        called = isinstance(parent, ast.Call) and parent.func is node
        assert isinstance(parent, ast.expr) or not called
        return Edit(dot, self.end(parent if called and isinstance(parent, ast.expr) else node), "")

    def argument(self, call: ast.Call, text: str) -> Edit:
        """The call with one more argument."""
        closing = self.end(call) - 1
        last = max((end for end in self._ends if end <= closing), default=closing)
        bare = not call.args and not call.keywords
        return Edit(last, last, text if bare else f", {text}"[self.source[last - 1] == "," :])

    def keyword(self, call: ast.Call, name: str, value: str) -> Edit:
        """The call with the keyword set."""
        for keyword in call.keywords:
            if keyword.arg == name:
                return self.replace(keyword.value, value)
        return self.argument(call, f"{name}={value}")

    def without_keyword(self, call: ast.Call, name: str) -> Edit | None:
        """The call without the keyword, where that is not its only argument."""
        for keyword in call.keywords:
            if keyword.arg == name:
                start = self._offset(keyword.lineno, keyword.col_offset)
                head = self.source[:start].rstrip()
                if head.endswith(","):
                    return Edit(len(head) - 1, self.end(keyword.value), "")
        return None

    def indent(self, node: ast.stmt) -> str:
        line = self.lines[node.lineno - 1]
        return line[: len(line) - len(line.lstrip())]

    def before(self, node: ast.stmt, *added: str) -> Edit:
        """Statements on lines of their own before this one."""
        if self.source[self._starts[node.lineno - 1] : self.start(node)].strip():
            return Edit(self.start(node), self.start(node), "".join(f"{s}; " for s in added))
        place = self._starts[node.lineno - 1]
        return Edit(place, place, "".join(f"{self.indent(node)}{text}\n" for text in added))

    def after(self, node: ast.stmt, *added: str) -> Edit:
        """Statements on lines of their own after this one, and after the comment behind it."""
        place = self._starts[node.end_lineno or node.lineno] - 1
        rest = self.source[self.end(node) : place].strip()
        head = self.source[self._starts[node.lineno - 1] : self.start(node)].strip()
        if head or (rest and not rest.startswith("#")):
            return Edit(self.end(node), self.end(node), "".join(f"; {text}" for text in added))
        return Edit(place, place, "".join(f"\n{self.indent(node)}{text}" for text in added))

    def wrapped(self, node: ast.stmt, header: str) -> Edit | None:
        """The statement moved into a block of its own; None where it shares its line."""
        start = self._starts[node.lineno - 1]
        end = self._starts[node.end_lineno or node.lineno] - 1
        rest = self.source[self.end(node) : end].strip()
        alone = not self.source[start : self.start(node)].strip()
        if not alone or (rest and not rest.startswith("#")) or node.lineno != node.end_lineno:
            return None
        indent = self.indent(node)
        body = self.source[start + len(indent) : end]
        return Edit(start, end, f"{indent}{header}\n{indent}    {body}")


def named(node: ast.AST) -> str | None:
    """The variable, where the expression is one."""
    return node.id if isinstance(node, ast.Name) else None


def names(node: ast.AST) -> set[str]:
    """The variables that are read or written in it."""
    return {found.id for found in ast.walk(node) if isinstance(found, ast.Name)}


def function(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""
