"""Values of sources: typed, by rule, element by element, of another shape, dtype or kind."""

import numpy as np
import pytest

from gradviz.diagram import Diagram, Node
from gradviz.edit import generators, leaves
from gradviz.edit.outcome import Refusal
from gradviz.edit.shapes import shape_of
from gradviz.edit.typed import Typed, typed

ONLY_FLOATING = "only Tensors of floating point and complex dtype can require gradients"


def sources() -> Diagram:
    nodes = [
        Node("x", "leaf", data=np.array([2.0, 3.0], np.float32), name="x"),
        Node("n", "constant", data=np.array(3), is_number=True),
        Node("i", "constant", data=np.array([[1, 2], [3, 4]]), name="i"),
        Node("y", "exp", ("x",), name="y"),
        Node("new", "leaf", name="new"),
    ]
    return Diagram({node.id: node for node in nodes})


def value(found: Diagram | Refusal, key: str = "x") -> tuple[str, object]:
    assert isinstance(found, Diagram), found
    data = found.nodes[key].data
    assert data is not None
    assert not data.flags.writeable
    return data.dtype.name, data.tolist()


def refused(found: object) -> str:
    assert isinstance(found, Refusal)
    return found.sentence


@pytest.mark.parametrize(
    ("text", "dtype", "values"),
    [
        ("[[1, 2], [3, 4]]", "int64", [[1, 2], [3, 4]]),
        ("[1., -2.5, 1/4]", "float32", [1.0, -2.5, 0.25]),
        ("1, 2.5", "float32", [1.0, 2.5]),
        ("3", "int64", 3),
        ("-2.5e-1", "float32", -0.25),
        ("(1, 2)", "int64", [1, 2]),
        ("[True, False]", "bool", [True, False]),
        ("[1 + 2j, -1j]", "complex64", [1 + 2j, -1j]),
        ("[inf, -inf]", "float32", [float("inf"), float("-inf")]),
        ("torch.tensor([1, 2], dtype=torch.float64)", "float64", [1.0, 2.0]),
        ("torch.tensor([[1.5]], requires_grad=True)", "float32", [[1.5]]),
        ("np.array([1, 2], dtype=np.int32)", "int32", [1, 2]),
        ("tensor([1., 2.], dtype=torch.double)", "float64", [1.0, 2.0]),
        ("1 2 3\n4 5 6", "int64", [[1, 2, 3], [4, 5, 6]]),
        ("1\t2\n3\t4.5\n", "float32", [[1.0, 2.0], [3.0, 4.5]]),
        ("1 2; 3 4", "int64", [[1, 2], [3, 4]]),
        ("1 2 3", "int64", [1, 2, 3]),
        ("1 -2", "int64", [1, -2]),
        ("1 - 2j", "complex64", 1 - 2j),
        ("[]", "float32", []),
        ("zeros 2x2", "float32", [[0.0, 0.0], [0.0, 0.0]]),
        ("full 2 1.5", "float32", [1.5, 1.5]),
        ("arange 3", "float32", [0.0, 1.0, 2.0]),
        ("arange 1 2 0.5", "float32", [1.0, 1.5]),
        ("linspace 0 1 3", "float32", [0.0, 0.5, 1.0]),
        ("eye 2", "float32", [[1.0, 0.0], [0.0, 1.0]]),
        ("torch.zeros(2, 1)", "float32", [[0.0], [0.0]]),
        ("ones((1, 2))", "float32", [[1.0, 1.0]]),
        ("np.ones([2])", "float32", [1.0, 1.0]),
        ("full((2,), 1.5)", "float32", [1.5, 1.5]),
        ("arange(1, 3)", "float32", [1.0, 2.0]),
        ("linspace(0, 1, steps=2)", "float32", [0.0, 1.0]),
        ("eye(1)", "float32", [[1.0]]),
        ("zeros()", "float32", 0.0),
        ("onehot 3 index=1", "float32", [0.0, 1.0, 0.0]),
    ],
)
def test_what_is_typed_is_read(text: str, dtype: str, values: object) -> None:
    found = typed(text)
    assert isinstance(found, Typed), found
    assert (found.array.dtype.name, found.array.tolist()) == (dtype, values)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There are no numbers in the text."),
        ("[[1, 2], [3]]", "[1] has 1 elements, [0] has 2."),
        ("[[[1], [2]], [[3], [4, 5]]]", "[1][1] has 2 elements, [1][0] has 1."),
        ("[1, [2]]", "[1] is a row, [0] is a number: they have to be alike."),
        ("[[1], 2]", "[1] is a number, [0] is a row: they have to be alike."),
        ("[1, 'a']", "[1]: “'a'” is not a number."),
        ("[[1, x]]", "[0][1]: “x” is not a number."),
        ("hello", "“hello” is not a number."),
        ("[1, 2", "A bracket is not closed."),
        ("1, 2]", "A bracket is closed that was not opened."),
        ("1 +", "“1 +” is not a value: write numbers, as [1, 2.5], or a rule, as zeros 2x3."),
        ("__import__('os').system('true')", "“__import__('os').system('true')” is not a number."),
        ("1 2\n3", "Line 2 has 1 numbers, the first line has 2."),
        ("1 2\n3 b", "Line 2, number 2: “b” is not a number."),
        ("torch.tensor([1], dtype=torch.float128)", "There is no dtype “torch.float128”."),
        ("torch.tensor([1], 2)", "tensor(…) takes the numbers, and dtype and requires_grad by"),
        ("[99999999999999999999]", "Overflow when unpacking long long"),
        ("[" * 20 + "1" + "]" * 20, "There are more than 16 brackets in brackets."),
        ("+".join("1" * 20_000), "“1+1+"),
        ("zeros 9999x9999", "99,980,001 elements are too many: a value has at most 4,194,304."),
        ("randn(2, -3)", "“2,-3” is no shape: write 2x3 or 2, 3."),
        ("linspace(0, 1, 2, 3)", "“3” is one number too many."),
        ("zeros two", "“two” is no shape: write 2x3 or 2, 3."),
        ("full 2 1 2", "“2” is one number too many."),
        ("full 2 b", "“b” is not a number."),
        ("onehot 3 7", "There is no element 7: the shape has 3."),
        ("arange 0 1 0", "The step does not lead from the start to the end."),
        ("arange 0 1e12", "1,000,000,000,000 elements are too many"),
        ("linspace 0 1 2.5", "steps is a whole number."),
        ("normal 2 seed=-1", "The seed is a whole number, not below 0."),
        ("normal 2 std=-1", "normal expects std >= 0.0, but found std -1"),
        ("normal 2 spread=1", "Normal random has no number “spread”."),
        ("eye 100000", "10,000,000,000 elements are too many"),
    ],
)
def test_what_is_not_a_value_is_said_with_its_place(text: str, sentence: str) -> None:
    assert refused(typed(text)).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("2x3", (2, 3)),
        ("2 × 3", (2, 3)),
        ("2, 3", (2, 3)),
        ("(2, 3)", (2, 3)),
        ("[4]", (4,)),
        ("(4,)", (4,)),
        ("torch.Size([2, 3])", (2, 3)),
        ("", ()),
        ("()", ()),
        ("0x3", (0, 3)),
    ],
)
def test_shapes_are_read(text: str, shape: tuple[int, ...]) -> None:
    assert shape_of(text) == shape


