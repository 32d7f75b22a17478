"""Proofs: right rules pass by every means, wrong ones are found, what does not apply says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from engine.check import analytical
from engine.op import Op
from engine.ops import OPS
from engine.tensor import apply
from gradviz import resources
from gradviz.commands.check import check as command
from gradviz.diagram import Node
from gradviz.evaluate import evaluate
from gradviz.examples import examples
from gradviz.proofs import Proof, Report, check, in_torch
from gradviz.proofs.badges import badge, badges
from gradviz.proofs.differences import by_differences
from gradviz.script.sandbox import Sandbox
from tests.gradviz.programs import article, recorded
from tests.gradviz.test_cli import cells, gradviz

SCHEMA = json.loads(resources.text("schema", "check.json"))
NAMES = [each.name for each in examples()]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def checked(sandbox: Sandbox, source: str, **options: bool) -> Report:
    return check(*sandbox.run("import torch\n" + source), **options)


def notes(report: Report, kind: str) -> list[str]:
    return [p.note for leaf in report.leaves for p in leaf.proofs if p.kind == kind]


@pytest.mark.parametrize("name", NAMES)
def test_every_example_passes_by_every_means(name: str, sandbox: Sandbox) -> None:
    pytest.importorskip("torch")
    source = next(each for each in examples() if each.name == name).source()
    diagram, run = sandbox.run(source)
    report = check(diagram, run)
    assert report.torch
    assert report.nodes
    assert [p.passed for p in report.proofs()] == [True] * len(list(report.proofs()))
    assert report.largest < 1e-6
    leaves = {key for key, node in diagram.nodes.items() if node.op == "leaf"}
    reached = [(i, leaf) for i, done in enumerate(run.passes) if done.error is None
               for leaf in leaves.intersection(done.cotangents())]  # fmt: skip
    assert {(proof.index, proof.leaf) for proof in report.leaves} == set(reached)


def test_without_pytorch_the_other_means_remain(sandbox: Sandbox) -> None:
    report = checked(sandbox, "x = torch.ones(2, requires_grad=True)\n(x * x).sum().backward()",
                     torch=False)  # fmt: skip
    assert {proof.kind for proof in report.proofs()} == {"differences", "adjoint"}
    assert report.failed == 0


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    trace, _log, _error = recorded(article)
    row = OPS["mul"]
    wrong = Op("mul", row.forward, (lambda g, y, a, b: 2 * g * b, lambda g, y, a, b: g * a))
    monkeypatch.setitem(OPS, "mul", wrong)
    report = check(trace.diagram, evaluate(trace.diagram))
    (found,) = [node for node in report.nodes if node.op == "mul"]
    by_kind = {proof.kind: proof for proof in found.proofs}
    assert by_kind["differences"].passed is False
    assert by_kind["differences"].error == pytest.approx(0.5, rel=1e-3)
    assert report.failed >= 1


def test_a_wrong_gradient_is_found(sandbox: Sandbox) -> None:
    source = next(each for each in examples() if each.name == "sum").source()
    diagram, run = sandbox.run(source)
    done = run.passes[0]
    steps = (*done.steps[:-1], replace(done.steps[-1], after=np.array([7, 9.5], np.float32)))
    spoilt = replace(run, passes=(replace(done, steps=steps),))
    report = check(diagram, spoilt)
    assert [node for node in report.nodes if any(not p.passed for p in node.proofs)] == []
    (leaf,) = report.leaves
    assert {proof.passed for proof in leaf.proofs} == {False}
    assert leaf.proofs[0].error == pytest.approx(0.5 / 9, rel=1e-3)


def test_a_value_changed_behind_autograd_s_back_is_found(sandbox: Sandbox) -> None:
    report = checked(sandbox, "x = torch.tensor([1.0, 2.0], requires_grad=True)\ny = x * x\n"
                     "x.data.mul_(5)\ny.sum().backward()", torch=False)  # fmt: skip
    (leaf,) = report.leaves
    assert leaf.proofs[0].passed is False
    assert leaf.proofs[0].note == "done again, the same rules bring another gradient"


def test_a_subgradient_at_a_kink_is_right_and_told() -> None:
    at, ones = np.array([0.0, 1.0]), np.ones(2)
    for slope in (0.0, 0.5, 1.0):
        proof = by_differences(lambda x: np.maximum(x, 0), at, ones, np.array([slope, 1.0]))
        assert (proof.passed, proof.note) == (True, "a kink: the slopes on its two sides differ"), (
            slope
        )
    proof = by_differences(lambda x: np.maximum(x, 0), at, ones, np.array([1.5, 1.0]))
    assert proof.passed is False


def test_what_is_detached_is_held_still(sandbox: Sandbox) -> None:
    report = checked(sandbox, "x = torch.tensor([1.0, 2.0], requires_grad=True)\n"
                     "(x * x.detach()).sum().backward()")  # fmt: skip
    assert report.failed == 0
    assert notes(report, "differences") == ["what has no history stays as it is"]


@pytest.mark.parametrize(
    ("source", "note"),
    [
        (
            "class Cube(torch.autograd.Function):\n"
            "    @staticmethod\n"
            "    def forward(ctx, x):\n"
            "        return x ** 3\n"
            "    @staticmethod\n"
            "    def backward(ctx, g):\n"
            "        return g\n"
            "x = torch.ones(2, requires_grad=True)\n"
            "Cube.apply(x).sum().backward()",
            "a function of the script's own is on the way",
        ),
        (
            "x = torch.tensor([1 + 2j, 2.0], requires_grad=True)\n(x * x).real.sum().backward()",
            "complex numbers",
        ),
        (
            "x = torch.tensor([0.0, 2.0], requires_grad=True)\nx.log().sum().backward()",
            "not finite here",
        ),
        (
            "x = torch.ones(2, requires_grad=True)\nx.half().float().sum().backward()",
            "not in double precision",
        ),
    ],
    ids=["custom", "complex", "infinite", "half"],
)
def test_what_cannot_be_checked_says_why(source: str, note: str, sandbox: Sandbox) -> None:
    report = checked(sandbox, source, torch=False)
    assert report.failed == 0
    assert notes(report, "differences") == [note]


# What is random, changed in place, not smooth, not finite or not real is never called wrong.
DELICATE = {
    "dropout": "y = torch.nn.functional.dropout(x * 2, 0.5)\n(y * x).sum().backward()",
    "random factor": "(x * torch.randn_like(x)).sum().backward()",
    "in place": "y = x * 2\ny.mul_(3)\ny[0] = 5.0\n(y * y).sum().backward()",
    "in place on a view": "y = x * 2\ny[:2].mul_(x[1])\n(y * y).sum().backward()",
    "steps of a loop": "for _ in range(2):\n    (x * x).sum().backward()\n"
    "    with torch.no_grad():\n        x -= 0.1 * x.grad\n        x.grad = None",
    "integers": "i = x.argmax()\n(x[i] * i * x.long()).sum().backward()",
    "order": "v, i = x.sort()\n(v * i).sum().backward()",
    "a sign at zero": "((x - 2).sign() + x).sum().backward()",
    "ties": "z = x * 0 + 2\n(z.max(0).values + z.median() + z.sort().values[0]).backward()",
    "an angle at the origin": "z = x * 0\ntorch.atan2(z, z).sum().backward()",
    "zero to the third": "((x - 2) ** 3).sum().backward()",
    "not a number beside numbers": "torch.where(x > 2, (x - 2).log(), x).sum().backward()",
    "nothing times infinity": "torch.xlogy(x - 2, x - 2).sum().backward()",
    "a double root": "torch.linalg.eigvalsh(torch.diag(x * 0 + 1)).sum().backward()",
    "one triangle": "torch.linalg.cholesky(torch.diag(x)).sum().backward()",
    "rank deficient": "q, r = torch.linalg.qr(torch.outer(x, x))\n(q * r).sum().backward()",
    "rounding": "z = (x + 123456.0) - 123456.0\n(z * z * z).sum().backward()",
    "overflow": "z = (x * 100).exp()\n((z / z.sum()) * x).sum().backward()",
    "complex": "z = torch.complex(x, x * x)\n(z.exp() * z.conj()).abs().sum().backward()",
    "a hook": "y = x * 2\ny.register_hook(lambda g: g * 10)\ny.sum().backward()",
    "several outputs": "torch.autograd.backward((x * x, x.exp()), (x.detach(), x.detach()))",
    "no elements": "(x[:0] * 2).sum().backward()",
    "a loss of log-probabilities": "p = torch.ones(3, 1, 3) * x\n"
    "torch.nn.functional.ctc_loss(p, torch.tensor([[1]]), (3,), (1,)).backward()",
}


@pytest.mark.parametrize("source", DELICATE.values(), ids=DELICATE)
@pytest.mark.parametrize("torch", [False, True])
def test_what_is_right_is_never_called_wrong(source: str, torch: bool, sandbox: Sandbox) -> None:
    if torch:
        pytest.importorskip("torch")
    begin = "x = torch.tensor([1.2345, 2.0, 3.3], requires_grad=True)\n"
    report = checked(sandbox, begin + source, torch=torch)
    assert report.leaves
    assert [proof for proof in report.proofs() if proof.passed is False] == []


def test_what_is_not_smooth_says_so(sandbox: Sandbox) -> None:
    begin = "x = torch.tensor([1.2345, 2.0, 3.3], requires_grad=True)\n"
    said = {
        name: set(notes(checked(sandbox, begin + DELICATE[name], torch=False), "differences"))
        for name in (
            "a sign at zero",
            "rounding",
            "overflow",
            "a hook",
            "several outputs",
            "a loss of log-probabilities",
        )
    }
    assert said == {
        "a sign at zero": {"not smooth here; right close by"},
        "rounding": {"lost to rounding: 0.001893"},
        "overflow": {"not finite here"},
        "several outputs": {"the call starts from several outputs"},
        "a hook": {"a hook changes the gradient on its way"},
        "a loss of log-probabilities": {"its rule takes the input for log-probabilities"},
    }


def test_complex_numbers_are_held_to_pytorch_s(sandbox: Sandbox) -> None:
    pytest.importorskip("torch")
    source = (
        "z = torch.tensor([1 + 2j, 0.5], requires_grad=True)\n"
        "x = torch.tensor([2.0, 3.0], requires_grad=True)\n"
        "(torch.exp(z) * x).abs().sum().backward()"
    )
    report = checked(sandbox, source)
    assert report.failed == report.unknown == 0
    found = {leaf.leaf: {p.kind: p.passed for p in leaf.proofs} for leaf in report.leaves}
    assert found == {
        "z": {"differences": None, "torch": True},
        "x": {"differences": None, "torch": True},
    }
    beside = checked(sandbox, source.replace("(torch.exp", "(x * x).sum().backward()\n(torch.exp"))
    assert [p.passed for p in beside.leaves[0].proofs] == [True, True]


def test_a_rule_that_is_wrong_at_one_point_only_is_found() -> None:
    at, ones = np.array([0.0, 1.0]), np.ones(2)

    def rule(x: np.ndarray) -> np.ndarray:
        return np.where(x == 0, 5.0, 2 * x)

    proof = by_differences(lambda x: x**2, at, ones, rule(at), rule=rule)
    assert (proof.passed, proof.error) == (False, pytest.approx(1.0))
    kinked = by_differences(np.abs, at, ones, np.array([3.0, 1.0]), rule=lambda x: 3 * np.sign(x))
    assert kinked.passed is False


def test_a_function_without_a_derivative_is_not_judged() -> None:
    at, ones = np.zeros(2), np.ones(2)

    def angle(x: np.ndarray) -> np.ndarray:
        return np.array([np.arctan2(x[0], x[1])] * 2)

    def rule(x: np.ndarray) -> np.ndarray:
        size = np.sum(x**2)
        return 2 * np.array([x[1], -x[0]]) / (size or 1e-30) + (size == 0) * 1e9

    proof = by_differences(angle, at, ones, rule(at), rule=rule)
    assert (proof.passed, proof.note) == (None, "has no derivative here")


def test_models_pass_from_end_to_end(sandbox: Sandbox) -> None:
    pytest.importorskip("torch")
    report = checked(
        sandbox,
        """
