"""`Patch`: a script's text under an edit of its diagram, and where its nodes stand in it."""

from __future__ import annotations

import ast

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.doctor.text import Edit, read
from gradviz.language import N_, _
from gradviz.program import naming_edits, pytorch, torch_forms, uppers
from gradviz.program.body import Body
from gradviz.program.changes import Changes, changes
from gradviz.program.literals import TORCH
from gradviz.program.phrase import Phrase
from gradviz.run import Run

INSIDE = N_(
    "Line {line} is part of a loop, a function or a class, and the edit is about one of its turns:"
    " the program is written anew, without it."
)


class Beyond(Exception):
    """The edit cannot be made in the text; its text is a sentence that says why, or empty."""


class Patch:
    """`edits` are small, `whole` replace statements; `made` is new text, to be searched for names.

    `anchors` are the statements in or behind which new nodes stand, `behind` the new lines there,
    `fresh` the variables of new nodes that have no name.
    """

    def __init__(self, source: str, before: Diagram, after: Diagram, run: Run) -> None:
        self.source = source
        self.script = read(source)
        self.before, self.after = before, after
        self.changes: Changes = changes(before, after)
        self.values = {key: value.array for key, value in run.values.items()}
        self.edits: list[Edit] = []
        self.whole: list[Edit] = []  # of statements that are replaced or go
        self.made: list[str] = []  # new text, whose imports are needed
        self.anchors: dict[NodeId, ast.stmt] = {}  # statements behind which new nodes stand
        self.behind: dict[ast.stmt, list[str]] = {}  # new lines behind a statement
        self.fresh: dict[NodeId, Phrase] = {}  # variables of new nodes that have no name
        if not self.script.statements:
            raise Beyond

    def statement(self, line: int | None) -> ast.stmt:
        """The statement on a line, which is the script's own and runs once."""
        found = self.script.at(line)
        if found is None:
            raise Beyond
        outer: ast.AST = found
        while outer in self.script.parents:
            outer = self.script.parents[outer]
            if not isinstance(outer, (ast.Module, ast.With)):
                raise Beyond(_(INSIDE).format(line=line))
        return found

    def outermost(self, line: int | None) -> ast.stmt:
        """The statement of the script itself that a line is part of."""
        found = self.script.at(line)
        if found is None:
            raise Beyond
        while not isinstance(self.script.parents[found], ast.Module):
            found = self.script.statement_of(self.script.parents[found])
        return found

    def home(self, node: Node) -> ast.stmt:
        """The statement that computes a node of the script."""
        if node.is_number or (node.is_source and node.name is None):
            users = self.before.consumers()[node.id]
            if not users:
                raise Beyond
            return self.home(self.before.nodes[users[0][0]])
        return self.statement(node.line)

    def remove(self, statement: ast.stmt) -> None:
        """The statement's lines, with the comment behind it, go."""
        script = self.script
        start = script.start(statement) - len(script.indent(statement))
        end = self.source.find("\n", script.end(statement))
        rest = self.source[script.end(statement) : end if end >= 0 else None].strip()
        if rest and not rest.startswith("#"):
            raise Beyond
        if isinstance(script.parents.get(statement), ast.With):
            raise Beyond
        self.whole.append(Edit(start, end + 1 if end >= 0 else len(self.source), ""))

    def renamed(self, name: str) -> str:
        return self.changes.renamed.get(name, name)

    def is_inside_with(self, statement: ast.stmt) -> bool:
        return isinstance(self.script.parents.get(statement), ast.With)

    def body(self, own: set[NodeId], *, sources: bool = False) -> Body:
        """The nodes written, all others being there under their names."""
        after = self.after
        body = Body(
            after,
            self.values,
            TORCH,
            pytorch.written,
            inline=lambda node: True,
            numbers=torch_forms.NUMBERS,
            uses=pytorch.uses(after, uppers.Uppers()),
        )
        for name in naming_edits.variables(self.script):
            body.names.take(name)
        for node in after.nodes.values():
            if node.id not in own and node.name is not None:
                body.phrases[node.id] = Phrase(node.name)
        for node in after.nodes.values():
            if node.id not in own:
                continue
            if node.is_source:
                if sources and not body.within(node):
                    body.bind(node, body.source(node))
            else:
                self.check(node, own, body)
                body.add(node)
        return body

    def check(self, node: Node, own: set[NodeId], body: Body) -> None:
        """Raise Beyond where an input has no name to be called by."""
        for key in node.inputs:
            known = key in body.phrases or self.after.nodes[key or ""].is_source
            if not known:
                raise Beyond

    def place(self, key: NodeId) -> ast.stmt | None:
        """The statement that a node stands in or behind."""
        node = self.after.nodes[key]
        if key in self.anchors:
            return self.anchors[key]
        if key in self.before.nodes and not node.is_number:
            if node.is_source and node.name is None:
                return None
            return self._from(node)
        places = [self.place(source) for source in node.inputs if source is not None]
        return max((p for p in places if p is not None), key=lambda s: s.lineno, default=None)

    def _from(self, node: Node) -> ast.stmt:
        """The statement of the script itself from which on a node has its name."""
        found = self.outermost(node.line)
        if isinstance(found, (ast.FunctionDef, ast.ClassDef)):  # it was made in a call from there
            bound = [s for s in self.script.tree.body if node.name in naming_edits.bound(s)]
            if not bound:
                raise Beyond
            return bound[-1]
        return found

    def last_source(self) -> ast.stmt:
        lines = [n.line for n in self.before.nodes.values() if n.is_source and n.name is not None]
        top = [s for s in self.script.tree.body if s.lineno in lines]
        imports = [s for s in self.script.tree.body if isinstance(s, (ast.Import, ast.ImportFrom))]
        if not top and not imports:
            raise Beyond
        return (top or imports)[-1]
