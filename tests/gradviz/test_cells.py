"""Numbers as short text, arrays as cells, and the scale of colours."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gradviz.cells import (
    Scale,
    array_text,
    gradient_cells,
    norm,
    number,
    pooled,
    scale_of,
    value_cells,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7.0, "7"),
        (3.5, "3.5"),
        (1 / 3, "0.3333"),
        (1.2e-5, "1.2e-05"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (-0.0, "-0"),
        (12345.6, "12346"),
        (True, "True"),
        (np.float32(0.1), "0.1"),
    ],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    "value", [1 / 3, -1 / 3, -1.23456e-10, 1.5e300, 123456.7, -2.5e-7, -99999.5, 0.99999]
)
def test_numbers_give_up_digits_to_fit(value: float) -> None:
    text = number(value, chars=6)
    assert len(text) <= 6
    assert float(text) == pytest.approx(value, rel=0.5)


def test_arrays_on_one_line() -> None:
    assert array_text(np.array([4.0, 6.0])) == "[4, 6]"
    assert array_text(np.arange(1, 10)) == "[1, 2, …, 9]"
    assert array_text(np.eye(2)) == "[[1, 0], [0, 1]]"
    assert array_text(np.array(2.5)) == "2.5"
    # The norm of 640 ones is the root of 640, 25.298.
    assert array_text(np.ones((64, 10))) == "64×10 norm 25.3"
    assert array_text(np.zeros((0, 3))) == "[]"


def test_tones_follow_the_sign_and_what_is_not_a_number() -> None:
    cells = gradient_cells(np.array([2.0, -1.0, 0.0, np.nan, np.inf]), Scale(2.0), chars=6)
    assert [cell.tone for cell in cells] == ["positive", "negative", "zero", "error", "error"]
    assert [cell.level for cell in cells[:3]] == [1.0, 0.5, 0.0]
    assert [cell.tone for cell in value_cells(np.array([1.0, np.nan]), chars=6)] == [
        "value",
        "error",
    ]


def test_the_scale_is_linear_until_sizes_differ_widely() -> None:
    linear = scale_of([np.array([1.0, -9.0]), np.array([np.nan, 3.0])])
    assert (linear.top, linear.logarithmic) == (9.0, False)
    wide = scale_of([np.array([1e-6, 1e-5, 1e-4]), np.array([1.0])])
    assert wide.logarithmic
    levels = [wide.level(size) for size in (1e-6, 1e-3, 1.0, 0.0)]
    # Halfway between 1e-6 and 1 in logarithms, the lowest level being 0.1.
    np.testing.assert_allclose(levels, [0.1, 0.55, 1.0, 0.0])
    assert scale_of([]).text() == ""


def test_pooling_keeps_what_is_largest_and_what_is_not_a_number() -> None:
    table = np.zeros((24, 24))
    table[3, 5], table[20, 23] = -7.0, np.nan
    small = pooled(table, 12, 12)
    assert small.shape == (12, 12)
    assert small[1, 2] == -7.0
    assert np.isnan(small[10, 11])
    assert pooled(np.arange(6.0).reshape(2, 3), 12, 12).shape == (2, 3)


def test_extremes_neither_overflow_nor_warn() -> None:
    huge = np.array([1e308, -1e308, 5e-324] * 10)
    assert norm(huge) == pytest.approx(1e308 * math.sqrt(20))
    levels = [cell.level for cell in value_cells(huge, chars=None)]
    assert (min(levels), max(levels)) == (0.0, 1.0)
    scale = scale_of([huge])
    assert all(0.0 <= cell.level <= 1.0 for cell in gradient_cells(huge, scale, chars=None))
    assert math.isnan(norm(np.array([1.0, np.nan])))
    assert norm(np.zeros((0, 2))) == 0.0
    assert norm(np.array([True, True, False])) == pytest.approx(math.sqrt(2))


def test_complex_numbers_have_a_sign_and_a_size() -> None:
    array = np.array([3 + 4j, -1j, 0j, complex(np.nan, 0)])
    scale = scale_of([array])
    assert scale.top == 5
    made = gradient_cells(array, scale, chars=9)
    assert [cell.tone for cell in made] == ["positive", "negative", "zero", "error"]
    assert made[0].text == "3+4j"
    shades = value_cells(array[:3], chars=None)
    assert [cell.level for cell in shades] == [1, 0.2, 0]
    assert norm(array[:2]) == pytest.approx(26**0.5)
