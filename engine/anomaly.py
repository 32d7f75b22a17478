"""Anomaly mode: which line of the forward pass made the node that failed on the way back."""

from __future__ import annotations

import traceback
import warnings

import numpy as np

from engine import errors
from engine.history import Node
from engine.tensor import Tensor


def where_made() -> str:
    """The stack of the running program, as it is shown when the node fails."""
    stack = traceback.extract_stack()
    return "".join(traceback.format_list([frame for frame in stack if "engine" not in frame.name]))


def warn(node: Node) -> None:
    """Say which op of the forward pass the error belongs to."""
    made = node.traceback
    text = errors.ANOMALY_UNKNOWN if made is None else errors.ANOMALY_AT
    warnings.warn(text.format(node=node.name(), traceback=made), UserWarning, stacklevel=2)


def check_nan(node: Node, slot: int, value: object) -> None:
    """Raise RuntimeError where a rule returned nan."""
    array = value._array if isinstance(value, Tensor) else np.asarray(value)
    if array.dtype.kind in "fc" and bool(np.isnan(array).any()):
        raise RuntimeError(errors.ANOMALY_NAN.format(node=node.name(), i=slot))
