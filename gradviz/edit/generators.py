"""Values made by rule: zeros, ranges, identities, and PyTorch's random numbers by their seed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradviz.diagram import Array
from gradviz.edit.outcome import Refusal
from gradviz.edit.shapes import MAX_ELEMENTS, Shape, checked, shape_of, too_many
from gradviz.language import N_, _

Numbers = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Rule:
    """A way of making an array; `numbers` are its parameters with their defaults.

    `shaped`: it is told a shape. `seeded`: the number "seed" says which random numbers. `whole`
    are the numbers that count something.
    """

    id: str
    name: str
    about: str
    numbers: Numbers
    make: Callable[[Shape, np.dtype[Any], Numbers], Array]
    shaped: bool = True
    seeded: bool = False
    whole: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name in the current language."""
        return _(self.name)

    @property
    def text(self) -> str:
        """What it makes, in the current language."""
        return _(self.about)


def _normal(shape: Shape, dtype: np.dtype[Any], numbers: Numbers) -> Array:
    from engine.random import Generator, normal

    source = Generator().manual_seed(int(numbers["seed"]))
    return normal(shape, dtype, mean=numbers["mean"], std=numbers["std"], generator=source)


def _uniform(shape: Shape, dtype: np.dtype[Any], numbers: Numbers) -> Array:
    from engine.random import Generator, uniform

    source = Generator().manual_seed(int(numbers["seed"]))
    return uniform(shape, dtype, low=numbers["low"], high=numbers["high"], generator=source)


def _range(shape: Shape, dtype: np.dtype[Any], numbers: Numbers) -> Array:
    start, end, step = (numbers[name] for name in ("start", "end", "step"))
    if step == 0 or not math.isfinite(start + end + step) or (end - start) * step < 0:
        raise ValueError(_("The step does not lead from the start to the end."))
    count = math.ceil((end - start) / step)
    if count > MAX_ELEMENTS:
        raise ValueError(too_many(count))
    return (start + step * np.arange(count)).astype(dtype)


def _line(shape: Shape, dtype: np.dtype[Any], numbers: Numbers) -> Array:
    return np.linspace(numbers["start"], numbers["end"], int(numbers["steps"])).astype(dtype)


def _onehot(shape: Shape, dtype: np.dtype[Any], numbers: Numbers) -> Array:
    at, made = int(numbers["index"]), np.zeros(shape, dtype)
    if not 0 <= at < made.size:
        text = _("There is no element {index}: the shape has {count}.")
        raise ValueError(text.format(index=at, count=made.size))
    made.reshape(-1)[at] = 1
    return made


RULES: Mapping[str, Rule] = {
    rule.id: rule
    for rule in (
        Rule("zeros", N_("Zeros"), N_("0 everywhere"), {},
             lambda shape, dtype, _numbers: np.zeros(shape, dtype)),
        Rule("ones", N_("Ones"), N_("1 everywhere"), {},
             lambda shape, dtype, _numbers: np.ones(shape, dtype)),
        Rule("full", N_("One number"), N_("the same number everywhere"), {"value": 1.0},
             lambda shape, dtype, numbers: np.full(shape, numbers["value"]).astype(dtype)),
        Rule("normal", N_("Normal random"), N_("random numbers of the bell curve"),
             {"mean": 0.0, "std": 1.0, "seed": 0}, _normal, seeded=True, whole=("seed",)),
        Rule("uniform", N_("Uniform random"), N_("random numbers between two bounds"),
             {"low": 0.0, "high": 1.0, "seed": 0}, _uniform, seeded=True, whole=("seed",)),
        Rule("arange", N_("Range"), N_("from start to before end in steps"),
             {"start": 0.0, "end": 5.0, "step": 1.0}, _range, shaped=False),
        Rule("linspace", N_("Even spacing"), N_("from start to end in so many numbers"),
             {"start": 0.0, "end": 1.0, "steps": 5}, _line, shaped=False, whole=("steps",)),
        Rule("eye", N_("Identity"), N_("1 on the diagonal, 0 elsewhere"), {"n": 3},
             lambda shape, dtype, numbers: np.eye(int(numbers["n"]), dtype=dtype),
             shaped=False, whole=("n",)),
        Rule("onehot", N_("One-hot"), N_("1 in one place, 0 elsewhere"), {"index": 0}, _onehot,
             whole=("index",)),
    )
}  # fmt: skip
_ALIASES: Mapping[str, str] = {
    "randn": "normal", "rand": "uniform", "random": "uniform", "range": "arange",
    "identity": "eye", "one-hot": "onehot", "one_hot": "onehot", "fill": "full",
}  # fmt: skip

