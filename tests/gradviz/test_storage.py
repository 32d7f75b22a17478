"""The `.gradviz` file: what goes in comes out to the same bits, and what is wrong is said."""

import json
import os
import re
import stat
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gradviz import storage
from gradviz.diagram import BackwardCall, Diagram, Frame, Node, Note, Start
from gradviz.files import file_forms

ROOT = os.geteuid() == 0 if hasattr(os, "geteuid") else False


def example() -> Diagram:
    x = np.array([2.0, 3.0], np.float32)
    three = np.array(3)
    return Diagram(
        {
            "x": Node("x", "leaf", name="x", data=x, line=3),
            "3": Node("3", "constant", data=three, is_number=True),
            "m": Node("m", "mul", ("3", "x"), {}, line=4),
            "y": Node("y", "sum", ("m",), {"dim": (0,), "keepdim": False}, "y", line=5),
            "half": Node("half", "add", (None, "x"), no_grad=True),
        },
        (
            BackwardCall("y", Start("reduction", "sum"), clear=("x",), line=6),
            BackwardCall(
                "m",
                Start("seed", values=np.array([1.0, 0.5], np.float32), preset="ones", name="v"),
                retain_graph=True,
                inputs=("x",),
                edited=True,
                enabled=False,
            ),
        ),
        "import torch\n",
        "A title",
        {"x": (1.5, -2.0)},
        (Note("n", "a note", (4.0, 5.5)),),
        {},
        (
            Frame("f", "loss", ("m", "y"), colour="reduction"),
            Frame("g", rect=(0.0, 1.0, 20.5, 30.0)),
        ),
    )


def same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray):
        assert isinstance(b, np.ndarray)
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, tuple):
        assert isinstance(b, tuple)
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def read_back(diagram: Diagram) -> Diagram:
    return storage.loads(storage.dumps(diagram), "a.gradviz")


def test_a_diagram_is_read_back_as_it_was() -> None:
    was, now = example(), read_back(example())
    assert list(now.nodes) == list(was.nodes)
    for key, node in was.nodes.items():
        for name in Node.__slots__:
            assert same(getattr(node, name), getattr(now.nodes[key], name)), (key, name)
    for a, b in zip(was.calls, now.calls, strict=True):
        for name in ("target", "retain_graph", "inputs", "clear", "line", "edited", "enabled"):
            assert getattr(a, name) == getattr(b, name), name
        for name in Start.__slots__:
            assert same(getattr(a.start, name), getattr(b.start, name)), name
    assert (now.source, now.title, now.positions, now.notes) == (
        "import torch\n",
        "A title",
        {"x": (1.5, -2.0)},
        (Note("n", "a note", (4.0, 5.5)),),
    )
    assert now.frames == was.frames


def test_notes_of_older_files_were_bare_texts() -> None:
    now = storage.loads(b'{"gradviz": 1, "notes": ["first", "second"]}', "a.gradviz")
    assert now.notes == (Note("note#1", "first"), Note("note#2", "second"))


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        ('{"id": "f", "members": ["z"]}', "a.gradviz: frame “f”: there is no node “z”"),
        ('{"id": "f", "colour": "mauve"}', "a.gradviz: frame “f”: there is no colour “mauve”"),
        (
            '{"id": "f", "rect": [1, 2]}',
            "a.gradviz: frames[0].rect: Expected `array` of length 4, got 2",
        ),
    ],
)
def test_frames_that_cannot_be(frame: str, sentence: str) -> None:
    with pytest.raises(storage.FileProblem, match=re.escape(sentence)):
        storage.loads(f'{{"gradviz": 1, "frames": [{frame}]}}'.encode(), "a.gradviz")


@pytest.mark.parametrize(
    "array",
    [
        np.array([0.1, 1 / 3, -0.0, 1e-45, 3.4028235e38], np.float32),
        np.array([0.1, 65504.0, 6e-8], np.float16),
        np.array([0.1, 1 / 3, 5e-324, 1.7976931348623157e308], np.float64),
        np.array([np.nan, np.inf, -np.inf], np.float32),
        np.array([2**63 - 1, -(2**63)], np.int64),
        np.array([255, 0], np.uint8),
        np.array([[True, False]]),
        np.array([[1 + 2j, complex("inf-0.5j")]], np.complex64),
        np.zeros((0, 3), np.float32),
        np.array(7.25),
        np.arange(12.0).reshape(3, 4).T,
        np.random.default_rng(0).standard_normal((64, 3)).astype(np.float32),
    ],
    ids=lambda array: f"{array.dtype}{list(array.shape)}",
)
def test_every_dtype_keeps_its_bits(array: np.ndarray) -> None:
    now = read_back(Diagram({"x": Node("x", "leaf", data=array)})).nodes["x"].data
    assert now is not None
    assert (now.dtype, now.shape) == (array.dtype, array.shape)
    assert now.tobytes() == np.ascontiguousarray(array).tobytes()
    assert not now.flags.writeable


