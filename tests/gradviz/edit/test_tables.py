"""Values as text and tables, and blocks of a spreadsheet written over them."""

from __future__ import annotations

import numpy as np
import pytest

from gradviz.diagram import Diagram, Node
from gradviz.edit.outcome import Refusal
from gradviz.edit.tables import as_table, front_of, set_block, value_text
from gradviz.edit.typed import Typed, typed


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64", "uint8", "bool"])
def test_a_value_is_read_back_to_the_last_bit(dtype: str) -> None:
    numbers = np.array([[0, 1, 0.1], [1e-7, 3, 2.5]]).astype(dtype)
    found = typed(value_text(numbers), numbers.dtype)
    assert isinstance(found, Typed)
    assert found.array.astype(dtype).tobytes() == numbers.tobytes()


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf, -0.0, 1e300])
def test_special_numbers_are_read_back(number: float) -> None:
    array = np.array([number])
    found = typed(value_text(array), array.dtype)
    assert isinstance(found, Typed)
    assert found.array.tobytes() == array.tobytes()


def test_complex_numbers_and_empty_values_are_read_back() -> None:
    for array in (np.array([1 + 2j, -0.5 - 1.5j], np.complex64), np.zeros((2, 0), np.float32)):
        found = typed(value_text(array), array.dtype)
        assert isinstance(found, Typed)
        assert np.array_equal(found.array, array)
        assert found.array.shape == array.shape


def test_a_vector_is_a_column_and_axes_in_front_are_rows() -> None:
    assert as_table(np.arange(3)).tolist() == [[0], [1], [2]]
    assert as_table(np.array(5)).tolist() == [[5]]
    assert as_table(np.zeros((2, 3, 4))).shape == (6, 4)
    assert front_of((2, 3, 4)) == (2, 3)
    assert front_of((4,)) == (4,)


def diagram(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]], op: str = "leaf") -> Diagram:
    return Diagram().put(Node("x", op, data=array, name="x"))


def test_a_block_is_written_from_a_cell_on() -> None:
    made = set_block(diagram(np.zeros((3, 3), np.float32)), "x", 4, "1\t2\n3\t4")
    assert isinstance(made, Diagram)
    data = made.nodes["x"].data
    assert data is not None
    assert data.tolist() == [[0, 0, 0], [0, 1, 2], [0, 3, 4]]
    assert data.dtype == np.float32


def test_a_column_is_written_into_a_vector() -> None:
    made = set_block(diagram(np.zeros(4, np.float32)), "x", 1, "1\n2\n3")
    assert isinstance(made, Diagram)
    data = made.nodes["x"].data
    assert data is not None
    assert data.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "1\t2\t3",
            "1×3 numbers do not fit there; pasted into the line of the value, they replace it.",
        ),
        ("1\tb", "Line 1, number 2: “b” is not a number."),
        ("300", "Not all of these numbers are values of uint8."),
        ("0.5", "Not all of these numbers are values of uint8."),
    ],
)
def test_what_does_not_fit_is_refused(text: str, said: str) -> None:
    made = set_block(diagram(np.zeros((2, 2), np.uint8), "constant"), "x", 0, text)
    assert isinstance(made, Refusal)
    assert made.sentence == said
    assert made.node == "x"
