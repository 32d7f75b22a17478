"""Every operator of PyTorch's database that the engine has, on every sample of PyTorch's tests."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from tests.engine.operator_database import MOST_SAMPLES, difference, operators, ours, torch

OFFERED = [(label, info) for label, info in operators() if ours(info.name) is not None]


@dataclass
class Verdicts:
    """The samples of one operator, by how they ended."""

    agree: int = 0
    declined: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def verdicts(info: Any) -> Verdicts:
    torch.manual_seed(0)
    samples = list(info.sample_inputs("cpu", torch.float64, requires_grad=True))[:MOST_SAMPLES]
    draw, found = np.random.default_rng(0), Verdicts()
    for number, sample in enumerate(samples):
        try:
            wrong = difference(info.name, info, sample, draw)
        except NotImplementedError as declined:
            found.declined.append(str(declined))
            continue
        if wrong:
            found.wrong.append(f"sample {number}: {wrong}")
        found.agree += wrong is None
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("info", [i for _, i in OFFERED], ids=[label for label, _ in OFFERED])
def test_agrees_with_pytorch_on_its_own_samples(info: Any) -> None:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = verdicts(info)
    assert found.wrong == []
    assert all(found.declined)  # never without a word


def test_most_of_the_database_is_offered() -> None:
    assert len(OFFERED) >= 400
