"""The doctor against scripts with something wrong in them, and against scripts without."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.doctor.examine import examine
from gradviz.doctor.finding import Finding, Repair
from gradviz.examples import examples
from gradviz.run import Run
from gradviz.script.sandbox import Sandbox
from tests.gradviz.sandboxes import LIMITS
from tests.gradviz.scripts import ARTICLE, TUTORIALS

HERE = Path(__file__).parent / "doctor"
MARK = re.compile(r"  #! (\S+)$", re.MULTILINE)  # the kind, on the line that is to be named
EVERY_KIND = {
    "nonscalar", "device-losses", "seed-shape", "seed-type", "seed-dtype", "no-history",
    "freed-graph", "saved-in-place", "leaf-in-place", "nonleaf-grad", "unused-input",
    "uncleared-grad", "mean-and-sum", "broadcast", "nonfinite", "vanishing", "exploding",
}  # fmt: skip


def scripts(name: str) -> dict[str, str]:
    """The scripts of a file, each below a line `=== title`."""
    parts = re.split(r"^=== (.*)\n", (HERE / name).read_text("utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


BROKEN, CLEAN = scripts("broken.txt"), scripts("clean.txt")
OF_EXAMPLES = {
    each.name: each.source()
    for each in examples()
    if each.name not in ("nonscalar", "second-backward")
}
OF_OTHERS = {**TUTORIALS, "article 2.1 again": ARTICLE["2.1 with y again"], "3": ARTICLE["3"]}


class Doctor:
    """Findings of a script, from one sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox

    def __call__(self, source: str) -> tuple[Finding, ...]:
        diagram, run = self.sandbox.run(source)
        return examine(diagram, run, source=source, rerun=self.sandbox.run)


@pytest.fixture(scope="module")
def doctor() -> Iterator[Doctor]:
    with Sandbox(LIMITS) as sandbox:
        yield Doctor(sandbox)


def one(doctor: Doctor, title: str) -> Finding:
    (finding,) = doctor(MARK.sub("", BROKEN[title]))
    return finding


@pytest.mark.parametrize("title", BROKEN)
def test_a_broken_script_is_found_and_repaired_under_pytorch(doctor: Doctor, title: str) -> None:
    (found,) = MARK.finditer(BROKEN[title])
    line = BROKEN[title].count("\n", 0, found.start()) + 1
    finding = one(doctor, title)
    assert (finding.kind, finding.line) == (found[1], line)
    assert finding.sentence
    assert finding.why.endswith(".")
    assert finding.repairs
    for repair in finding.repairs:
        assert repair.error is None
        assert repair.grads
        assert_promise_kept(repair)


def assert_promise_kept(repair: Repair) -> None:
    """PyTorch itself runs the repaired script, and comes to the gradients that were promised."""
    torch = pytest.importorskip("torch")
    made: dict[str, Any] = {"__name__": "__main__"}
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(repair.source, "repaired.py", "exec"), made)
        grads = [leaf.grad.detach().numpy() for leaf in kept(torch, made) if leaf.grad is not None]
    for name, promised in repair.grads.items():
        size = max(1.0, float(np.abs(promised[np.isfinite(promised)]).max(initial=0)))
        assert any(
            grad.shape == promised.shape
            and np.allclose(grad, promised, rtol=1e-4, atol=1e-6 * size, equal_nan=True)
            for grad in grads
        ), (name, promised, grads)


def kept(torch: Any, made: Mapping[str, Any]) -> Iterator[Any]:
    """The tensors of a script, its modules' parameters, and every leaf they came from."""
    waiting: list[Any] = []
    for value in made.values():
        if isinstance(value, torch.nn.Module):
            yield from value.parameters()
        elif isinstance(value, torch.Tensor):
            yield value
            waiting.append(value.grad_fn)
    seen: set[Any] = {None}
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += [before for before, _index in node.next_functions]
            if hasattr(node, "variable"):
                yield node.variable


def test_there_is_a_script_for_every_finding() -> None:
    assert {found[1] for text in BROKEN.values() for found in MARK.finditer(text)} == EVERY_KIND


