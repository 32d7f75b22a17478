"""Programs of complex numbers are shown as others are."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradviz.commands.export import export
from gradviz.commands.grads import grads

SMALL = """
import torch
z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
y = (z * z.conj()).real
y.sum().backward()
"""
LARGE = """
import torch
z = torch.ones(4, 40, dtype=torch.complex64, requires_grad=True)
torch.fft.fft(z).abs().sum().backward()
"""


@pytest.mark.parametrize("script", [SMALL, LARGE], ids=["numbers", "swatches"])
def test_a_picture(script: str, tmp_path: Path) -> None:
    source, picture = tmp_path / "complex.py", tmp_path / "complex.svg"
    source.write_text(script, encoding="utf-8")
    assert export(str(source), [picture]) == 0
    assert picture.read_text(encoding="utf-8").startswith("<")


def test_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "complex.py"
    source.write_text(SMALL, encoding="utf-8")
    assert grads(str(source)) == 0
    assert "[2+4j, 6-2j]" in capsys.readouterr().out