_SIZED = ("zeros", "ones", "normal", "uniform")  # all arguments of their calls are sizes


def generated(
    rule: str, shape: Shape = (), numbers: Numbers | None = None, dtype: str = "float32"
) -> Array | Refusal:
    """The array that a rule makes; `numbers` change its defaults."""
    found = RULES.get(rule)
    if found is None:
        return Refusal(_("There is no rule “{name}”.").format(name=rule))
    given = {**found.numbers, **(numbers or {})}
    wrong = _wrong(found, shape, given)
    if wrong is not None:
        return wrong
    try:
        with np.errstate(all="ignore"):
            return found.make(shape, np.dtype(dtype), given)
    except Exception as problem:  # noqa: BLE001  whatever a rule raises is what is refused
        return Refusal(str(problem) or type(problem).__name__)


def _wrong(rule: Rule, shape: Shape, given: Numbers) -> Refusal | None:
    room = checked(shape)
    if isinstance(room, Refusal):
        return room
    for name, value in given.items():
        if name not in rule.numbers:
            text = _("{rule} has no number “{name}”.")
            return Refusal(text.format(rule=rule.title, name=name))
        if name in rule.whole and (value != int(value) if math.isfinite(value) else True):
            return Refusal(_("{name} is a whole number.").format(name=name))
    if rule.seeded and not 0 <= given["seed"] < 2**63:
        return Refusal(_("The seed is a whole number, not below 0."))
    count = given.get("steps", given.get("n", 0) ** 2)
    if given.get("steps", 0) < 0 or given.get("n", 0) < 0:
        return Refusal(_("A shape has no negative numbers."))
    return Refusal(too_many(int(count))) if count > MAX_ELEMENTS else None


def from_text(text: str, dtype: str = "float32") -> Array | Refusal | None:
    """The array of a rule written out: `zeros 2x3`, `normal 2x3 seed=7`, `randn(2, 3)`.

    First the shape where the rule takes one, then its numbers in order or by name. None for a text
    that does not begin with the name of a rule.
    """
    bare = re.sub(r"^(torch|np|numpy)\.", "", text.strip())
    called = re.fullmatch(r"(\w+)\s*\((.*)\)", bare, re.DOTALL)
    word, rest = called.groups() if called else bare.partition(" ")[::2]
    rule = RULES.get(_ALIASES.get(word.lower(), word.lower()))
    if rule is None:
        return None
    words = _arguments(rule, rest) if called else _words(rest)
    shape: Shape | Refusal = ()
    if rule.shaped:
        at = next((at for at, item in enumerate(words) if "=" not in item), None)
        shape = shape_of(words.pop(at)) if at is not None else ()
    if isinstance(shape, Refusal):
        return shape
    numbers = _numbers(rule, words)
    return numbers if isinstance(numbers, Refusal) else generated(rule.id, shape, numbers, dtype)


def _words(rest: str) -> list[str]:
    return re.sub(r"\s*=\s*", "=", rest).replace(" x ", "x").replace(" × ", "x").split()


def _arguments(rule: Rule, inside: str) -> list[str]:
    """The arguments of a call; all sizes of a shape, as those of `randn(2, 3)`, are one."""
    parts = re.split(r",(?![^(\[]*[)\]])", re.sub(r"\s", "", inside))
    parts = [part for part in parts if part]
    if not rule.shaped or any(part[0] in "([" for part in parts):
        return parts
    sizes = [part for part in parts if "=" not in part]
    count = len(sizes) if rule.id in _SIZED else 1
    return [",".join(sizes[:count]), *sizes[count:], *(part for part in parts if "=" in part)]


def _numbers(rule: Rule, words: list[str]) -> dict[str, float] | Refusal:
    names = list(rule.numbers)
    if rule.id == "arange" and len(words) == 1:
        names = ["end"]
    found: dict[str, float] = {}
    for at, word in enumerate(words):
        name, equals, value = word.rpartition("=")
        if not equals:
            if at >= len(names):
                return Refusal(_("“{word}” is one number too many.").format(word=word))
            name = names[at]
        try:
            found[name] = float(value)
        except ValueError:
            return Refusal(_("“{word}” is not a number.").format(word=value))
    return found