def test_decimals_are_short_where_they_stand_for_the_same_number() -> None:
    node = Node("x", "leaf", data=np.array([0.1, 16777217.0 + 1], np.float32))
    assert b'"values":[0.1,16777218.0]' in storage.dumps(Diagram({"x": node}))


@pytest.mark.parametrize(
    "value",
    [
        (slice(None), None, Ellipsis, 2, slice(1, None, 2)),
        (1, (2, "three"), True, None, 1.5),
        float("inf"),
        1 + 2j,
        np.dtype("float16"),
        np.array([0, 2, 1]),
    ],
    ids=str,
)
def test_parameters_are_read_back(value: object) -> None:
    leaf = Node("x", "leaf", data=np.arange(3.0))
    node = Node("y", "sum", ("x",), {"index": value})
    now = read_back(Diagram({"x": leaf, "y": node})).nodes["y"].params["index"]
    assert same(value, now)


def test_the_same_diagram_makes_the_same_bytes(tmp_path: Path) -> None:
    storage.write(tmp_path / "a.gradviz", example())
    storage.write(tmp_path / "b.gradviz", storage.read(tmp_path / "a.gradviz"))
    assert (tmp_path / "a.gradviz").read_bytes() == (tmp_path / "b.gradviz").read_bytes()
    assert json.loads((tmp_path / "a.gradviz").read_text("utf-8"))["gradviz"] == 1


def changed(edit) -> bytes:  # type: ignore[no-untyped-def]
    document = json.loads(storage.dumps(example()))
    edit(document)
    return json.dumps(document).encode()


def setter(*path, value):  # type: ignore[no-untyped-def]
    def edit(document) -> None:  # type: ignore[no-untyped-def]
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value

    return edit


def append_again(document) -> None:  # type: ignore[no-untyped-def]
    document["nodes"].append(document["nodes"][0])


