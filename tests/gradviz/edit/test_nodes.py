"""Nodes from the palette: added, named, replaced, duplicated; parameters as PyTorch takes them."""

from dataclasses import replace

import numpy as np
import pytest

from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.edit import names, nodes, params
from gradviz.edit.catalogue import entry
from gradviz.edit.fit import as_run, fitted
from gradviz.edit.outcome import Added, Refusal
from gradviz.evaluate import evaluate
from gradviz.script.sandbox import Sandbox

MATRIX = np.arange(6.0).reshape(2, 3)


def start(array: np.ndarray = MATRIX) -> Diagram:
    return Diagram({"x": Node("x", "leaf", data=array, name="x")}, positions={"x": (10.0, 20.0)})


def added(found: Added | Refusal) -> tuple[Diagram, str]:
    assert isinstance(found, Added), found
    return found.diagram, found.ids[0]


def refused(found: object) -> str:
    assert isinstance(found, Refusal)
    return found.sentence


def values(diagram: Diagram) -> dict[str, np.ndarray]:
    return {key: value.array for key, value in evaluate(diagram).values.items()}


def test_a_new_node_has_open_slots_and_the_defaults() -> None:
    diagram, key = added(nodes.add(start(), "softmax", at=(5.0, 6.0)))
    assert diagram.nodes[key].inputs == (None,)
    assert diagram.nodes[key].params == {"dim": -1}
    assert diagram.positions[key] == (5.0, 6.0)
    assert [problem.sentence for problem in diagram.problems()] == ["Input 1 is not connected."]


def test_a_wire_let_go_over_nothing_is_led_to_the_new_node() -> None:
    diagram, key = added(nodes.add(start(), "sub", sources=["x"]))
    assert diagram.nodes[key].inputs == ("x", None)
    wired, leaf = added(nodes.add(diagram, "leaf", wire=(key, 1)))
    assert wired.nodes[key].inputs == ("x", leaf)
    assert (leaf, wired.nodes[leaf].name) == ("y", "y")
    assert list(wired.nodes) == ["x", leaf, key]


def test_a_new_node_on_a_wire() -> None:
    diagram, key = added(nodes.add(start(), "exp", sources=["x"]))
    through, new = added(nodes.add(diagram, "tanh", wire=(key, 0), insert=True))
    assert (through.nodes[key].inputs, through.nodes[new].inputs) == ((new,), ("x",))
    instead, new = added(nodes.add(diagram, "tanh", wire=(key, 0)))
    assert (instead.nodes[key].inputs, instead.nodes[new].inputs) == ((new,), (None,))


def test_what_cannot_be_added() -> None:
    assert refused(nodes.add(start(), "frobnicate")) == "There is no operation “frobnicate”."
    assert refused(nodes.add(start(), "exp", sources=["w"])) == "There is no node “w”."
    assert refused(nodes.add(start(), "exp", sources=["x", "x"])) == (
        "exp does not take so many inputs."
    )
    diagram, key = added(nodes.add(start(), "exp", sources=["x"]))
    assert refused(nodes.add(diagram, "neg", sources=[key], wire=(key, 0))) == (
        "This would close a loop: x.exp() → -x.exp() → x.exp()."
    )


def test_ids_and_names_are_given_once() -> None:
    diagram = start()
    for _again in range(3):
        diagram, _key = added(nodes.add(diagram, "exp"))
    assert list(diagram.nodes) == ["x", "exp", "exp#2", "exp#3"]
    taken = names.taken_names(diagram)
    assert names.free_name(taken, "x") == "x2"
    assert names.free_name({*taken, "x2"}, "x") == "x3"
    assert names.free_name(taken, "torch") == "torch2"


def test_another_op_keeps_wires_name_and_parameters() -> None:
    diagram, key = added(nodes.add(start(), "sum", sources=["x"]))
    diagram = names.rename(diagram, key, "total")
    assert isinstance(diagram, Diagram)
    diagram = params.set_param(diagram, key, "keepdim", True, {})
    assert isinstance(diagram, Diagram)
    after = nodes.replace_op(diagram, key, "mean")
    assert isinstance(after, Diagram)
    node = after.nodes[key]
    assert (node.op, node.inputs, node.name) == ("mean", ("x",), "total")
    assert node.params == {"dim": None, "keepdim": True}


