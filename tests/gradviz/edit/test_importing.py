"""Arrays from files; and files that are broken, huge or hostile."""

import io
import pickle
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from gradviz.edit import importing
from gradviz.edit.outcome import Refusal


def saved(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refused(found: Any) -> str:
    assert isinstance(found, Refusal), found
    return found.sentence


def read(path: Path, member: str = "", *, grey: bool = True) -> np.ndarray:
    found = importing.read(path, member, grey=grey)
    assert isinstance(found, np.ndarray), found
    return found


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("a.csv", "1,2\n3,4.5\n", [[1, 2], [3, 4.5]]),
        ("a.csv", "\ufeffx,y\n1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("a.csv", "1;2\r\n3;4\r\n", [[1, 2], [3, 4]]),
        ("a.tsv", "1\t2\n\n3\t4\n", [[1, 2], [3, 4]]),
        ("a.txt", "1 2\n3   4\n", [[1, 2], [3, 4]]),
        ("a.csv", "1\n2\n3\n", [1, 2, 3]),
        ("a.csv", "1,2,3\n", [1, 2, 3]),
        ("a.csv", '"1", "2"\n', [1, 2]),
        ("a.csv", "1,2,\n3,4,\n", [[1, 2], [3, 4]]),
        ("a.csv", "nan,inf\n-1e3,0\n", [[np.nan, np.inf], [-1000, 0]]),
    ],
)
def test_tables(tmp_path: Path, name: str, text: str, values: object) -> None:
    found = read(saved(tmp_path, name, text))
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, np.array(values, np.float32))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1,2\n3\n", "a.csv, line 2: 1 numbers, the first row has 2."),
        ("1,2\n3,x\n", "a.csv, line 2, column 2: “x” is not a number."),
        ("x,y\n1,2\n3,\n", "a.csv, line 3: 1 numbers, the first row has 2."),
        ("", "a.csv holds no numbers."),
        ("x,y\n", "a.csv holds no numbers."),
        (b"\xff\xfe1", "a.csv is not a text."),
        ("1," * 9_000_000, "9,000,000 elements are too many: a value has at most 4,194,304."),
    ],
)
def test_tables_that_are_none(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    assert refused(importing.read(saved(tmp_path, "a.csv", text))) == sentence


def npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


@pytest.mark.parametrize("dtype", ["float32", ">f8", "int16", "bool", "complex64", "uint8"])
def test_numpy_files(tmp_path: Path, dtype: str) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype)
    found = read(saved(tmp_path, "a.npy", npy(array)))
    assert found.dtype == array.dtype.newbyteorder("=")
    assert found.flags.c_contiguous
    np.testing.assert_array_equal(found, array)
    np.testing.assert_array_equal(read(saved(tmp_path, "b.npy", npy(array.T))), array.T)


class Evil:
    def __reduce__(self) -> Any:
        return Path.touch, (Path("touched"),)


def header(shape: str, descr: str = "'<f8'") -> bytes:
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "a.npy is not a NumPy file of numbers."),
        (b"not numpy", "a.npy is not a NumPy file of numbers."),
        (npy(np.zeros(3))[:-1], "a.npy is cut off before its end."),
        (header("(9000000000,)"), "9,000,000,000 elements are too many"),
        (header("(-1,)"), "A shape has no negative numbers."),
        (header("(1,)", "'|O'") + pickle.dumps([Evil()]), "a.npy holds Python objects, which are"),
        (header("(1,)", "'<U4'") + b"\0" * 16, "a.npy is not a NumPy file of numbers."),
        (header("(1,)", "'<f16'") + b"\0" * 16, "a.npy is not a NumPy file of numbers."),
        (header("(1,)", "__import__('os')"), "a.npy is not a NumPy file of numbers."),
    ],
)
def test_numpy_files_that_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raw: bytes, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused(importing.read(saved(tmp_path, "a.npy", raw))).startswith(sentence)
    assert not Path("touched").exists()


def test_archives(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez_compressed(path, w=np.ones((2, 2)), b=np.zeros(2, np.float32))
    assert importing.members(path) == ("w", "b")
    assert read(path, "b").tolist() == [0, 0]
    assert refused(importing.read(path)) == "a.npz holds w, b: which one is meant?"
    assert refused(importing.read(path, "c")) == "a.npz holds w, b: which one is meant?"
    np.savez(tmp_path / "one.npz", only=np.array(7))
    assert read(tmp_path / "one.npz").item() == 7


def test_archives_that_are_none(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.npz"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("w.npy", header("(900000000,)") + b"\0" * 50_000_000)
    assert refused(importing.read(bomb)).startswith("900,000,000 elements are too many")
    broken = saved(tmp_path, "broken.npz", b"PK\x03\x04 nothing")
    sentence = "broken.npz is not a NumPy file of numbers."
    assert refused(importing.read(broken)) == sentence
    assert refused(importing.members(broken)) == sentence
    objects = tmp_path / "objects.npz"
    np.savez(objects, w=np.array([{}], dtype=object))
    assert refused(importing.read(objects)).startswith("objects.npz holds Python objects")
    empty = tmp_path / "empty.npz"
    with zipfile.ZipFile(empty, "w"):
        pass
    assert refused(importing.read(empty)) == "empty.npz holds no arrays: which one is meant?"


@pytest.mark.parametrize("suffix", ["png", "bmp", "gif", "webp", "tiff"])
def test_images(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    pixels = np.array([[0, 255], [51, 102], [255, 0]], np.uint8)
    Image.fromarray(pixels).save(path, **({"lossless": True} if suffix == "webp" else {}))
    found = read(path)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, pixels / 255, atol=0.005)
    assert read(path, grey=False).shape == (3, 3, 2)


def test_images_that_are_none(tmp_path: Path) -> None:
    assert refused(importing.read(saved(tmp_path, "a.png", b"\x89PNG"))) == "a.png is not an image."
    large = tmp_path / "large.png"
    Image.new("1", (5000, 5000)).save(large)
    assert refused(importing.read(large)).startswith("25,000,000 elements are too many")
    cut = tmp_path / "cut.png"
    Image.new("L", (64, 64), 128).save(cut)
    saved(tmp_path, "cut.png", cut.read_bytes()[:60])
    assert refused(importing.read(cut)).startswith(("cut.png cannot be read", "cut.png is not"))


def test_files_that_are_not_there_or_of_another_kind(tmp_path: Path) -> None:
    gone = importing.read(tmp_path / "gone.csv")
    assert refused(gone) == "gone.csv cannot be read: there is no such file"
    assert refused(importing.read(saved(tmp_path, "a.pkl", b""))) == (
        "a.pkl is no table, NumPy file or image."
    )
    (tmp_path / "folder.npy").mkdir()
    assert refused(importing.read(tmp_path / "folder.npy")).endswith("there is no such file")
    huge = tmp_path / "huge.npy"
    with huge.open("wb") as file:
        file.truncate(importing.MAX_BYTES + 1)
    assert refused(importing.read(huge)) == "huge.npy is larger than 256 MB."
