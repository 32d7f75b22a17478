"""The palette searched: by name, symbol, TeX, and words of both languages at once, best first."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gradviz.edit.catalogue import entries, family_title
from gradviz.edit.entry import Entry
from gradviz.language import current

# What is asked for most, best first: among hits that are equally good these lead.
COMMON: Sequence[str] = (
    "leaf", "constant", "sum", "mul", "add", "matmul", "mean", "pow", "sub", "div", "exp", "log",
    "sigmoid", "relu", "tanh", "softmax", "sqrt", "neg", "mse_loss", "abs", "view", "t", "cat",
    "transpose", "vector_norm", "max", "min", "sin", "cos", "cross_entropy", "linear", "where",
)  # fmt: skip
_COMMON_BONUS = {name: 4.0 * (1 - at / len(COMMON)) for at, name in enumerate(COMMON)}
# How good a match is, by what it was found in.
_ID, _WORD, _TITLE, _PARAM, _TEXT = 100.0, 92.0, 90.0, 34.0, 26.0
_CLOSE = 0.72  # how like a key a misspelt word has to be


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found, how good the match is, and the word it was found by."""

    entry: Entry
    score: float
    by: str = ""


@dataclass(frozen=True, slots=True)
class _Key:
    text: str
    shown: str
    weight: float
    fuzzy: bool = True


def search(query: str, among: Iterable[Entry] | None = None) -> list[Hit]:
    """The entries that every word of the query is found in, best first.

    A word may be a name, a part of one, its letters in order, a symbol, TeX, Chinese, or a
    parameter's name. With nothing asked for: all, the common ones first. A query that finds
    nothing is taken for misspelt.
    """
    chosen = entries() if among is None else tuple(among)
    tokens = plain(query).split()
    if not tokens:
        hits = [Hit(entry, _COMMON_BONUS.get(entry.id, 0.0)) for entry in chosen]
    else:
        hits = [hit for entry in chosen if (hit := _hit(entry, tokens)) is not None]
        hits = hits or [hit for entry in chosen if (hit := _misspelt(entry, tokens)) is not None]
    return sorted(hits, key=lambda hit: -hit.score)


def plain(text: str) -> str:
    """The text as it is compared: without wide forms and case, but Σ is not σ."""
    found = unicodedata.normalize("NFKC", text).strip()
    return found.lower() if found.isascii() else "".join(map(_lower, found))


def _lower(letter: str) -> str:
    return letter.lower() if letter.isascii() else letter


def _hit(entry: Entry, tokens: list[str]) -> Hit | None:
    keys = _keys(current())[entry.id]
    found = [max((_score(token, key), key.shown) for key in keys) for token in tokens]
    if min(score for score, _shown in found) <= 0:
        return None
    score, by = found[0]
    total = (score + sum(other for other, _shown in found)) / (1 + len(found))
    return Hit(entry, total + _COMMON_BONUS.get(entry.id, 0.0), by)


def _score(token: str, key: _Key) -> float:
    """How well a word of the query matches a key: 0 where it does not."""
    text = key.text
    if token == text:
        return key.weight
    if text.startswith(token):
        return key.weight * (0.88 - 0.02 * min(len(text) - len(token), 10))
    at = text.find(token)
    if at > 0:
        return key.weight * (0.62 if not text[at - 1].isalnum() else 0.5)
    if key.fuzzy and len(token) > 1 and token[0] == text[:1] and _in_order(token, text):
        return key.weight * 0.4 * len(token) / len(text)
    return 0.0


def _in_order(token: str, text: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in token)


def _misspelt(entry: Entry, tokens: list[str]) -> Hit | None:
    whole = " ".join(tokens)
    best = max(
        (difflib.SequenceMatcher(None, whole, key.text).ratio(), key.shown)
        for key in _keys(current())[entry.id]
        if key.fuzzy
    )
    return Hit(entry, 10 * best[0], best[1]) if best[0] >= _CLOSE else None


def warm() -> None:
    """Make ready what the first search needs, which takes a moment; from any thread."""
    _keys(current())


@lru_cache(maxsize=4)
def _keys(_language: str) -> Mapping[str, tuple[_Key, ...]]:
    """What each entry is found by, with titles of this language beside the English ones."""
    return {entry.id: tuple(_keys_of(entry)) for entry in entries()}


def _keys_of(entry: Entry) -> Iterable[_Key]:
    yield _Key(plain(entry.id), entry.id, _ID)
    for name in dict.fromkeys((*entry.rows, *_called(entry))):
        yield _Key(plain(name), name, _WORD)
    for title in dict.fromkeys((entry.name, entry.title)):
        yield _Key(plain(title), title, _TITLE)
    for word in entry.words:
        yield _Key(plain(word), word, _WORD)
    for param in entry.params:
        if not param.derived:
            yield _Key(plain(param.name), param.name, _PARAM, fuzzy=False)
    for text in dict.fromkeys((entry.about, entry.text, family_title(entry.family))):
        for word in plain(text).replace(",", " ").split():
            yield _Key(word, text, _TEXT, fuzzy=False)


def _called(entry: Entry) -> tuple[str, ...]:
    """The names of PyTorch's that it is called by."""
    if entry.is_source:
        return ("torch.tensor",)
    dotted = entry.call if isinstance(entry.call, str) and entry.call else entry.id
    return dotted.rpartition(".")[2], f"torch.{dotted}"
