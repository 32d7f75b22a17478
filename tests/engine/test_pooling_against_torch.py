"""Pooling and resampling against PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, assert_same, leaves, run

X = leaves({"x": (2, 3, 6, 7)})
CUBE = leaves({"x": (1, 2, 4, 5, 3)})
# Equal elements side by side, a nan, and infinities.
KINKS = {
    "x": np.array(
        [[[1.0, 1, 0, 1], [1, 0, 2, 2], [np.nan, 0, 2, 2], [-np.inf, -np.inf, 3, np.inf]]]
    )
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "call",
    [
        "F.max_pool2d(x, 2)",
        "F.max_pool2d(x, (2, 3), stride=1, padding=1)",
        "F.max_pool2d(x, 3, 2, 1, 2, ceil_mode=True)",
        "F.max_pool2d(x, 2, return_indices=True)[0]",
        "F.max_pool2d(x[0], 2)",
        "F.max_pool1d(x[0], 3, 2, 1)",
        "F.max_pool1d(x[0, 0], 2)",
        "F.adaptive_max_pool2d(x, (4, 3))",
        "F.adaptive_max_pool1d(x[0], 5)",
        "F.avg_pool2d(x, 2)",
        "F.avg_pool2d(x, 3, 2, 1, ceil_mode=True)",
        "F.avg_pool2d(x, 3, 2, 1, True, False)",
        "F.avg_pool2d(x, 2, divisor_override=3)",
        "F.avg_pool1d(x[0], 3, 2, 1, count_include_pad=False)",
        "F.adaptive_avg_pool2d(x, (4, 3))",
        "F.adaptive_avg_pool2d(x, (None, 3))",
        "F.adaptive_avg_pool2d(x, 1)",
        "F.adaptive_avg_pool1d(x[0], 5)",
    ],
)
def test_pooling(call: str, dtype: str) -> None:
    assert_same(f"y = {call}", leaves({"x": (2, 3, 6, 7)}, dtype))


@pytest.mark.parametrize("call", ["F.lp_pool2d(x, 2, 2)", "F.lp_pool1d(x[0], 3.0, 2, 1)"])
def test_powers(call: str) -> None:
    assert_same(f"y = {call}", X, tolerance=1e-11)


@pytest.mark.parametrize(
    "call",
    [
        "F.max_pool3d(x, 2)",
        "F.max_pool3d(x, (2, 3, 1), stride=1, padding=(1, 1, 0))",
        "F.avg_pool3d(x, 2, 1, 1, count_include_pad=False)",
        "F.adaptive_max_pool3d(x, (2, 3, 2))",
        "F.adaptive_avg_pool3d(x, (2, 3, 2))",
        "F.lp_pool3d(x, 2, 2)",
    ],
)
def test_three_axes(call: str) -> None:
    assert_same(f"y = {call}", CUBE, tolerance=1e-11)


@pytest.mark.parametrize(
    "call",
    [
        "F.max_pool2d(x, 2, return_indices=True)",
        "F.max_pool2d(x, 3, 1, 1, return_indices=True)",
        "F.adaptive_max_pool2d(x, (3, 2), return_indices=True)",
    ],
)
def test_which_of_equal_elements_is_taken(call: str) -> None:
    mine, theirs = (
        run(side, f"y, k = {call}\ny.sum().backward()\ng = x.grad", KINKS)
        for side in (ENGINE, TORCH)
    )
    assert mine.error is None
    for name in ("y", "k", "g"):
        a, b = (outcome.names[name].detach().numpy() for outcome in (mine, theirs))
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "program",
    [
        "p, k = F.max_pool2d(x[..., :6], 2, return_indices=True)\ny = F.max_unpool2d(p, k, 2)",
        "p, k = F.max_pool2d(x, 3, 2, return_indices=True)\n"
        "y = F.max_unpool2d(p, k, 3, 2, output_size=(6, 7))",
        "p, k = F.max_pool1d(x[0], 2, return_indices=True)\ny = F.max_unpool1d(p, k, 2)",
        "p, k = F.max_pool2d(x, 2, return_indices=True)\n"
        "y = F.max_unpool2d(p, k, 2, output_size=(9, 9))",
        "y = F.max_unpool2d(x[:1, :1, :1, :1], torch.tensor([[[[9]]]]), 2)",
        "p, k = F.max_pool2d(x, 2, return_indices=True)\ny = F.max_unpool2d(p, k.double(), 2)",
    ],
)
def test_unpooling(program: str) -> None:
    assert_same(program, X)


@pytest.mark.parametrize(
    "call",
    [
        "F.max_pool2d(x, 2, padding=2)",
        "F.max_pool2d(x, 0)",
        "F.max_pool2d(x, 2, dilation=0)",
        "F.max_pool2d(x, (2, 2, 2))",
        "F.max_pool2d(x, 2, (2, 2, 2))",
        "F.max_pool2d(x[0, 0], 2)",
        "F.max_pool2d(x, 9)",
        "F.max_pool2d(x > 0, 2)",
        "F.max_pool1d(x, 2)",
        "F.max_pool1d(x[0], 2, padding=2)",
        "F.avg_pool2d(x, 2, divisor_override=0)",
        "F.avg_pool2d(x, 2, padding=2)",
        "F.avg_pool1d(x[0], (2, 2))",
        "F.adaptive_avg_pool2d(x, (2, 2, 2))",
        "F.adaptive_avg_pool2d(x, -1)",
        "F.adaptive_avg_pool2d(x[0, 0], 2)",
    ],
)
def test_what_does_not_fit(call: str) -> None:
    assert_same(f"y = {call}", X)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "call",
    [
        "F.interpolate(x, scale_factor=2)",
        "F.interpolate(x, (4, 9))",
        "F.interpolate(x, scale_factor=1.7, mode='nearest-exact')",
        "F.interpolate(x, (4, 9), mode='bilinear')",
        "F.interpolate(x, (4, 9), mode='bilinear', align_corners=True)",
        "F.interpolate(x, scale_factor=(0.7, 1.9), mode='bilinear')",
        "F.interpolate(x, scale_factor=1.9, mode='bilinear', recompute_scale_factor=True)",
        "F.interpolate(x, (4, 9), mode='bicubic')",
        "F.interpolate(x, (11, 3), mode='bicubic', align_corners=True)",
        "F.interpolate(x, (3, 4), mode='bilinear', antialias=True)",
        "F.interpolate(x, (3, 9), mode='bicubic', antialias=True)",
        "F.interpolate(x, (4, 3), mode='area')",
        "F.interpolate(x[0], 11, mode='linear')",
        "F.interpolate(x[None], (4, 7, 5), mode='trilinear')",
        "F.interpolate(x[None], (4, 7, 5))",
    ],
)
def test_interpolation(call: str, dtype: str) -> None:
    tolerance = 1e-5 if dtype == "float32" else 1e-11
    assert_same(f"y = {call}", leaves({"x": (2, 3, 6, 7)}, dtype), tolerance=tolerance)


@pytest.mark.parametrize(
    "call",
    [
        "F.interpolate(x)",
        "F.interpolate(x, 2, 2)",
        "F.interpolate(x, (2, 2, 2))",
        "F.interpolate(x, scale_factor=(2, 2, 2))",
        "F.interpolate(x, 2, mode='linear')",
        "F.interpolate(x, 2, mode='nothing')",
        "F.interpolate(x, 2, align_corners=True)",
        "F.interpolate(x, 2, antialias=True)",
        "F.interpolate(x, 0)",
        "F.interpolate(x, 2, recompute_scale_factor=True)",
        "F.upsample(x, 2)",
        "F.upsample_bilinear(x, 9)",
        "F.upsample_nearest(x, scale_factor=2)",
    ],
)
def test_interpolation_as_it_should_not_be(call: str) -> None:
    assert_same(f"y = {call}", X)
