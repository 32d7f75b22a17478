"""The language of what people read: gettext catalogues, switched at run time.

`_` looks its text up when it is called, so a text in a table of a module is marked with `N_`
and translated where it is shown. The catalogues live in `assets/locale`; `tests/catalogues.py`
says what is missing in them and compiles them.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Mapping, Sequence

from gradviz import resources

DOMAIN = "gradviz"
LANGUAGES: Mapping[str, str] = {"en": "English", "zh": "简体中文"}
_FOLDERS: Mapping[str, str] = {"zh": "zh_CN"}  # English is the source and needs no catalogue
_ENVIRONMENT = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # gettext's own order

_current = "en"
_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def _(message: str) -> str:
    """The message in the current language."""
    return _catalogue.gettext(message) if message else ""  # gettext's "" is a catalogue's header


def ngettext(singular: str, plural: str, n: int) -> str:
    """The form of the message that goes with the number `n`, in the current language."""
    return _catalogue.ngettext(singular, plural, n)


def N_(message: str) -> str:
    """Mark a message for the catalogues; it is translated later, by `_`."""
    return message


def current() -> str:
    """The language in use: a key of `LANGUAGES`."""
    return _current


def use(language: str) -> None:
    """Show everything in this language from now on. Raises ValueError where it is not known.

    A catalogue that is missing or broken leaves the English texts.
    """
    global _current, _catalogue
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}; there are {', '.join(LANGUAGES)}")
    _current, _catalogue = language, _load(language)


def detect(
    argv: Sequence[str] | None = None,
    *,
    environ: Mapping[str, str] = os.environ,
    setting: str | None = None,
) -> str:
    """The language to use: `--lang`, else the setting, else the environment, else English.

    Names that stand for no language of ours, "auto" among them, are passed over.
    """
    wanted = [_option(argv or ()), setting]
    wanted += _wishes(environ)
    return next((found for found in map(match, wanted) if found is not None), "en")


def match(name: str | None) -> str | None:
    """The language that a locale name such as "zh_CN.UTF-8", "zh-Hans" or "C" stands for."""
    if not name:
        return None
    base = re.split(r"[-_.@]", name, maxsplit=1)[0].lower()
    if base in ("c", "posix"):
        return "en"
    return base if base in LANGUAGES else None


def _option(argv: Sequence[str]) -> str | None:
    for at, word in enumerate(argv):
        if word == "--":
            break
        if word == "--lang":
            return argv[at + 1] if at + 1 < len(argv) else None
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
    return None


def _wishes(environ: Mapping[str, str]) -> list[str]:
    """Locale names by descending weight; as in gettext, LANGUAGE counts unless LANG is C."""
    names = {key: environ.get(key, "") for key in _ENVIRONMENT}
    locale = names["LC_ALL"] or names["LC_MESSAGES"] or names["LANG"]
    if match(locale) == "en" and locale.split(".")[0] in ("C", "POSIX"):
        return [locale]
    return [*names["LANGUAGE"].split(":"), locale]


def _load(language: str) -> gettext.NullTranslations:
    folder = _FOLDERS.get(language)
    if folder is None:
        return gettext.NullTranslations()
    try:
        path = resources.path("locale", folder, "LC_MESSAGES", f"{DOMAIN}.mo")
        with path.open("rb") as file:
            return gettext.GNUTranslations(file)
    except (OSError, ValueError, EOFError, UnicodeDecodeError):
        return gettext.NullTranslations()
