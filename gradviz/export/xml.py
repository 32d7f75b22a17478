"""Elements of an XML text: attributes in the order given, characters that XML lacks left out."""

from __future__ import annotations

import re

# What XML 1.0 cannot hold: control characters but tab and line breaks, surrogates, U+FFFE and FFFF.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def escape(text: str) -> str:
    """The text as it may stand in an element or between quotation marks."""
    return _FORBIDDEN.sub("", text).translate(_ESCAPES)


def element(tag: str, content: str = "", /, **attributes: object) -> str:
    """An element around content that is XML already.

    Attributes that are None are left out; `_` in a name stands for `-`, and an `_` at its end for
    nothing; numbers are written with at most two decimals.
    """
    words = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{words}>{content}</{tag}>" if content else f"<{tag}{words}/>"


def _value(value: object) -> str:
    return num(value) if isinstance(value, float) else escape(str(value))


def num(value: float) -> str:
    """A coordinate: two decimals, none that are zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text