def test_another_op_with_more_or_fewer_slots() -> None:
    diagram, key = added(nodes.add(start(), "where", sources=["x"]))
    two = nodes.replace_op(diagram, key, "mul")
    assert isinstance(two, Diagram)
    assert two.nodes[key].inputs == ("x", None)
    three = nodes.replace_op(two, key, "addcmul")
    assert isinstance(three, Diagram)
    assert three.nodes[key].inputs == ("x", None, None)


def test_what_changes_nothing_is_no_edit() -> None:
    diagram, key = added(nodes.add(start(), "matmul", sources=["x", "x"]))
    assert nodes.replace_op(diagram, key, "matmul") is diagram
    assert nodes.replace_op(diagram, "x", "leaf") is diagram
    none = nodes.duplicate(diagram, [])
    assert isinstance(none, Added)
    assert none.diagram is diagram


def test_a_leaf_becomes_a_constant_but_no_op() -> None:
    diagram = nodes.replace_op(start(), "x", "constant")
    assert isinstance(diagram, Diagram)
    assert diagram.nodes["x"].op == "constant"
    assert refused(nodes.replace_op(start(), "x", "exp")) == "x cannot become “exp”."


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("2x", "“2x” is not a name in Python: use letters, digits and _, not beginning with a"),
        ("a b", "“a b” is not a name in Python"),
        ("lambda", "“lambda” is a word of Python's own."),
        ("torch", "“torch” stands for something else in the written programs."),
        ("y", "“y” is the name of another node."),
        ("v", "“v” is the name of a seed."),
        ("n" * 65, "The name is longer than 64 characters."),
    ],
)
def test_names_that_are_refused(name: str, sentence: str) -> None:
    diagram = start().put(Node("n", "exp", ("x",), name="y"))
    call = BackwardCall("n", Start("seed", values=MATRIX, name="v"))
    found = names.rename(replace(diagram, calls=(call,)), "x", name)
    assert refused(found).startswith(sentence)


def test_names_that_are_given() -> None:
    renamed = names.rename(start(), "x", " weights_1 ")
    assert isinstance(renamed, Diagram)
    assert renamed.nodes["x"].name == "weights_1"
    chinese = names.rename(renamed, "x", "权重")
    assert isinstance(chinese, Diagram)
    unnamed = names.rename(chinese, "x", "")
    assert isinstance(unnamed, Diagram)
    assert unnamed.nodes["x"].name is None
    assert names.rename(unnamed, "x", "") is unnamed


def test_copies_keep_wires_among_them_and_from_outside() -> None:
    diagram = start().put(
        Node("a", "exp", ("x",), name="a", line=3), Node("b", "add", ("a", "x"), name="b")
    )
    found = nodes.duplicate(diagram, ["a", "b"], (1.0, 2.0))
    assert isinstance(found, Added)
    assert found.ids == ("a#2", "b#2")
    a, b = (found.diagram.nodes[key] for key in found.ids)
    assert (a.inputs, a.name, a.line) == (("x",), "a2", None)
    assert (b.inputs, b.name) == (("a#2", "x"), "b2")
    of_x = nodes.duplicate(found.diagram, ["x"], (1.0, 2.0))
    assert isinstance(of_x, Added)
    assert of_x.diagram.positions["x#2"] == (11.0, 22.0)


def test_no_grad() -> None:
    diagram, key = added(nodes.add(start(), "exp", sources=["x"]))
    off = nodes.set_no_grad(diagram, ["x", key], wanted=True)
    assert isinstance(off, Diagram)
    assert [node.no_grad for node in off.nodes.values()] == [False, True]
    assert not evaluate(off).values[key].requires_grad
    assert nodes.set_no_grad(off, [key], wanted=True) is off


