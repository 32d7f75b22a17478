"""The bracket that belongs to the one at the cursor, and comments put before lines."""

from __future__ import annotations

from collections.abc import Sequence

from gradviz.assist.scope import blanked

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_OPENER = {close: opener for opener, close in _PAIRS.items()}


def pair_at(text: str, at: int) -> tuple[int, int | None] | None:
    """The bracket beside the place, before it rather than after, and its partner's place.

    None where there is no bracket; a partner of None is missing. Those within strings and
    comments are none.
    """
    code = blanked(text)
    for place in (at - 1, at):
        if 0 <= place < len(code) and code[place] in _PAIRS:
            return place, _partner(code, place, 1)
        if 0 <= place < len(code) and code[place] in _OPENER:
            return place, _partner(code, place, -1)
    return None


def _partner(code: str, place: int, step: int) -> int | None:
    opening, closing = (_PAIRS, _OPENER) if step > 0 else (_OPENER, _PAIRS)
    waiting = [opening[code[place]]]
    place += step
    while 0 <= place < len(code):
        letter = code[place]
        if letter in opening:
            waiting.append(opening[letter])
        elif letter in closing:
            if letter != waiting.pop():
                return None
            if not waiting:
                return place
        place += step
    return None


def commented(lines: Sequence[str]) -> list[str]:
    """The lines as comments, or no longer where all that say anything are comments already.

    The mark stands where the least indented line begins, so that the block keeps its form.
    """
    said = [line for line in lines if line.strip()]
    if not said:
        return list(lines)
    if all(line.lstrip().startswith("#") for line in said):
        return [_bare(line) for line in lines]
    indent = min(len(line) - len(line.lstrip()) for line in said)
    return [f"{line[:indent]}# {line[indent:]}" if line.strip() else line for line in lines]


def _bare(line: str) -> str:
    head, mark, rest = line.partition("#")
    return line if not mark else head + rest.removeprefix(" ")
