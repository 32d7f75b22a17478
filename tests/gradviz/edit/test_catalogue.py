"""The palette: every entry can be added, runs, and is what PyTorch makes of it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.op import Sample
from engine.ops import OPS
from engine.tensor import Tensor
from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.edit import catalogue
from gradviz.edit.entry import Entry
from gradviz.edit.fit import fitted
from gradviz.edit.nodes import add, replace_op
from gradviz.edit.outcome import Added, Refusal
from gradviz.edit.slots import limits
from gradviz.edit.trial import Fit, tried
from gradviz.evaluate import evaluate

OPERATIONS = [entry for entry in catalogue.entries() if not (entry.is_source or entry.steps)]
GROUPS = {entry.id: entry for entry in catalogue.entries() if entry.steps}


def name(entry: Entry) -> str:
    return entry.id


OWN_SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "prelu_kernel": ((2, 3), (1,)),
    "avg_pool": ((1, 2, 4, 4),),
    "convolution": ((1, 2, 4, 4), (3, 2, 2, 2), (3,)),
    "linalg_svd": ((3, 2),),
}


def tried_with(entry: Entry) -> tuple[list[np.ndarray], dict[str, Any]]:
    """Inputs and parameters that the row takes: those of its first sample, places as integers."""
    derived = {param.name: param.default for param in entry.params if param.derived}
    samples = [
        sample
        for sample in OPS[entry.op].samples
        if set(sample.params) <= set(entry.defaults())
        and all(derived[key] == sample.params[key] for key in derived.keys() & sample.params)
    ]
    shape = OWN_SHAPES.get(entry.id, tuple((2, 3) for _slot in entry.slots))
    sample = samples[0] if samples and entry.id not in OWN_SHAPES else Sample(shape)
    found = sample.arrays()
    if entry.id == "logit":
        found = [array / 10 for array in found]
    for slot, array in enumerate(found):
        kind = catalogue.kind_of(entry.op, slot)
        if kind:
            found[slot] = np.zeros(array.shape, np.int64) if kind == "index" else array > 0
    return found, {**entry.defaults(), **sample.params}


def test_ids_rows_and_families() -> None:
    ids = [entry.id for entry in catalogue.entries()]
    rows = [row for entry in OPERATIONS for row in entry.rows or (entry.id,)]
    assert len(ids) == len(set(ids)) > 170
    assert len(rows) == len(set(rows))
    assert {entry.family for entry in catalogue.entries()} == set(catalogue.FAMILIES)
    assert catalogue.entry_of("mv") is catalogue.entry("matmul")
    assert catalogue.entry_of("as_view") is None


@pytest.mark.parametrize("entry", OPERATIONS, ids=name)
def test_an_entry_is_of_rows_that_are_there(entry: Entry) -> None:
    least, most = limits(entry.op)
    assert all(row in OPS for row in entry.rows)
    assert entry.op in OPS
    if entry.variadic:
        assert most is None
    else:
        assert most is None or least <= len(entry.slots) <= most
    assert entry.title
    assert entry.text


@pytest.mark.parametrize("entry", OPERATIONS, ids=name)
def test_an_entry_runs_forward_and_back(entry: Entry) -> None:
    given, params = tried_with(entry)
    nodes = {
        f"x{at}": Node(f"x{at}", "constant" if array.dtype.kind in "ib" else "leaf", data=array)
        for at, array in enumerate(given)
    }
    found = add(Diagram(nodes), entry.id, sources=nodes)
    assert isinstance(found, Added)
    (key,) = found.ids
    node = replace(found.diagram.nodes[key], params=params)
    ready = fitted(found.diagram.put(node))
    assert ready.problems == ()
    assert fitted(ready.diagram).diagram is ready.diagram
    result = evaluate(ready.diagram).values[key]
    assert result.array.size > 0
    if not result.requires_grad or result.array.dtype.kind != "f":
        return
    call = BackwardCall(key, Start("seed", values=np.ones_like(result.array)))
    (done,) = evaluate(Diagram(ready.diagram.nodes, (call,))).passes
    assert done.error is None or done.error.message.startswith("derivative for aten::")
    assert all(grad.shape == nodes[leaf].data.shape for leaf, grad in done.grads.items())


@pytest.mark.parametrize("entry", OPERATIONS, ids=name)
def test_an_entry_is_what_the_function_of_that_name_gives(entry: Entry) -> None:
    torch = pytest.importorskip("torch")
    if not isinstance(entry.call, str):
        return
    given, params = tried_with(entry)
    function = torch
    for part in (entry.call or entry.id).split("."):
        function = getattr(function, part)
    shown = {param.name: params[param.name] for param in entry.params if not param.derived}
    tensors = [torch.tensor(array) for array in given]
    wanted = function(*([tensors] if entry.variadic else tensors), **shown)
    node = Node("n", entry.op, tuple("abc"[: len(given)]), params)
    found = tried(node, [Tensor(array) for array in given])
    assert isinstance(found, Fit)
    mine = found.result._array
    theirs = wanted.values if hasattr(wanted, "values") and not callable(wanted.values) else wanted
    np.testing.assert_allclose(mine, theirs.numpy(), rtol=1e-6, atol=1e-9)


def test_what_a_slot_is_called() -> None:
    where, cat = catalogue.entry("where"), catalogue.entry("cat")
    assert where is not None
    assert cat is not None
    assert [where.slot_name(slot) for slot in range(3)] == ["condition", "x", "y"]
    assert [cat.slot_name(slot) for slot in range(3)] == ["x1", "x2", "x3"]


def test_what_goes_with_a_wire() -> None:
    accepting = {entry.id for entry in catalogue.accepting()}
    assert "exp" in accepting
    assert "leaf" not in accepting
    assert {entry.id for entry in catalogue.giving()} >= {"leaf", "exp"}
    masks = {entry.id for entry in catalogue.giving(catalogue.kind_of("where", 0))}
    assert {"gt", "constant"} <= masks
    assert "exp" not in masks
    places = [entry.id for entry in catalogue.giving(catalogue.kind_of("gather", 1))]
    assert places == ["constant", "argmax", "argmin"]


A, B = np.array([[1.0, -2.0, 0.5], [0.3, 4.0, -1.0]]), np.array([[2.0, 0.1, 1.0], [1.0, 1.0, 3.0]])
PLACES = np.array([2, 0])
IN_TORCH: dict[str, tuple[list[np.ndarray], Callable[..., Any]]] = {
    "linear": ([A, B, np.array([0.5, -1.0])], lambda f, *given: f.linear(*given)),
    "cross_entropy": ([A, PLACES], lambda f, x, t: f.cross_entropy(x, t)),
    "l1_loss": ([A, B], lambda f, x, t: f.l1_loss(x, t)),
    "normalize": ([A], lambda f, x: f.normalize(x, dim=-1)),
    "cosine_similarity": ([A, B], lambda f, a, b: f.cosine_similarity(a, b, dim=-1)),
    "rms_norm": ([A], lambda f, x: f.rms_norm(x, (3,), eps=1e-6)),
    "outer": ([A[0], B[1]], lambda f, a, b: a[:, None] * b),
    "attention": ([A, B, A], lambda f, q, k, v: f.softmax(q @ k.T * 0.5, -1) @ v),
    "softmax_steps": ([A], lambda f, x: f.softmax(x, -1)),
    "sort": ([A], lambda f, x: x.sort(-1).values),
    "variance_steps": ([A], lambda f, x: x.var(correction=0)),
}


def group(name: str, given: list[np.ndarray]) -> tuple[Diagram, Added]:
    nodes = {
        f"x{at}": Node(f"x{at}", "constant" if array.dtype.kind == "i" else "leaf", data=array)
        for at, array in enumerate(given)
    }
    found = add(Diagram(nodes), name, sources=nodes, at=(0.0, 0.0))
    assert isinstance(found, Added)
    ready = fitted(found.diagram)
    assert ready.problems == ()
    return ready.diagram, found


@pytest.mark.parametrize("name", GROUPS)
def test_several_nodes_are_what_pytorch_computes(name: str) -> None:
    torch = pytest.importorskip("torch")
    given, function = IN_TORCH[name]
    diagram, found = group(name, given)
    key = found.ids[-1]
    mine = evaluate(diagram).values[key].array
    call = BackwardCall(key, Start("seed", values=np.ones_like(mine)))
    (done,) = evaluate(Diagram(diagram.nodes, (call,))).passes
    tensors = [torch.tensor(array, requires_grad=array.dtype.kind == "f") for array in given]
    theirs = function(torch.nn.functional, *tensors)
    theirs.backward(torch.ones_like(theirs))
    np.testing.assert_allclose(mine, theirs.detach().numpy(), rtol=1e-6)
    for at, tensor in enumerate(tensors):
        if tensor.requires_grad:
            np.testing.assert_allclose(done.grads[f"x{at}"], tensor.grad.numpy(), atol=1e-9)


def test_several_nodes_stand_side_by_side_and_fill_a_wire() -> None:
    diagram, found = group("rms_norm", [A])
    places = [diagram.positions[key] for key in found.ids]
    assert places == [(196.0 * at, 0.0) for at in range(len(places))]
    after = add(diagram, "softmax_steps", wire=(found.ids[0], 0), insert=True)
    assert isinstance(after, Added)
    exp, total, ratio = (after.diagram.nodes[key] for key in after.ids)
    assert (exp.inputs, total.inputs, ratio.inputs) == (("x0",), (exp.id,), (exp.id, total.id))
    assert after.diagram.nodes[found.ids[0]].inputs == (ratio.id,)
    refused = replace_op(diagram, found.ids[0], "linear")
    assert isinstance(refused, Refusal)
