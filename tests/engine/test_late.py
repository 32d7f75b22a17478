"""Names that load late: each is where the table says, and importing the engine loads none."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import engine
from engine import late
from engine.ops import LATE, OPS
from engine.tensor import Tensor

TORCH = late.places(late.BOTH, late.TORCH)
METHODS = late.places(late.BOTH, late.METHODS)


@pytest.mark.parametrize("name", TORCH)
def test_a_name_of_torch(name: str) -> None:
    found = getattr(engine, name)
    assert found is getattr(engine, name)
    assert found is None or inspect.getdoc(found)  # `torch.newaxis` is None


@pytest.mark.parametrize("name", METHODS)
def test_a_method_or_property(name: str) -> None:
    assert isinstance(vars(Tensor)[name], late.LateMethod) or hasattr(Tensor, name)
    found = getattr(Tensor, name)
    assert isinstance(found, property) or inspect.getdoc(found)


@pytest.mark.parametrize("name", late.places(late.NN))
def test_a_name_of_nn_functional(name: str) -> None:
    assert inspect.getdoc(getattr(engine.nn.functional, name))


def test_no_name_is_listed_twice() -> None:
    for tables in ((late.BOTH, late.TORCH), (late.BOTH, late.METHODS), (late.NN,)):
        names = [name for table in tables for text in table.values() for name in text.split()]
        assert sorted(names) == sorted(set(names))


def test_what_is_there_at_once_is_not_listed() -> None:
    code = "import engine; print(*vars(engine))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(TORCH).isdisjoint(found.stdout.split())


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'torch' has no attribute 'thing'"):
        _ = engine.thing
    assert not hasattr(engine.nn.functional, "thing")


def test_importing_the_engine_loads_nothing_late() -> None:
    code = "import sys, engine; print(*[name for name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(found.stdout.split())
    assert loaded.isdisjoint({f"engine.ops.{family}" for family in LATE})
    assert loaded.isdisjoint({"engine.func", "engine.fft", "engine.random", "engine.formula"})
    assert not any(name.partition(".")[0] == "scipy" for name in loaded)


def test_rows_are_found_in_late_families() -> None:
    assert OPS["conj"].name == "conj"
    assert "no such row" not in OPS
    with pytest.raises(KeyError):
        _ = OPS["no such row"]
