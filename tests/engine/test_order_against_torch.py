"""The reverse pass visits nodes in PyTorch's order, on graphs drawn at random."""

from __future__ import annotations

import random
from typing import Any

import pytest

import engine
from engine.record import record
from tests.engine.against import ENGINE, TORCH, numbers, run

STEPS = [
    "v{n} = v{a} * v{b}",
    "v{n} = v{a} + v{b}",
    "v{n} = v{a}.sin()",
    "v{n} = v{a}.tanh()",
    "v{n} = v{a} - v{b}",
    "v{n} = v{a} / (v{b} * v{b} + 1)",
    "v{n} = v{a} @ v{b}",
    "v{n} = v{a}.t() * 2",
    "v{n} = torch.stack(v{a}.unbind()[::-1])",
    "v{n} = torch.cat([v{a}[:1], v{b}[1:]])",
    "v{n} = v{a}.softmax(0)",
    "v{n} = v{a}.mean() + v{b}",
    "v{n} = v{a}[0] + v{b}",
]


def _program(seed: int) -> str:
    draw = random.Random(seed)
    lines = []
    for n in range(2, 14):
        a, b = draw.randrange(n), draw.randrange(n)
        lines.append(draw.choice(STEPS).format(n=n, a=a, b=b))
    used = ", ".join(f"v{n}" for n in range(2, 14) if draw.random() < 0.4 or n == 13)
    return "\n".join([*lines, f"y = sum(v.sum() for v in [{used}])"])


def _nodes(root: Any) -> list[Any]:
    found: dict[int, Any] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        if node is not None and id(node) not in found:
            found[id(node)] = node
            stack.extend(n for n, _ in node.next_functions)
    return list(found.values())


def _order_in_torch(program: str) -> list[str]:
    names = run(TORCH, program, _arrays()).names
    order: list[str] = []
    for node in _nodes(names["y"].grad_fn):
        if "AccumulateGrad" not in node.name():
            node.register_hook(lambda *_, n=node: order.append(n.name()))
    names["y"].backward()
    return order


def _order_here(program: str) -> list[str]:
    with record() as log:
        names = run(ENGINE, program, _arrays()).names
        names["y"].backward()
    order: list[str] = []
    before = None
    for step in log.backwards[0].steps:
        if step.node != before:
            entry = log.entries[step.node]
            # the parts of an unbound tensor are one node in PyTorch
            if not (entry.op == "unbind" and before is not None
                    and log.entries[before].op == "unbind"
                    and log.entries[before].inputs == entry.inputs):  # fmt: skip
                order.append(entry.grad_fn or "")
        before = step.node
    return order


def _arrays() -> dict[str, Any]:
    return {"v0": numbers((2, 2), "float64"), "v1": numbers((2, 2), "float64", 1)}


@pytest.mark.parametrize("seed", range(25))
def test_nodes_run_in_pytorchs_order(seed: int) -> None:
    program = _program(seed)
    assert _order_here(program) == _order_in_torch(program)


def test_steps_add_up_to_the_gradients() -> None:
    for seed in range(5):
        with record() as log:
            names = run(ENGINE, _program(seed), _arrays()).names
            names["y"].backward()
        event = log.backwards[0]
        for step in event.steps:
            total = step.contribution if step.before is None else step.before + step.contribution
            assert (total == step.after).all()
        last = {step.input: step.after for step in event.steps}
        for name in ("v0", "v1"):
            number = log.number_of(names[name])
            if number in last:
                assert (last[number] == event.grads[number]).all()
                assert (names[name].grad == engine.tensor(last[number])).all()
