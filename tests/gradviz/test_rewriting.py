"""Scripts after edits of their diagrams: what was written by hand stays, and reads as edited."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from gradviz.diagram import LEAF, BackwardCall, Diagram, Node, Start
from gradviz.evaluate import evaluate
from gradviz.examples import example, examples
from gradviz.program.call import NotWritten
from gradviz.program.rewriting import Rewriting, reads_as, rewritten
from gradviz.script.sandbox import Sandbox
from tests.gradviz.programs import scripted

Change = Callable[[Diagram], Diagram]


def put(diagram: Diagram, node: Node) -> Diagram:
    """The node in its place, or at the end; it may be read by nodes that stand before it."""
    return replace(diagram, nodes={**diagram.nodes, node.id: node})


def changed(diagram: Diagram, key: str, **to: Any) -> Diagram:
    return put(diagram, replace(diagram.nodes[key], **to))


def of_op(diagram: Diagram, op: str) -> str:
    return next(key for key, node in diagram.nodes.items() if node.op == op)


def edited(source: str, change: Change) -> Rewriting:
    before, _run = scripted(source)
    after = change(before)
    return rewritten(source, before, after, evaluate(after), scripted)


MEAN = """\
import torch

x = torch.tensor([2.0, 3.0], requires_grad=True)
y = x**2 + 3 * x

