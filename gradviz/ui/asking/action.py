"""`Action`: one thing that can be asked of a window, as a row of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradviz.ui.window import Window

Run = Callable[["Window"], object]
Test = Callable[["Window"], bool]


def always(window: Window) -> bool:
    """Whatever the window shows."""
    return True


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be asked for. `menu` is where it stands, "" for nowhere.

    `checked` makes it a switch; `ends_group` puts a separator after it.
    """

    id: str
    text: str
    run: Run
    menu: str
    keys: tuple[str, ...] = ()
    checked: Test | None = None
    enabled: Test = always
    ends_group: bool = False
