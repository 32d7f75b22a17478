"""L-BFGS (Liu and Nocedal, 1989): Newton's method with what the last steps told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.optim.optimizer import Optimizer, moved, settings
from engine.optim.wolfe import Point, Search
from engine.state import enable_grad
from engine.tensor import Tensor


def _value(loss: Any) -> float:
    return float(loss._array if isinstance(loss, Tensor) else loss)


class LBFGS(Optimizer):
    """Several steps a call, each of which asks the closure anew; one group of parameters."""

    _settings = settings(
        lr=1,
        max_iter=20,
        max_eval=None,
        tolerance_grad=1e-7,
        tolerance_change=1e-9,
        history_size=100,
        line_search_fn=None,
    )
    _flags = settings()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        (group,) = self.param_groups
        if group["max_eval"] is None:
            group["max_eval"] = self.defaults["max_eval"] = group["max_iter"] * 5 // 4
        self._params = group["params"]

    def _gradient(self) -> Any:
        """All gradients as one vector."""
        return np.concatenate(
            [
                (np.zeros_like(p._array) if p._grad is None else p._grad._array).ravel()
                for p in self._params
            ]
        )

    def _go(self, step: float, direction: Any) -> None:
        start = 0
        for p in self._params:
            stop = start + p._array.size
            change = p._array.dtype.type(step) * direction[start:stop].reshape(p._array.shape)
            moved(p, p._array + change)
            start = stop

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Up to `max_iter` steps; `closure` clears the gradients, and computes the loss anew."""
        if closure is None:
            raise TypeError("LBFGS.step() missing 1 required positional argument: 'closure'")

        def ask() -> Any:
            with enable_grad():
                return closure()

        self.steps_taken += 1
        group, state = self.param_groups[0], self.state[self._params[0]]
        first = ask()
        here = Point(0.0, _value(first), self._gradient(), 0.0)
        state["func_evals"] = state.get("func_evals", 0) + 1
        state.setdefault("n_iter", 0)
        evaluations = 1
        if np.abs(here.gradient).max(initial=0) <= group["tolerance_grad"]:
            return first
        for count in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = self._direction(here.gradient, group, state)
            state["prev_flat_grad"] = here.gradient
            length = group["lr"]
            if state["n_iter"] == 1:
                length = min(1.0, 1.0 / float(np.abs(here.gradient).sum())) * length
            state["t"] = length
            here = Point(0.0, here.loss, here.gradient, float(here.gradient @ direction))
            if here.slope > -group["tolerance_change"]:
                break
            last = count == group["max_iter"]
            then, asked = self._move(ask, here, direction, length, group, evaluations, last=last)
            state["t"] = then.step
            evaluations += asked
            state["func_evals"] += asked
            before, here = here, then
            if last or evaluations >= group["max_eval"]:
                break
            if self._arrived(before, here, direction, group):
                break
        return first

    @staticmethod
    def _arrived(before: Point, here: Point, direction: Any, group: dict[str, Any]) -> bool:
        """Whether there is nothing left to gain."""
        least = group["tolerance_change"]
        return bool(
            np.abs(here.gradient).max() <= group["tolerance_grad"]
            or np.abs(direction * here.step).max() <= least
            or abs(here.loss - before.loss) < least
        )

    def _move(
        self,
        ask: Callable[[], Any],
        here: Point,
        direction: Any,
        length: float,
        group: dict[str, Any],
        evaluations: int,
        *,
        last: bool,
    ) -> tuple[Point, int]:
        """Go along the direction; where that led, and how often the closure was asked."""
        if group["line_search_fn"] is None:
            self._go(length, direction)
            if last:
                return Point(length, here.loss, here.gradient, here.slope), 0
            return Point(length, _value(ask()), self._gradient(), 0.0), 1
        if group["line_search_fn"] != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        places = [p._array.copy() for p in self._params]

        def evaluate(step: float) -> Point:
            self._go(step, direction)
            loss, gradient = _value(ask()), self._gradient()
            for p, place in zip(self._params, places, strict=True):
                moved(p, place)
            return Point(step, loss, gradient, float(gradient @ direction))

        least = group["tolerance_change"] / float(np.abs(direction).max())
        limit = group["max_eval"] - evaluations
        search = Search(evaluate, here, limit=limit, least=least)
        found = search.run(length)
        self._go(found.step, direction)
        return found, search.evaluations

    @staticmethod
    def _direction(gradient: Any, group: dict[str, Any], state: dict[str, Any]) -> Any:
        """Minus the gradient, times what is known of the inverse Hessian."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
            state["d"] = -gradient
            return state["d"]
        turn, step = gradient - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = float(turn @ step)
        memory = (state["old_dirs"], state["old_stps"], state["ro"])
        if curvature > 1e-10:
            if len(memory[0]) == group["history_size"]:
                for kept in memory:
                    kept.pop(0)
            for kept, new in zip(memory, (turn, step, 1.0 / curvature), strict=True):
                kept.append(new)
            state["H_diag"] = curvature / float(turn @ turn)
        made, shares = -gradient, []
        for old, move, weight in zip(*map(reversed, memory), strict=True):
            shares.append(float(move @ made) * weight)
            made = made - shares[-1] * old
        made = made * state["H_diag"]
        for old, move, weight, share in zip(*memory, reversed(shares), strict=True):
            made = made + (share - float(old @ made) * weight) * move
        state["d"] = made
        return made