def test_a_parameter_is_what_pytorch_takes_it_for() -> None:
    diagram, key = added(nodes.add(start(), "sum", sources=["x"]))
    after = params.set_text(diagram, key, "dim", "-1", values(diagram))
    assert isinstance(after, Diagram)
    assert after.nodes[key].params == {"dim": (1,), "keepdim": False}
    assert values(after)[key].tolist() == [3.0, 12.0]
    both = params.set_text(after, key, "dim", "(0, 1)", values(after))
    assert isinstance(both, Diagram)
    whole = params.set_text(both, key, "dim", "None", values(both))
    assert isinstance(whole, Diagram)
    assert whole.nodes[key].params["dim"] is None


@pytest.mark.parametrize(
    ("op", "name", "text", "sentence"),
    [
        ("softmax", "dim", "2", "Dimension out of range (expected to be in range of [-2, 1], but"),
        ("softmax", "dim", "x", "dim is an axis: a whole number, as 0 or -1."),
        ("sum", "dim", "(0, 0)", "dim 0 appears multiple times in the list of dims"),
        ("sum", "keepdim", "perhaps", "keepdim is True or False."),
        ("sum", "axis", "0", "x.sum() has no parameter axis."),
        ("view", "shape", "(4,)", "shape '[4]' is invalid for input of size 6"),
        ("view", "shape", "two", "shape is a row of whole numbers, as (2, 3)."),
        ("pow", "exponent", "__import__('os')", "exponent is a number, as 2 or 0.5."),
        ("gelu", "approximate", "erf", "approximate is one of none, tanh."),
        ("to", "dtype", "float128", "dtype is a dtype, as float64."),
        ("squeeze", "kind", "1", "kind follows from the inputs and is not set."),
        ("expand", "shape", "(5, 5)", "The expanded size of the tensor (5) must match the"),
    ],
)
def test_a_wrong_parameter_is_refused_and_the_old_kept(
    op: str, name: str, text: str, sentence: str
) -> None:
    diagram, key = added(nodes.add(start(), op, sources=["x"]))
    found = params.set_text(diagram, key, name, text, values(diagram))
    assert refused(found).startswith(sentence)


def test_a_parameter_waits_where_there_are_no_values() -> None:
    diagram, key = added(nodes.add(Diagram(), "softmax"))
    after = params.set_text(diagram, key, "dim", "7", {})
    assert isinstance(after, Diagram)
    assert after.nodes[key].params == {"dim": 7}
    assert params.set_text(after, key, "dim", "7", {}) is after


def test_parameters_are_shown_as_they_are_typed() -> None:
    shown = [params.shown(value) for value in (2, 0.5, None, (1,), (1, 2), np.dtype("int64"))]
    assert shown == ["2", "0.5", "None", "(1,)", "(1, 2)", "int64"]
    softmax = entry("softmax")
    assert softmax is not None
    assert params.read(softmax.params[0], params.shown(-1)) == -1


@pytest.mark.parametrize(
    ("left", "right", "op", "result"),
    [
        ((2, 3), (3, 4), "mm", (2, 4)),
        ((2, 3), (3,), "mv", (2,)),
        ((3,), (3,), "dot", ()),
        ((5, 2, 3), (5, 3, 4), "bmm", (5, 2, 4)),
    ],
)
def test_a_product_is_the_row_of_its_inputs(
    left: tuple[int, ...], right: tuple[int, ...], op: str, result: tuple[int, ...]
) -> None:
    other = Node("w", "leaf", data=np.ones(right), name="w")
    diagram, key = added(nodes.add(start(np.ones(left)).put(other), "matmul", sources=["x", "w"]))
    found = fitted(diagram)
    assert (found.diagram.nodes[key].op, found.problems) == (op, ())
    assert values(found.diagram)[key].shape == result
    call = BackwardCall(key, Start("reduction", "sum"))
    (done,) = evaluate(replace(found.diagram, calls=(call,))).passes
    assert done.error is None
    assert {leaf: grad.shape for leaf, grad in done.grads.items()} == {"x": left, "w": right}


