"""Seeds from formulas, brackets, tables and files; what does not fit is said as PyTorch says it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gradviz.seeds.seed_text import read_file, read_text

_Y = np.zeros(3, np.float32)
_TABLE = np.zeros((2, 3), np.float64)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1/(1+i)", [1, 1 / 2, 1 / 3]),
        ("1/n", [1 / 3] * 3),
        ("i == 1", [0, 1, 0]),
        ("0 < i <= 1", [0, 1, 0]),
        ("1 if i > 0 else -1", [-1, 1, 1]),
        ("-sqrt(i) + 2**i", [1, 1, 4 - 2**0.5]),
        ("cos(pi*i)", [1, -1, 1]),
        ("where(i % 2, 5, 7) // 2", [3, 2, 3]),
        ("max(i, 1) * min(i, 1)", [0, 1, 2]),
        ("[1, 0.5, -2]", [1, 0.5, -2]),
        ("1, 0.5, 1/4", [1, 0.5, 0.25]),
        ("v = torch.tensor([1., 2., n])", [1, 2, 3]),
        ("[sqrt(4), abs(-1), 0]", [2, 1, 0]),
        ("1\t2\t3", [1, 2, 3]),
        ("1\n2\n3\n", [1, 2, 3]),
        ("1\r\n2\r\n3", [1, 2, 3]),
        ("1; 2; 3", [1, 2, 3]),
        ('"1",\n"2",\n"3",\n', [1, 2, 3]),
    ],
)
def test_a_text_stands_for_numbers(text: str, values: list[float]) -> None:
    found = read_text(text, _Y)
    assert (found.dtype, found.shape) == (np.float32, (3,))
    np.testing.assert_allclose(found, np.array(values, np.float32), rtol=1e-6)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("i == j", [[1, 0, 0], [0, 1, 0]]),
        ("10*i + j", [[0, 1, 2], [10, 11, 12]]),
        ("1/n", [[1 / 6] * 3] * 2),
        ("[[1, 2, 3], [4, 5, 6]]", [[1, 2, 3], [4, 5, 6]]),
        ("1\t2\t3\n4\t5\t6", [[1, 2, 3], [4, 5, 6]]),
        ("1,2,3\n4,5,6\n", [[1, 2, 3], [4, 5, 6]]),
        ("1 2 3\n4 5 6", [[1, 2, 3], [4, 5, 6]]),
    ],
)
def test_a_matrix_is_written_in_the_same_ways(text: str, values: list[list[float]]) -> None:
    np.testing.assert_array_equal(read_text(text, _TABLE), values)


def test_a_scalar_takes_a_number_and_other_outputs_do_not() -> None:
    assert read_text("0.5", np.float32(2.0).reshape(())).tolist() == 0.5
    with pytest.raises(ValueError, match=r"shape of torch.Size\(\[\]\) and output\[0\]"):
        read_text("0.5", _Y)


def test_what_is_not_finite_is_taken_as_it_is() -> None:
    np.testing.assert_array_equal(read_text("1/i", _Y)[0], np.inf)
    assert np.isnan(read_text("[nan, 1, inf]", _Y)).tolist() == [True, False, False]
    assert read_text("10**(100*i)", _Y).tolist() == [1.0, np.inf, np.inf]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Write numbers in brackets"),
        ("[1,", "Write numbers in brackets"),
        ("k + 1", "k is not known in a formula; there are i, n."),
        ("j", "j is not known"),
        ("[i, 1, 2]", "i is not known"),
        ("__import__('os')", "“__import__” is not a function here; there are abs, cos"),
        ("i.real", "“i.real” is not known in a formula."),
        ("i[0]", "“i[0]” is not known in a formula."),
        ("(lambda: 1)()", "is not a function here"),
        ("[x for x in (1, 2)]", "is not known in a formula"),
        ("f'{i}'", "is not known in a formula"),
        ("i + 'a'", "is not known in a formula"),
        ("1j", "is not known in a formula"),
        ("i @ i", "is not known in a formula"),
        ("not i", "is not known in a formula"),
        ("i in i", "is not known in a formula"),
        ("sqrt(1, i)", "sqrt takes 1 numbers, not 2."),
        ("sqrt(x=i)", "is not a function here"),
        ("(" * 60 + "i" + ")" * 60 + "+ -" + "-" * 80 + "i", "is not known in a formula"),
        ("i" + "+1" * 2000, "The formula is too long."),
        ("[1, [2, 3]]", "The rows in the brackets differ in length."),
        ("1\t2\nx\t3", "Line 2: “x” is not a number."),
        ("1\t2\n3", "Line 2 has 1 numbers, the first line has 2."),
        ("1\t\t3", "Line 1: “” is not a number."),
        (";", "“” is not a number."),
    ],
)
def test_what_is_no_seed_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        read_text(text, _Y)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("text", ["[1, 2]", "1\t2", "[[1, 2, 3]]", "1,2,3\n4,5,6", "[]"])
def test_another_shape_is_refused_in_the_words_of_pytorch(text: str) -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(ValueError) as caught:
        read_text(text, _Y)
    given = {"[1, 2]": (2,), "1\t2": (2,), "[[1, 2, 3]]": (1, 3), "[]": (0,)}.get(text, (2, 3))
    y = torch.zeros(3, requires_grad=True) * 1
    with pytest.raises(RuntimeError) as theirs:
        y.backward(gradient=torch.zeros(given))
    assert str(caught.value) == str(theirs.value)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "uint8", "bool"])
def test_a_real_file_is_cast_as_pytorch_casts(tmp_path: Path, dtype: str) -> None:
    torch = pytest.importorskip("torch")
    values = np.array([1, 0, 1]).astype(dtype)
    np.save(tmp_path / "v.npy", values)
    found = read_file(tmp_path / "v.npy", _Y)
    x = torch.zeros(3, requires_grad=True)
    (x * 1).backward(gradient=torch.tensor(values))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, x.grad.numpy())


def test_a_complex_file_is_refused_in_the_words_of_pytorch(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    values = np.array([1j, 0, 1])
    np.save(tmp_path / "v.npy", values)
    with pytest.raises(ValueError) as caught:
        read_file(tmp_path / "v.npy", _Y)
    y = torch.zeros(3, requires_grad=True) * 1
    with pytest.raises(RuntimeError) as theirs:
        y.backward(gradient=torch.tensor(values))
    assert str(caught.value) == str(theirs.value)


def test_tables_are_read_from_text_files(tmp_path: Path) -> None:
    for name, text in (("v.csv", "1,2,3\n4,5,6\n"), ("v.tsv", "\ufeff1\t2\t3\n4\t5\t6")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        found = read_file(tmp_path / name, _TABLE)
        assert found.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_files_that_hold_no_numbers_are_refused_by_name(tmp_path: Path) -> None:
    np.save(tmp_path / "words.npy", np.array(["a", "b", "c"]))
    np.save(tmp_path / "objects.npy", np.array([{}, 1, 2], dtype=object))
    (tmp_path / "broken.npy").write_bytes(b"\x93NUMPY\x01")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    for name in ("words.npy", "objects.npy", "broken.npy"):
        with pytest.raises(ValueError, match=f"{name} is not a NumPy file of numbers."):
            read_file(tmp_path / name, _Y)
    for name, sentence in (
        ("empty.csv", "There are no numbers in the text."),
        ("bytes.csv", "bytes.csv is not a text."),
        ("missing.csv", "missing.csv cannot be read: No such file or directory"),
    ):
        with pytest.raises(ValueError, match=sentence):
            read_file(tmp_path / name, _Y)
