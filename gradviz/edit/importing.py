"""Arrays from files: CSV and other tables, NPY, NPZ, images. Nothing in a file is ever executed.

Sizes are read before the numbers are, so that a small file cannot ask for much memory.
"""

from __future__ import annotations

import csv
import math
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import numpy as np

from gradviz.diagram import Array
from gradviz.edit.outcome import Refusal
from gradviz.edit.shapes import MAX_ELEMENTS, checked, too_many
from gradviz.files.codec import DTYPES
from gradviz.language import N_, _

MAX_BYTES = 256 << 20
IMAGES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff")
TABLES = (".csv", ".tsv", ".txt", ".dat")
SUFFIXES = (*TABLES, ".npy", ".npz", *IMAGES)

NO_SUCH = N_("{name} cannot be read: {reason}")
TOO_LARGE = N_("{name} is larger than {size} MB.")
OTHER = N_("{name} is no table, NumPy file or image.")
NOT_NUMBERS = N_("{name} is not a NumPy file of numbers.")
WITH_OBJECTS = N_("{name} holds Python objects, which are not read: only numbers are.")
NOT_TEXT = N_("{name} is not a text.")
EMPTY = N_("{name} holds no numbers.")


class _Slip(ValueError):
    """What is wrong with a file; its text is the sentence."""


def read(path: str | Path, member: str = "", *, grey: bool = True) -> Array | Refusal:
    """The array in a file; of an NPZ with several the one called `member`.

    An image is rows by columns of numbers in 0..1, or, not `grey`, with 3 channels in front.
    """
    file = Path(path)
    try:
        _check(file)
        found = _READERS[file.suffix.lower()](file, member, grey)
        return _usable(found, file)
    except _Slip as slip:
        return Refusal(str(slip))
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, MemoryError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
        return Refusal(_(NO_SUCH).format(name=_shown(file), reason=reason))


def members(path: str | Path) -> tuple[str, ...] | Refusal:
    """The names of the arrays in an NPZ file."""
    file = Path(path)
    try:
        _check(file)
        with zipfile.ZipFile(file) as archive:
            return tuple(_members(archive))
    except _Slip as slip:
        return Refusal(str(slip))
    except (OSError, ValueError, zipfile.BadZipFile):
        return Refusal(_(NOT_NUMBERS).format(name=_shown(file)))


def _members(archive: zipfile.ZipFile) -> list[str]:
    return [name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy")]


def _shown(file: Path) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in file.name)


def _check(file: Path) -> None:
    if file.suffix.lower() not in SUFFIXES:
        raise _Slip(_(OTHER).format(name=_shown(file)))
    if not file.is_file():
        reason = _("there is no such file")
        raise _Slip(_(NO_SUCH).format(name=_shown(file), reason=reason))
    if file.stat().st_size > MAX_BYTES:
        raise _Slip(_(TOO_LARGE).format(name=_shown(file), size=MAX_BYTES >> 20))


def _usable(array: Array, file: Path) -> Array:
    """The array in the machine's byte order and a dtype that diagrams have."""
    native = array.dtype.newbyteorder("=")
    if native.name not in DTYPES:
        raise _Slip(_(NOT_NUMBERS).format(name=_shown(file)))
    return np.array(array, native, order="C")


# NumPy files


def _npy(file: Path, member: str, grey: bool) -> Array:
    with file.open("rb") as stream:
        return _npy_stream(stream, _shown(file))


def _npz(file: Path, member: str, grey: bool) -> Array:
    name = _shown(file)
    try:
        with zipfile.ZipFile(file) as archive:
            found = _members(archive)
            wanted = member or (found[0] if len(found) == 1 else "")
            if wanted not in found:
                text = _("{name} holds {arrays}: which one is meant?")
                raise _Slip(text.format(name=name, arrays=", ".join(found[:8]) or _("no arrays")))
            with archive.open(f"{wanted}.npy") as stream:
                return _npy_stream(stream, name)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError):
        raise _Slip(_(NOT_NUMBERS).format(name=name)) from None


