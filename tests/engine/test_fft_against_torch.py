"""Fourier transforms give what PyTorch gives: values, graphs, complex gradients, errors."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, assert_same, leaves, numbers, run

SIGNAL = leaves({"x": (5,)})
SHEET = leaves({"x": (3, 4)})


def _complex(*shape: int, dtype: str = "complex128") -> dict[str, np.ndarray]:
    made = numbers(shape, "float64") + 1j * numbers(shape, "float64", 7)
    return {"x": made.astype(dtype)}


COMPLEX = _complex(5)
COMPLEX_SHEET = _complex(3, 4)


@pytest.mark.parametrize("norm", ["None", "'ortho'", "'forward'", "'backward'"])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_along_an_axis(name: str, norm: str) -> None:
    assert_same(f"y = torch.fft.{name}(x, norm={norm})", SIGNAL, tolerance=1e-12)
    assert_same(f"y = torch.fft.{name}(x, dim=0, norm={norm})", SHEET, tolerance=1e-12)
    if name not in ("rfft", "ihfft"):
        assert_same(f"y = torch.fft.{name}(x, norm={norm})", COMPLEX, tolerance=1e-12)


@pytest.mark.parametrize("n", [1, 3, 5, 8])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_signals_are_cut_and_filled_up(name: str, n: int) -> None:
    assert_same(f"y = torch.fft.{name}(x, {n})", SIGNAL, tolerance=1e-12)
    assert_same(f"y = torch.fft.{name}(x, {n}, 0)", SHEET, tolerance=1e-12)


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_over_several_axes(name: str) -> None:
    programs = [
        f"y = torch.fft.{name}2(x)",
        f"y = torch.fft.{name}n(x)",
        f"y = torch.fft.{name}2(x, norm='ortho')",
        f"y = torch.fft.{name}n(x, norm='forward')",
        f"y = torch.fft.{name}n(x, (4, 3))",
        f"y = torch.fft.{name}n(x, (2,))",
        f"y = torch.fft.{name}n(x, dim=(1, 0))",
        f"y = torch.fft.{name}2(x, (2, -1), (1, 0), 'ortho')",
        f"y = torch.fft.{name}n(x, dim=1)",
    ]
    for program in programs:
        assert_same(program, SHEET, tolerance=1e-12)
        if name not in ("rfft", "ihfft"):
            assert_same(program, COMPLEX_SHEET, tolerance=1e-12)


@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "hfft", "ifftn"])
def test_single_precision_stays_single(name: str) -> None:
    assert_same(f"y = torch.fft.{name}(x)", leaves({"x": (4,)}, "float32"), tolerance=2e-6)
    if name != "rfft":
        single = _complex(4, dtype="complex64")
        assert_same(f"y = torch.fft.{name}(x)", single, tolerance=2e-6)


def test_integers_become_floats() -> None:
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "rfftn"):
        program = f"y = torch.fft.{name}(torch.tensor([[1, 2, 3], [4, 5, 7]]))"
        assert_same(program, {}, tolerance=2e-6)


def test_round_trips_and_spectra() -> None:
    assert_same("y = torch.fft.irfft(torch.fft.rfft(x), 5)", SIGNAL, tolerance=1e-12)
    assert_same("y = torch.fft.ifft(torch.fft.fft(x)).real", SIGNAL, tolerance=1e-12)
    assert_same("y = torch.fft.rfft(x).abs()", SIGNAL, tolerance=1e-12)
    assert_same("y = torch.fft.fft(x).imag ** 2", COMPLEX, tolerance=1e-12)


def test_second_derivatives() -> None:
    program = (
        "z = (torch.fft.{0}(x).abs() ** 3).sum()\n"
        "g, = torch.autograd.grad(z, x, create_graph=True)\n"
        "y = (g * g).sum() if not g.is_complex() else (g * g.conj()).real.sum()"
    )
    for name in ("fft", "rfft", "irfft", "hfft"):
        assert_same(program.format(name), SIGNAL, tolerance=1e-10, shallow=True)
    assert_same(program.format("ifft"), COMPLEX, tolerance=1e-10, shallow=True)


@pytest.mark.parametrize("size", [4, 5])
def test_frequencies_and_shifts(size: int) -> None:
    arrays = leaves({"x": (size, 3)})
    for program in (
        f"y = torch.fft.fftfreq({size})",
        f"y = torch.fft.fftfreq({size}, 0.25)",
        f"y = torch.fft.rfftfreq({size}, d=2.0, dtype=torch.float64)",
    ):
        assert_same(program, {}, tolerance=1e-7)
    for program in (
        "y = torch.fft.fftshift(x)",
        "y = torch.fft.ifftshift(x)",
        "y = torch.fft.fftshift(x, 0)",
        "y = torch.fft.ifftshift(x, dim=(1, 0))",
    ):
        assert_same(program, arrays)


@pytest.mark.parametrize(
    "program",
    [
        "y = torch.fft.fft(x, 0)",
        "y = torch.fft.irfft(x[:, :1])",
        "y = torch.fft.fft(x, norm='x')",
        "y = torch.fft.fft(x, dim=3)",
        "y = torch.fft.fft(x[0, 0])",
        "y = torch.fft.fft(x.half())",
        "y = torch.fft.rfft(torch.fft.fft(x))",
        "y = torch.fft.ihfft(torch.fft.fft(x))",
        "y = torch.fft.rfftn(torch.fft.fft(x))",
        "y = torch.fft.fft2(x[0])",
        "y = torch.fft.fftn(x, dim=(0, 0))",
        "y = torch.fft.fftn(x, (1, 2, 3))",
        "y = torch.fft.fft2(x, (1,))",
        "y = torch.fft.rfft2(x, (0, 1))",
        "y = torch.fft.irfftn(x[0, 0])",
        "y = torch.fft.fftn(x[:0])",
    ],
)
def test_errors(program: str) -> None:
    assert run(TORCH, program, SHEET).error is not None
    assert run(ENGINE, program, SHEET).error == run(TORCH, program, SHEET).error


@pytest.mark.parametrize(
    "call",
    [
        "torch.stft(x, 4, return_complex=True)",
        "torch.stft(x, 4, 2, window=w, return_complex=True)",
        "torch.stft(x, 5, 2, 4, w, return_complex=True, normalized=True)",
        "torch.stft(x, 6, win_length=4, center=False, return_complex=True)",
        "torch.stft(x.reshape(2, 6), 4, pad_mode='constant', return_complex=True)",
        "torch.stft(x, 4, onesided=False, return_complex=True)",
        "torch.stft(torch.complex(x, x), 4)",
        "torch.stft(x, 4, return_complex=False)",
        "x.stft(4, window=w, return_complex=True).abs()",
    ],
)
def test_short_times(call: str) -> None:
    arrays = leaves({"x": (12,), "w": (4,)})
    assert_same(f"y = {call}", arrays, tolerance=1e-11, shallow=True)


@pytest.mark.parametrize(
    "arguments",
    ["x, 4", "x, 50, center=False", "x, 4, 0", "x, 4, win_length=6", "x, 4, window=x[:3]",
     "x.reshape(2, 2, 3), 4, center=False", "torch.complex(x, x), 4, onesided=True"],
)  # fmt: skip
def test_short_time_errors(arguments: str) -> None:
    options = "" if arguments == "x, 4" else ", return_complex=True"
    program = f"y = torch.stft({arguments}{options})"
    arrays = leaves({"x": (12,)})
    assert run(TORCH, program, arrays).error is not None
    assert run(ENGINE, program, arrays).error == run(TORCH, program, arrays).error


@pytest.mark.parametrize("name", ["hann", "hamming", "blackman", "bartlett", "kaiser"])
@pytest.mark.parametrize("arguments", ["0", "1", "2", "5", "6, False", "5, dtype=torch.float64"])
def test_windows(name: str, arguments: str) -> None:
    tolerance = 1e-12 if "float64" in arguments else 1e-6
    assert_same(f"y = torch.{name}_window({arguments})", {}, tolerance=tolerance)


@pytest.mark.parametrize("arguments", ["-1", "4, dtype=torch.int64"])
def test_window_errors(arguments: str) -> None:
    program = f"y = torch.hann_window({arguments})"
    assert run(TORCH, program, {}).error is not None
    assert run(ENGINE, program, {}).error == run(TORCH, program, {}).error


@pytest.mark.parametrize(
    "options",
    [
        "",
        ", window=w",
        ", window=w, hop_length=2",
        ", window=w, normalized=True, length=9",
        ", window=w, length=20",
        ", win_length=3",
        ", onesided=True",
    ],
)
def test_back_from_short_times(options: str) -> None:
    arrays = {**_complex(2, 3, 6), "w": np.array([0.5, 1.0, 1.0, 0.5])}
    assert_same(f"y = torch.istft(x, 4{options})", arrays, tolerance=1e-11, shallow=True)
    assert_same(f"y = torch.istft(x[0], 4{options})", arrays, tolerance=1e-11, shallow=True)
    signal = {"x": numbers((12,), "float64"), "w": arrays["w"]}
    program = "s = torch.stft(x, 4, window=w, return_complex=True)\ny = torch.istft(s, 4, window=w)"
    assert_same(program, signal, tolerance=1e-11, shallow=True)
    whole = {**_complex(4, 6), "w": arrays["w"]}
    assert_same("y = torch.istft(x, 4, onesided=False)", whole, tolerance=1e-11, shallow=True)


def test_windows_must_cover_the_signal() -> None:
    arrays = {**_complex(3, 6), "w": np.array([0.0, 1.0, 1.0, 0.0])}
    for program in ("torch.istft(x.abs(), 4)", "torch.istft(x, 6)", "torch.istft(x, 4, 5)",
                    "torch.istft(x, 4, window=w, center=False)"):  # fmt: skip
        for side in (TORCH, ENGINE):
            error = run(side, f"y = {program}", arrays).error
            assert error is not None
            assert error[0] == "RuntimeError"
