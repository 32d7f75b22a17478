"""A seed times a Jacobian, held against what the backward pass itself brought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.cells import array_text, number
from gradviz.diagram import Diagram, NodeId
from gradviz.jacobians.jacobian import only_way
from gradviz.jacobians.pattern import MEANINGS, NAMES
from gradviz.jacobians.rows import LIMIT, Jacobian, element
from gradviz.language import _
from gradviz.run import Pass, Run

Array = npt.NDArray[Any]
Ends = tuple[NodeId, NodeId]  # of, wrt
CLOSE = 1e-5  # of the largest element: sums in another order differ in their last digits


@dataclass(frozen=True, slots=True, eq=False)
class Through:
    """What a pass sends through `of`: its cotangent there is `seed`.

    `product` is seed times Jacobian (None where the matrix is downsampled), `arrived` the
    cotangent of `wrt` in the pass (None: it got none). `all_of_it` is whether there is no other
    way from the start of the pass to `wrt`. `row` is the row that a one-hot seed picks. `summed`
    is the largest sum of magnitudes in the product, which its rounding is measured by.
    """

    seed: Array
    row: int | None
    product: Array | None
    arrived: Array | None
    all_of_it: bool
    summed: float = 0.0

    @property
    def difference(self) -> float | None:
        """The largest difference between product and arrived cotangent; None without both."""
        if self.product is None or self.arrived is None:
            return None
        with np.errstate(invalid="ignore"):
            apart = np.abs(self.product - self.arrived)
        same = (self.product == self.arrived) | (np.isnan(self.product) & np.isnan(self.arrived))
        return float(np.where(same, 0.0, apart).max(initial=0.0))

    @property
    def agrees(self) -> bool:
        """Whether the two are the same number for number, but for rounding."""
        if self.product is None or self.arrived is None:
            return False
        top = max(float(np.abs(self.arrived).max(initial=0.0)), self.summed)
        return bool((self.difference or 0.0) <= CLOSE * max(top, 1e-30))


def through(diagram: Diagram, run: Run, index: int, found: Jacobian, ends: Ends) -> Through | None:
    """The pass seen through the Jacobian of `ends`; None where it brings nothing to `of`."""
    if not 0 <= index < len(run.passes):
        return None
    of, wrt = ends
    cotangents = _cotangents(run.passes[index])
    seed = cotangents.get(of)
    if seed is None:
        return None
    return Through(
        seed,
        found.row_of(seed),
        found.product(seed),
        cotangents.get(wrt),
        only_way(diagram, run, index, of, wrt),
        found.summed(seed),
    )


def _cotangents(done: Pass) -> Mapping[NodeId, Array]:
    return {} if done.error is not None and not done.steps else done.cotangents()


def description(found: Jacobian) -> list[str]:
    """What the matrix is, in sentences."""
    text = _("∂{of}/∂{wrt} is {rows} × {columns}, {kind}: {meaning}.")
    told = [
        text.format(
            of=found.of,
            wrt=found.wrt,
            rows=f"{found.rows:,}",
            columns=f"{found.columns:,}",
            kind=_(NAMES[found.kind]),
            meaning=_(MEANINGS[found.kind]),
        )
    ]
    if not found.linked:
        told.append(_("{of} does not depend on {wrt}.").format(of=found.of, wrt=found.wrt))
    if found.downsampled:
        told.append(_("Each number is the largest in size of a block."))
    whole = found.rows * found.columns * found.matrix.itemsize
    if whole > LIMIT // 2:
        text = _("Whole it would take {size} MiB; no more than {limit} MiB are ever used.")
        told.append(text.format(size=f"{whole >> 20:,}", limit=LIMIT >> 20))
    return told


def ones_warning(found: Jacobian) -> str:
    """Why a seed of ones is not the elementwise derivative, with the numbers."""
    ones = found.ones
    if ones.derivative is None:
        text = _("A seed of ones is no elementwise derivative here: it adds up the rows, {sums}.")
        return text.format(sums=array_text(ones.sums))
    apart = np.nan_to_num(np.abs(ones.sums - ones.derivative), nan=np.inf)
    at = int(apart.argmax())
    text = _(
        "A seed of ones is not the elementwise derivative here: at {name} it gives {sum}, while"
        " the derivative of this element by its own is {derivative}."
    )
    return text.format(
        name=element(found.wrt, found.wrt_shape, at),
        sum=number(ones.sums.reshape(-1)[at]),
        derivative=number(ones.derivative.reshape(-1)[at]),
    )


def pass_sentence(pulled: Through, found: Jacobian, at: int) -> str:
    """How seed times Jacobian compares with what the pass brought."""
    if pulled.arrived is None:
        text = _("Pass {number} brings no cotangent to {wrt}.")
        return text.format(number=at, wrt=found.wrt)
    words = {"number": at, "wrt": found.wrt, "arrived": array_text(pulled.arrived)}
    if pulled.product is None:
        return _("In pass {number}, {arrived} arrived at {wrt}.").format(**words)
    words["product"] = array_text(pulled.product)
    if pulled.agrees:
        text = _("In pass {number}: vᵀ · J = {product}, which is what arrived at {wrt}.")
    elif pulled.all_of_it:
        text = _("In pass {number}: vᵀ · J = {product}, but {arrived} arrived at {wrt}.")
    else:
        text = _(
            "In pass {number}: vᵀ · J = {product}; {arrived} arrived at {wrt}, the rest by other"
            " ways."
        )
    return text.format(**words)
