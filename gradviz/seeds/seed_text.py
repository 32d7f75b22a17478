"""Seeds as they are written, pasted or kept in files, checked against an output as PyTorch does.

    read_text("1/(1+i)", y)         # a formula: i, j… count along the axes, n is the number of all
    read_text("[1, 0.5]", y)        # the numbers themselves; tabs and line breaks make a table
    read_file(Path("v.npy"), y)     # .npy, or a table as .csv, .tsv and .txt

All raise ValueError with one sentence, PyTorch's own where it has one.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.language import _
from gradviz.seeds.seed_formula import FormulaError, evaluate, parse

Array = npt.NDArray[Any]
AXES = "ijkl"  # the names of positions along the axes
MOST_BYTES = 256 << 20  # of a file of numbers
_LONGEST, _DEEPEST = 20_000_000, 16  # characters of a text; brackets in brackets

_TENSOR = re.compile(r"(?:torch\.)?tensor\((.*)\)", re.DOTALL)


def read_text(text: str, y: Array) -> Array:
    """The seed that a text stands for, in the shape and dtype of y."""
    text = text.strip()
    if len(text) > _LONGEST:
        raise ValueError(_("The text is too long."))
    if text.startswith("v") and text[1:].lstrip().startswith("="):
        text = text[1:].lstrip()[1:].strip()
    tensor = _TENSOR.fullmatch(text)
    inner = tensor[1].strip() if tensor else text
    if _is_table(inner):
        return fitted(read_table(inner, y), y)
    tree = parse(inner)
    if isinstance(tree, ast.List | ast.Tuple):
        found = _literal(tree, y)
    elif any(isinstance(node, ast.Name) for node in ast.walk(tree)):
        found = _formula(tree, y)
    else:  # a number is a tensor without axes
        found = np.asarray(evaluate(tree, {}), dtype=np.float64)
    return fitted(found, y)


def read_table(text: str, y: Array) -> Array:
    """The numbers of a table: rows on lines, columns by tabs, commas, semicolons or blanks.

    A row or a column of as many numbers as y has is a vector where y is one.
    """
    lines = [line for line in text.replace("\r", "\n").split("\n") if line.strip()]
    rows = [_row(line, number) for number, line in enumerate(lines, 1)]
    if not rows:
        raise ValueError(_("There are no numbers in the text."))
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise ValueError(
                _("Line {line} has {found} numbers, the first line has {wanted}.").format(
                    line=number, found=len(row), wanted=len(rows[0])
                )
            )
    found = np.array(rows, dtype=np.float64)
    if y.ndim < 2 and 1 in found.shape:
        found = found.reshape(y.shape if found.size == y.size else -1)
    return found


def read_file(path: Path, y: Array) -> Array:
    """The seed in a file, in the shape and dtype of y."""
    return fitted(numbers_in(path, y), y)


def numbers_in(path: Path, y: Array) -> Array:
    """The numbers in a file as they are there; those of a table are float64."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(
                _("{name} is larger than {size} MB.").format(name=path.name, size=MOST_BYTES >> 20)
            )
        if path.suffix.lower() == ".npy":
            return _numpy_file(path)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as problem:
        sentence = _("{name} cannot be read: {reason}")
        reason = problem.strerror or str(problem)
        raise ValueError(sentence.format(name=path.name, reason=reason)) from None
    except UnicodeDecodeError:
        raise ValueError(_("{name} is not a text.").format(name=path.name)) from None
    return read_table(text, y)


def fitted(values: Array, y: Array) -> Array:
    """The values as a seed of y: another real dtype is cast, as PyTorch does.

    Raises ValueError in PyTorch's words for another shape, or for complex against real.
    """
    if values.shape != y.shape:
        from engine.errors import SEED_SHAPE  # brings the engine in, which few seeds need

        shapes = {"seed": _size(values.shape), "output": _size(y.shape)}
        raise ValueError(SEED_SHAPE.format(i=0, **shapes))
    if (values.dtype.kind == "c") != (y.dtype.kind == "c"):
        from engine.errors import SEED_COMPLEX

        dtypes = {"seed": f"torch.{values.dtype}", "output": f"torch.{y.dtype}"}
        raise ValueError(SEED_COMPLEX.format(i=0, **dtypes))
    with np.errstate(over="ignore"):  # beyond float32 it is inf, and shown as that
        return values.astype(y.dtype)


def _size(shape: tuple[int, ...]) -> str:
    return f"torch.Size({list(shape)})"


def _is_table(text: str) -> bool:
    return "[" not in text and "(" not in text and any(mark in text for mark in "\t\n;")


def _row(line: str, number: int) -> list[float]:
    line = line.strip(" \r")
    mark = next((mark for mark in "\t;," if mark in line), None)
    cells = [cell.strip().strip('"') for cell in line.split(mark)]
    if mark is not None and not cells[-1]:
        cells.pop()
    try:
        return [float(cell) for cell in cells]
    except ValueError:
        wrong = next(cell for cell in cells if not _is_number(cell))
        raise ValueError(
            _("Line {line}: “{text}” is not a number.").format(line=number, text=wrong[:40])
        ) from None


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _numpy_file(path: Path) -> Array:
    try:
        found = np.load(path, allow_pickle=False, mmap_mode="r")
    except (ValueError, EOFError):
        raise ValueError(
            _("{name} is not a NumPy file of numbers.").format(name=path.name)
        ) from None
    if found.dtype.kind not in "fiubc":
        raise ValueError(_("{name} is not a NumPy file of numbers.").format(name=path.name))
    return np.asarray(found)


def _literal(tree: ast.expr, y: Array) -> Array:
    """Nested brackets; each number may be a small formula of its own, without i and j."""
    try:
        return np.array(_nested(tree, {"n": float(y.size)}, 0), dtype=np.float64)
    except FormulaError:
        raise
    except (ValueError, TypeError):
        raise ValueError(_("The rows in the brackets differ in length.")) from None


def _nested(tree: ast.expr, names: dict[str, float], depth: int) -> Any:
    if isinstance(tree, ast.List | ast.Tuple) and depth < _DEEPEST:
        return [_nested(item, names, depth + 1) for item in tree.elts]
    if isinstance(tree, ast.Constant) and type(tree.value) in (int, float):
        return tree.value
    return float(evaluate(tree, names))


def _formula(tree: ast.expr, y: Array) -> Array:
    """A formula over the positions of y, in y's shape."""
    places = np.indices(y.shape, dtype=np.float64, sparse=True)
    names = {**dict(zip(AXES, places, strict=False)), "n": float(y.size)}
    found = np.asarray(evaluate(tree, names), dtype=np.float64)
    return np.array(np.broadcast_to(found, y.shape))