loss = y.mean()  # one number: every element of y counts 1/N
loss.backward()
print("gradient:", x.grad)  # half of what sum() gives
"""


def inserted(diagram: Diagram) -> Diagram:
    nodes = dict(diagram.nodes)
    loss = nodes.pop("loss")
    nodes["tanh"] = Node("tanh", "tanh", ("y",))
    return replace(diagram, nodes={**nodes, "loss": replace(loss, inputs=("tanh",))})


def with_an_output(diagram: Diagram) -> Diagram:
    diagram = put(diagram, Node("e", "exp", ("y",), name="e"))
    call = BackwardCall("e", Start("seed", preset="ones"))
    return replace(diagram, calls=(*diagram.calls, call))


def with_a_leaf(diagram: Diagram) -> Diagram:
    data = np.array([1.0, 2.0], np.float32)
    nodes = {"k": Node("k", LEAF, name="k", data=data), **diagram.nodes}
    return replace(diagram, nodes={**nodes, "y": replace(nodes["y"], inputs=("x", "k"))})


def started(diagram: Diagram, **to: Any) -> Diagram:
    return replace(diagram, calls=(replace(diagram.calls[0], **to),))


CHANGES: dict[str, tuple[Change, dict[str, str]]] = {
    "a number of a leaf": (
        lambda d: changed(d, "x", data=np.array([5.0, 1.0], np.float32)),
        {"[2.0, 3.0]": "[5.0, 1.0]"},
    ),
    "the shape of a leaf": (
        lambda d: changed(d, "x", data=np.array([[5.0], [1.0]], np.float32)),
        {"[2.0, 3.0]": "[[5.0], [1.0]]"},
    ),
    "the dtype of a leaf": (
        lambda d: changed(d, "x", data=np.array([2.0, 3.0])),
        {"[2.0, 3.0],": "[2.0, 3.0], dtype=torch.float64,"},
    ),
    "a name": (
        lambda d: changed(d, "y", name="out"),
        {"y = x": "out = x", "y.mean": "out.mean"},
    ),
    "an exponent": (
        lambda d: changed(d, of_op(d, "pow"), params={"exponent": 3}),
        {"x**2": "x**3"},
    ),
    "a number": (
        lambda d: changed(d, of_op(d, "constant"), data=np.array(0.5, np.float32)),
        {"3 * x": "0.5 * x"},
    ),
    "an op": (lambda d: changed(d, "loss", op="sum"), {"y.mean()": "y.sum()"}),
    "a node on a wire": (inserted, {"y.mean()": "torch.tanh(y).mean()"}),
    "an output and a call": (
        with_an_output,
        {
            "3 * x\n": "3 * x\ne = torch.exp(y)\n",
            "loss.backward()\n": "loss.backward()\nv = torch.ones_like(e)\n"
            "e.backward(gradient=v)\n",
        },
    ),
    "a leaf": (
        with_a_leaf,
        {
            "requires_grad=True)\ny = x**2 + 3 * x\n": "requires_grad=True)\n"
            "k = torch.tensor([1.0, 2.0], requires_grad=True)\nx**2\n3 * x\ny = x + k\n"
        },
    ),
    "a flag": (
        lambda d: started(d, retain_graph=True),
        {"loss.backward()": "loss.backward(retain_graph=True)"},
    ),
    "a call switched off": (
        lambda d: started(d, enabled=False),
        {"loss.backward()": "# loss.backward()"},
    ),
    "another target and a seed": (
        lambda d: started(d, target="y", start=Start("seed", preset="onehot:1")),
        {"loss.backward()": "v = torch.tensor([0.0, 1.0])\ny.backward(gradient=v)"},
    ),
    "no call": (lambda d: replace(d, calls=()), {"loss.backward()\n": ""}),
    "no loss": (
        lambda d: replace(d.remove(["loss"]), calls=()),
        {
            "loss = y.mean()  # one number: every element of y counts 1/N\n": "",
            "loss.backward()\n": "",
        },
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_line_follows_and_the_others_stay(name: str) -> None:
    change, expected = CHANGES[name]
    text = MEAN
    for old, new in expected.items():
        assert old in text
        text = text.replace(old, new)
    found = edited(MEAN, change)
    assert (found.unrolled, found.sentence) == (False, "")
    assert found.text == text


def test_what_is_gone_is_printed_no_more() -> None:
    source = MEAN.replace("loss.backward()\n", 'loss.backward()\nprint("loss:", loss)\n')
    found = edited(source, lambda d: replace(d.remove(["loss"]), calls=()))
    assert not found.unrolled
    assert "loss" not in found.text


def test_in_the_sandbox_too() -> None:
    with Sandbox() as sandbox:
        read = partial(sandbox.run, filename="script.py")
        before, _run = read(MEAN)
        after = changed(before, of_op(before, "pow"), params={"exponent": 3})
        found = rewritten(MEAN, before, after, sandbox.evaluate(after), read)
        assert found.text == MEAN.replace("x**2", "x**3")


def test_a_name_changes_in_loops_and_within_strings() -> None:
    source = example("accumulate").source()
    found = edited(source, lambda d: changed(d, "x", name="w"))
    assert not found.unrolled
    assert found.text == source.replace("x.grad", "w.grad").replace("x = ", "w = ").replace(
        "x**2 + 3 * x", "w**2 + 3 * w"
    )


@pytest.mark.parametrize(
    ("spelled", "renamed"),
    [
        ('f"{x.shape=}"', 'f"{inp.shape=}"'),
        ("f'{x=} and {y.sum()}'", "f'{inp=} and {y.sum()}'"),
        ('f"x: {x!r:>20}, {{x}}"', 'f"x: {inp!r:>20}, {{x}}"'),
        ("f\"{x.shape} {'x'}\"", "f\"{inp.shape} {'x'}\""),
    ],
)
def test_a_name_changes_in_the_fields_of_a_string(spelled: str, renamed: str) -> None:
    head = "import torch\n{x} = torch.tensor([2.0], requires_grad=True)\ny = {x} * 2\ns = {s}\n"
    found = edited(head.format(x="x", s=spelled), lambda d: changed(d, "x", name="inp"))
    assert not found.unrolled
    assert found.text == head.format(x="inp", s=renamed)


def test_what_the_script_did_not_come_to_stays() -> None:
    source = example("nonscalar").source() + "z = (3 * x).sum()\nz.backward()  # never reached\n"
    before, told = scripted(source)
    assert told.error is not None
    after = started(before, start=Start("reduction", reduction="sum"))
    found = rewritten(source, before, after, evaluate(after), scripted, ended=False)
    assert not found.unrolled
    assert found.text == source.replace("y.backward()", "y.sum().backward()")


TRAINING = """\
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
for step in range(3):
    loss = (w**2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad  # downhill
    w.grad = None
"""


MODULE = """\
import torch as th
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 3)

    def forward(self, x):
        h = th.relu(self.a(x))  # hidden
        return h.sum(dim=1)


