"""The text of tensors, character for character PyTorch's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from engine import dtypes, printing

Array = npt.NDArray[Any]
PRINTED = Path(__file__).with_name("printed_by_torch.txt")
KINDS = [
    *("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"),
    *("complex64", "complex128"),
]


def captured() -> Iterator[Any]:
    """The file's entries: array, what it shows of its history, options, text.

    An entry is `>>> array[, history[, options]]` and the lines that PyTorch 2.13 printed, where
    history is True for a leaf that requires grad or the name of a grad_fn.
    """
    for entry in f"\n{PRINTED.read_text()}".split("\n>>> ")[1:]:
        source, text = entry.split("\n", 1)
        array, history, options, *_ = eval(f"[{source}, None, None]", dict(vars(np)))
        yield pytest.param(np.asarray(array), history, options or {}, text.rstrip("\n"), id=source)


@pytest.fixture(autouse=True)
def options_restored() -> Iterator[None]:
    yield
    printing.set_printoptions(profile="default")


@pytest.fixture
def torch() -> Iterator[Any]:
    module = pytest.importorskip("torch", reason="torch not installed")
    yield module
    module.set_printoptions(profile="default")
    module.set_default_dtype(module.float32)


def text_of(array: Array, history: bool | str | None) -> str:
    name = history if isinstance(history, str) else None
    return printing.tensor_text(array, requires_grad=bool(history), grad_fn_name=name)


@pytest.mark.parametrize(("array", "history", "options", "expected"), [*captured()])
def test_captured_text(
    array: Array, history: bool | str | None, options: dict[str, Any], expected: str
) -> None:
    printing.set_printoptions(**options)
    assert text_of(array, history) == expected


def with_history(tensor: Any, history: bool | str | None) -> Any:
    """The tensor, as the result of an op with this grad_fn where one is named."""
    if not history:
        return tensor
    tensor.requires_grad_()
    ops: dict[bool | str, Callable[[Any], Any]] = {
        True: lambda t: t,
        "AddBackward0": lambda t: t + 0,
        "MulBackward0": lambda t: t * 1,
        "DivBackward0": lambda t: t / 1,
        "SumBackward0": lambda t: t.sum(),
        "ViewBackward0": lambda t: t.view(t.shape),
    }
    return ops[history](tensor)


@pytest.mark.parametrize(("array", "history", "options", "expected"), [*captured()])
def test_captured_text_is_what_torch_prints(
    torch: Any, array: Array, history: bool | str | None, options: dict[str, Any], expected: str
) -> None:
    torch.set_printoptions(**options)
    assert str(with_history(torch.from_numpy(array.copy()), history)) == expected


def reals(rng: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Numbers of one magnitude, of many, whole, in quarters or zero; some not finite."""
    values = np.array(rng.normal(size=shape))
    shapes: list[Callable[[], Any]] = [
        lambda: np.round(values * 10),
        lambda: np.round(values * 10.0 ** rng.integers(1, 10)),
        lambda: np.round(values * 3) / 4,
        lambda: values,
        lambda: values * 10.0 ** rng.integers(-6, 9),
        lambda: values * 10.0 ** rng.integers(-9, 9, shape),
        lambda: values * 0,
    ]
    values = np.array(shapes[rng.integers(len(shapes))]())
    if rng.random() < 0.3:
        odd = rng.random(shape) < 0.3
        values[odd] = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], size=int(odd.sum()))
    return values


def random_array(rng: np.random.Generator) -> Array:
    ndim = int(rng.integers(0, 5))
    longest = ((1, 60, 12, 6, 4) if rng.random() < 0.9 else (1, 3000, 60, 14, 9))[ndim]
    shape = tuple(rng.integers(0 if rng.random() < 0.15 else 1, longest + 1, ndim).tolist())
    kind = np.dtype(str(rng.choice(KINDS)))
    if kind.kind == "b":
        return np.array(rng.random(shape) < 0.5)
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        low, high = (0, 100) if rng.random() < 0.5 else (limits.min, limits.max)
        return np.array(rng.integers(low, high, shape, dtype=kind, endpoint=True))
    made = np.empty(shape, kind)
    with np.errstate(over="ignore"):
        made.real = reals(rng, shape)
        if kind.kind == "c":
            made.imag = reals(rng, shape)
    return made