import torch.nn as nn
torch.manual_seed(0)
m = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
                  nn.Flatten(), nn.Linear(64, 8), nn.LayerNorm(8), nn.Dropout(0.5), nn.GELU())
nn.functional.cross_entropy(m(torch.randn(2, 1, 8, 8)), torch.tensor([1, 7])).backward()
""",
    )
    assert report.failed == 0
    assert len(report.leaves) == 8
    assert all(p.passed for leaf in report.leaves for p in leaf.proofs)


def _rows() -> Iterator[tuple[Op, Node, list[np.ndarray]]]:
    for name, op in OPS.items():
        if not in_torch.known(Node(name, name)):
            continue
        for sample in op.samples:
            arrays = sample.arrays()
            if all(array.dtype.kind in "fib" for array in arrays):
                yield op, Node(name, name, (None,) * len(arrays), sample.params), arrays


def test_what_stands_for_a_row_in_pytorch_computes_the_same() -> None:
    pytest.importorskip("torch")
    seen = set()
    for op, node, arrays in _rows():
        if not in_torch.known(node):
            continue
        made = np.asarray(op.forward(*arrays, **node.params))
        theirs = in_torch.applied(node, [in_torch.tensor(array) for array in arrays])
        np.testing.assert_allclose(theirs.numpy(), made, rtol=1e-6, atol=1e-9, err_msg=op.name)
        seed = np.random.default_rng(0).uniform(0.5, 1.5, made.shape).astype(made.dtype)
        slots = [at for at, array in enumerate(arrays) if array.dtype.kind == "f"]
        ours = analytical(lambda *t, o=op, n=node: apply(o, t, n.params), arrays, seed)
        back = in_torch.pulled_back(node, arrays, seed, slots)
        for one, other in zip(ours, back, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9, err_msg=op.name)
        seen.add(op.name)
    assert len(seen) > 80


@pytest.mark.parametrize("name", NAMES)
def test_json_of_every_example_fits_the_schema(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    status = command(f"example:{name}", as_json=True)
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    assert found["failed"] == 0
    assert status == (found["error"] is not None)


def test_the_table_says_what_passed() -> None:
    pytest.importorskip("torch")
    ran = gradviz("check", "example:sum")
    assert (ran.returncode, ran.stderr) == (0, "")
    rows = [cells(line) for line in ran.stdout.splitlines() if cells(line)]
    assert ["node", "op", "finite differences", "adjoint test", "PyTorch"] in rows
    (pow_row,) = [row for row in rows if row[0] == "x ** 2"]
    assert pow_row[1] == "pow"
    assert all(cell.startswith("✓") for cell in pow_row[2:])
    assert rows[-1][0].startswith("14 tests passed; the largest error is ")


def test_a_failure_is_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = OPS["mul"]
    wrong = Op("mul", row.forward, (lambda g, y, a, b: 2 * g * b, lambda g, y, a, b: g * a))
    monkeypatch.setitem(OPS, "mul", wrong)
    assert command("example:sum") == 1
    out = capsys.readouterr().out
    assert "✗ 0.5" in out
    assert "tests failed" in out


def test_small_gradients_are_held_to_their_own_size() -> None:
    at, seed = np.array([1.0, 2.0]), np.ones(2)

    def function(x: np.ndarray) -> np.ndarray:
        return 1e-8 * x**2

    assert by_differences(function, at, seed, 2e-8 * at).passed is True
    wrong = by_differences(function, at, seed, 3e-8 * at)
    assert (wrong.passed, wrong.error) == (False, pytest.approx(1 / 3, rel=1e-3))


def test_a_badge_names_what_passed_with_the_largest_error(sandbox: Sandbox) -> None:
    pytest.importorskip("torch")
    source = next(each for each in examples() if each.name == "sum").source()
    report = check(*sandbox.run(source))
    found = badges(report, 0)
    (y,) = (found[node.node] for node in report.nodes if node.op == "add")
    assert [badge.text for badge in y] == ["✓ fd adj torch 2e-10"]
    assert y[0].tip.splitlines()[1:] == ["adjoint test: ✓ 0", "PyTorch: ✓ 0"]
    leaf = found[report.leaves[0].leaf][0]
    assert leaf.text.startswith("✓ fd torch ")
    assert leaf.tone == "holds"
    assert report.leaves[0].leaf not in badges(report, 1)


def test_a_badge_of_a_failure_names_what_failed() -> None:
    passed, failed = Proof("differences", True, 1e-9), Proof("torch", False, 0.25)
    made = badge((passed, Proof("adjoint", None, note="not finite here"), failed))
    assert (made.text, made.tone) == ("✗ torch 2e-1", "fails")
    assert made.tip.splitlines() == [
        "finite differences: ✓ 1e-09",
        "adjoint test: – not finite here",
        "PyTorch: ✗ 0.25",
    ]
    assert badge((Proof("differences", True, 3.0),)).text == "✓ fd 3"


def test_what_cannot_be_checked_has_one_sentence(
    sandbox: Sandbox, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = (
        "import torch\n"
        "class Cube(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x):\n"
        "        return x ** 3\n"
        "    @staticmethod\n"
        "    def backward(ctx, g):\n"
        "        return g\n"
        "x = torch.ones(2, requires_grad=True)\n"
        "Cube.apply(x).sum().backward()\n"
    )
    report = check(*sandbox.run(source))
    made = [one for each in badges(report, 0).values() for one in each if one.tone == "unknown"]
    assert len(made) == report.unknown == 2
    assert {one.text for one in made} == {"? not checked"}
    assert {one.tip for one in made} == {
        "cannot be checked: a function of the script's own",
        "cannot be checked: a function of the script's own is on the way",
    }
    path = tmp_path / "cube.py"
    path.write_text(source)
    assert command(str(path)) == 0
    assert "; 2 gradients cannot be checked" in capsys.readouterr().out
    command(str(path), as_json=True)
    found = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, SCHEMA)
    verdicts = [each["verdict"] for each in (*found["nodes"], *found["leaves"])]
    assert verdicts == ["unknown", "holds", "unknown"]
