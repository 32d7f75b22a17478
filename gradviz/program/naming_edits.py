"""Names in a script's text: variables renamed, and imports that new lines need."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from gradviz.doctor.text import Edit, Text

_MODULES: Mapping[str, str] = {
    "torch": "import torch",
    "F": "import torch.nn.functional as F",
    "np": "import numpy as np",
    "base64": "import base64",
}
_SCOPES = (ast.FunctionDef, ast.Lambda, ast.ClassDef)


def variables(script: Text) -> set[str]:
    """Every name that the script reads or writes."""
    return {node.id for node in ast.walk(script.tree) if isinstance(node, ast.Name)}


def bound(statement: ast.stmt) -> set[str]:
    """The variables that an assignment gives values to."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    found = (node for target in targets for node in ast.walk(target))
    return {node.id for node in found if isinstance(node, ast.Name)}


def renaming(script: Text, names: Mapping[str, str]) -> list[Edit] | None:
    """The variables under their new names; None where one means several things."""
    if not names:
        return []
    if variables(script) & set(names.values()) or _is_hidden(script, names):
        return None
    texts = [node for node in ast.walk(script.tree) if isinstance(node, ast.JoinedStr)]
    inside = {child for text in texts for child in ast.walk(text)}
    edits = [
        script.replace(node, names[node.id])
        for node in ast.walk(script.tree)
        if isinstance(node, ast.Name) and node.id in names and node not in inside
    ]
    for text in texts:
        held = [n for n in ast.walk(text) if isinstance(n, ast.Name) and n.id in names]
        if held:  # the places of what is inside of an f-string are not told before Python 3.12
            for node in held:
                node.id = names[node.id]
            made = _respelled(text, script, names) or _unparsed(text, script)
            edits.append(script.replace(text, made))
    return edits


def _respelled(text: ast.JoinedStr, script: Text, names: Mapping[str, str]) -> str | None:
    """The f-string as it is spelled, its variables renamed; None where that is another string.

    So `{x.shape=}` stays one, and prints the new name.
    """
    word = rf"(?<![\w.])({'|'.join(map(re.escape, names))})\b"
    made = re.sub(
        r"(?<!\{)\{[^{}]*\}",
        lambda field: re.sub(word, lambda found: names[found[0]], field[0]),
        script.segment(text),
    )
    try:
        its = ast.parse(made, mode="eval").body
    except SyntaxError:
        return None
    return made if _dumped(its) == _dumped(text) else None


def _dumped(tree: ast.expr) -> str:
    """A tree as text, without what `{x=}` prints before the value."""
    return re.sub(r"value='[^']*='", "value='='", ast.dump(tree))


def _unparsed(text: ast.JoinedStr, script: Text) -> str:
    made = ast.unparse(text)
    if script.segment(text).startswith('f"') and made.startswith("f'") and '"' not in made:
        return f'f"{made[2:-1]}"'
    return made


def _is_hidden(script: Text, names: Mapping[str, str]) -> bool:
    """Whether a function or class has a variable of its own by one of the names."""
    for scope in ast.walk(script.tree):
        if not isinstance(scope, _SCOPES):
            continue
        for node in ast.walk(scope):
            stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            if (stored and isinstance(node, ast.Name) and node.id in names) or (
                isinstance(node, ast.arg) and node.arg in names
            ):
                return True
    return False


def missing_imports(script: Text, made: str) -> list[str] | None:
    """Import lines for what the new text uses; None where a name is something else already."""
    bound: dict[str, str] = {}
    for node in ast.walk(script.tree):
        if isinstance(node, ast.Import):
            bound |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            bound |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    needed = []
    for name, line in _MODULES.items():
        if not re.search(rf"\b{name}\.", made):
            continue
        module = line.split()[1]
        if name not in bound and name not in variables(script):
            needed.append(line)
        elif bound.get(name) != module:
            return None
    if re.search(r"\b(put|put_view|named)[(\[]", made):
        return None
    return needed
