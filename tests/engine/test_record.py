"""What a recording holds: entries, names, steps, backward events."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.plain import number
from engine.record import record


def test_entries_in_order_with_names_and_numbers() -> None:
    with record() as log:
        x = engine.tensor([2.0, 3.0], requires_grad=True)
        log.name(x, "x")
        y = x**2 + 3 * x
        log.name(y, "y")
    assert [entry.op for entry in log.entries] == ["leaf", "pow", "constant", "mul", "add"]
    assert [entry.inputs for entry in log.entries] == [(), (0,), (), (0, 2), (1, 3)]
    assert log.entries[2].is_number
    assert log.names == {0: "x", 4: "y"}
    assert log.entries[4].grad_fn == "AddBackward0"
    assert log.entries[4].value is not None
    assert log.entries[4].value.tolist() == [10, 18]


def test_steps_of_a_pass() -> None:
    with record() as log:
        x = engine.tensor([2.0, 3.0], requires_grad=True)
        y = x**2 + 3 * x
        y.backward(engine.tensor([1.0, 10.0]))
    (event,) = log.backwards
    assert event.seed is not None
    assert event.seed.tolist() == [1, 10]
    assert not event.implicit
    paths = [(log.entries[s.node].op, s.slot, log.entries[s.input].op) for s in event.steps]
    assert paths == [("add", 0, "pow"), ("add", 1, "mul"), ("mul", 0, "leaf"), ("pow", 0, "leaf")]
    first, second = event.steps[2:]
    assert first.before is None
    assert second.before is not None
    assert first.after.tolist() == [3, 30] == second.before.tolist()
    assert second.after.tolist() == [7, 90]
    assert event.grads[0].tolist() == [7, 90]


def test_axes_that_broadcasting_summed_away() -> None:
    with record() as log:
        x = engine.ones(2, 3, requires_grad=True)
        b = engine.ones(3, requires_grad=True)
        (x + b).sum().backward()
    summed = {log.entries[s.input].value.shape: s.summed for s in log.backwards[0].steps[1:]}  # type: ignore[union-attr]
    assert summed == {(2, 3): (), (3,): (0,)}


def test_clearing_and_accumulating() -> None:
    with record() as log:
        x = engine.tensor([1.0], requires_grad=True)
        for clear in (lambda: None, lambda: x.grad.zero_(), lambda: setattr(x, "grad", None)):
            clear()
            (x * x).sum().backward()
    assert [event.cleared for event in log.backwards] == [(), (0,), (0,)]
    assert [event.grads[0].tolist() for event in log.backwards] == [[2], [2], [2]]


def test_a_refused_call_is_an_event_with_its_error() -> None:
    with record() as log:
        x = engine.tensor([1.0, 2.0], requires_grad=True)
        with pytest.raises(RuntimeError, match="scalar outputs"):
            (x * x).backward()
    (event,) = log.backwards
    assert isinstance(event.error, RuntimeError)
    assert event.seed is None
    assert event.steps == []


def test_a_refused_op_names_its_inputs() -> None:
    with record() as log:
        a, b = engine.ones(2), engine.ones(3)
        with pytest.raises(RuntimeError, match="must match the size"):
            a + b
    last = log.entries[-1]
    assert (last.op, last.inputs, last.value) == ("add", (0, 1), None)


def test_a_write_in_place_is_a_new_entry() -> None:
    with record() as log:
        x = engine.tensor([1.0, 2.0], requires_grad=True)
        y = x * 2
        y += 1
        y.sum().backward()
    assert [entry.op for entry in log.entries] == [
        "leaf",
        "constant",
        "mul",
        "constant",
        "add",
        "sum",
    ]
    assert log.entries[2].value is not None
    assert log.entries[2].value.tolist() == [2, 4]  # as it was before the write
    assert log.entries[4].inputs == (2, 3)
    assert [(s.node, s.input) for s in log.backwards[0].steps] == [(5, 4), (4, 2), (2, 0)]


def test_a_written_element_and_the_rest_of_the_tensor() -> None:
    with record() as log:
        x = engine.tensor([1.0, 2.0], requires_grad=True)
        y = x * 2
        y[0] = 5.0
        y.sum().backward()
    assert log.backwards[0].grads[0].tolist() == [0, 2]
    assert log.entries[-2].op == "put_view"
    assert log.entries[-2].grad_fn == "CopySlices"


def test_entries_can_be_applied_again() -> None:
    from engine.ops import OPS
    from engine.tensor import Tensor, apply

    with record() as log:
        x = engine.tensor([[1.0, -2.0, 3.0], [0.5, 2.0, -1.0]], requires_grad=True)
        y = x[0, 1:] * x.max(1)[0] + x[:, [0, 2]].sum(0, keepdim=True).squeeze(0)
        z = engine.cat([y, x.unbind(1)[0]]).softmax(0).clone()
        z[0] += 1
        z.norm().backward()
    for entry in log.entries:
        if entry.op in OPS:
            inputs = tuple(Tensor(np.array(log.entries[n].value)) for n in entry.inputs)
            for tensor, number in zip(inputs, entry.inputs, strict=True):
                tensor._wrapped = log.entries[number].is_number
            again = apply(OPS[entry.op], inputs, entry.params)
            assert entry.value is not None
            np.testing.assert_array_equal(again._array, entry.value)
        else:
            assert entry.op in ("leaf", "constant")


def test_what_create_graph_makes_is_marked() -> None:
    with record() as log:
        x = engine.tensor([2.0], dtype=engine.float64, requires_grad=True)
        (g,) = engine.autograd.grad((x**3).sum(), x, create_graph=True)
        g.sum().backward()
    made = [entry for entry in log.entries if entry.in_backward]
    assert made
    assert log.backwards[1].grads[0].tolist() == [12]
    assert log.backwards[1].steps


def test_a_limit_on_elements() -> None:
    with record(max_elements=10), pytest.raises(MemoryError, match="over the limit of 10"):
        engine.ones(4, 4)


def test_a_number_that_an_op_refused_belongs_to_no_recording() -> None:
    x = engine.ones(2, 3, requires_grad=True)
    kept = number(3, x._array)
    with record() as log:
        log.refused("add", (x, kept), {}, RuntimeError("refused"))
        assert kept._entry is None
        _ = x * 3
    assert [entry.op for entry in log.entries] == ["leaf", "constant", "add", "constant", "mul"]
    assert log.entries[-1].inputs == (0, 3)
