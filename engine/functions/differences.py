"""Differences of neighbours, gradients on a grid, and areas under sampled curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.functions.arithmetic import bitwise_xor
from engine.functions.numbers import over, times
from engine.functions.reductions import sum
from engine.functions.scans import cumsum
from engine.functions.shapes import axis_of, cat
from engine.functions.strided import slice_params
from engine.ops import OPS
from engine.tensor import Tensor, apply

Spacing = float | Tensor | Sequence[float] | Sequence[Tensor] | None


def _part(x: Tensor, axis: int, start: int | None, stop: int | None, step: int = 1) -> Tensor:
    return apply(OPS["slice"], (x,), slice_params(x, axis, start, stop, step))


def diff(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """The differences of neighbours along an axis, `n` times over."""
    if not input._array.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    axis = axis_of(dim, input._array.ndim)
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    if not n:
        blank = Tensor(np.zeros_like(input._array))
        return apply(OPS["copy"], (blank, input), {})
    x = input
    if prepend is not None or append is not None:
        x = cat([t for t in (prepend, input, append) if t is not None], axis)
    if n >= x._array.shape[axis] + 1:
        n = x._array.shape[axis]
    for _ in range(n):
        later, earlier = (
            _part(x, axis, 1, None),
            _part(x, axis, 0, max(x._array.shape[axis] - 1, 0)),
        )
        x = bitwise_xor(later, earlier) if x._array.dtype == np.bool_ else later - earlier
    return x


def gradient(
    input: Tensor,
    *,
    spacing: Any = None,
    dim: int | Sequence[int] | None = None,
    edge_order: int = 1,
) -> tuple[Tensor, ...]:
    """Estimates of the derivative along each axis from the values at the points of a grid.

    `spacing` is a distance, one for each axis, or the points' coordinates for each axis. Inside,
    the parabola through three points counts; at the ends a line (or with `edge_order=2` a
    parabola).
    """
    if input._array.dtype == np.uint8:
        raise RuntimeError("torch.gradient does not support uint8 input.")
    axes = _gradient_axes(input, dim)
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    steps = _gradient_steps(input, spacing, axes, given=dim is not None)
    for axis in axes:
        if input._array.shape[axis] <= edge_order:
            raise RuntimeError(
                "torch.gradient expected each dimension size to be at least edge_order+1"
            )
    return tuple([
        _along(input, axis, step, edge_order) for axis, step in zip(axes, steps, strict=True)
    ])  # fmt: skip


def _gradient_axes(input: Tensor, dim: int | Sequence[int] | None) -> list[int]:
    if dim is None:
        return list(range(input._array.ndim))
    given = [dim] if isinstance(dim, int) else list(dim)
    return [axis_of(d, input._array.ndim) for d in given]


def _gradient_steps(input: Tensor, spacing: Any, axes: list[int], *, given: bool) -> list[Any]:
    if not isinstance(spacing, (list, tuple)):
        step = 1.0 if spacing is None else spacing
        step = step.item() if isinstance(step, Tensor) else step
        return [step] * len(axes)
    if len(spacing) != len(axes):
        if given:
            raise RuntimeError(
                "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and "
                "dim arguments to have the same length, but got a spacing argument of length "
                f"{len(spacing)} and a dim argument of length {len(axes)}."
            )
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of length "
            f"equal to 'self.dim() = {input._array.ndim}', since dim argument was not given, but "
            f"got a list of length {len(spacing)}"
        )
    return [_points(input, axis, s) for axis, s in zip(axes, spacing, strict=True)]


def _points(input: Tensor, axis: int, given: Any) -> Any:
    """A distance as it is; coordinates as the distances between neighbours, shaped to broadcast."""
    if not isinstance(given, Tensor) or not given._array.ndim:
        return given.item() if isinstance(given, Tensor) else given
    steps = diff(given)
    return steps.view(-1, *(1,) * (input._array.ndim - axis - 1))


def _along(x: Tensor, axis: int, step: Any, edge_order: int) -> Tensor:
    if isinstance(step, Tensor):
        first, inside, last = _uneven(x, axis, step, edge_order)
    else:
        first, inside, last = _even(x, axis, step, edge_order)
    return cat([first, inside, last], axis)


def _even(x: Tensor, axis: int, step: float, edge_order: int) -> tuple[Tensor, Tensor, Tensor]:
    def at(start: int, stop: int | None) -> Tensor:
        return _part(x, axis, start, stop)

    inside = over(over(at(2, None) - at(0, -2), step), 2.0)
    if edge_order == 1:
        first, last = at(1, 2) - at(0, 1), at(-1, None) - at(-2, -1)
    else:
        first = times(at(0, 1), -1.5) + times(at(1, 2), 2.0) - times(at(2, 3), 0.5)
        last = times(at(-1, None), 1.5) - times(at(-2, -1), 2.0) + times(at(-3, -2), 0.5)
    return over(first, step), inside, over(last, step)


def _uneven(x: Tensor, axis: int, steps: Tensor, edge_order: int) -> tuple[Tensor, Tensor, Tensor]:
    """The weights of a parabola's derivative where the points are not equally far apart."""

    def at(start: int, stop: int | None) -> Tensor:
        return _part(x, axis, start, stop)

    left, right = steps[:-1], steps[1:]
    inside = (
        at(0, -2) * (-right / (left * (left + right)))
        + at(1, -1) * ((right - left) / (left * right))
        + at(2, None) * (left / (right * (left + right)))
    )
    if edge_order == 1:
        first = (at(1, 2) - at(0, 1)) / steps[:1]
        return first, inside, (at(-1, None) - at(-2, -1)) / steps[-1:]
    a, b = steps[:1], steps[1:2]
    first = (
        at(0, 1) * (-(2 * a + b) / (a * (a + b)))
        + at(1, 2) * ((a + b) / (a * b))
        + at(2, 3) * (-a / (b * (a + b)))
    )
    a, b = steps[-2:-1], steps[-1:]
    last = (
        at(-3, -2) * (b / (a * (a + b)))
        + at(-2, -1) * (-(a + b) / (a * b))
        + at(-1, None) * ((a + 2 * b) / (b * (a + b)))
    )
    return first, inside, last


