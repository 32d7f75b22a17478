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
    """A scalar made from a tensor y: how it is called, made, and what seed equals it (TeX)."""

    name: str
    title: str
    make: Callable[[Tensor, Start], Tensor]
    tex: str
    seed_tex: str


def _weighted(y: Tensor, start: Start) -> Tensor:
    if start.values is None or start.values.shape != y._array.shape:
        raise ValueError(
            _("The weights must have the shape {shape} of the output.").format(
                shape=tuple(y._array.shape)
            )
        )
    from engine.tensor import Tensor  # the names of reductions are asked for without the engine

    weights = Tensor(start.values.astype(y._array.dtype))
    made: Tensor = (weights * y).sum()
    return made


def _component(y: Tensor, start: Start) -> Tensor:
    if not 0 <= start.index < y._array.size:
        raise ValueError(
            _("There is no component {index}: the output has {count} elements.").format(
                index=start.index, count=y._array.size
            )
        )
    flat = y if y._array.ndim == 1 else y.reshape(-1)
    made: Tensor = flat[start.index]
    return made


def _logsumexp(y: Tensor, start: Start) -> Tensor:
    flat = y if y._array.ndim == 1 else y.reshape(-1)
    made: Tensor = flat.logsumexp(0)
    return made


REDUCTIONS: Mapping[str, Reduction] = {
    row.name: row
    for row in (
        Reduction("sum", N_("sum"), lambda y, s: y.sum(), r"\sum_i y_i", r"v_i = 1"),
        Reduction(
            "mean",
            N_("mean"),
            lambda y, s: y.mean(),
            r"\frac{1}{N} \sum_i y_i",
            r"v_i = \frac{1}{N}",
        ),
        Reduction("weighted", N_("weighted sum"), _weighted, r"\sum_i w_i y_i", r"v_i = w_i"),
        Reduction("component", N_("one component"), _component, r"y_k", r"v_i = [i = k]"),
        Reduction(
            "norm",
            N_("norm"),
            lambda y, s: y.norm(),
            r"\left\|y\right\|",
            r"v = \frac{y}{\left\|y\right\|}",
        ),
        Reduction(
            "logsumexp",
            N_("logsumexp"),
            _logsumexp,
            r"\ln \sum_i e^{y_i}",
            r"v = \mathrm{softmax}(y)",
        ),
        Reduction(
            "max",
            N_("maximum"),
            lambda y, s: y.max(),
            r"\max_i y_i",
            r"v_i = [i = \mathrm{argmax}]",
        ),
    )
}


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
    """The seed named "ones", "1/N", "onehot:K" or "random:SEED" for an output like y.

    Random seeds are independent signs ±1, the probe vectors of Hutchinson's estimator (1990).
    Raises ValueError for another name, or a K outside of y.
    """
    kind, _colon, argument = preset.partition(":")
    if kind == "ones":
        return np.ones_like(y)
    if kind == "1/N":
        return np.full_like(y, 1 / max(y.size, 1))
    if kind in ("onehot", "random"):
        try:
            number = int(argument or 0)
        except ValueError:
            number = -1
        if kind == "random" and number >= 0:
            signs = np.random.default_rng(number).choice([-1.0, 1.0], size=y.shape)
            return signs.astype(y.dtype)
        if kind == "onehot" and 0 <= number < y.size:
            seed = np.zeros_like(y)
            seed.reshape(-1)[number] = 1
            return seed
    raise ValueError(
        _("{preset} is not a seed: use ones, 1/N, onehot:0…{last} or random:0.").format(
            preset=preset, last=max(y.size - 1, 0)
        )
    )