@pytest.mark.parametrize(
    "source", [*CLEAN.values(), *OF_EXAMPLES.values(), *OF_OTHERS.values()],
    ids=[*CLEAN, *OF_EXAMPLES, *OF_OTHERS],
)  # fmt: skip
def test_a_clean_script_has_no_finding(doctor: Doctor, source: str) -> None:
    assert doctor(source) == ()


def test_the_article_forgets_that_the_graph_is_freed(doctor: Doctor) -> None:
    (finding,) = doctor(ARTICLE["2.1"])
    assert (finding.kind, finding.line) == ("freed-graph", 17)
    assert finding.sentence == (
        "this pass needs what x ** 2, 3 * x saved (line 4), and the pass of line 8 freed it"
    )
    retain, again = finding.repairs
    assert "loss_sum.backward(retain_graph=True)\n" in retain.source
    assert (
        "# 方案 B：均值规约。数学等价于为每个分量赋予权重 1/N\ny = x ** 2 + 3 * x\n" in again.source
    )
    for repair in (retain, again):
        assert repair.grads["x"].tolist() == [3.5, 4.5]
        assert repair.source.count("#") == ARTICLE["2.1"].count("#")


def test_a_seed_of_another_dtype_is_cast_not_refused(doctor: Doctor) -> None:
    finding = one(doctor, "seed of another dtype")
    assert finding.severity == "note"
    assert finding.sentence == "the seed is float64, and y is float32: PyTorch casts the seed"
    (repair,) = finding.repairs
    assert "y.backward(gradient=v.to(y.dtype))" in repair.source
    assert repair.grads["x"] == pytest.approx([7.0, 0.9])


def test_a_nonscalar_output_has_three_ways_out(doctor: Doctor) -> None:
    finding = one(doctor, "nonscalar")
    total, mean, ones = finding.repairs
    assert finding.node == "y"
    assert total.source.endswith("y.sum().backward()\n")
    assert mean.source.endswith("y.mean().backward()\n")
    assert ones.source.endswith("y.backward(gradient=torch.ones_like(y))\n")
    grads = [repair.grads["x"].tolist() for repair in finding.repairs]
    assert grads == [[7.0, 9.0], [3.5, 4.5], [7.0, 9.0]]


def test_the_write_and_the_op_that_needs_the_old_value_are_named(doctor: Doctor) -> None:
    finding = one(doctor, "a saved input overwritten")
    assert finding.sentence == (
        "line 6 changes in place a tensor that pow (line 5) needs for its gradient"
    )
    assert finding.node is not None
    assert "h = h.clone()\nh[0] = 0.0\n" in finding.repairs[0].source


def test_the_mean_comes_first_for_losses_of_devices(doctor: Doctor) -> None:
    finding = one(doctor, "losses of two devices")
    assert "2 losses" in finding.sentence
    assert "loss.mean().backward()" in finding.repairs[0].source


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("log of nothing", "inf"),
        ("sqrt at zero", "inf"),
        ("softmax by hand", "inf"),
        ("where does not save it", "nan"),
        ("zero by zero", "nan"),
    ],
)
def test_what_is_not_finite_is_gone_after_each_repair(
    doctor: Doctor, title: str, kind: str
) -> None:
    finding = one(doctor, title)
    assert finding.sentence.startswith(kind)
    for repair in finding.repairs:
        assert all(np.isfinite(grad).all() for grad in repair.grads.values())


def test_a_clipped_gradient_is_promised_as_it_will_be(doctor: Doctor) -> None:
    (repair,) = one(doctor, "a product that grows").repairs
    assert np.linalg.norm(repair.grads["w"]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "source", ["", "x = (\n", "1 / 0\n", "import os\n", "print(undefined)\n", "\0"]
)
def test_what_the_doctor_does_not_know_is_no_finding(doctor: Doctor, source: str) -> None:
    assert doctor(source) == ()


def test_an_error_that_stays_is_told_with_the_repair(doctor: Doctor) -> None:
    source = (
        "import torch\nx = torch.ones(2, requires_grad=True)\ny = x.exp()\n"
        "y.backward()\nraise ValueError('later')\n"
    )
    (finding,) = doctor(source)
    assert [repair.error.message for repair in finding.repairs if repair.error] == ["later"] * 3


