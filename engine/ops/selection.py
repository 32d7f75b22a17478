"""Hoare's selection: which of several equal elements is the k-th follows from how it partitions."""

from __future__ import annotations

from typing import Any

import numpy as np


def quick_select(line: Any, k: int) -> int:
    """The place of the k-th smallest element; nan counts as larger than every number.

    Where the value occurs once there is nothing to choose. Among equal ones PyTorch reports the
    one that its in-place selection, with the median of three as pivot, leaves at position k.
    """
    order = np.argsort(line, kind="stable")
    value = line[order[k]]
    if np.count_nonzero(line == value) == 1:
        return int(order[k])
    return _Selection(line).at(k)


class _Selection:
    """A line of numbers under selection, and the places that they came from."""

    def __init__(self, line: Any) -> None:
        self.values = line.tolist()
        self.places = list(range(len(self.values)))

    def at(self, k: int) -> int:
        """Narrow the part that holds position k until it is in order there."""
        low, high = 0, len(self.values) - 1
        while high - low > 1:
            left, right = self._partition(low, high)
            if right <= k:
                low = left
            if right >= k:
                high = right - 1
        if high - low == 1 and self._larger(low, high):
            self._swap(low, high)
        return self.places[k]

    def _partition(self, low: int, high: int) -> tuple[int, int]:
        """Smaller elements to the left of a pivot, larger to the right; where the scans met."""
        self._swap((low + high) // 2, low + 1)
        for i, j in ((low + 1, high), (low, high), (low + 1, low)):
            if self._larger(i, j):
                self._swap(i, j)
        left, right = low + 1, high  # the pivot waits at `low`
        while True:
            left += 1
            while self._larger(low, left):
                left += 1
            right -= 1
            while self._larger(right, low):
                right -= 1
            if right < left:
                self._swap(low, right)
                return left, right
            self._swap(left, right)

    def _larger(self, i: int, j: int) -> bool:
        a, b = self.values[i], self.values[j]
        return bool(a > b or (a != a and b == b))

    def _swap(self, i: int, j: int) -> None:
        for line in (self.values, self.places):
            line[i], line[j] = line[j], line[i]
