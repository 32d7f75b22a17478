"""Convolutions, padding and windows against PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import assert_same, leaves

CONV = leaves({"x": (2, 4, 5, 6), "w": (6, 2, 3, 2), "b": (6,)})
LINE = leaves({"x": (2, 3, 7), "w": (4, 3, 3), "b": (4,)})
CUBE = leaves({"x": (1, 2, 4, 3, 4), "w": (2, 2, 2, 2, 3), "b": (2,)})
UP = leaves({"x": (2, 4, 3, 3), "w": (4, 2, 3, 2), "b": (4,)})


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    "call",
    [
        "F.conv2d(x, w, b, groups=2)",
        "F.conv2d(x, w, stride=2, padding=(2, 1), groups=2)",
        "F.conv2d(x, w, b, stride=(1, 3), padding=1, dilation=(2, 1), groups=2)",
        "F.conv2d(x, w, padding='valid', groups=2)",
        "F.conv2d(x[0], w, b, groups=2)",
        "torch.conv2d(x, w, b, 1, 0, 1, 2)",
        "F.conv2d(x[:0], w, b, groups=2)",
        "F.conv2d(x.transpose(2, 3), w, groups=2)",
        "F.conv2d(x.long(), w.long(), groups=2)",
    ],
)
def test_conv2d(call: str, dtype: str) -> None:
    arrays = leaves({"x": (2, 4, 5, 6), "w": (6, 2, 3, 2), "b": (6,)}, dtype)
    assert_same(f"y = {call}", arrays, tolerance=2e-5 if dtype == "float32" else None)


@pytest.mark.parametrize(
    "call",
    [
        "F.conv1d(x, w, b)",
        "F.conv1d(x, w, padding='same', dilation=2)",
        "F.conv1d(x, w[..., :2], b, padding='same')",
        "F.conv1d(x[1], w, b, stride=2)",
    ],
)
def test_conv1d(call: str) -> None:
    assert_same(f"y = {call}", LINE)


def test_conv3d() -> None:
    assert_same("y = F.conv3d(x, w, b, stride=(2, 1, 1), padding=(0, 1, 0))", CUBE)


@pytest.mark.parametrize(
    "call",
    [
        "F.conv_transpose2d(x, w, b, groups=2)",
        "F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1, groups=2)",
        "F.conv_transpose2d(x, w, b, stride=(1, 2), dilation=2, output_padding=1, groups=2)",
        "F.conv_transpose2d(x[0], w, b, groups=2)",
        "F.conv_transpose1d(x[0], w[..., 0, :], None, 2)",
        "F.conv_transpose3d(x[None], w[:2, :, :, :, None].expand(2, 2, 3, 2, 2))",
    ],
)
def test_transposed(call: str) -> None:
    assert_same(f"y = {call}", UP)


def test_kernels_that_reach_beyond_the_input_send_nothing_there() -> None:
    """Output padding gives places that no element lays anything down on."""
    assert_same(
        "y = F.conv_transpose1d(x, w, stride=3, dilation=4, output_padding=3)",
        LINE | {"w": leaves({"w": (3, 2, 2)})["w"]},
    )


@pytest.mark.parametrize(
    "call",
    [
        "F.conv2d(x[0, 0], w)",
        "F.conv2d(x[:, :3], w, groups=2)",
        "F.conv2d(x, w, b[:2], groups=2)",
        "F.conv2d(x, w.float(), groups=2)",
        "F.conv2d(x.float(), w, groups=2)",
        "F.conv2d(x, w, b.float(), groups=2)",
        "F.conv2d(x, w, stride=0, groups=2)",
        "F.conv2d(x, w, padding=-1, groups=2)",
        "F.conv2d(x, w, dilation=0, groups=2)",
        "F.conv2d(x, w, dilation=4, groups=2)",
        "F.conv2d(x, w, groups=4)",
        "F.conv2d(x, w, groups=0)",
        "F.conv2d(x, w, stride=(1, 1, 1), groups=2)",
        "F.conv2d(x, w, padding='same', stride=2, groups=2)",
        "F.conv2d(x, w, padding='nothing', groups=2)",
        "F.conv_transpose2d(x, w, output_padding=1)",
        "F.conv_transpose2d(x, w[:3])",
        "F.conv_transpose2d(x, w[:4], b)",
    ],
)
def test_what_does_not_fit(call: str) -> None:
    assert_same(f"y = {call}", CONV)


@pytest.mark.parametrize(
    "call",
    [
        "F.pad(x, (1, 2))",
        "F.pad(x, (-1, 2, 0, 1), value=3.5)",
        "F.pad(x, (0, 0))",
        "F.pad(x, (2, 1, 1, 3), mode='reflect')",
        "F.pad(x, (2, 1, 0, 7), mode='replicate')",
        "F.pad(x[0], (-2, 3, -1, 1), mode='replicate')",
        "F.pad(x[0, 0], (2, 1), mode='reflect')",
        "F.pad(x[0], (1, 1, 1, 1, 1, 1), mode='constant')",
        "torch.constant_pad_nd(x, [1, 0, 0, 2], 1)",
    ],
)
def test_padding(call: str) -> None:
    assert_same(f"y = {call}", {"x": CONV["x"]})


@pytest.mark.parametrize(
    "call", ["F.pad(x, (2, 1, 0, 3), 'circular')", "F.pad(x, (-1, 2, 1, -2), 'circular')"]
)
def test_circular_padding(call: str) -> None:
    """PyTorch copies it piece by piece; here it is one node of the same name."""
    assert_same(f"y = {call}", {"x": CONV["x"]}, shallow=True)


@pytest.mark.parametrize(
    "call",
    [
        "F.pad(x, (1,))",
        "F.pad(x, (1,) * 10)",
        "F.pad(x, (6, 0, 0, 0), mode='reflect')",
        "F.pad(x, (0, 0, 0, 5), mode='reflect')",
        "F.pad(x, (1, 1), mode='reflect')",
        "F.pad(x, (1, 1, 1, 1), mode='nothing')",
        "F.pad(x, (1, 1, 1, 1), mode='reflect', value=1)",
        "F.pad(x, (7, 0, 0, 0), mode='circular')",
        "F.pad(x, (-4, -3))",
        "torch.constant_pad_nd(x[0, 0, 0], [1, 1, 1, 1])",
    ],
)
def test_padding_that_does_not_fit(call: str) -> None:
    assert_same(f"y = {call}", {"x": CONV["x"]})


@pytest.mark.parametrize(
    "call",
    [
        "F.unfold(x, 2)",
        "F.unfold(x, (2, 3), dilation=(1, 2), padding=1, stride=2)",
        "F.unfold(x[0], 3)",
        "F.fold(F.unfold(x, 2, padding=1), (5, 6), 2, padding=1)",
        "F.fold(x.reshape(2, 4, 30), (6, 7), 2)",
        "F.pixel_shuffle(x, 2)",
        "F.pixel_unshuffle(x[..., :4, :], 2)",
        "F.channel_shuffle(x, 2)",
        "F.unfold(x, 7)",
        "F.unfold(x, 2, stride=0)",
        "F.fold(x.reshape(2, 4, 30), (5, 7), 2)",
        "F.pixel_shuffle(x, 3)",
        "F.pixel_unshuffle(x, 4)",
        "F.channel_shuffle(x, 3)",
    ],
)
def test_windows_and_shuffles(call: str) -> None:
    assert_same(f"y = {call}", {"x": CONV["x"]})


def test_a_penalty_on_a_convolutions_gradient() -> None:
    program = (
        "out = F.conv2d(x, w, b, padding=1, groups=2).tanh().pow(2).sum()\n"
        "gx, gw = torch.autograd.grad(out, [x, w], create_graph=True)\n"
        "y = (gx ** 2).sum() + (gw ** 3).mean()\n"
    )
    assert_same(program, CONV, shallow=True, tolerance=1e-11)


def test_complex_convolution() -> None:
    rng = np.random.default_rng(3)
    arrays = {
        name: rng.normal(size=shape) + 1j * rng.normal(size=shape)
        for name, shape in (("x", (2, 2, 5)), ("w", (3, 2, 2)))
    }
    assert_same(
        "y = torch.view_as_real(F.conv1d(x, w, padding=1)).sum()",
        arrays,
        shallow=True,
        tolerance=1e-11,
    )