def _curve_steps(name: str, y: Tensor, x: Tensor | None, axis: int) -> Tensor | None:
    """The distances between sample points, shaped to broadcast against the values."""
    if x is None:
        return None
    if x._array.ndim == 1:
        if x._array.shape[0] != y._array.shape[axis]:
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        x = x.view(-1, *(1,) * (y._array.ndim - axis - 1))
        return x[1:] - x[:-1]
    ndim = max(x._array.ndim, y._array.ndim)
    if not x._array.ndim:
        raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
    if x._array.ndim < ndim:
        x = x.view(*(1,) * (ndim - x._array.ndim), *x._array.shape)
    place = axis + ndim - y._array.ndim
    if x._array.shape[place] not in (1, y._array.shape[axis]):
        raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
    return _part(x, place, 1, None) - _part(x, place, 0, -1)


def _refuse_bool(name: str, y: Tensor) -> None:
    if y._array.dtype.kind == "b":
        raise RuntimeError(f"{name}: received a bool input for `y`, but bool is not supported")


def trapezoid(
    y: Tensor, x: Tensor | None = None, *, dx: float | None = None, dim: int = -1
) -> Tensor:
    """The area under the values along an axis, by straight lines between the sample points."""
    axis = axis_of(dim, y._array.ndim)
    _refuse_bool("trapezoid", y)
    if not y._array.shape[axis]:
        return Tensor(np.zeros(y._array.shape[:axis] + y._array.shape[axis + 1 :], y._array.dtype))
    steps = _curve_steps("trapezoid", y, x, axis)
    if steps is None:
        step = 1.0 if dx is None else dx
        ends = times(_ends(y, axis, 0) + _ends(y, axis, -1), 0.5)
        return times(sum(y, axis) - ends, step)
    both = _part(y, axis, 0, -1) + _part(y, axis, 1, None)
    return over(sum(both * steps, axis - y._array.ndim), 2.0)


def _ends(y: Tensor, axis: int, index: int) -> Tensor:
    index %= y._array.shape[axis]
    return apply(OPS["select"], (y,), {"dim": axis, "index": index})


trapz = trapezoid


def cumulative_trapezoid(
    y: Tensor, x: Tensor | None = None, *, dx: float | None = None, dim: int = -1
) -> Tensor:
    """The areas under the values up to each sample point along an axis."""
    axis = axis_of(dim, y._array.ndim)
    _refuse_bool("cumulative_trapezoid", y)
    steps = _curve_steps("cumulative_trapezoid", y, x, axis)
    both = _part(y, axis, 1, None) + _part(y, axis, 0, -1)
    if steps is None:
        step = 1.0 if dx is None else dx
        return cumsum(times(both, step / 2.0), axis)
    return over(cumsum(both * steps, axis - y._array.ndim), 2.0)
