"""What one step of the reverse pass does: its rule as a formula, with its numbers, and the sum."""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from engine.formula import read, signature_names
from engine.notation import Text
from engine.op import Op
from engine.ops import OPS
from gradviz.cells import array_text
from gradviz.diagram import Diagram, Node
from gradviz.run import Array, Pass, Run, Step, Value

# A substituted array longer than this says nothing at a glance; its name stays instead.
_SHORT = 18


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """One step in words of mathematics.

    `rule` and `tex` give the contribution in names; `numbers` is the same rule with this step's
    arrays put in, and what came of it. `receiver` is the cotangent that it is added to, in TeX.
    """

    rule: str
    tex: str
    numbers: str
    receiver: str


def explain(diagram: Diagram, run: Run, done: Pass, step: Step) -> Explanation | None:
    """The step's rule, read off the function that computed it.

    None where the op is unknown or a value that the rule needs is missing.
    """
    nodes = {**diagram.nodes, **{node.id: node for node in done.beyond}}
    values = {**run.values, **done.values}
    node = nodes.get(step.node)
    if node is None or node.id not in values or node.op not in OPS:
        return None
    sources = [key for key in node.inputs if key is not None and key in values]
    if len(sources) < len(node.inputs):
        return None
    op = OPS[node.op]
    arrays = [_promoted(values[key], values[node.id]) for key in sources]
    output = values[node.id].array
    names = _names(op, node, [nodes[key] for key in sources])
    try:
        formula, _needs = read(
            op, step.slot, step.upstream, output, arrays, node.params, names=names
        )
    except (TypeError, ValueError, RuntimeError):
        return None
    texts = [
        _numbers(array, name)
        for array, name in zip([step.upstream, output, *arrays], names, strict=True)
    ]
    filled, _needs = read(op, step.slot, step.upstream, output, arrays, node.params, names=texts)
    result = array_text(step.contribution)
    return Explanation(
        rule=str(formula),
        tex=formula.tex,
        numbers=f"{filled} = {result}" if str(filled) != result else result,
        receiver=_barred(names[2 + step.slot]),
    )


def _promoted(value: Value, output: Value) -> Array:
    """An input as the op saw it: in the output's floating dtype."""
    if value.array.dtype.kind in "fc" or output.array.dtype.kind not in "fc":
        return value.array
    if value.array.ndim == 0:
        return value.array.astype(output.array.dtype)
    return value.array


def _names(op: Op, node: Node, sources: list[Node]) -> list[Text]:
    """Names for g, y and the inputs: variables where they have short ones, else the rule's own."""
    generic = signature_names(op, len(sources))
    inputs = [
        _variable(source) or fallback for source, fallback in zip(sources, generic[2:], strict=True)
    ]
    output = _variable(node) or Text("u", "u")
    return [Text(normalize("NFC", f"{output.plain}\u0304"), _barred(output)), output, *inputs]


def _barred(name: Text) -> str:
    """A name's cotangent in TeX, the bar as long as the name."""
    return rf"\bar{{{name.tex}}}" if len(name.plain) == 1 else rf"\overline{{{name.tex}}}"


def _variable(node: Node) -> Text | None:
    if node.is_number and node.data is not None:
        plain = array_text(node.data)
        return Text(plain, plain)
    name = node.name
    if name is None or len(name) > 12:
        return None
    if len(name) == 1:
        return Text(name, name)
    return Text(name, rf"\mathrm{{{name.replace('_', chr(92) + '_')}}}")


def _numbers(array: Array, name: Text) -> Text:
    text = array_text(np.asarray(array))
    return Text(text, text) if len(text) <= _SHORT else name
