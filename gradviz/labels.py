"""What nodes, steps and backward calls are called, and the sentence that a step is told in."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Mapping

from gradviz.cells import array_text, number
from gradviz.diagram import Diagram, Node, NodeId, Start
from gradviz.language import _
from gradviz.measure import shorten
from gradviz.parameters import clean as clean
from gradviz.parameters import param, subscript, told
from gradviz.run import Pass, Step
from gradviz.starts import written
from gradviz.storeys import gradient_of

LIMIT = 24  # characters of a title
_INNER = 12  # of an unnamed input inside another expression
# The binding strength of each notation: an operand that binds less gets parentheses.
_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(5)
_INFIX: Mapping[str, tuple[str, int]] = {
    "add": ("+", _SUM),
    "sub": ("-", _SUM),
    "mul": ("*", _PRODUCT),
    "div": ("/", _PRODUCT),
    "mm": ("@", _PRODUCT),
    "bmm": ("@", _PRODUCT),
    "mv": ("@", _PRODUCT),
    "matmul": ("@", _PRODUCT),
    "pow_tensor": ("**", _POWER),
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
_GIVEN: Mapping[str, str] = {"mse": "t", "cross_entropy": "k"}  # as `written` has them
_VARIANTS = re.compile(r"(_number|_tensors?|_scaled|_result|_last)+$")
_SUBSCRIPTS = ("getitem", "index", "select", "slice")
Expression = tuple[str, int]


def titles(diagram: Diagram) -> Mapping[NodeId, str]:
    """A title for every node: its variable's name, else a short expression, at most 24 characters.

    Where a name was given to several tensors, as in a loop, the later ones carry a count.
    """
    for nodes, found in tuple(_known):  # another thread may add to it
        if nodes is diagram.nodes:
            return found
    made = _titles(diagram)
    _known.appendleft((diagram.nodes, made))
    return made


# Of nodes, which many diagrams share: only starts differ while a seed is dragged.
_known: deque[tuple[Mapping[NodeId, Node], Mapping[NodeId, str]]] = deque(maxlen=8)


def _titles(diagram: Diagram) -> Mapping[NodeId, str]:
    found: dict[NodeId, str] = {}
    texts: dict[NodeId, Expression] = {}
    used: Counter[str] = Counter()
    for node in diagram.nodes.values():
        if node.name:
            used[node.name] += 1
            name = clean(node.name)
            own = name if used[node.name] == 1 else f"{name} ({used[node.name]})"
            texts[node.id] = (own, _ATOM)
        else:
            texts[node.id] = _unnamed(node, texts)
        found[node.id] = shorten(texts[node.id][0], LIMIT)
    return found


def _unnamed(node: Node, texts: Mapping[NodeId, Expression]) -> Expression:
    """A gradient says of what, as in `∇x`; anything else is an expression."""
    of = texts.get(node.upper.gradient or "") if node.upper is not None else None
    return expression(node, texts) if of is None else (f"∇{_within(of, _ATOM)}", _ATOM)


def added_titles(done: Pass, known: Mapping[NodeId, str]) -> dict[NodeId, str]:
    """Titles of the nodes that a pass has beyond the diagram's, such as "Σ sum" and "∇x"."""
    texts: dict[NodeId, Expression] = {key: _as_known(title) for key, title in known.items()}
    found: dict[NodeId, str] = {}
    given = {node.id for node in done.added if node.is_source}
    for node in done.beyond:
        name = given_name(done.call.start) if node.id in given else node.name
        texts[node.id] = (clean(name), _ATOM) if name else _unnamed(node, texts)
        found[node.id] = shorten(texts[node.id][0], LIMIT)
    if done.added:
        last = done.added[-1]
        name = done.call.start.reduction or last.op
        word = _("component {k}").format(k=done.call.start.index)
        found[last.id] = f"Σ {word}" if name == "component" else f"Σ {name}"
    return found


def name_of(key: NodeId, known: Mapping[NodeId, str]) -> str:
    """The title of a node; of a gradient that no pass gives, what it would be."""
    given = None if key in known else gradient_of(key)
    return known.get(key, key) if given is None else f"∇{name_of(given[1], known)}"


def _as_known(title: str) -> Expression:
    """A title as a part of another one: what has a space in it needs parentheses."""
    return title, _ATOM if " " not in title or title.endswith(")") else _SUM


def expression(node: Node, texts: Mapping[NodeId, Expression]) -> Expression:
    """A node's own text from the texts of its inputs, and how strongly it binds."""
    if node.is_source:
        return _source(node), _ATOM
    inputs = [
        texts.get(key, ("?", _ATOM)) if key is not None else ("?", _ATOM) for key in node.inputs
    ]
    inputs = [item if len(item[0]) <= _INNER else _elided(item) for item in inputs]
    return _notation(node, inputs) or (_call(node, inputs), _ATOM)


