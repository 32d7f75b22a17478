"""Second storeys: what calls with create_graph make, and calls that start there, against torch."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gradviz import storage
from gradviz.diagram import BackwardCall, Diagram, Start
from gradviz.evaluate import evaluate
from gradviz.files import codec, form
from gradviz.labels import call_title, sentence
from gradviz.proofs import check
from gradviz.run import Run
from gradviz.storeys import apart, gradient_id, gradient_of, is_there, levels, same_gradient
from gradviz.twin import compare
from gradviz.twin.dictionary import dictionary
from tests.gradviz.sandboxes import Runner, run

__all__ = ["run"]

_X = "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\n"
CUBE = _X + "y = (x ** 3).sum()\ny.backward(create_graph=True)\n"
PENALTY = _X + (
    "y = (x ** 3).sum()\n"
    "(g,) = torch.autograd.grad(y, x, create_graph=True)\n"
    "z = (g ** 2).sum()\n"
    "z.backward()\n"
)
SEEDED = _X + (
    "w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)\n"
    "y = torch.tanh(w @ x * 0.1)\n"
    "v = torch.tensor([1.0, -2.0])\n"
    "y.backward(v, create_graph=True)\n"
    "g = x.grad\n"
    "x.grad = None\n"
    "(g * torch.tensor([1.0, 2.0])).sum().backward()\n"
)
TWICE = _X + (
    "y = torch.sin(x) * x + torch.exp(x)\n"
    "(g,) = torch.autograd.grad(y.sum(), x, create_graph=True)\n"
    "(h,) = torch.autograd.grad(g.sum(), x, create_graph=True)\n"
    "h.sum().backward()\n"
)
OUTPUTS = _X + (
    "a, b = x * x, torch.exp(x)\n"
    "(g,) = torch.autograd.grad((a, b), x, (torch.ones(2), torch.ones(2)), create_graph=True)\n"
    "g.sum().backward(inputs=[x])\n"
)
HOOKED = _X + (
    "y = (x ** 3).sum()\n"
    "x.register_hook(lambda g: g * 2)\n"
    "(g,) = torch.autograd.grad(y, x, create_graph=True)\n"
    "g.sum().backward()\n"
)
FUNCTIONAL = _X + (
    "from torch.autograd.functional import hessian, vhp\n"
    "h = hessian(lambda t: (t ** 3).sum(), x)\n"
    "p = vhp(lambda t: (t ** 3).sum(), x, torch.ones(2))\n"
    "(x ** 2).sum().backward()\n"
)
SCRIPTS = (CUBE, PENALTY, SEEDED, TWICE, OUTPUTS, HOOKED, FUNCTIONAL)


def _by_torch(source: str) -> Any:
    """The names of the script, run by PyTorch itself."""
    pytest.importorskip("torch")
    names: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that create_graph makes a reference cycle
        exec(source, names)
    return names


def _close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.asarray(found), wanted.detach().numpy(), rtol=2e-5)


@pytest.mark.parametrize("source", SCRIPTS)
def test_a_script_with_create_graph_leaves_torchs_gradients(run: Runner, source: str) -> None:
    names = _by_torch(source)
    told = run(source)
    assert told.run.error is None
    _close(told.run.passes[-1].grads["x"], names["x"].grad)


@pytest.mark.parametrize("source", [CUBE, PENALTY, SEEDED, TWICE])
def test_the_diagram_alone_gives_what_the_script_gave(run: Runner, source: str) -> None:
    told = run(source)
    again = evaluate(told.diagram)
    assert list(again.values) == list(told.run.values)
    for one, other in zip(told.run.passes, again.passes, strict=True):
        assert [(s.node, s.slot, s.input) for s in one.steps] == [
            (s.node, s.slot, s.input) for s in other.steps
        ]
        assert [n.id for n in one.beyond] == [n.id for n in other.beyond]
        assert [n.upper for n in one.beyond] == [n.upper for n in other.beyond]
        assert one.grads.keys() == other.grads.keys()
        for key in one.grads:
            assert one.grads[key].tolist() == other.grads[key].tolist()


def test_a_pass_has_the_nodes_that_it_made(run: Runner) -> None:
    told = run(CUBE)
    (done,) = told.run.passes
    assert [(n.id, n.op, n.inputs) for n in done.upper] == [
        ("grad1:y", "constant", ()),
        ("grad1:pow@3", "expand", ("grad1:y",)),
        ("pull1:pow:pow@3", "pow", ("x",)),
        ("pull1:constant:pow@3", "constant", ()),
        ("pull1:mul:pow@3", "mul", ("pull1:pow:pow@3", "pull1:constant:pow@3")),
        ("pull1:mul:pow@3#2", "mul", ("grad1:pow@3", "pull1:mul:pow@3")),
        ("grad1:x", "keep_grad", ("pull1:mul:pow@3#2",)),
    ]
    assert [n.upper.gradient for n in done.upper if n.upper] == [
        *("y", "pow@3", None, None, None, None, "x")
    ]
    assert done.values["grad1:x"].array.tolist() == [3.0, 12.0]
    assert done.values["grad1:x"].requires_grad


def test_what_the_program_builds_upon_is_the_diagrams(run: Runner) -> None:
    told = run(PENALTY)
    g = told.diagram.nodes["g"]
    assert g.upper is not None
    assert (g.upper.call, g.upper.gradient) == (0, "x")
    assert told.run.passes[0].upper == ()
    assert told.diagram.nodes["z"].upper is None


def test_an_error_leaves_no_storey(run: Runner) -> None:
    told = run(_X + "y = x * 2\ny.backward(create_graph=True)\n")
    assert told.run.passes[0].error is not None
    assert told.run.passes[0].upper == ()


def test_a_long_chain_has_its_storey(run: Runner) -> None:
    told = run(
        _X
        + "y = x\nfor _ in range(300):\n    y = torch.sin(y)\n"
        + ("y.sum().backward(create_graph=True)\n")
    )
    assert told.run.error is None
    assert len(told.run.passes[0].upper) == 2 * 300 + 3
    assert evaluate(_ticked(told.diagram, "sum")).error is None


def _ticked(diagram: Diagram, reduction: str, **flags: Any) -> Diagram:
    """The first call ticked, and a call more from its gradient of x."""
    first = replace(diagram.calls[0], create_graph=True, retain_graph=True, edited=True)
    start = Start("reduction", reduction=reduction)
    more = BackwardCall("grad1:x", start, clear=("x",), edited=True, **flags)
    return replace(diagram, calls=(first, more))


def test_a_gradient_can_be_seeded(run: Runner) -> None:
    torch = pytest.importorskip("torch")
    diagram = run(_X + "y = (torch.sin(x) * x ** 2).sum()\ny.backward()\n").diagram
    v = np.array([1.0, -0.5], np.float32)
    calls = _ticked(diagram, "sum").calls
    start = Start("seed", values=v)
    found = evaluate(replace(diagram, calls=(calls[0], replace(calls[1], start=start))))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    _, product = torch.autograd.functional.hvp(
        lambda t: (torch.sin(t) * t**2).sum(), x, torch.tensor(v)
    )
    assert found.error is None
    _close(found.passes[1].grads["x"], product)
    assert {n.id for n in found.passes[1].under} == {n.id for n in found.passes[0].upper}


def test_a_gradient_can_be_reduced_and_the_third_taken(run: Runner) -> None:
    torch = pytest.importorskip("torch")
    diagram = run(_X + "y = (x ** 4).sum()\ny.backward()\n").diagram
    twice = _ticked(diagram, "norm", create_graph=True, retain_graph=True)
    third = BackwardCall("grad2:x", Start("reduction", reduction="prod"), clear=("x",), edited=True)
    found = evaluate(replace(twice, calls=(*twice.calls, third)))
    assert found.error is None
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (g,) = torch.autograd.grad((x**4).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.norm(), x, create_graph=True)
    (k,) = torch.autograd.grad(h.prod(), x)
    _close(found.passes[1].grads["x"], h)
    _close(found.passes[2].grads["x"], k)


@pytest.mark.parametrize("reduction", ["sum", "norm", "var"])
def test_another_start_of_the_first_call_goes_through_the_second(
    run: Runner, reduction: str
) -> None:
    """The program builds on the gradient of a call whose start was changed in the app."""
    torch = pytest.importorskip("torch")
    diagram = run(PENALTY).diagram
    start = Start("reduction", reduction=reduction)
    edited = replace(diagram.calls[0], target="pow@3", start=start, edited=True)
    found = evaluate(diagram.with_call(0, edited))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x**3
    scalar = {"sum": y.sum, "norm": y.norm, "var": y.var}[reduction]()
    (g,) = torch.autograd.grad(scalar, x, create_graph=True)
    z = (g**2).sum()
    z.backward()
    assert found.error is None
    _close(found.values["g"].array, g)
    _close(found.passes[1].grads["x"], x.grad)


def test_a_call_switched_off_gives_no_gradient_to_build_on(run: Runner) -> None:
    diagram = run(PENALTY).diagram
    off = replace(diagram.calls[0], enabled=False, edited=True)
    found = evaluate(diagram.with_call(0, off))
    assert "g" not in found.values
    assert found.passes[1].error is not None


def test_ids_say_whose_gradient_they_are() -> None:
    assert gradient_id(1, "w") == "grad2:w"
    assert gradient_of("grad2:grad1:w") == (1, "grad1:w")
    assert gradient_of("grad0:w") is None
    assert gradient_of("w") is None


def test_a_target_is_there_where_an_earlier_call_gives_it(run: Runner) -> None:
    diagram = run(PENALTY).diagram
    calls = diagram.calls
    assert is_there("grad1:x", diagram.nodes, calls)
    assert not is_there("grad3:x", diagram.nodes, calls)
    assert not is_there("grad1:q", diagram.nodes, calls)
    assert not is_there("grad1:x", diagram.nodes, ())
    assert same_gradient("grad1:x", diagram) == "g"
    assert same_gradient("grad1:y", diagram) == "constant@4"


def test_a_file_keeps_storeys_and_calls_from_them(run: Runner) -> None:
    diagram = _ticked(run(CUBE).diagram, "sum")
    whole = replace(diagram, nodes={**run(PENALTY).diagram.nodes})
    again = storage.loads(storage.dumps(whole), "x.gradviz")
    assert [n.upper for n in again.nodes.values()] == [n.upper for n in whole.nodes.values()]
    assert [c.target for c in again.calls] == ["y", "grad1:x"]
    assert [c.captures for c in again.calls] == [False, False]
    _same_grads(evaluate(again), evaluate(whole))


def _same_grads(one: Run, other: Run) -> None:
    for a, b in zip(one.passes, other.passes, strict=True):
        assert {k: v.tolist() for k, v in a.grads.items()} == {
            k: v.tolist() for k, v in b.grads.items()
        }


def test_a_file_whose_call_starts_nowhere_is_refused(run: Runner) -> None:
    diagram = _ticked(run(CUBE).diagram, "sum")
    document = form.document_of(diagram)
    document.calls = document.calls[1:]
    with pytest.raises(form.FormError, match=r"backward call 1.*grad1:x"):
        form.diagram_of(document)
    told = evaluate(replace(diagram, calls=(run(CUBE).diagram.calls[0], diagram.calls[1])))
    assert told.error is None


def test_a_call_from_a_gradient_that_is_not_made_says_so(run: Runner) -> None:
    diagram = _ticked(run(CUBE).diagram, "sum")
    first = replace(diagram.calls[0], create_graph=False)
    off = storage.loads(storage.dumps(replace(diagram, calls=(first, diagram.calls[1]))), "x")
    found = evaluate(off)
    assert found.passes[1].error is not None
    assert found.passes[1].error.message == (
        "Pass 1 gives no gradient of x to start from: it needs create_graph."
    )
    assert sentence(found.passes[1], 0, {"x": "x"}).startswith("ValueError: Pass 1 gives")
    assert call_title(found.passes[1], {"x": "x"}) == "(∇x).sum().backward()"


def test_bytes_keep_storeys_and_refuse_calls_from_nowhere(run: Runner) -> None:
    told = run(PENALTY)
    raw = codec.pack((codec.portable(told.diagram), told.run))
    diagram, found = codec.unpack(raw, tuple[Diagram, Run])
    assert diagram.nodes["g"].upper == told.diagram.nodes["g"].upper
    assert found.passes[0].call.captures
    wrong = replace(told.diagram, calls=(BackwardCall("grad1:x"),))
    with pytest.raises(codec.CodecError, match="grad1:x"):
        codec.checked(wrong)


def test_a_pass_upstairs_can_be_compared_and_checked(run: Runner) -> None:
    """It runs alone in `compare` and in the checks: what it goes through is the diagram's there."""
    diagram = _ticked(run(CUBE).diagram, "sum")
    found = evaluate(diagram)
    both = compare(evaluate, diagram, found, index=1)
    assert both.largest == 0
    assert both.reduction.done.grads["x"].tolist() == [6.0, 12.0]
    assert {"grad1:x", "pull1:pow:pow@3"} <= both.seed_side.diagram.nodes.keys()
    rows = dictionary(evaluate, diagram, found, index=1).rows
    assert all(row.largest <= 1e-5 for row in rows)
    report = check(diagram, found)
    assert {(proof.index, proof.leaf) for proof in report.leaves} == {(0, "x"), (1, "x")}
    assert report.failed == 0


