"""Elements moved or resampled, as modules."""

from __future__ import annotations

from typing import Any

from engine.functions import shapes
from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn.module import Module
from engine.nn.modules.applied import NEEDED, Applied, settings
from engine.tensor import Tensor


class Identity(Module):
    """What goes in comes out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Flatten(Applied):
    """Several axes as one; by default all but the first."""

    _settings = settings(start_dim=1, end_dim=-1)
    _shown = ("start_dim", "end_dim")

    def forward(self, input: Tensor) -> Tensor:
        return shapes.flatten(input, self.start_dim, self.end_dim)


class Unflatten(Applied):
    """One axis as several."""

    _settings = settings(dim=NEEDED, unflattened_size=NEEDED)
    _shown = ("dim", "unflattened_size")

    def forward(self, input: Tensor) -> Tensor:
        return shapes.unflatten(input, self.dim, self.unflattened_size)


class Unfold(Applied):
    """The windows of (N, C, H, W) as columns."""

    _function = "unfold"
    _settings = settings(kernel_size=NEEDED, dilation=1, padding=0, stride=1)
    _shown = ("kernel_size", "dilation", "padding", "stride")


class Fold(Applied):
    """Columns added up where their windows lie."""

    _function = "fold"
    _settings = settings(output_size=NEEDED, **Unfold._settings)
    _shown = ("output_size", *Unfold._shown)


class PixelShuffle(Applied):
    """(…, C * r², H, W) as (…, C, H * r, W * r)."""

    _function = "pixel_shuffle"
    _settings = settings(upscale_factor=NEEDED)
    _shown = ("upscale_factor",)


class PixelUnshuffle(Applied):
    """(…, C, H * r, W * r) as (…, C * r², H, W)."""

    _function = "pixel_unshuffle"
    _settings = settings(downscale_factor=NEEDED)
    _shown = ("downscale_factor",)


class ChannelShuffle(Applied):
    """One channel of each group after the other."""

    _function = "channel_shuffle"
    _settings = settings(groups=NEEDED)
    _shown = ("groups",)


class Upsample(Module):
    """The last axes in another size."""

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size, self.mode, self.align_corners = size, mode, align_corners
        self.recompute_scale_factor = recompute_scale_factor
        if isinstance(scale_factor, tuple):
            self.scale_factor: Any = tuple(float(f) for f in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(  # type: ignore[no-any-return]
            input,
            self.size,
            self.scale_factor,
            self.mode,
            self.align_corners,
            self.recompute_scale_factor,
        )

    def extra_repr(self) -> str:
        name = "size" if self.scale_factor is None else "scale_factor"
        return f"{name}={getattr(self, name)!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """The last two axes in another size, to the nearest element."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """The last two axes in another size, between elements with aligned corners."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, "bilinear", True)
