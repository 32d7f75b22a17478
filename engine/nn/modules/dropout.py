"""Dropout as modules: at work in training only."""

from __future__ import annotations

from typing import Any

from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn.modules.applied import Applied, settings
from engine.tensor import Tensor


class Dropout(Applied):
    """Each element 0 with probability `p`; those that stay are divided by 1 - p."""

    _function = "dropout"
    _settings = settings(p=0.5, inplace=False)
    _shown = ("p", "inplace")
    _quiet = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not 0 <= self.p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {self.p}")

    def forward(self, input: Tensor) -> Any:
        return getattr(F, self._function)(input, self.p, self.training, self.inplace)


class Dropout1d(Dropout):
    """Whole channels of (N, C, L) dropped."""

    _function = "dropout1d"


class Dropout2d(Dropout):
    """Whole channels of (N, C, H, W) dropped."""

    _function = "dropout2d"


class Dropout3d(Dropout):
    """Whole channels of (N, C, D, H, W) dropped."""

    _function = "dropout3d"


class AlphaDropout(Dropout):
    """Dropout that keeps mean 0 and variance 1, for networks of SELU."""

    _function = "alpha_dropout"


class FeatureAlphaDropout(Dropout):
    """AlphaDropout of whole channels."""

    _function = "feature_alpha_dropout"