def _npy_stream(stream: IO[bytes], name: str) -> Array:
    """The array of a stream; its header says how large it is before it is read."""
    try:
        version = np.lib.format.read_magic(stream)
        header = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, fortran, dtype = header(stream)
    except (ValueError, KeyError, TypeError, SyntaxError, EOFError):
        raise _Slip(_(NOT_NUMBERS).format(name=name)) from None
    if dtype.hasobject:
        raise _Slip(_(WITH_OBJECTS).format(name=name))
    room = checked(shape)
    if isinstance(room, Refusal):
        raise _Slip(room.sentence)
    if dtype.kind not in "fiubc":
        raise _Slip(_(NOT_NUMBERS).format(name=name))
    size = math.prod(shape) * dtype.itemsize
    raw = stream.read(size)
    if len(raw) < size:
        raise _Slip(_("{name} is cut off before its end.").format(name=name))
    flat = np.frombuffer(raw, dtype)
    return flat.reshape(shape, order="F" if fortran else "C")


# Tables


def _table(file: Path, member: str, grey: bool) -> Array:
    """Rows of numbers; a first row of words names the columns. One column is a vector."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise _Slip(_(NOT_TEXT).format(name=_shown(file))) from None
    lines = list(_rows(text, file))
    if lines and not any(_is_number(cell) for cell in lines[0][1]):
        lines = lines[1:]
    if not lines:
        raise _Slip(_(EMPTY).format(name=_shown(file)))
    wanted = len(lines[0][1])
    for number, cells in lines:
        if len(cells) != wanted:
            text = _("{name}, line {line}: {found} numbers, the first row has {wanted}.")
            raise _Slip(
                text.format(name=_shown(file), line=number, found=len(cells), wanted=wanted)
            )
    if wanted * len(lines) > MAX_ELEMENTS:
        raise _Slip(too_many(wanted * len(lines)))
    found = np.array([_numbers(cells, number, file) for number, cells in lines], np.float32)
    return found.reshape(-1) if 1 in found.shape else found


def _rows(text: str, file: Path) -> list[tuple[int, list[str]]]:
    """The cells of each line that has any, with its number."""
    head = text[:4096]
    mark = next((mark for mark in "\t;," if mark in head), None)
    if mark is None:
        rows = enumerate((line.split() for line in text.splitlines()), 1)
        return [(number, cells) for number, cells in rows if cells]
    count = text.count(mark) + text.count("\n")
    if count > 2 * MAX_ELEMENTS:  # a column has a line break for each number, and perhaps a mark
        raise _Slip(too_many(count))
    try:
        reader = csv.reader(text.splitlines(), delimiter=mark, skipinitialspace=True)
        read = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    except csv.Error as problem:
        raise _Slip(_(NO_SUCH).format(name=_shown(file), reason=problem)) from None
    return [(number, _trimmed(cells)) for number, cells in read if any(cells)]


def _trimmed(cells: list[str]) -> list[str]:
    return cells[:-1] if len(cells) > 1 and not cells[-1] else cells


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _numbers(cells: list[str], number: int, file: Path) -> list[float]:
    try:
        return [float(cell) for cell in cells]
    except ValueError:
        at = next(at for at, cell in enumerate(cells) if not _is_number(cell))
        text = _("{name}, line {line}, column {column}: “{text}” is not a number.")
        place = {"name": _shown(file), "line": number, "column": at + 1, "text": cells[at][:40]}
        raise _Slip(text.format(**place)) from None


# Images


def _image(file: Path, member: str, grey: bool) -> Array:
    from PIL import Image, UnidentifiedImageError

    name = _shown(file)
    try:
        with Image.open(file) as picture:
            width, height = picture.size
            count = width * height * (1 if grey else 3)
            if count > MAX_ELEMENTS:
                raise _Slip(too_many(count))
            made = np.asarray(picture.convert("L" if grey else "RGB"), np.float32) / 255
    except (UnidentifiedImageError, SyntaxError, Image.DecompressionBombError):
        raise _Slip(_("{name} is not an image.").format(name=name)) from None
    return made if grey else np.moveaxis(made, -1, 0)


_READERS: Mapping[str, Callable[[Path, str, bool], Array]] = {
    ".npy": _npy,
    ".npz": _npz,
    **dict.fromkeys(TABLES, _table),
    **dict.fromkeys(IMAGES, _image),
}
