"""A start as it is typed on the command line."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import Start
from gradviz.language import _
from gradviz.seeds.starts import REDUCTIONS, preset_seed

Array = npt.NDArray[Any]


def parse_start(text: str, y: Array) -> Start:
    """A start as it is typed: `mean`, `component:1`, `ones`, `1/N`, `onehot:0`, `v=1,0.5`.

    `y` is the output that it will start from. Raises ValueError with one sentence.
    """
    name, _colon, argument = text.strip().partition(":")
    if name in REDUCTIONS and name != "weighted":
        return Start("reduction", reduction=name, index=int(argument) if argument.isdigit() else 0)
    if text.startswith("v="):
        try:
            numbers = [
                float(part) for part in text[2:].replace("[", "").replace("]", "").split(",")
            ]
        except ValueError:
            raise ValueError(
                _("{text} is not a seed: write numbers with commas, as in v=1,0.5.").format(
                    text=text
                )
            ) from None
        if len(numbers) != y.size:
            raise ValueError(
                _("The seed has {given} numbers; the output has {wanted} elements.").format(
                    given=len(numbers), wanted=y.size
                )
            )
        return Start("seed", values=np.array(numbers).astype(y.dtype).reshape(y.shape))
    numbered = dict.fromkeys(("onehot", "random", "normal"), text)
    preset = {"ones": "ones", "1/N": "1/N", **numbered}.get(name)
    if preset is None:
        raise ValueError(
            _("{text} is not a way to start: use {known}, or numbers as in v=1,0.5.").format(
                text=text,
                known=", ".join([*REDUCTIONS, "ones", "1/N", "onehot:0", "random:0", "normal:0"]),
            )
        )
    return Start("seed", preset=preset, values=preset_seed(preset, y))