def test_autograd_grad_leaves_grad_alone_when_run_again(run: Runner) -> None:
    told = run(PENALTY)
    assert told.diagram.calls[0].captures
    again = evaluate(told.diagram)
    assert again.passes[0].grads == {}
    assert again.passes[1].grads["x"].tolist() == [36.0, 288.0]


def test_levels_count_from_the_ground(run: Runner) -> None:
    told = run(TWICE)
    found = levels(told.diagram.nodes)
    assert {found[key] for key in ("x", "y")} == {0}
    assert (found["g"], found["h"]) == (1, 3)
    assert max(found.values()) == 4
    loose = apart(told.diagram, told.run)
    assert levels(loose.nodes) == found
    assert {n.upper.call for n in loose.nodes.values() if n.upper} == {-1, -2}


def test_numbers_of_calls_follow_when_one_goes(run: Runner) -> None:
    told = run(_X + "a = (x * x).sum()\na.backward()\n" + PENALTY.removeprefix(_X))
    more = BackwardCall("grad2:x", clear=("x",), edited=True)
    diagram = replace(told.diagram, calls=(*told.diagram.calls, more))
    left = diagram.remove(["a"])
    assert [call.target for call in left.calls] == ["y", "z", "grad1:x"]
    assert left.nodes["g"].upper is not None
    assert left.nodes["g"].upper.call == 0
    none = left.remove(["y"])
    assert [call.target for call in none.calls] == ["z", "grad3:x"]
    assert none.nodes["g"].upper is None
