"""Anomaly mode: which line of the forward pass made the node that failed on the way back."""

from __future__ import annotations

import traceback
import warnings
from pathlib import Path

import numpy as np

from engine.history import Node
from engine.tensor import Tensor

ANOMALY_ON = (
    "Anomaly Detection has been enabled. This mode will increase the runtime and should only be "
    "enabled for debugging."
)
ANOMALY_AT = (
    "Error detected in {node}. Traceback of forward call that caused the error:\n{traceback}"
)
ANOMALY_UNKNOWN = (
    "Error detected in {node}. No forward pass information available. Enable detect anomaly "
    "during forward pass for more information."
)
ANOMALY_NAN = "Function '{node}' returned nan values in its {i}th output."


_ENGINE = str(Path(__file__).parent)


def where_made() -> str:
    """The stack of the running program, as it is shown when the node fails."""
    frames = [f for f in traceback.extract_stack() if not f.filename.startswith(_ENGINE)]
    return "".join(traceback.format_list(frames))


def warn(node: Node) -> None:
    """Say which op of the forward pass the error belongs to."""
    made = node.traceback
    text = ANOMALY_UNKNOWN if made is None else ANOMALY_AT
    warnings.warn(text.format(node=node.name(), traceback=made), UserWarning, stacklevel=2)


def check_nan(node: Node, slot: int, value: object) -> None:
    """Raise RuntimeError where a rule returned nan."""
    array = value._array if isinstance(value, Tensor) else np.asarray(value)
    if array.dtype.kind in "fc" and bool(np.isnan(array).any()):
        raise RuntimeError(ANOMALY_NAN.format(node=node.name(), i=slot))
