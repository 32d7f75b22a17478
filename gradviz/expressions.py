"""`expression`: what a node without a name is called, as code would say it: `3 * x`, `y.sum()`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from gradviz.cells import Wording, array_text, number, wording
from gradviz.diagram import Node, NodeId
from gradviz.parameters import param, subscript, told
from gradviz.scene.measure import shorten

LIMIT = 24  # characters of a title
_INNER = 12  # of an unnamed input inside another expression
# The binding strength of each notation: an operand that binds less gets parentheses.
SUM, PRODUCT, SIGN, POWER, ATOM = range(5)
_INFIX: Mapping[str, tuple[str, int]] = {
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", PRODUCT),
    "div": ("/", PRODUCT),
    "mm": ("@", PRODUCT),
    "bmm": ("@", PRODUCT),
    "mv": ("@", PRODUCT),
    "matmul": ("@", PRODUCT),
    "pow_tensor": ("**", POWER),
    "gt": (">", -1),
    "lt": ("<", -1),
    "ge": (">=", -1),
    "le": ("<=", -1),
    "eq": ("==", -1),
    "ne": ("!=", -1),
}
_WORDS: Mapping[str, str] = {
    "convolution": "conv",
    "flash_attention": "attention",
    "max_dim": "max",
    "min_dim": "min",
    "nll_loss2d": "nll_loss",
    "vector_norm": "norm",
    "linalg_vector_norm": "norm",
    "rsub": "sub",
    "keep_grad": "copy",
    "mm": "matmul",
    "bmm": "matmul",
    "mv": "matmul",
}
_VARIANTS = re.compile(r"(_number|_tensors?|_scaled|_result|_last)+$")
_SUBSCRIPTS = ("getitem", "index", "select", "slice")
Expression = tuple[str, int]


def expression(node: Node, texts: Mapping[NodeId, Expression]) -> Expression:
    """A node's own text from the texts of its inputs, and how strongly it binds."""
    if node.is_source:
        return _source(node), ATOM
    inputs = [
        texts.get(key, ("?", ATOM)) if key is not None else ("?", ATOM) for key in node.inputs
    ]
    return _applied(node, tuple(inputs), wording())


@lru_cache(maxsize=20_000)  # an edit by hand leaves nearly all nodes as they are
def _applied(node: Node, texts: tuple[Expression, ...], _wording: Wording) -> Expression:
    inputs = [item if len(item[0]) <= _INNER else _elided(item) for item in texts]
    return _notation(node, inputs) or (_call(node, inputs), ATOM)


def _notation(node: Node, inputs: list[Expression]) -> Expression | None:
    """Operators and subscripts, where the op is written as one."""
    op, params = node.op, node.params
    if op == "mul" and len(inputs) == 2 and _is_numeral(inputs[1][0]):
        inputs.reverse()  # 3 * x is recorded with its factors swapped, as in PyTorch
    if op in _INFIX and len(inputs) == 2:
        return _infix(*_INFIX[op], *inputs)
    if op == "rsub" and len(inputs) == 2:
        return _infix("-", SUM, inputs[1], inputs[0])
    if op == "pow" and "exponent" in params and len(inputs) == 1:
        return _infix("**", POWER, inputs[0], (param(params["exponent"]), ATOM))
    if op == "pow_number" and "base" in params and len(inputs) == 1:
        return _infix("**", POWER, (param(params["base"]), ATOM), inputs[0])
    if op == "neg" and len(inputs) == 1:
        return f"-{within(inputs[0], SIGN)}", SIGN
    if op in _SUBSCRIPTS and inputs:
        return f"{within(inputs[0], ATOM)}[{subscript(node)}]", ATOM
    if op in ("t", "transpose") and len(inputs) == 1 and not params:
        return f"{within(inputs[0], ATOM)}.T", ATOM
    return None


def _source(node: Node) -> str:
    if node.data is not None and node.data.size == 1:
        return number(node.data.reshape(-1)[0])
    if node.data is not None and node.data.ndim == 1 and node.data.size <= 4:
        return array_text(node.data)
    return node.op


def _is_numeral(text: str) -> bool:
    return text.lstrip("-")[:1].isdigit()


def _elided(item: Expression) -> Expression:
    """A long name loses its middle, a long expression all of itself."""
    return (shorten(item[0], _INNER) if item[0].isidentifier() else "…"), ATOM


def _infix(sign: str, strength: int, left: Expression, right: Expression) -> Expression:
    # `**` binds to the right, every other operator to the left.
    first, second = (1, 0) if sign == "**" else (0, 1)
    return (
        f"{within(left, strength + first)} {sign} {within(right, strength + second)}",
        strength,
    )


def within(item: Expression, strength: int) -> str:
    return item[0] if item[1] >= strength else f"({item[0]})"


def _call(node: Node, inputs: list[Expression]) -> str:
    """`x.sum()`, `x.sum(1)`; `cat(x, y)` where several inputs are of one rank.

    Parameters that would not fit are left out, and then what does not fit of the inputs.
    """
    op = spoken(node.op)
    args = [f"{param(v)}" if k == "dim" else f"{k}={param(v)}" for k, v in told(node.params)]
    names = [item[0] for item in inputs]
    if names == ["…"]:
        long = [f"{op}({', '.join(names + args)})", f"{op}(…)"]
    elif len(inputs) == 1:
        source = within(inputs[0], ATOM)
        long = [f"{source}.{op}({', '.join(args)})", f"{source}.{op}(…)", f"{op}(…)"]
    else:
        long = [f"{op}({', '.join(names + args)})", f"{op}({', '.join(names)})", f"{op}(…)"]
    return next((text for text in long if len(text) <= LIMIT), long[-1])


def spoken(op: str) -> str:
    """An op as one calls it: rows that differ in what their operands are have one word."""
    return _WORDS.get(op) or _VARIANTS.sub("", op)
