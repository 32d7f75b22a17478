"""Windows of every shape: convolutions and pooling with random geometry against PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, run

KINDS = {
    "conv{d}d": "y = F.conv{d}d(x, w, None, {stride}, {padding}, {dilation}, {g})",
    "conv_transpose{d}d": (
        "y = F.conv_transpose{d}d(x, w, None, {stride}, {padding}, {extra}, {g}, {dilation})"
    ),
    "max_pool{d}d": (
        "y = F.max_pool{d}d(x, {kernel}, {stride}, {padding}, {dilation}, ceil_mode={flag})"
    ),
    "avg_pool{d}d": (
        "y = F.avg_pool{d}d(x, {kernel}, {stride}, {padding}, {flag}, count_include_pad={other})"
    ),
    "adaptive_max_pool{d}d": "y = F.adaptive_max_pool{d}d(x, {kernel})",
    "adaptive_avg_pool{d}d": "y = F.adaptive_avg_pool{d}d(x, {kernel})",
}
START = """
torch.manual_seed(3)
x = torch.randn({shape}, dtype=torch.float64).requires_grad_()
w = torch.randn({weight}, dtype=torch.float64).requires_grad_()
"""
END = """
ends = [x, w] if 'conv' in '{kind}' else [x]
grads = torch.autograd.grad((y * y.detach().cos()).sum(), ends)
"""


def _programs(kind: str, count: int) -> Iterator[str]:
    rng = np.random.default_rng(sum(map(ord, kind)))
    for _ in range(count):
        d = int(rng.integers(1, 4))

        def drawn(low: int, high: int, d: int = d) -> tuple[int, ...]:
            return tuple(rng.integers(low, high, d).tolist())

        g = int(rng.integers(1, 4))
        into, outs = (g * int(rng.integers(1, 3)) for _ in range(2))
        kernel = drawn(1, 4)
        ends = (into, outs // g) if "transpose" in kind else (outs, into // g)
        given: dict[str, Any] = {
            "d": d,
            "g": g,
            "kernel": kernel,
            "stride": drawn(1, 4),
            "padding": drawn(0, 3),
            "dilation": drawn(1, 3),
            "extra": drawn(0, 3),
            "flag": bool(rng.integers(0, 2)),
            "other": bool(rng.integers(0, 2)),
        }
        start = START.format(shape=(2, into, *drawn(1, 7)), weight=(*ends, *kernel))
        yield start + KINDS[kind].format(**given) + END.format(kind=kind)


@pytest.mark.parametrize("kind", KINDS)
def test_random_geometry(kind: str) -> None:
    """Values and gradients agree, or both refuse with the same words."""
    done = 0
    for program in _programs(kind, 40):
        mine, theirs = run(ENGINE, program, {}), run(TORCH, program, {})
        assert mine.error == theirs.error, program
        if theirs.error is not None:
            continue
        done += 1
        pairs = zip(
            [mine.names["y"], *mine.names["grads"]],
            [theirs.names["y"], *theirs.names["grads"]],
            strict=True,
        )
        for a, b in pairs:
            ours, expected = a.detach().numpy(), b.detach().numpy()
            np.testing.assert_allclose(ours, expected, rtol=1e-9, atol=1e-10, err_msg=program)
    assert done >= 8
