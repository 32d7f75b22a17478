"""The pages of the guide as plain data: what the command line prints, in the current language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy.typing as npt

from gradviz.cells import array_text, shape_text
from gradviz.elsewhere import answers
from gradviz.guide.decision import AGAIN_QUESTION, ENDS, QUESTIONS, path_to, standing
from gradviz.guide.mistakes import KINDS, MISTAKES
from gradviz.guide.needs import NEEDS
from gradviz.guide.snippet import PREFIX, Runs, tell
from gradviz.guide.snippet import code as script
from gradviz.guide.subject import Subject
from gradviz.guide.ways import Way, code, outcome, start_of, why
from gradviz.language import N_, _

Array = npt.NDArray[Any]
ERROR = "RuntimeError: grad can be implicitly created only for scalar outputs"
TITLES = {
    "overview": N_("At a glance"),
    "decision": N_("Which way?"),
    "mistakes": N_("Mistakes"),
    "calls": N_("Which call?"),
    "elsewhere": N_("Elsewhere"),
    "vjp": N_("Scalar or not"),
}
CAUSES = (
    N_("{y} has the shape {shape}: {count} numbers, and each has a gradient of its own."),
    N_("backward() does not compute all of them, but one sum of them, weighted by a vector v."),
    N_("For one number v is 1. For several there are many, and PyTorch does not guess."),
)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A paragraph of a page; whatever it has not is empty.

    `src` names the script of the code, where it can be opened by itself.
    """

    title: str
    text: str = ""
    code: str = ""
    src: str = ""
    printed: str = ""
    error: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    grads: tuple[tuple[str, Array], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """A page about a subject."""

    key: str
    title: str
    text: str
    parts: tuple[Part, ...]


def page(key: str, runs: Runs, subject: Subject) -> Page:
    """A page with what came of its scripts. Raises KeyError where there is none of this name."""
    text = _about(subject) if key not in ("mistakes", "calls") else ""
    return Page(key, _(TITLES[key]), text, tuple(_MAKERS[key](runs, subject)))


def causes(subject: Subject) -> tuple[str, ...]:
    """Why backward() alone refuses an output like this."""
    shape, count = shape_text(subject.value.shape), f"{subject.value.size:,}"
    return tuple(_(text).format(y=subject.name, shape=shape, count=count) for text in CAUSES)


def _about(subject: Subject) -> str:
    if subject.own:
        sentence = _("About {y}, of shape {shape}.")
    else:
        sentence = _("About the article's {y}, of shape {shape}.")
    return sentence.format(y=subject.name, shape=shape_text(subject.value.shape))


def _way(runs: Runs, subject: Subject, end: str, *, title: str = "") -> Part:
    found, way = ENDS[end], Way(end)
    came = outcome(runs, way, subject)
    text = " ".join(each for each in (why(way, subject), came.note) if each)
    return Part(
        title or _(found.title), text, code(way, subject), error=came.error, grads=came.grads
    )


def _overview(runs: Runs, subject: Subject) -> Iterator[Part]:
    yield Part(ERROR, " ".join(causes(subject)), f"{subject.name}.backward()")
    for title, ends in (
        (_("Repair 1: make it one number"), ("sum", "mean")),
        (_("Repair 2: hand over the weights"), ("weights", "component")),
    ):
        for end in ends:
            yield _way(runs, subject, end, title=title)


def _decision(runs: Runs, subject: Subject) -> Iterator[Part]:
    at = standing(subject)
    for key, end in ENDS.items():
        if (end.does == "plain") != subject.scalar:
            continue
        steps = path_to(key)
        said = []
        for above, below in pairwise(steps):
            question = QUESTIONS[above]
            answer = next(each for each in question.answers if each.to == below)
            said.append(f"{_(question.text).format(y=subject.name)} → {_(answer.text)}")
        part = _way(runs, subject, key)
        here = ((_("now"), _("the script stands here")),) if key == at else ()
        yield Part(
            part.title, "\n".join(said), part.code, error=part.error, grads=part.grads,
            facts=((_("why"), part.text), *here),
        )  # fmt: skip
    flags = ((_("for another call"), "retain_graph=True"),
             (_("to differentiate the gradient"), "create_graph=True"))  # fmt: skip
    yield Part(_(AGAIN_QUESTION), facts=flags)


def _mistakes(runs: Runs, subject: Subject) -> Iterator[Part]:
    for mistake in MISTAKES:
        for pair in mistake.pairs:
            heading = f"{_(mistake.title)} — {_(pair.title)} ({_(KINDS[pair.kind])})"
            yield _script(runs, pair.name, heading, _(pair.text))
            yield _script(runs, pair.repaired, f"✓ {_(pair.repair)}", "")


def _calls(runs: Runs, subject: Subject) -> Iterator[Part]:
    for need in NEEDS:
        facts = (
            (_("call"), need.call),
            (_("result's shape"), _(need.shape)),
            (_("cost"), _(need.cost)),
        )
        yield _script(runs, need.name, _(need.need), _(need.text), facts)


def _script(
    runs: Runs, name: str, title: str, text: str, facts: tuple[tuple[str, str], ...] = ()
) -> Part:
    told = tell(runs, name)
    return Part(title, text, script(name), PREFIX + name, told.printed, told.error, facts)


def _elsewhere(runs: Runs, subject: Subject) -> Iterator[Part]:
    total = outcome(runs, Way("sum"), subject).grads
    x = subject.leaves[0][1]
    for answer in answers(subject.value.shape, y=subject.name, x=x):
        library = answer.library
        raises = answer.does == "raises"
        yield Part(
            f"{library.name} {library.version}",
            "" if raises else answer.words,
            library.asks,
            error=answer.error,
            facts=(
                (_("the sum, in so many words"), library.total),
                (_("with a seed v"), library.seed),
                (_("source"), library.source),
            ),
            grads=() if raises else total,
        )
    yield Part(_("All give for the sum"), grads=total)
    seed = start_of(Way("weights"), subject).values
    text = _("All give for the seed v = {v}").format(v="" if seed is None else array_text(seed))
    yield Part(text, grads=outcome(runs, Way("weights"), subject).grads)


def _vjp(runs: Runs, subject: Subject) -> Iterator[Part]:
    yield _way(runs, subject, "sum", title=_("A scalar: PyTorch starts from 1"))
    yield _way(runs, subject, "jacobian", title=_("The Jacobian J of {y}").format(y=subject.name))
    yield _way(runs, subject, "weights", title=_("Not a scalar: v times J, for the v you give"))


_MAKERS: dict[str, Callable[[Runs, Subject], Iterator[Part]]] = {
    "overview": _overview,
    "decision": _decision,
    "mistakes": _mistakes,
    "calls": _calls,
    "elsewhere": _elsewhere,
    "vjp": _vjp,
}
