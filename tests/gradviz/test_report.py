"""`run --json`: the schema, and the numbers in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import numpy as np
import pytest

from gradviz import resources
from gradviz.diagram import Diagram, Node
from gradviz.examples import examples
from gradviz.report import dumps, report
from gradviz.run import Failure, Printed, Run, Value
from gradviz.script.sandbox import Sandbox

SCHEMA = json.loads(resources.text("schema", "run.schema.json"))


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def document(sandbox: Sandbox, source: str, *, full: bool = False) -> Any:
    diagram, run = sandbox.run(source, "script.py")
    found = json.loads(dumps(report(diagram, run, full=full)))
    jsonschema.validate(found, SCHEMA)
    return found


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", [each.name for each in examples()])
def test_every_example_fits_the_schema(name: str, sandbox: Sandbox) -> None:
    source = next(each for each in examples() if each.name == name).source()
    found = document(sandbox, source)
    assert found["gradviz"] == 1
    ids = {node["id"] for node in found["nodes"]}
    for done in found["passes"]:
        assert {step["input"] for step in done["steps"]} <= ids


def test_the_numbers_of_the_article_s_function(sandbox: Sandbox) -> None:
    found = document(
        sandbox,
        "import torch\n"
        "x = torch.tensor([2.0, 3.0], requires_grad=True)\n"
        "y = x**2 + 3 * x\n"
        "v = torch.tensor([1.0, 0.5])\n"
        "y.backward(gradient=v)\n"
        "print(x.grad)\n",
    )
    nodes = {node["id"]: node for node in found["nodes"]}
    assert nodes["x"]["value"] == [2, 3]
    assert nodes["x"]["leaf"]
    assert nodes["x"]["requires_grad"]
    assert nodes["y"]["value"] == [10, 18]
    assert (nodes["y"]["grad_fn"], nodes["y"]["line"], nodes["y"]["shape"]) == (
        "AddBackward0",
        3,
        [2],
    )
    (done,) = found["passes"]
    assert done["target"] == "y"
    assert done["start"] == {"kind": "seed", "reduction": None, "seed": [1, 0.5]}
    assert done["cotangents"]["y"] == [1, 0.5]
    assert done["grads"] == {"x": [7, 4.5]}
    assert done["cost"]["steps"] == len(done["steps"]) == 4
    assert done["steps"][-1]["after"] == [7, 4.5]
    assert found["console"] == [
        {"text": "tensor([7.0000, 4.5000])\n", "line": 6, "stream": "stdout"}
    ]
    assert found["error"] is None


def test_an_error_keeps_what_came_before(sandbox: Sandbox) -> None:
    found = document(
        sandbox,
        "import torch\nx = torch.ones(2, requires_grad=True)\ny = x * 2\ny.backward()\n",
    )
    assert found["error"] == {
        "type": "RuntimeError",
        "message": "grad can be implicitly created only for scalar outputs",
        "line": 4,
        "node": "y",
    }
    assert found["passes"][0]["error"]["type"] == "RuntimeError"
    assert found["passes"][0]["start"]["seed"] is None


def test_numbers_that_json_lacks(sandbox: Sandbox) -> None:
    found = document(
        sandbox,
        "import torch\nx = torch.tensor([float('nan'), float('inf'), -float('inf'), 1.5])\n"
        "y = x * 1\n",
    )
    nodes = {node["id"]: node for node in found["nodes"]}
    assert nodes["y"]["value"] == ["nan", "inf", "-inf", 1.5]


def test_large_arrays_are_cut_unless_full(sandbox: Sandbox) -> None:
    source = "import torch\nx = torch.arange(1001.0)\ny = x * 1\n"
    nodes = {node["id"]: node for node in document(sandbox, source)["nodes"]}
    norm = float(np.sqrt(np.sum(np.arange(1001.0) ** 2)))
    assert nodes["y"]["value"] == {
        "shape": [1001],
        "dtype": "float32",
        "min": 0,
        "max": 1000,
        "norm": pytest.approx(norm),
        "cut": True,
    }
    nodes = {node["id"]: node for node in document(sandbox, source, full=True)["nodes"]}
    assert nodes["y"]["value"] == list(range(1001))


def test_parameters_of_every_kind() -> None:
    params = {
        "index": (slice(1, None), Ellipsis, None, 2),
        "weight": np.array([1.0, np.nan]),
        "alpha": np.float32(0.5),
        "dtype": np.dtype("float64"),
        "z": 1 - 2j,
    }
    diagram = Diagram(nodes={"c": Node("c", "constant", params=params)})
    run = Run(
        values={"c": Value(np.array([True, False]))},
        console=(Printed("careful\n", 1, "stderr"),),
        error=Failure("ValueError", "梯度", None, None),
    )
    found = json.loads(dumps(report(diagram, run)))
    jsonschema.validate(found, SCHEMA)
    node = found["nodes"][0]
    assert node["params"] == {
        "index": [{"slice": [1, None, None]}, "...", None, 2],
        "weight": [1, "nan"],
        "alpha": 0.5,
        "dtype": "float64",
        "z": {"real": 1, "imag": -2},
    }
    assert node["value"] == [True, False]
    assert node["leaf"]
