"""`apply`: what a setting that changed does to the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from gradviz.cells import Style, write_as
from gradviz.language import detect
from gradviz.script.limits import Limits
from gradviz.ui.asking.commands import use_language
from gradviz.ui.asking.settings import Settings

if TYPE_CHECKING:
    from gradviz.ui.window import Window

_MB, _MILLION = 1 << 20, 1_000_000


def apply(window: Window, key: str) -> None:
    """Do what the setting says; nothing for one that is only remembered."""
    do = _EFFECTS.get(key)
    if do is not None:
        do(window)


def apply_all(window: Window) -> None:
    """Bring the window to what the settings say, when it is made."""
    settings = window.settings
    window.theme.choose_signs(settings["signs"])
    write_as(_style(settings))
    _wheel(window)
    _overview(window)


def limits_of(settings: Settings) -> Limits:
    """What a script may use, as the user has it."""
    return Limits(
        seconds=float(settings["seconds"]),
        memory=settings["memory"] * _MB,
        elements=settings["elements"] * _MILLION,
    )


def _style(settings: Settings) -> Style:
    return Style(settings["digits"], scientific=settings["notation"] == "scientific")


def _language(window: Window) -> None:
    use_language(detect(setting=window.settings["language"]))
    _say_anew(window)


def _theme(window: Window) -> None:
    window.theme.choose(window.settings["theme"])


def _signs(window: Window) -> None:
    window.theme.choose_signs(window.settings["signs"])


def _motion(window: Window) -> None:
    window.stage.set_motion(window.commands.motion == "full")


def _overview(window: Window) -> None:
    window.stage.canvas.overview.set_wanted(window.settings["overview"])


def _numbers(window: Window) -> None:
    write_as(_style(window.settings))
    _say_anew(window)


def _say_anew(window: Window) -> None:
    window.stage.forget_places()  # boxes are as wide as their words
    window.retranslate()
    window.live.refresh()


def _wheel(window: Window) -> None:
    stage, zooms = window.stage, window.settings["wheel"] == "zoom"
    for view in (stage.canvas, stage.twin.first, stage.twin.second):
        view.set_wheel_zooms(zooms)


def _limits(window: Window) -> None:
    window.evaluator.limit(limits_of(window.settings))


def _keys(window: Window) -> None:
    window.retake_shortcuts()


_EFFECTS: Mapping[str, Callable[[Window], None]] = {
    "language": _language,
    "theme": _theme,
    "signs": _signs,
    "motion": _motion,
    "overview": _overview,
    "digits": _numbers,
    "notation": _numbers,
    "wheel": _wheel,
    "seconds": _limits,
    "memory": _limits,
    "elements": _limits,
    "keys": _keys,
}
