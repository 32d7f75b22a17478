"""Which of equal elements are among the leading k, and in which order they come.

PyTorch leaves that to the C++ library: a heap where k is small beside the line, else a selection
of the k-th element and a sort of those before it. Their steps decide, so they are taken here as
the GNU library takes them. They are slow, and done only where there are equal elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Item = tuple[Any, int]  # a value and its place
Before = Callable[[Item, Item], bool]

SHORT = 16  # a stretch up to this long is sorted by insertion


def larger(a: Item, b: Item) -> bool:
    """Whether `a` comes first among the largest; nan comes before all numbers."""
    return bool(a[0] > b[0] or (a[0] != a[0] and b[0] == b[0]))


def smaller(a: Item, b: Item) -> bool:
    """Whether `a` comes first among the smallest; nan comes after all numbers."""
    return bool(a[0] < b[0] or (a[0] == a[0] and b[0] != b[0]))


def leading(line: list[Any], k: int, before: Before) -> list[int]:
    """The places of the first k elements by `before`."""
    items = _Items([(value, place) for place, value in enumerate(line)], before)
    n = len(line)
    if k * 64 <= n:
        items.heap_select(0, k, n)
        items.sort_heap(0, k)
    elif k:
        items.select(0, k - 1, n)
        items.sort(0, k - 1)
    return [place for _, place in items.held[:k]]


def sorted_as_pairs(line: list[Any]) -> list[int]:
    """The places in the order that sorting by value leaves them in; nan is not provided for."""
    items = _Items([(value, place) for place, value in enumerate(line)], lambda a, b: a[0] < b[0])
    items.sort(0, len(line))
    return [place for _, place in items.held]


class _Items:
    """A line of items that is rearranged in place. Stretches are given by their two ends."""

    def __init__(self, held: list[Item], before: Before) -> None:
        self.held = held
        self.before = before

    def select(self, low: int, nth: int, high: int) -> None:
        """Bring the item of rank `nth` to its place, those before it to its left."""
        depth = 2 * (high - low).bit_length() - 2
        while high - low > 3:
            if not depth:
                self.heap_select(low, nth + 1, high)
                self._swap(low, nth)
                return
            depth -= 1
            cut = self._partition(low, high)
            low, high = (cut, high) if cut <= nth else (low, cut)
        self._insertion_sort(low, high)

    def sort(self, low: int, high: int) -> None:
        """Quicksort down to short stretches, then insertion over everything."""
        if high <= low:
            return
        self._quick(low, high, 2 * (high - low).bit_length() - 2)
        short = min(high, low + SHORT)
        self._insertion_sort(low, short)
        for i in range(short, high):
            self._insert(i, low)

    def _quick(self, low: int, high: int, depth: int) -> None:
        while high - low > SHORT:
            if not depth:
                self.heap_select(low, high, high)
                self.sort_heap(low, high)
                return
            depth -= 1
            cut = self._partition(low, high)
            self._quick(cut, high, depth)
            high = cut

    def _swap(self, i: int, j: int) -> None:
        self.held[i], self.held[j] = self.held[j], self.held[i]

    def _partition(self, low: int, high: int) -> int:
        """The median of three as pivot at `low`; the place where the two scans meet."""
        held, before = self.held, self.before
        a, b, c = low + 1, low + (high - low) // 2, high - 1
        if before(held[a], held[b]):
            middle = b if before(held[b], held[c]) else c if before(held[a], held[c]) else a
        else:
            middle = a if before(held[a], held[c]) else c if before(held[b], held[c]) else b
        self._swap(low, middle)
        left, right, pivot = low + 1, high, held[low]
        while True:
            while before(held[left], pivot):
                left += 1
            right -= 1
            while before(pivot, held[right]):
                right -= 1
            if left >= right:
                return left
            self._swap(left, right)
            left += 1

    def _insertion_sort(self, low: int, high: int) -> None:
        for i in range(low + 1, high):
            if self.before(self.held[i], self.held[low]):  # before all of them at once
                self.held[low : i + 1] = [self.held[i], *self.held[low:i]]
            else:
                self._insert(i, low)

    def _insert(self, i: int, low: int) -> None:
        """Move an item left past those that it comes before."""
        item = self.held[i]
        while i > low and self.before(item, self.held[i - 1]):
            self.held[i] = self.held[i - 1]
            i -= 1
        self.held[i] = item

    def heap_select(self, low: int, middle: int, high: int) -> None:
        """A heap of the leading items in low … middle, its top the last of them."""
        size = middle - low
        for parent in range((size - 2) // 2, -1, -1):
            self._sift(low, parent, size, self.held[low + parent])
        for i in range(middle, high):
            if self.before(self.held[i], self.held[low]):
                item, self.held[i] = self.held[i], self.held[low]
                self._sift(low, 0, size, item)

    def sort_heap(self, low: int, high: int) -> None:
        """Take the top of the heap to its end until it is in order."""
        while high - low > 1:
            high -= 1
            item, self.held[high] = self.held[high], self.held[low]
            self._sift(low, 0, high - low, item)

    def _sift(self, low: int, hole: int, size: int, item: Item) -> None:
        """Let the hole sink to the bottom, and the item rise from there to where it belongs."""
        held, top = self.held, hole
        while 2 * hole + 2 < size:
            child = 2 * hole + 2
            if self.before(held[low + child], held[low + child - 1]):
                child -= 1
            held[low + hole] = held[low + child]
            hole = child
        if 2 * hole + 2 == size:
            held[low + hole] = held[low + size - 1]
            hole = size - 1
        while hole > top and self.before(held[low + (hole - 1) // 2], item):
            held[low + hole] = held[low + (hole - 1) // 2]
            hole = (hole - 1) // 2
        held[low + hole] = item
