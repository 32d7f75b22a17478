"""What kind of matrix a Jacobian is, found from its numbers, a few rows at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gradviz.language import N_

Array = npt.NDArray[Any]
Kind = Literal[
    "zero", "diagonal", "permutation", "selection", "broadcast", "reduction", "full", "empty"
]

NAMES: Mapping[Kind, str] = {
    "zero": N_("zero"),
    "diagonal": N_("diagonal"),
    "permutation": N_("permutation"),
    "selection": N_("selection"),
    "broadcast": N_("broadcast"),
    "reduction": N_("reduction"),
    "full": N_("full"),
    "empty": N_("empty"),
}
MEANINGS: Mapping[Kind, str] = {
    "zero": N_("nothing is sent back: no output changes with any input, here"),
    "diagonal": N_("each output depends on the input in its own place only"),
    "permutation": N_("each input is one output, in another place"),
    "selection": N_("inputs are passed on as they are, to one place at most"),
    "broadcast": N_("an input reaches several outputs, whose cotangents are added up"),
    "reduction": N_("several inputs make one output, which sends its cotangent to each of them"),
    "full": N_("outputs mix inputs, and inputs reach several outputs"),
    "empty": N_("there are no numbers in it"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Ones:
    """What a seed of ones gives, beside the elementwise derivative.

    `sums` are the columns' sums, in the input's shape; `derivative` is the diagonal, None where
    output and input have different shapes. `differs` is whether ones give anything else.
    """

    sums: Array
    derivative: Array | None
    differs: bool


class Pattern:
    """Counts nonzero elements of the rows it is fed, in order."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows, self._columns = rows, columns
        self._at = 0
        self._in_columns = np.zeros(columns, np.int64)
        self._others = np.zeros(columns)  # sums off the diagonal
        self._diagonal = np.zeros(min(rows, columns))
        self._most_in_row, self._least_in_row = 0, columns
        self._only_ones = True
        self._off_diagonal = False

    def feed(self, block: Array) -> None:
        """Take the next rows."""
        filled = block != 0
        counts = filled.sum(axis=1)
        if len(counts):
            self._most_in_row = max(self._most_in_row, int(counts.max()))
            self._least_in_row = min(self._least_in_row, int(counts.min()))
        self._in_columns += filled.sum(axis=0)
        self._only_ones = self._only_ones and bool((block[filled] == 1).all())
        stop = min(self._at + len(block), self._columns)
        places = np.arange(self._at, max(stop, self._at))
        mine = places - self._at
        self._diagonal[places] = block[mine, places]
        filled[mine, places] = False
        self._off_diagonal = self._off_diagonal or bool(filled.any())
        self._others += np.sum(block, axis=0, dtype=np.float64, where=filled)
        self._at += len(block)

    def kind(self) -> Kind:
        """The kind of the matrix, once all rows are there."""
        if not self._rows or not self._columns:
            return "empty"
        if self._most_in_row == 0:
            return "zero"
        if self._rows == self._columns and not self._off_diagonal:
            return "diagonal"
        most = int(self._in_columns.max())
        if self._most_in_row == 1 and most == 1:
            return self._one_to_one()
        if self._most_in_row == 1:
            return "broadcast"
        return "reduction" if most == 1 else "full"

    def _one_to_one(self) -> Kind:
        """At most one element in every row and column."""
        whole = self._rows == self._columns and self._least_in_row == 1
        if self._only_ones:
            return "permutation" if whole else "selection"
        if self._rows == self._columns:
            return "full"
        return "reduction" if self._rows < self._columns else "broadcast"

    def ones(self, of: tuple[int, ...], wrt: tuple[int, ...]) -> Ones:
        """A seed of ones on an output of shape `of`, for an input of shape `wrt`."""
        sums = self._others.copy()
        sums[: len(self._diagonal)] += self._diagonal
        if of == wrt:
            differs = bool((self._others != 0).any())
            return Ones(sums.reshape(wrt), self._diagonal.reshape(wrt), differs)
        return Ones(sums.reshape(wrt), None, bool((self._in_columns > 1).any()))
