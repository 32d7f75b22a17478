"""A line search that ends where the loss has fallen enough and its slope has flattened enough.

Those are Wolfe's strong conditions (Nocedal and Wright, Numerical Optimization, algorithms 3.5
and 3.6); trial steps are minima of cubics through two points.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

FALL, FLATTENING = 1e-4, 0.9  # c1 and c2


@dataclass
class Point:
    """A step along the direction: the loss there, its gradient, and its slope along the line."""

    step: float
    loss: float
    gradient: Any
    slope: float


def cubic_minimum(a: Point, b: Point, low: float, high: float) -> float:
    """Where the cubic with these losses and slopes is smallest, between two bounds."""
    first, last = (a, b) if a.step <= b.step else (b, a)
    mean = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.step - b.step)
    square = mean**2 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2.0
    root = math.sqrt(square)
    part = (last.slope + root - mean) / (last.slope - first.slope + 2 * root)
    return min(max(last.step - (last.step - first.step) * part, low), high)


class Search:
    """One line search; `evaluate` gives the point at a step, `start` is the one at 0."""

    def __init__(
        self, evaluate: Callable[[float], Point], start: Point, *, limit: int, least: float
    ) -> None:
        self.evaluate, self.start = evaluate, start
        self.limit, self.least = limit, least  # of evaluations, and of the bracket's length
        self.rounds = 0
        self.evaluations = 0

    def _at(self, step: float) -> Point:
        self.evaluations += 1
        return self.evaluate(step)

    def _too_high(self, point: Point) -> bool:
        return point.loss > self.start.loss + FALL * point.step * self.start.slope

    def _flat(self, point: Point) -> bool:
        return abs(point.slope) <= -FLATTENING * self.start.slope

    def run(self, step: float) -> Point:
        """The best point found from a first step on."""
        bracket = self._bracket(step)
        if len(bracket) == 1 or self.rounds >= self.limit:
            return bracket[0] if bracket[0].loss <= bracket[-1].loss else bracket[1]
        return self._narrowed(bracket)

    def _bracket(self, step: float) -> list[Point]:
        """Two points with a fitting one between, or a fitting one alone."""
        before, point = self.start, self._at(step)
        while self.rounds < self.limit:
            if self._too_high(point) or (self.rounds > 1 and point.loss >= before.loss):
                return [before, point]
            if self._flat(point):
                return [point]
            if point.slope >= 0:
                return [before, point]
            low = point.step + 0.01 * (point.step - before.step)
            step = cubic_minimum(before, point, low, point.step * 10)
            before, point = point, self._at(step)
            self.rounds += 1
        return [self.start, point]

    def _trial(self, bracket: list[Point], stuck: bool) -> tuple[float, bool]:
        """The next step to try; one that stays near an end is moved off it the second time."""
        low, high = sorted(point.step for point in bracket)
        step, margin = cubic_minimum(bracket[0], bracket[1], low, high), 0.1 * (high - low)
        if min(high - step, step - low) >= margin:
            return step, False
        if not (stuck or step >= high or step <= low):
            return step, True
        return (high - margin if abs(step - high) < abs(step - low) else low + margin), False

    def _narrowed(self, bracket: list[Point]) -> Point:
        best, worst = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
        stuck = False
        while self.rounds < self.limit:
            if abs(bracket[1].step - bracket[0].step) < self.least:
                break
            step, stuck = self._trial(bracket, stuck)
            point = self._at(step)
            self.rounds += 1
            if self._too_high(point) or point.loss >= bracket[best].loss:
                bracket[worst] = point
                best, worst = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
                continue
            done = self._flat(point)
            if not done and point.slope * (bracket[worst].step - bracket[best].step) >= 0:
                bracket[worst] = bracket[best]
            bracket[best] = point
            if done:
                break
        return bracket[best]