def test_shapes_that_are_none() -> None:
    assert refused(shape_of("2x-3")) == "“2x-3” is no shape: write 2x3 or 2, 3."
    assert refused(shape_of("x".join("1" * 33))) == "An array has at most 32 axes."
    assert refused(shape_of("9" * 30)).startswith("10¹⁸+ elements are too many")


@pytest.mark.parametrize("shape", [(3,), (2, 3), (5, 5)])
def test_random_numbers_are_pytorch_s_of_that_seed(shape: tuple[int, ...]) -> None:
    torch = pytest.importorskip("torch")
    for rule, draw in (("normal", torch.randn), ("uniform", torch.rand)):
        found = generators.generated(rule, shape, {"seed": 7})
        torch.manual_seed(7)
        assert not isinstance(found, Refusal)
        np.testing.assert_array_equal(found, draw(shape).numpy())
    called = typed("randn(2, 3, seed=7)")
    torch.manual_seed(7)
    assert isinstance(called, Typed)
    np.testing.assert_array_equal(called.array, torch.randn(2, 3).numpy())


def test_rules_have_words() -> None:
    assert [rule.title for rule in generators.RULES.values()][:2] == ["Zeros", "Ones"]
    assert all(rule.text for rule in generators.RULES.values())
    assert refused(generators.generated("cauchy")) == "There is no rule “cauchy”."


def test_a_typed_value_keeps_the_dtype_where_it_can() -> None:
    assert value(leaves.set_text(sources(), "x", "[1, 2, 3]")) == ("float32", [1, 2, 3])
    assert value(leaves.set_text(sources(), "new", "[1, 2]"), "new") == ("float32", [1, 2])
    wide = leaves.set_dtype(sources(), "x", "float64")
    assert isinstance(wide, Diagram)
    assert value(leaves.set_text(wide, "x", "0.1")) == ("float64", 0.1)
    assert value(leaves.set_text(wide, "x", "eye 1")) == ("float64", [[1]])
    assert value(leaves.set_text(sources(), "i", "[5, 6]"), "i") == ("int64", [5, 6])
    assert value(leaves.set_text(sources(), "i", "[5, 6.5]"), "i") == ("float32", [5, 6.5])


