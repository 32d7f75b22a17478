"""What other libraries do with an output: the table, the words, the command."""

from __future__ import annotations

import json

import jsonschema
import numpy as np
import pytest

from engine import errors
from gradviz import resources
from gradviz.commands.compare import Asked, compare
from gradviz.commands.elsewhere import elsewhere
from gradviz.commands.problem import CommandProblem
from gradviz.elsewhere import Answer, answers, libraries
from gradviz.examples import examples


def _does(shape: tuple[int, ...]) -> list[str]:
    return [answer.does for answer in answers(shape)]


def test_a_scalar_is_a_scalar_to_all() -> None:
    assert _does(()) == ["gives"] * 6


def test_a_vector_is_refused_or_summed() -> None:
    assert _does((2,)) == ["raises", "raises", "raises", "sums", "sums", "sums"]
    assert _does((0,)) == _does((2,))


def test_one_element_is_not_enough_for_jax() -> None:
    refused = [answer.library.name for answer in answers((1,)) if answer.does != "gives"]
    assert refused == ["JAX"]


def _answer(name: str, shape: tuple[int, ...]) -> Answer:
    return next(answer for answer in answers(shape) if answer.library.name == name)


def test_errors_in_their_own_words() -> None:
    assert _answer("PyTorch", (2,)).error == f"RuntimeError: {errors.IMPLICIT_SCALAR}"
    assert _answer("JAX", (2, 3)).error.endswith("Output had shape: (2, 3).")


def test_pytorch_does_what_is_said_of_it() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    for shape in ((), (1,), (2,), (0,)):
        y, said = torch.ones(shape, requires_grad=True) ** 2, _answer("PyTorch", shape)
        if said.does == "gives":
            y.backward()
            continue
        with pytest.raises(RuntimeError) as raised:
            y.backward()
        assert said.error == f"RuntimeError: {raised.value}"


def test_every_fact_has_a_version_and_a_source() -> None:
    for library in libraries():
        assert library.version.count(".") == 2
        assert library.source.startswith("https://")
        assert (library.otherwise == "raises") == bool(library.error)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert elsewhere("example:nonscalar") == 0
    out = capsys.readouterr().out
    assert "RuntimeError: grad can be implicitly created only for scalar outputs" in out
    assert out.count("sums without a word") == 3


def test_json_fits_its_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert elsewhere("example:nonscalar", as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, json.loads(resources.text("schema", "elsewhere.json")))
    assert document["libraries"][1]["does"] == "raises"
    assert document["libraries"][1]["gradient"] is None
    assert document["libraries"][4]["gradient"] == {"x": [7.0, 9.0]}


def test_code_speaks_of_the_output_by_its_name() -> None:
    jax = answers((3,), y="loss", x="w")[1].library
    assert jax.asks == "jax.grad(f)(w)"
    assert jax.total == "jax.grad(lambda w: f(w).sum())(w)"
    assert answers((3,), y="loss", x="w")[0].library.seed == "loss.backward(gradient=v)"


def test_a_pass_that_there_is_not() -> None:
    with pytest.raises(CommandProblem, match="there is no pass 9"):
        elsewhere("example:sum", number=9)


@pytest.mark.parametrize("name", [each.name for each in examples()])
def test_on_every_example_what_is_given_is_the_gradient_of_the_sum(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert elsewhere(f"example:{name}", as_json=True) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, json.loads(resources.text("schema", "elsewhere.json")))
    compare(f"example:{name}", Asked(start="sum" if document["shape"] else None, as_json=True))
    leaves = json.loads(capsys.readouterr().out)["leaves"]
    by_sum = {leaf["id"]: leaf["left"] for leaf in leaves}
    for library in document["libraries"]:
        given = library["gradient"]
        assert (given is None) == (library["does"] == "raises")
        if given is not None:
            assert given.keys() == by_sum.keys()
            assert all(np.allclose(given[leaf], by_sum[leaf]) for leaf in given)