def _notation(node: Node, inputs: list[Expression]) -> Expression | None:
    """Operators and subscripts, where the op is written as one."""
    op, params = node.op, node.params
    if op == "mul" and len(inputs) == 2 and _is_numeral(inputs[1][0]):
        inputs.reverse()  # 3 * x is recorded with its factors swapped, as in PyTorch
    if op in _INFIX and len(inputs) == 2:
        return _infix(*_INFIX[op], *inputs)
    if op == "rsub" and len(inputs) == 2:
        return _infix("-", _SUM, inputs[1], inputs[0])
    if op == "pow" and "exponent" in params and len(inputs) == 1:
        return _infix("**", _POWER, inputs[0], (param(params["exponent"]), _ATOM))
    if op == "pow_number" and "base" in params and len(inputs) == 1:
        return _infix("**", _POWER, (param(params["base"]), _ATOM), inputs[0])
    if op == "neg" and len(inputs) == 1:
        return f"-{_within(inputs[0], _SIGN)}", _SIGN
    if op in _SUBSCRIPTS and inputs:
        return f"{_within(inputs[0], _ATOM)}[{subscript(node)}]", _ATOM
    if op in ("t", "transpose") and len(inputs) == 1 and not params:
        return f"{_within(inputs[0], _ATOM)}.T", _ATOM
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
    return (shorten(item[0], _INNER) if item[0].isidentifier() else "…"), _ATOM


def _infix(sign: str, strength: int, left: Expression, right: Expression) -> Expression:
    # `**` binds to the right, every other operator to the left.
    first, second = (1, 0) if sign == "**" else (0, 1)
    return (
        f"{_within(left, strength + first)} {sign} {_within(right, strength + second)}",
        strength,
    )


def _within(item: Expression, strength: int) -> str:
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
        source = _within(inputs[0], _ATOM)
        long = [f"{source}.{op}({', '.join(args)})", f"{source}.{op}(…)", f"{op}(…)"]
    else:
        long = [f"{op}({', '.join(names + args)})", f"{op}({', '.join(names)})", f"{op}(…)"]
    return next((text for text in long if len(text) <= LIMIT), long[-1])


def spoken(op: str) -> str:
    """An op as one calls it: rows that differ in what their operands are have one word."""
    return _WORDS.get(op) or _VARIANTS.sub("", op)


def step_name(step: Step, known: Mapping[NodeId, str]) -> str:
    """A step by what it does: `x ** 2 → x`."""
    return f"{known.get(step.node, step.node)} → {known.get(step.input, step.input)}"


def start_name(done: Pass) -> str:
    """The name of position 0 of a pass: the seed's variable, else v; 1 where none was given."""
    start = done.call.start
    return clean(start.name or "v") if start.kind == "seed" else "1"


def call_title(done: Pass, known: Mapping[NodeId, str]) -> str:
    """A backward call as it would be written: `y.sum().backward()`, `y.backward(gradient=v)`."""
    target, start = receiver(name_of(done.call.target, known)), done.call.start
    if start.kind == "seed":
        return f"{target}.backward(gradient={start_name(done)})"
    if start.kind == "implicit":
        return f"{target}.backward()"
    if done.added and done.added[0].op == "view":
        target = f"{target}.reshape(-1)"
    return f"{reduced(start, target)}.backward()"


def reduced(start: Start, y: str) -> str:
    """A reduction of y as it would be written, with what its numbers are called."""
    return written(start, y, weights=given_name(start))


def given_name(start: Start) -> str:
    """What the numbers of a reduction are called; weights as the seed was that they come from."""
    return _GIVEN.get(start.reduction or "") or clean(start.name or "w")


def receiver(title: str) -> str:
    """A title as a method is called on it: an operator outside of brackets asks for parentheses."""
    depth = 0
    for at, letter in enumerate(title):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and (letter == " " or (letter in "-~∇" and at == 0)):
            return f"({title})"
    return title


def sentence(done: Pass, position: int, known: Mapping[NodeId, str]) -> str:
    """What happened at this position of a pass, in the current language."""
    if position <= 0 or not done.steps:
        return _start_sentence(done, known)
    step, count = done.steps[position - 1], len(done.steps)
    words = {
        "k": position,
        "n": count,
        "node": known.get(step.node, step.node),
        "input": known.get(step.input, step.input),
        "contribution": array_text(step.contribution),
    }
    if step.before is not None:
        text = _(
            "step {k} of {n}: {node} sends {contribution} to {input}, "
            "which held {before} and now holds {after}"
        ).format(**words, before=array_text(step.before), after=array_text(step.after))
    else:
        text = _("step {k} of {n}: {node} sends {contribution} to {input}").format(**words)
    if step.summed:
        axes = ", ".join(map(str, step.summed))
        text = _("{sentence} (summed over axis {axes}, which was broadcast)").format(
            sentence=text, axes=axes
        )
    return text


def _start_sentence(done: Pass, known: Mapping[NodeId, str]) -> str:
    if not done.call.enabled:
        return _("this backward call is switched off")
    if done.error is not None and not done.steps:
        return clean(f"{done.error.type}: {done.error.message}").removeprefix(": ")
    target, start = name_of(done.call.target, known), done.call.start
    seed = "1" if done.seed is None else array_text(done.seed)
    if start.kind == "seed":
        return _("start: the seed {name} = {seed} is placed at {target}").format(
            name=start_name(done), seed=seed, target=target
        )
    root = known.get(done.root, done.root)
    if done.added:
        return _("start: {root} was added to {target}; {seed} is placed at it").format(
            root=root, target=target, seed=seed
        )
    return _("start: {root} is a scalar, so {seed} is placed at it").format(root=root, seed=seed)