WRONG = {
    "empty": (b" \n", "a.gradviz: the file is empty"),
    "not json": (
        b"import torch",
        "a.gradviz: not a .gradviz file: JSON is malformed: invalid character (byte 0)",
    ),
    "cut off": (storage.dumps(example())[:-40], "a.gradviz: the file is cut off before its end"),
    "a list": (
        b"[1]",
        "a.gradviz: not a .gradviz file: it does not begin with its version, “gradviz”",
    ),
    "version is text": (
        b'{"gradviz": "1"}',
        "a.gradviz: not a .gradviz file: it does not begin with its version, “gradviz”",
    ),
    "newer": (
        b'{"gradviz": 2}',
        "a.gradviz: made by a newer version of the app (format 2; this one reads 1)",
    ),
    "older": (b'{"gradviz": 0}', "a.gradviz: there is no format 0"),
    "unknown op": (
        changed(setter("nodes", 2, "op", value="sin cos")),
        "a.gradviz: node “m”: there is no operation “sin cos”",
    ),
    "missing input": (
        changed(setter("nodes", 2, "inputs", value=["3", "z"])),
        "a.gradviz: node “m”, input 1: there is no node “z” before it",
    ),
    "later input": (
        changed(setter("nodes", 2, "inputs", value=["y", "x"])),
        "a.gradviz: node “m”, input 0: there is no node “y” before it",
    ),
    "twice": (changed(append_again), "a.gradviz: the node “x” is there twice"),
    "wrong shape": (
        changed(setter("nodes", 0, "data", "shape", value=[3])),
        "a.gradviz: node “x”: the shape [3] needs 3 values, there are 2",
    ),
    "negative shape": (
        changed(setter("nodes", 0, "data", "shape", value=[-1, -2])),
        "a.gradviz: node “x”: the shape [-1, -2] is impossible",
    ),
    "huge shape": (
        changed(setter("nodes", 0, "data", "shape", value=[10**10])),
        "a.gradviz: node “x”: the shape [10000000000] needs 10000000000 values, there are 2",
    ),
    "unknown dtype": (
        changed(setter("nodes", 0, "data", "dtype", value="object")),
        "a.gradviz: node “x”: there is no dtype “object”",
    ),
    "text for a number": (
        changed(setter("nodes", 0, "data", "values", value=[1.0, "os.system"])),
        "a.gradviz: node “x”: 'os.system' is not a number",
    ),
    "fraction for an int": (
        changed(setter("nodes", 1, "data", "values", value=[1.5])),
        "a.gradviz: node “3”: 1.5 is not a value of int64",
    ),
    "strange parameter": (
        changed(setter("nodes", 3, "params", "dim", value={"eval": "1"})),
        "a.gradviz: node “y”: {'eval': '1'} is not a parameter",
    ),
    "field of another type": (
        changed(setter("nodes", 2, "inputs", value="x")),
        "a.gradviz: nodes[2].inputs: Expected `array`, got `str`",
    ),
    "call without target": (
        changed(setter("calls", 0, "target", value="q")),
        "a.gradviz: backward call 1: there is no node “q”",
    ),
    "unknown reduction": (
        changed(setter("calls", 0, "start", "reduction", value="median")),
        "a.gradviz: backward call 1: there is no reduction “median”",
    ),
    "unknown kind of start": (
        changed(setter("calls", 1, "start", "kind", value="magic")),
        "a.gradviz: calls[1].start.kind: Invalid enum value 'magic'",
    ),
    "nested": (b'{"gradviz": ' + b"[" * 100_000, "a.gradviz: nested too deeply"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_sentence_that_names_the_place(name: str) -> None:
    raw, sentence = WRONG[name]
    with pytest.raises(storage.FileProblem) as told:
        storage.loads(raw, "a.gradviz")
    assert str(told.value) == sentence


def test_every_cut_off_file_is_refused() -> None:
    raw = storage.dumps(example())
    for end in range(len(raw) - 2):
        with pytest.raises(storage.FileProblem):
            storage.loads(raw[:end], "a.gradviz")


def test_an_older_format_is_brought_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    titled = {0: lambda old: {"gradviz": 0, "title": old["name"]}}
    monkeypatch.setattr(file_forms, "MIGRATIONS", titled)
    assert storage.loads(b'{"gradviz": 0, "name": "old"}', "a").title == "old"


def test_files_that_are_not_there_or_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(storage.FileProblem) as told:
        storage.read(tmp_path / "no.gradviz")
    assert str(told.value) == f"{tmp_path}/no.gradviz: cannot be read: No such file or directory"
    monkeypatch.setattr(storage, "MAX_BYTES", 1 << 20)
    (tmp_path / "big.gradviz").write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(storage.FileProblem, match="over 1 MiB, too large for a diagram"):
        storage.read(tmp_path / "big.gradviz")


def test_a_failing_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.gradviz"
    storage.write(path, example())
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(storage.FileProblem) as told:
        storage.write(path, Diagram())
    assert str(told.value) == (
        f"{path}: cannot be written: No space left on device; what was there before is untouched"
    )
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_takes_no_files(tmp_path: Path) -> None:
    with pytest.raises(storage.FileProblem, match="cannot be written: No such file or directory"):
        storage.write(tmp_path / "none" / "a.gradviz", example())
    with pytest.raises(storage.FileProblem, match="it is not a regular file"):
        storage.write(tmp_path, example())
    if not ROOT:
        tmp_path.chmod(0o500)
        with pytest.raises(storage.FileProblem, match="Permission denied"):
            storage.write(tmp_path / "a.gradviz", example())
        tmp_path.chmod(0o700)


@pytest.mark.skipif(os.name != "posix", reason="permission bits and links are POSIX's")
def test_permissions_stay_and_links_are_followed(tmp_path: Path) -> None:
    real, link = tmp_path / "real.gradviz", tmp_path / "link.gradviz"
    storage.write(real, example())
    real.chmod(0o640)
    link.symlink_to("real.gradviz")
    storage.write(link, Diagram(title="new"))
    assert link.is_symlink()
    assert storage.read(real).title == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_file_made_read_only_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    storage.write_text(path, "x = 1\n")
    path.chmod(0o444)
    with pytest.raises(storage.FileProblem) as told:
        storage.write_text(path, "x = 2\n")
    path.chmod(0o644)
    assert str(told.value) == (
        f"{path}: cannot be written: Permission denied; what was there before is untouched"
    )
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == b"x = 1\n"
    storage.write_text(path, "x = 2\n")
    assert path.read_bytes() == b"x = 2\n"


def test_what_a_file_cannot_hold_is_said(tmp_path: Path) -> None:
    node = Node("x", "leaf", data=np.array([object()]))
    with pytest.raises(storage.FileProblem, match="an array of object cannot be saved"):
        storage.write(tmp_path / "a.gradviz", Diagram({"x": node}))
    assert list(tmp_path.iterdir()) == []


def test_a_call_or_a_frame_ahead_of_its_nodes_is_left_out() -> None:
    was = example()
    call = BackwardCall("gone", clear=("x",))
    odd = replace(
        was,
        calls=(call, replace(was.calls[0], clear=("x", "gone"))),
        frames=(Frame("f", members=("y", "gone")),),
    )
    now = read_back(odd)
    assert [(call.target, call.clear) for call in now.calls] == [("y", ("x",))]
    assert [frame.members for frame in now.frames] == [("y",)]


def test_what_could_not_be_opened_again_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a.gradviz"
    storage.write(path, example())
    before = path.read_bytes()
    with pytest.raises(storage.FileProblem, match="there is no operation “nothing”"):
        storage.write(path, Diagram({"x": Node("x", "nothing")}))
    assert path.read_bytes() == before
