"""A script's text, compiled under the policy."""

from __future__ import annotations
import __future__ as future

import ast
import linecache
from types import CodeType

from gradviz.language import _
from gradviz.script import basics, modules, refusal
from gradviz.script.policy import Policy
from gradviz.script.refusal import Refusal
from gradviz.script.where import FILENAME

_ANNOTATIONS = future.annotations.compiler_flag


def compiled(text: str) -> CodeType:
    """The script's code, rewritten to go through the guards.

    Raises SyntaxError as Python does, and Refusal for what a script may not use.
    """
    linecache.cache[FILENAME] = (len(text), None, text.splitlines(keepends=True), FILENAME)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SyntaxError("source code cannot contain null bytes", (FILENAME, line, None, None))
    try:
        tree = ast.parse(text, FILENAME)
        policy = Policy(basics.NAMES, modules.NAMES)
        lazy = _ANNOTATIONS if _postpones_annotations(tree) else 0
        policy.visit(tree)
        found = refusal.first(policy.refusals)
        if found is not None:
            raise found
        code: CodeType = compile(tree, FILENAME, "exec", flags=lazy, dont_inherit=True)
        return code
    except (RecursionError, MemoryError) as error:
        line = _deepest_line(error)
        raise Refusal(line, _(refusal.TOO_DEEP).format(line=line)) from None


def _postpones_annotations(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in tree.body
    )


def _deepest_line(error: BaseException) -> int:
    """The line of the innermost syntax node that was being visited."""
    line, trace = 1, error.__traceback__
    while trace is not None:
        line = getattr(trace.tb_frame.f_locals.get("node"), "lineno", line)
        trace = trace.tb_next
    return line
