"""Bytes between the app and its worker: what goes in comes out, and nothing else gets through."""

import random

import msgspec
import numpy as np
import pytest

from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.files import codec
from gradviz.run import Cost, Failure, Pass, Printed, Run, Step, Value
from gradviz.script.message import Answer, Done


def done() -> Done:
    x = np.array([2.0, 3.0], np.float32)
    g = np.ones(2, np.float32)
    nodes = {
        "x": Node("x", "leaf", data=x, name="x", line=2),
        "y": Node(
            "y",
            "sum",
            ("x",),
            {
                "dim": (0, (1, None)),
                "index": (slice(1, None), Ellipsis),
                "dtype": np.dtype("float16"),
                "z": 1 + 2j,
                "mask": np.array([True, False]),
                "inf": float("inf"),
            },
        ),
    }
    call = BackwardCall("y", Start("seed", values=g, name="v"), clear=("x",))
    step = Step("y", 0, "x", g, g, (0,), None, g)
    scalar = np.array(5.0)
    once = Pass(call, "y", seed=g, steps=(step,), grads={"x": g}, cost=Cost(2, 1, 1, 8, 16))
    run = Run(
        {"x": Value(x, True), "y": Value(scalar, True, "SumBackward0")},
        (once,),
        (Printed("a\n", 3), Printed("b", None, "stderr")),
        Failure("ValueError", "no", 3, "y", "Traceback"),
    )
    return Done(7, Diagram(nodes, (call,), "import torch", positions={"x": (1.0, 2.0)}), run)


def test_an_answer_is_read_back_as_it_was() -> None:
    was = done()
    now = codec.unpack(codec.pack(was), Answer)
    diagram = codec.checked(now.diagram)
    assert (now.number, diagram.source, diagram.positions) == (7, "import torch", {"x": (1.0, 2.0)})
    params = diagram.nodes["y"].params
    assert params["dim"] == (0, (1, None))
    assert params["index"] == (slice(1, None, None), Ellipsis)
    assert (params["dtype"], params["z"], params["inf"]) == (np.float16, 1 + 2j, float("inf"))
    assert params["mask"].tolist() == [True, False]
    assert diagram.nodes["x"].data is not None
    assert diagram.nodes["x"].data.dtype == np.float32
    printed = [(piece.text, piece.line, piece.stream) for piece in now.run.console]
    assert printed == [("a\n", 3, "stdout"), ("b", None, "stderr")]
    (once,) = now.run.passes
    (step,) = once.steps
    assert (step.node, step.slot, step.input, step.summed, step.before) == ("y", 0, "x", (0,), None)
    assert step.after.tolist() == [1.0, 1.0]
    assert now.run.values["y"].array.shape == ()
    assert now.run.error is not None
    assert now.run.error.traceback == "Traceback"


def test_an_array_that_occurs_often_is_written_once() -> None:
    big = np.zeros(100_000)
    step = Step("y", 0, "x", big, big, (), big, big)
    run = Run(passes=(Pass(BackwardCall("y"), "y", seed=big, steps=(step,) * 3),))
    assert len(codec.pack(Done(1, Diagram(), run))) < 810_000
    assert (
        not codec.unpack(codec.pack(Done(1, Diagram(), run)), Done)
        .run.passes[0]
        .seed.flags.writeable
    )


def test_a_number_of_numpy_is_an_array() -> None:
    for number in (np.float64(0.5), np.float32(0.5)):
        raw = codec.pack(Done(1, Diagram(), Run({"x": Value(number)})))  # type: ignore[arg-type]
        array = codec.unpack(raw, Done).run.values["x"].array
        assert (array.dtype, array.shape, array.tolist()) == (number.dtype, (), 0.5)


def packed(arrays: list[tuple[object, ...]], data: bytes = b"") -> bytes:
    """An answer whose node has the first array of a table of one's own making."""
    body = msgspec.msgpack.encode(
        {
            "type": "Done",
            "number": 1,
            "diagram": {
                "nodes": {"x": {"id": "x", "op": "leaf", "data": msgspec.msgpack.Ext(1, bytes(4))}}
            },
            "run": {},
        }
    )
    head = msgspec.msgpack.encode([msgspec.Raw(body), arrays])
    return len(head).to_bytes(8, "little") + head + data


def test_a_table_of_arrays_is_read() -> None:
    now = codec.unpack(packed([("float32", (2,), 0)], bytes(8)), Answer)
    assert now.diagram.nodes["x"].data.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    "arrays",
    [
        [("float32", (3,), 0)],
        [("float32", (2,), 4)],
        [("float32", (2,), -8)],
        [("float32", (-2,), 0)],
        [("float32", (2**62, 4), 0)],
        [("float32", (2**63,), 0)],
        [("float32", (0, 2**63), 0)],
        [("float32", (1,) * 100, 0)],
        [("object", (1,), 0)],
        [("U8", (1,), 0)],
        [("float32", "2", 0)],
        [],
    ],
    ids=str,
)
def test_an_array_that_cannot_be_is_refused(arrays: list[tuple[object, ...]]) -> None:
    with pytest.raises(codec.CodecError):
        codec.unpack(packed(arrays, bytes(8)), Answer)


def test_diagrams_that_do_not_hold_together_are_refused() -> None:
    x, y = Node("x", "leaf", data=np.ones(2)), Node("y", "sum", ("x",))
    for nodes, calls in [
        ({"y": y, "x": x}, ()),
        ({"z": x}, ()),
        ({"y": y}, ()),
        ({"x": x}, (BackwardCall("y"),)),
    ]:
        with pytest.raises(codec.CodecError):
            codec.checked(Diagram(nodes, calls))


def test_damaged_bytes_raise_one_kind_of_error_or_none() -> None:
    raw = codec.pack(done())
    dice = random.Random(0)
    for _ in range(3000):
        damaged = bytearray(raw)
        for _ in range(dice.randint(1, 3)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        cut = bytes(damaged[: dice.choice([len(damaged), dice.randrange(len(damaged))])])
        try:
            codec.checked(codec.unpack(cut, Done).diagram)
        except codec.CodecError:
            continue


def test_what_has_no_form_is_refused() -> None:
    with pytest.raises(TypeError, match="has no form as bytes"):
        codec.pack(Done(1, Diagram({"x": Node("x", "leaf", params={"f": object()})}), Run()))
    with pytest.raises(TypeError, match="an array of object has no form"):
        codec.pack(Done(1, Diagram(), Run({"x": Value(np.array([object()]))})))