def test_a_leaf_without_a_variable_is_named_by_how_it_is_made(doctor: Doctor) -> None:
    itself, kept_too = one(doctor, "a leaf hidden in an expression").repairs
    assert set(itself.grads) == {"w"}
    assert set(kept_too.grads) == {"w", "torch.ones(2, requires_grad=True)"}


def test_no_more_is_tried_after_a_request_to_stop(doctor: Doctor) -> None:
    source = MARK.sub("", BROKEN["nonscalar"])
    diagram, run = doctor.sandbox.run(source)
    tried: list[str] = []

    def rerun(text: str) -> tuple[Diagram, Run] | None:
        tried.append(text)
        return doctor.sandbox.run(text) if len(tried) == 1 else None

    (finding,) = examine(diagram, run, source=source, rerun=rerun)
    assert len(tried) == 2
    assert [repair.source for repair in finding.repairs] == tried[:1]


def drawn(doctor: Doctor, *starts: Start) -> tuple[Diagram, tuple[Finding, ...]]:
    """A diagram without a script that starts from y = x² so, and what is found in it."""
    x = np.array([2.0, 3.0], dtype=np.float32)
    nodes = {"x": Node("x", "leaf", name="x", data=x)}
    nodes["y"] = Node("y", "pow", ("x",), {"exponent": 2}, name="y")
    calls = tuple(BackwardCall("y", start) for start in starts)
    diagram = Diagram(nodes, calls)
    run = doctor.sandbox.evaluate(diagram)
    found = examine(
        diagram, run, source="", rerun=doctor.sandbox.run, evaluate=doctor.sandbox.evaluate
    )
    return diagram, found


def test_a_drawn_output_is_reduced_or_seeded(doctor: Doctor) -> None:
    diagram, (finding,) = drawn(doctor, Start())
    assert (finding.kind, finding.line, finding.node) == ("nonscalar", None, "y")
    kinds = []
    for repair in finding.repairs:
        assert repair.diagram is not None
        assert repair.diagram.nodes is diagram.nodes
        kinds.append(repair.diagram.calls[0].start.kind)
    assert kinds == ["reduction", "reduction", "seed"]
    grads = [repair.grads["x"].tolist() for repair in finding.repairs]
    assert grads == [[4, 6], [2, 3], [4, 6]]


def test_a_drawn_call_keeps_the_graph_for_the_next(doctor: Doctor) -> None:
    sums = Start("reduction", reduction="sum"), Start("reduction", reduction="mean")
    _diagram, (finding,) = drawn(doctor, *sums)
    assert finding.sentence == "this pass needs what y saved, and an earlier pass freed it"
    (repair,) = finding.repairs
    assert repair.diagram is not None
    assert [call.retain_graph for call in repair.diagram.calls] == [True, False]
    assert repair.grads["x"].tolist() == [6, 9]


def test_a_half_drawn_diagram_is_examined_as_far_as_it_goes(doctor: Doctor) -> None:
    diagram = Diagram().put(Node("x", "leaf", name="x"), Node("y", "exp", ("x",)))
    run = doctor.sandbox.evaluate(diagram)
    assert examine(diagram, run, source="", rerun=doctor.sandbox.run) == ()


def test_a_parameter_is_marked_where_its_module_writes_over_it(doctor: Doctor) -> None:
    source = MARK.sub("", BROKEN["a parameter written in forward"])
    source = source.replace("self.w += 1", "h = self.w * 1\n        self.w += 1")
    (finding,) = doctor(source)
    assert finding.node == "w"
    assert finding.sentence.startswith("self.w is a leaf")


def test_the_first_of_two_like_errors_is_repaired(doctor: Doctor) -> None:
    (finding,) = doctor(MARK.sub("", BROKEN["nonscalar"]) + "y.backward()\n")
    assert finding.line == 5
    assert len(finding.repairs) == 3
    for repair in finding.repairs:
        assert repair.error is not None
        assert repair.error.line == 6