def test_tensor_says_what_the_source_is() -> None:
    leaf = leaves.set_text(sources(), "i", "torch.tensor([1.0], requires_grad=True)")
    assert isinstance(leaf, Diagram)
    assert leaf.nodes["i"].op == "leaf"
    constant = leaves.set_text(leaf, "i", "torch.tensor([1], requires_grad=False)")
    assert isinstance(constant, Diagram)
    assert (constant.nodes["i"].op, value(constant, "i")) == ("constant", ("float32", [1.0]))
    found = leaves.set_text(sources(), "x", "torch.tensor([1], dtype=torch.int64)")
    assert refused(found) == ONLY_FLOATING


def test_an_unchanged_value_is_no_edit() -> None:
    diagram = sources()
    assert leaves.set_text(diagram, "x", "[2, 3]") is diagram
    assert leaves.set_requires_grad(diagram, "x", wanted=True) is diagram
    assert leaves.set_dtype(diagram, "x", "float32") is diagram


def test_a_number_stays_one_while_it_is_one() -> None:
    five = leaves.set_text(sources(), "n", "5")
    assert isinstance(five, Diagram)
    assert five.nodes["n"].is_number
    row = leaves.set_text(sources(), "n", "[5]")
    assert isinstance(row, Diagram)
    assert not row.nodes["n"].is_number


def test_single_elements() -> None:
    assert value(leaves.set_element(sources(), "x", (1,), "0.5")) == ("float32", [2, 0.5])
    assert value(leaves.set_element(sources(), "i", (0, 1), "-7"), "i") == (
        "int64",
        [[1, -7], [3, 4]],
    )
    assert refused(leaves.set_element(sources(), "i", (0, 1), "0.5")) == (
        "0.5 is not a value of int64."
    )
    assert refused(leaves.set_element(sources(), "x", (2,), "1")) == "There is no element [2]."
    assert refused(leaves.set_element(sources(), "x", (0,), "[1]")) == "One element is one number."
    assert (
        refused(leaves.set_element(sources(), "x", (0,), "1j")) == "1j is not a value of float32."
    )
    small = leaves.set_dtype(sources(), "i", "int8")
    assert isinstance(small, Diagram)
    assert refused(leaves.set_element(small, "i", (0, 0), "300")) == "300 is not a value of int8."


def test_another_shape() -> None:
    assert value(leaves.resize(sources(), "i", (2, 3)), "i")[1] == [[1, 2, 0], [3, 4, 0]]
    assert value(leaves.resize(sources(), "i", (1, 2)), "i")[1] == [[1, 2]]
    assert value(leaves.resize(sources(), "i", (4,)), "i")[1] == [1, 2, 3, 4]
    assert value(leaves.resize(sources(), "x", (2, 2)))[1] == [[2, 3], [0, 0]]
    assert value(leaves.resize(sources(), "x", ()))[1] == 2.0
    assert value(leaves.resize(sources(), "new", (2,)), "new") == ("float32", [0, 0])
    assert refused(leaves.resize(sources(), "x", (5000, 5000))).startswith("25,000,000 elements")


def test_dtype_and_requires_grad() -> None:
    assert refused(leaves.set_dtype(sources(), "x", "int64")) == ONLY_FLOATING
    assert refused(leaves.set_requires_grad(sources(), "i", wanted=True)) == ONLY_FLOATING
    assert refused(leaves.set_dtype(sources(), "x", "float128")) == "There is no dtype “float128”."
    off = leaves.set_requires_grad(sources(), "x", wanted=False)
    assert isinstance(off, Diagram)
    assert off.nodes["x"].op == "constant"
    assert value(leaves.set_dtype(off, "x", "int64")) == ("int64", [2, 3])
    number = leaves.set_dtype(sources(), "n", "float32")
    assert isinstance(number, Diagram)
    leaf = leaves.set_requires_grad(number, "n", wanted=True)
    assert isinstance(leaf, Diagram)
    assert (leaf.nodes["n"].op, leaf.nodes["n"].is_number) == ("leaf", False)


def test_pytorch_s_words_about_integers() -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(RuntimeError, match=ONLY_FLOATING):
        torch.tensor([1]).requires_grad = True


def test_only_sources_have_values_of_their_own() -> None:
    sentence = "y is computed: it has no value of its own."
    assert refused(leaves.set_text(sources(), "y", "[1]")) == sentence
    assert refused(leaves.set_dtype(sources(), "y", "float64")) == sentence
    assert refused(leaves.set_data(sources(), "z", np.zeros(1))) == "There is no node “z”."
    assert refused(leaves.set_data(sources(), "x", np.zeros(1, "M8[s]"))).startswith("There is no")
