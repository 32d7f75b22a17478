"""Ways to start a backward pass: reductions that make a scalar, and presets of seed vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import Start
from gradviz.language import N_, _

if TYPE_CHECKING:
    from engine.tensor import Tensor

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """A scalar made from a tensor y: how it is called, made, and what seed equals it (TeX).

    `call` is how a script writes it for an output called {y}; `text` and `seed_text` are the two
    formulas on one line. `indexed`: the start's `index` says which component or class is meant.
    """

    name: str
    title: str
    make: Callable[[Tensor, Start], Tensor]
    tex: str
    seed_tex: str
    call: str
    text: str
    seed_text: str
    indexed: bool = False


def _weighted(y: Tensor, start: Start) -> Tensor:
    if start.values is None or start.values.shape != y._array.shape:
        raise ValueError(
            _("The weights must have the shape {shape} of the output.").format(
                shape=tuple(y._array.shape)
            )
        )
    made: Tensor = (_constant(start.values, y) * y).sum()
    return made


def _constant(values: Array, y: Tensor) -> Tensor:
    """A tensor without history, of the dtype of y."""
    from engine.tensor import Tensor  # the names of reductions are asked for without the engine

    return Tensor(values.astype(y._array.dtype))


def _component(y: Tensor, start: Start) -> Tensor:
    if not 0 <= start.index < y._array.size:
        raise ValueError(
            _("There is no component {index}: the output has {count} elements.").format(
                index=start.index, count=y._array.size
            )
        )
    made: Tensor = _flat(y)[start.index]
    return made


def _flat(y: Tensor) -> Tensor:
    made: Tensor = y if y._array.ndim == 1 else y.reshape(-1)
    return made


def _logsumexp(y: Tensor, start: Start) -> Tensor:
    made: Tensor = _flat(y).logsumexp(0)
    return made


def _mse(y: Tensor, start: Start) -> Tensor:
    """The mean squared distance to the start's values; to zeros where it has none of y's shape."""
    from engine.nn.functional import mse_loss

    target = np.zeros_like(y._array)
    if start.values is not None:
        if start.values.shape != target.shape:
            raise ValueError(
                _("The target must have the shape {shape} of the output.").format(
                    shape=tuple(target.shape)
                )
            )
        target = start.values
    made: Tensor = mse_loss(y, _constant(target, y))
    return made


def _cross_entropy(y: Tensor, start: Start) -> Tensor:
    """Scores of classes along the last axis, all of class `index`, or of those in `values`."""
    from engine.nn.functional import cross_entropy
    from engine.tensor import Tensor

    shape = y._array.shape
    if not shape or not 0 <= start.index < shape[-1]:
        raise ValueError(
            _("There is no class {index}: the output has {count} along its last axis.").format(
                index=start.index, count=shape[-1] if shape else 0
            )
        )
    rows = y if y._array.ndim < 3 else y.reshape(-1, shape[-1])
    labels = np.full(shape[:-1], start.index, dtype=np.int64)
    if start.values is not None:
        if start.values.shape != shape[:-1]:
            raise ValueError(
                _("The labels must have the shape {shape}, one for each row of scores.").format(
                    shape=tuple(shape[:-1])
                )
            )
        labels = start.values.astype(np.int64)
    made: Tensor = cross_entropy(rows, Tensor(labels.reshape(rows._array.shape[:-1])))
    return made


def _row(
    name: str,
    title: str,
    make: Callable[[Tensor, Start], Tensor],
    call: str,
    formulas: tuple[str, str, str, str],
) -> Reduction:
    """A row from its two formulas, each in TeX and as text."""
    tex, seed_tex, text, seed_text = formulas
    indexed = name in ("component", "cross_entropy")
    return Reduction(name, title, make, tex, seed_tex, call, text, seed_text, indexed)


_SUM = (r"\sum_i y_i", r"v_i = 1", "Σ yᵢ", "vᵢ = 1")
_MEAN = (r"\frac{1}{N} \sum_i y_i", r"v_i = \frac{1}{N}", "Σ yᵢ / N", "vᵢ = 1/N")
_WEIGHTED = (r"\sum_i w_i y_i", r"v_i = w_i", "Σ wᵢ yᵢ", "vᵢ = wᵢ")
_COMPONENT = (r"y_k", r"v_i = [i = k]", "yₖ", "vᵢ = 1 if i = k else 0")
_MAX = (r"\max_i y_i", r"v_i = [i = \mathrm{argmax}]", "max yᵢ", "vᵢ = 1/M at M maxima, else 0")
_NORM = (r"\left\|y\right\|", r"v = \frac{y}{\left\|y\right\|}", "‖y‖", "v = y / ‖y‖")
_LOGSUMEXP = (r"\ln \sum_i e^{y_i}", r"v = \mathrm{softmax}(y)", "ln Σ exp yᵢ", "v = softmax(y)")
_PROD = (r"\prod_i y_i", r"v_i = \prod_{j \ne i} y_j", "Π yᵢ", "vᵢ = Π yⱼ, j ≠ i")
_VAR = (
    r"\frac{1}{N-1} \sum_i (y_i - \bar{y})^2",
    r"v_i = \frac{2 (y_i - \bar{y})}{N - 1}",
    "Σ (yᵢ - ȳ)² / (N - 1)",
    "vᵢ = 2 (yᵢ - ȳ) / (N - 1)",
)
_MSE = (
    r"\frac{1}{N} \sum_i (y_i - t_i)^2",
    r"v_i = \frac{2 (y_i - t_i)}{N}",
    "Σ (yᵢ - tᵢ)² / N",
    "vᵢ = 2 (yᵢ - tᵢ) / N",
)
_CROSS_ENTROPY = (
    r"-\frac{1}{B} \sum_b \ln \mathrm{softmax}(y_b)_{k_b}",
    r"v = \frac{\mathrm{softmax}(y) - \mathrm{onehot}(k)}{B}",
    "-Σ ln softmax(y)ₖ / B",
    "v = (softmax(y) - onehot(k)) / B",
)

REDUCTIONS: Mapping[str, Reduction] = {
    row.name: row
    for row in (
        _row("sum", N_("sum"), lambda y, s: y.sum(), "{y}.sum()", _SUM),
        _row("mean", N_("mean"), lambda y, s: y.mean(), "{y}.mean()", _MEAN),
        _row("weighted", N_("weighted sum"), _weighted, "({w} * {y}).sum()", _WEIGHTED),
        _row("component", N_("one component"), _component, "{y}[{k}]", _COMPONENT),
        _row("norm", N_("norm"), lambda y, s: y.norm(), "{y}.norm()", _NORM),
        _row("logsumexp", N_("logsumexp"), _logsumexp, "{y}.logsumexp(0)", _LOGSUMEXP),
        _row("max", N_("maximum"), lambda y, s: y.max(), "{y}.max()", _MAX),
        _row("prod", N_("product"), lambda y, s: y.prod(), "{y}.prod()", _PROD),
        _row("var", N_("variance"), lambda y, s: y.var(), "{y}.var()", _VAR),
        _row("mse", N_("mean squared error"), _mse, "F.mse_loss({y}, t)", _MSE),
        _row(
            "cross_entropy",
            N_("cross-entropy"),
            _cross_entropy,
            "F.cross_entropy({y}, k)",
            _CROSS_ENTROPY,
        ),
    )
}


def written(start: Start, y: str, *, weights: str = "w") -> str:
    """A reduction of the output called y, as a script writes it: `y.sum()`, `F.mse_loss(y, t)`."""
    row = REDUCTIONS[start.reduction or "sum"]
    return row.call.format(y=y, w=weights, k=start.index)


def reduce(y: Tensor, start: Start) -> Tensor:
    """The scalar that a reduction start makes of y, with its history.

    Raises ValueError for an unknown reduction or parameters that do not fit y.
    """
    row = REDUCTIONS.get(start.reduction or "sum")
    if row is None:
        raise ValueError(_("There is no reduction {name}.").format(name=start.reduction))
    return row.make(y, start)


def seed_values(start: Start, y: Array) -> Array:
    """The seed of a seed start: its preset made for y's shape and dtype, or its own values.

    Values are not fitted: a wrong shape is for the backward call to refuse, as PyTorch does.
    Raises ValueError for a preset that cannot be made.
    """
    if start.preset is not None:
        return preset_seed(start.preset, y)
    return np.ones_like(y) if start.values is None else np.array(start.values)


def preset_seed(preset: str, y: Array) -> Array:
    """The seed "ones", "1/N", "onehot:K", "random:SEED" or "normal:SEED" for an output like y.

    Random seeds are independent signs ±1, the probe vectors of Hutchinson's estimator (1990);
    normal ones are independent standard normal numbers.
    Raises ValueError for another name, or a K outside of y.
    """
    kind, _colon, argument = preset.partition(":")
    if kind == "ones":
        return np.ones_like(y)
    if kind == "1/N":
        return np.full_like(y, 1 / max(y.size, 1))
    found = _numbered(kind, int(argument or 0), y) if (argument or "0").isdecimal() else None
    if found is None:
        sentence = _(
            "{preset} is not a seed: use ones, 1/N, onehot:0…{last}, random:0 or normal:0."
        )
        raise ValueError(sentence.format(preset=preset, last=max(y.size - 1, 0)))
    return found


def _numbered(kind: str, number: int, y: Array) -> Array | None:
    """A seed that is made from a number; None where there is no such seed."""
    if kind == "random":
        return np.random.default_rng(number).choice([-1.0, 1.0], size=y.shape).astype(y.dtype)
    if kind == "normal":
        return np.random.default_rng(number).standard_normal(y.shape).astype(y.dtype)
    if kind != "onehot" or number >= y.size:
        return None
    seed = np.zeros_like(y)
    seed.reshape(-1)[number] = 1
    return seed