def random_options(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "profile": [None, "default", "short", "full"][rng.integers(4)],
        "precision": int(rng.integers(0, 8)),
        "threshold": [0, 5, 1000, None][rng.integers(4)],
        "edgeitems": int(rng.integers(0, 4)),
        "linewidth": [20, 80, 120][rng.integers(3)],
        "sci_mode": [None, True, False][rng.integers(3)],
    }


@pytest.mark.parametrize("seed", range(6))
def test_random_tensors_print_as_in_torch(torch: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    default = ("float32", "float64")[seed % 2]
    torch.set_default_dtype(getattr(torch, default))
    dtypes.set_default_dtype(dtypes.named(default))
    try:
        for count in range(600):
            options = random_options(rng) if count % 3 == 0 else {"profile": "default"}
            torch.set_printoptions(**options)
            printing.set_printoptions(**options)
            array = random_array(rng)
            histories = [None, True, "MulBackward0"] if array.dtype.kind in "fc" else [None]
            history = histories[rng.integers(len(histories))]
            tensor = with_history(torch.from_numpy(array.copy()), history)
            shown = tensor.detach().numpy()
            assert text_of(shown, history) == str(tensor), (options, array.dtype, array.shape)
    finally:
        dtypes.set_default_dtype(dtypes.float32)


def test_float64_as_the_default_is_not_named() -> None:
    array = np.array([[0.5]])
    dtypes.set_default_dtype(dtypes.float64)
    try:
        assert printing.tensor_text(array) == "tensor([[0.5000]])"
        assert (
            printing.tensor_text(np.array([2], np.float32)) == "tensor([2.], dtype=torch.float32)"
        )
    finally:
        dtypes.set_default_dtype(dtypes.float32)


def test_options_are_read_back_and_restored() -> None:
    default = {
        "precision": 4,
        "threshold": 1000,
        "edgeitems": 3,
        "linewidth": 80,
        "sci_mode": None,
    }
    assert printing.get_printoptions() == default
    with printing.printoptions(precision=1, sci_mode=True):
        assert printing.tensor_text(np.array([2.5], np.float32)) == "tensor([2.5e+00])"
        printing.set_printoptions(linewidth=40)
        assert printing.get_printoptions()["sci_mode"] is None
    assert printing.get_printoptions() == default


@pytest.mark.parametrize(
    ("array", "spec", "expected"),
    [  # PyTorch's answers
        (np.float32(2.5), ".4f", "2.5000"),
        (np.float32(2.5), "", "2.5"),
        (np.float32(0.1), "", "0.10000000149011612"),
        (np.int64(3), "5d", "    3"),
        (np.bool_(True), ">6", "     1"),
        (np.complex64(1 + 2j), ".2f", "1.00+2.00j"),
    ],
)
def test_a_single_number_formats_as_one(array: Any, spec: str, expected: str) -> None:
    given = np.asarray(array)
    assert printing.format_text(given, spec, whole=lambda: "the whole") == expected


def test_other_tensors_take_no_format_spec() -> None:
    array = np.array([1, 2], np.float32)
    assert printing.format_text(array, "", whole=lambda: "the whole") == "the whole"
    with pytest.raises(TypeError, match=r"^unsupported format string passed to Tensor.__format__$"):
        printing.format_text(array, ".2f", whole=lambda: "the whole")
    with pytest.raises(TypeError, match=r"passed to Parameter\.__format__$"):
        printing.format_text(np.array(1.0), ".2f", whole=str, type_name="Parameter")
    with pytest.raises(ValueError, match="Unknown format code 'd' for object of type 'float'"):
        printing.format_text(np.array(1.0), "d", whole=str)
