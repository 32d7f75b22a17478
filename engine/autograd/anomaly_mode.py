"""Anomaly mode, turned on and off: `detect_anomaly` and `set_detect_anomaly`."""

from __future__ import annotations

import warnings

from engine.anomaly import ANOMALY_ON
from engine.state import STATE


class set_detect_anomaly:  # noqa: N801  torch's name
    """Anomaly mode on or off: at once, and until the `with` block ends where it is used as one.

    In it a pass that fails says which line made the node that failed, and with `check_nan` a rule
    that returns nan is an error.
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._outer = (STATE.mode.anomaly, STATE.mode.check_nan)
        _set(bool(mode), bool(check_nan))

    def __enter__(self) -> None:
        """It is on since it was made."""

    def __exit__(self, *_: object) -> None:
        _set(*self._outer)


class detect_anomaly:  # noqa: N801  torch's name
    """Anomaly mode within a `with` block; warns that it takes time."""

    def __init__(self, check_nan: bool = True) -> None:
        self._check_nan = bool(check_nan)
        self._outer = (STATE.mode.anomaly, STATE.mode.check_nan)
        warnings.warn(ANOMALY_ON, UserWarning, stacklevel=2)

    def __enter__(self) -> None:
        self._outer = (STATE.mode.anomaly, STATE.mode.check_nan)
        _set(True, self._check_nan)

    def __exit__(self, *_: object) -> None:
        _set(*self._outer)


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return STATE.mode.anomaly


def is_anomaly_check_nan_enabled() -> bool:
    """Whether a rule that returns nan is an error while anomaly mode is on."""
    return STATE.mode.check_nan


def _set(on: bool, check_nan: bool) -> None:
    mode = STATE.mode
    mode.anomaly, mode.check_nan = on, check_nan
    mode.settle()