net = Net()
x = th.tensor([[1.0, 2.0]], requires_grad=True)
y = net(x)  # one number a row
loss = (y ** 2).mean()
loss.backward()
"""


def test_what_a_function_made_is_built_upon_behind_its_call() -> None:
    found = edited(MODULE, lambda d: put(d, Node("z", "exp", ("y",), name="z")))
    assert not found.unrolled
    assert found.text == MODULE.replace("a row\n", "a row\nz = torch.exp(y)\n").replace(
        "import torch as th\n", "import torch as th\nimport torch\n"
    )


def test_a_line_of_a_function_is_written_without_it() -> None:
    found = edited(MODULE, lambda d: changed(d, "h", op="tanh"))
    assert found.unrolled
    assert "h = torch.tanh(torch.addmm(" in found.text


def test_where_a_training_loop_starts_from() -> None:
    found = edited(TRAINING, lambda d: changed(d, "w", data=np.array([3.0, 2.0], np.float32)))
    assert (found.unrolled, found.follows) == (False, True)
    assert found.text == TRAINING.replace("[1.0, 2.0]", "[3.0, 2.0]")


def test_a_turn_of_a_loop_is_unrolled() -> None:
    source = example("accumulate").source()
    found = edited(source, lambda d: changed(d, of_op(d, "pow"), params={"exponent": 3}))
    assert found.unrolled
    assert found.sentence.startswith("Line 6 is part of a loop, a function or a class")
    assert found.text.count("backward()") == 4
    assert found.text.count("x**3") == 1


def test_what_is_not_finished_is_no_program() -> None:
    with pytest.raises(NotWritten, match=r"^The diagram is not finished: loss: Input 1"):
        edited(MEAN, lambda d: changed(d, "loss", inputs=(None,)))


class Editor:
    """Edits diagrams at random."""

    def __init__(self, seed: int) -> None:
        self.draw = np.random.default_rng(seed)
        self.count = 0

    def edit(self, diagram: Diagram) -> Diagram:
        ways = (self.number, self.name, self.op, self.end, self.wire, self.call, self.start)
        return ways[int(self.draw.integers(len(ways)))](diagram)

    def pick(self, keys: list[str]) -> str:
        return keys[int(self.draw.integers(len(keys)))]

    def fresh(self, diagram: Diagram) -> str:
        while True:
            self.count += 1
            if f"n{self.count}" not in diagram.nodes:
                return f"n{self.count}"

    def number(self, diagram: Diagram) -> Diagram:
        key = self.pick([k for k, n in diagram.nodes.items() if n.op == LEAF])
        data = diagram.nodes[key].data
        assert data is not None
        moved = data + self.draw.integers(1, 9, data.shape) / 4
        return changed(diagram, key, data=moved.astype(data.dtype))

    def name(self, diagram: Diagram) -> Diagram:
        named = [k for k, n in diagram.nodes.items() if n.name and "#" not in k]
        return changed(diagram, self.pick(named), name=self.fresh(diagram))

    def op(self, diagram: Diagram) -> Diagram:
        pairs = {"add": "mul", "mul": "add", "sum": "mean", "mean": "sum", "exp": "tanh"}
        keys = [k for k, n in diagram.nodes.items() if n.op in pairs or n.op == "pow"]
        key = self.pick(keys)
        node = diagram.nodes[key]
        if node.op == "pow":
            return changed(diagram, key, params={"exponent": int(self.draw.integers(1, 5))})
        return changed(diagram, key, op=pairs[node.op])

    def end(self, diagram: Diagram) -> Diagram:
        source = self.pick([k for k, n in diagram.nodes.items() if not n.is_number and n.name])
        key = self.fresh(diagram)
        return put(diagram, Node(key, self.pick(["exp", "tanh", "neg"]), (source,), name=key))

    def wire(self, diagram: Diagram) -> Diagram:
        """A node between another and its first input."""
        key = self.pick([k for k, n in diagram.nodes.items() if n.inputs])
        new, nodes = self.fresh(diagram), {}
        for known, node in diagram.nodes.items():
            if known == key:
                nodes[new] = Node(new, "tanh", node.inputs[:1])
                node = replace(node, inputs=(new, *node.inputs[1:]))
            nodes[known] = node
        return replace(diagram, nodes=nodes)

    def call(self, diagram: Diagram) -> Diagram:
        target = self.pick([k for k, n in diagram.nodes.items() if n.inputs and n.name])
        call = BackwardCall(target, Start("seed", preset="ones"), retain_graph=True)
        calls = (replace(known, retain_graph=True) for known in diagram.calls)
        return replace(diagram, calls=(*calls, call))

    def start(self, diagram: Diagram) -> Diagram:
        at = int(self.draw.integers(len(diagram.calls)))
        start = Start("seed", preset=self.pick(["ones", "1/N", "onehot:0"]))
        call = replace(diagram.calls[at], start=start, retain_graph=True)
        return diagram.with_call(at, call)


PLAIN = [found.name for found in examples() if found.name != "second-storey"]


@pytest.mark.parametrize("name", PLAIN)
def test_random_edits_one_after_the_other(name: str) -> None:
    kept = 0
    for seed in range(6):
        source, editor = example(name).source(), Editor(seed)
        for _step in range(6):
            before, told = scripted(source)
            ended = told.error is None
            after = editor.edit(before)
            run = evaluate(after)
            if len(run.values) < len(after.nodes):
                continue  # an op refuses: there is no program to write
            found = rewritten(source, before, after, run, scripted, ended=ended)
            read, its = scripted(found.text)
            assert reads_as(after, run, read, its, more=not ended), found.text
            kept += not found.unrolled
            source = found.text
    assert kept >= 20
