"""The article's example as values, made by hand: x = [2, 3], y = x ** 2 + 3 * x."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.run import Failure, Pass, Run, Step, Value
from gradviz.twin import Pair, Side


def array(*numbers: float) -> Any:
    return np.array(numbers, np.float32)


ONES = array(1, 1)
NODES = (
    Node("x", "leaf", name="x", data=array(2, 3)),
    Node("pow", "pow", ("x",), {"exponent": 2}),
    Node("3", "constant", data=np.array(3.0, np.float32), is_number=True),
    Node("mul", "mul", ("x", "3")),
    Node("y", "add", ("pow", "mul"), name="y"),
)
VALUES = {
    "x": Value(array(2, 3), True),
    "pow": Value(array(4, 9), True, "PowBackward0"),
    "3": Value(np.array(3.0, np.float32)),
    "mul": Value(array(6, 9), True, "MulBackward0"),
    "y": Value(array(10, 18), True, "AddBackward0"),
}
STEPS = (
    Step("y", 0, "pow", ONES, ONES, (), None, ONES),
    Step("y", 1, "mul", ONES, ONES, (), None, ONES),
    Step("mul", 0, "x", ONES, array(3, 3), (), None, array(3, 3)),
    Step("pow", 0, "x", ONES, array(4, 6), (), array(3, 3), array(7, 9)),
)


def article(start: Start | None = None) -> Diagram:
    return Diagram({node.id: node for node in NODES}, (BackwardCall("y", start or Start()),))


def seeded() -> tuple[Diagram, Run]:
    diagram = article(Start("seed", values=ONES, name="v"))
    done = Pass(diagram.calls[0], "y", seed=ONES, steps=STEPS, grads={"x": array(7, 9)})
    return diagram, Run(VALUES, (done,))


def beside() -> Pair:
    """Sum on the left, the seed that equals it on the right."""
    left, right = Side(*reduced(), "y.sum().backward()"), Side(*seeded(), "y.backward(gradient=v)")
    return Pair(left, right, "y", {"x": 0.0}, reduction="sum")


def reduced() -> tuple[Diagram, Run]:
    diagram = article(Start("reduction", reduction="sum"))
    one = np.array(1.0, np.float32)
    first = Step("added:sum", 0, "y", one, ONES, (), None, ONES)
    done = Pass(
        diagram.calls[0],
        "added:sum",
        added=(Node("added:sum", "sum", ("y",)),),
        values={"added:sum": Value(np.array(28.0, np.float32), True, "SumBackward0")},
        seed=one,
        steps=(first, *STEPS),
    )
    return diagram, Run(VALUES, (done,))


def refused() -> tuple[Diagram, Run]:
    diagram = article()
    failure = Failure("RuntimeError", "grad can be implicitly created only for scalar outputs")
    return diagram, Run(VALUES, (Pass(diagram.calls[0], "y", error=failure),))