def test_what_does_not_fit_is_said_in_pytorch_s_words() -> None:
    diagram, key = added(nodes.add(start(), "matmul", sources=["x", "x"]))
    (problem,) = fitted(diagram).problems
    assert (problem.node, problem.sentence) == (
        key,
        "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
    )
    wide = Node("w", "leaf", data=np.ones((4, 5, 3)), name="w")
    diagram, key = added(nodes.add(start(np.ones(3)).put(wide), "matmul", sources=["w", "x"]))
    (problem,) = fitted(diagram).problems
    assert problem.sentence == "matmul of the shapes [4, 5, 3], [3] is more than one node."


def test_axes_follow_when_the_shape_is_known() -> None:
    diagram, key = added(nodes.add(start(), "amax", sources=["x"]))
    diagram = params.set_param(diagram, key, "dim", (-1,), {})
    assert isinstance(diagram, Diagram)
    after = fitted(diagram).diagram
    assert after.nodes[key].params == {"dim": (1,), "keepdim": False}
    assert fitted(after).diagram is after


def test_what_scripts_make_fits_already() -> None:
    from gradviz.examples import examples

    with Sandbox() as sandbox:
        for example in examples():
            diagram, _run = sandbox.run(example.source(), example.path.name)
            found = fitted(diagram)
            assert found.diagram is diagram, example.name
            assert found.problems == ()


def test_a_failure_is_told_in_pytorch_s_words_and_the_rest_goes_on() -> None:
    wrong = Node("s", "softmax", ("x",), {"dim": 5})
    diagram = start().put(wrong, Node("y", "exp", ("x",)))
    call = BackwardCall("y", Start("reduction", "sum"))
    run = evaluate(replace(diagram, calls=(call,)))
    assert run.error is not None
    assert (run.error.type, run.error.node) == ("IndexError", "s")
    assert run.error.message == (
        "Dimension out of range (expected to be in range of [-2, 1], but got 5)"
    )
    np.testing.assert_allclose(run.passes[0].grads["x"], np.exp(MATRIX))


def test_shapes_that_do_not_broadcast_are_told_in_pytorch_s_words() -> None:
    other = Node("v", "leaf", data=np.ones(5), name="v")
    run = evaluate(start().put(other, Node("s", "add", ("x", "v"))))
    assert run.error is not None
    assert (run.error.type, run.error.message) == (
        "RuntimeError",
        "The size of tensor a (3) must match the size of tensor b (5) at non-singleton dimension 1",
    )


def test_a_drawn_diagram_is_run_as_it_fits_in_the_worker_too() -> None:
    other = Node("w", "leaf", data=np.ones(3), name="w")
    diagram, key = added(nodes.add(start().put(other), "matmul", sources=["x", "w"]))
    last, top = added(nodes.add(diagram, "amax", sources=[key]))
    last = last.put(replace(last.nodes[top], params={"dim": (-1,), "keepdim": False}))
    call = BackwardCall(top)
    drawn = replace(last, calls=(call,), drawn=True)
    with Sandbox() as sandbox:
        for run in (evaluate(drawn), sandbox.evaluate(drawn)):
            assert run.error is None
            assert {name: node.op for name, node in run.fitted.items()} == {key: "mv", top: "amax"}
            after = as_run(drawn, run)
            assert after.nodes[top].params == {"dim": (0,), "keepdim": False}
            assert fitted(after).diagram is after
            assert run.passes[0].grads["w"].tolist() == [3.0, 4.0, 5.0]
            assert as_run(after, evaluate(after)) is after


def test_what_numpy_would_take_and_pytorch_does_not_has_no_value() -> None:
    wide = Node("w", "leaf", data=np.ones((4, 5, 3)), name="w")
    diagram, key = added(nodes.add(start(np.ones(3)).put(wide), "matmul", sources=["w", "x"]))
    run = evaluate(replace(diagram, drawn=True))
    assert key not in run.values
    assert run.error is not None
    assert run.error.message == "matmul of the shapes [4, 5, 3], [3] is more than one node."
