"""From a recording to a diagram and its passes."""

from types import SimpleNamespace

import numpy as np

import engine
from tests.gradviz.programs import article, recorded


def test_nodes_have_names_ops_and_inputs() -> None:
    trace, _, _ = recorded(article)
    nodes = trace.diagram.nodes
    assert [(n.id, n.op, n.inputs) for n in nodes.values()] == [
        ("x", "leaf", ()),
        ("pow@0", "pow", ("x",)),
        ("constant@0", "constant", ()),
        ("mul@0", "mul", ("x", "constant@0")),
        ("y", "add", ("pow@0", "mul@0")),
    ]
    assert nodes["constant@0"].is_number
    assert trace.values["y"].array.tolist() == [10.0, 18.0]
    assert trace.values["y"].grad_fn == "AddBackward0"


def test_steps_follow_pytorch_order_and_add_up() -> None:
    def program(n: SimpleNamespace) -> None:
        article(n)
        n.y.backward(engine.tensor([1.0, 1.0]))

    trace, _, _ = recorded(program)
    (done,) = trace.passes
    assert [(s.node, s.input) for s in done.steps] == [
        ("y", "pow@0"),
        ("y", "mul@0"),
        ("mul@0", "x"),
        ("pow@0", "x"),
    ]
    last = done.steps[-1]
    assert last.before is not None
    assert last.before.tolist() == [3.0, 3.0]
    assert last.contribution.tolist() == [4.0, 6.0]
    assert last.after.tolist() == [7.0, 9.0]
    assert done.grads["x"].tolist() == [7.0, 9.0]
    assert done.call.start.kind == "seed"


def test_cotangents_at_a_position_are_a_prefix_of_the_steps() -> None:
    def program(n: SimpleNamespace) -> None:
        article(n)
        n.y.sum().backward()

    done = recorded(program)[0].passes[0]
    assert list(done.cotangents(0)) == [done.root]
    after_three = done.cotangents(4)
    assert after_three["x"].tolist() == [3.0, 3.0]
    assert done.cotangents()["x"].tolist() == [7.0, 9.0]


def test_cost_counts_what_the_pass_went_through() -> None:
    def program(n: SimpleNamespace) -> None:
        article(n)
        n.y.sum().backward()

    cost = recorded(program)[0].passes[0].cost
    # x, x**2, 3, 3*x, y, the sum; saved: x (8 bytes, once) and the 3 (4 bytes)
    assert (cost.nodes, cost.edges, cost.steps) == (6, 6, 5)
    assert cost.saved_bytes == 12
    # the seed of the sum, then five contributions of two float32
    assert cost.gradient_bytes == 4 + 5 * 8


def test_the_failing_node_is_the_target_or_the_op() -> None:
    def no_seed(n: SimpleNamespace) -> None:
        article(n)
        n.y.backward()

    trace, log, error = recorded(no_seed)
    assert error is not None
    assert trace.failing(log, error) == "y"
    assert trace.passes[0].error is not None
    assert trace.passes[0].error.message == str(error)

    def misfit(n: SimpleNamespace) -> None:
        article(n)
        n.z = n.y * engine.ones(3, 5)

    trace, log, error = recorded(misfit)
    assert error is not None
    failing = trace.failing(log, error)
    assert failing is not None
    assert trace.diagram.nodes[failing].op == "mul"
    assert failing not in trace.values


def test_cleared_gradients_belong_to_the_next_call() -> None:
    def program(n: SimpleNamespace) -> None:
        article(n)
        n.y.sum().backward(retain_graph=True)
        n.x.grad.zero_()
        n.y.sum().backward(retain_graph=True)
        n.x.grad = None
        n.y.sum().backward()
        n.y2 = n.x * 1
        n.y2.sum().backward()

    trace, _, _ = recorded(program)
    assert [call.clear for call in trace.diagram.calls] == [(), ("x",), ("x",), ()]
    assert [p.grads["x"].tolist() for p in trace.passes] == [[7, 9], [7, 9], [7, 9], [8, 10]]
    assert [call.retain_graph for call in trace.diagram.calls] == [True, True, False, False]


def test_ops_without_history_are_marked() -> None:
    def program(n: SimpleNamespace) -> None:
        article(n)
        with engine.no_grad():
            n.z = n.y * 2

    node = recorded(program)[0].diagram.nodes["z"]
    assert node.no_grad
    assert np.array_equal(recorded(program)[0].values["z"].array, [20, 36])
