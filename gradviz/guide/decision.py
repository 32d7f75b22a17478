"""The decision path from an output to its gradient: questions, answers, and where they end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gradviz.guide.subject import Subject
from gradviz.language import N_
from gradviz.twin import reduction_of

Does = Literal["plain", "reduction", "seed", "rows"]
Again = Literal["once", "retain", "create"]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, and the key of the question or end that it leads to; `text` untranslated."""

    text: str
    to: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about the output, which the text calls {y}; untranslated."""

    key: str
    text: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class End:
    """A way to a gradient: its name, why, and how the start of the pass is made; untranslated."""

    key: str
    does: Does
    title: str
    text: str


QUESTIONS: Mapping[str, Question] = {
    question.key: question
    for question in (
        Question(
            "one",
            N_("How many numbers does {y} hold?"),
            (Answer(N_("one"), "plain"), Answer(N_("several"), "aim")),
        ),
        Question(
            "aim",
            N_("Is {y} to become one number, such as a loss?"),
            (
                Answer(N_("yes, aggregate it"), "scale"),
                Answer(N_("no, keep its components"), "which"),
            ),
        ),
        Question(
            "scale",
            N_("Is a larger batch to give a larger gradient?"),
            (Answer(N_("yes"), "sum"), Answer(N_("no"), "mean")),
        ),
        Question(
            "which",
            N_("Which components of {y}?"),
            (
                Answer(N_("one"), "component"),
                Answer(N_("all, weighted"), "weights"),
                Answer(N_("all, apart"), "apart"),
            ),
        ),
        Question(
            "apart",
            N_("By element or by sample?"),
            (Answer(N_("element"), "jacobian"), Answer(N_("sample"), "samples")),
        ),
    )
}
ENDS: Mapping[str, End] = {
    end.key: end
    for end in (
        End(
            "plain",
            "plain",
            N_("No seed"),
            N_("One number needs no seed: PyTorch starts from 1 by itself."),
        ),
        End(
            "sum",
            "reduction",
            N_("Append sum"),
            N_("Each element counts 1. A batch twice as large gives a gradient twice as large."),
        ),
        End(
            "mean",
            "reduction",
            N_("Append mean"),
            N_("Each element counts 1/N, so the size of the batch does not change the scale."),
        ),
        End(
            "component",
            "seed",
            N_("One-hot seed"),
            N_("1 at the component and 0 elsewhere: one row of the Jacobian."),
        ),
        End(
            "weights",
            "seed",
            N_("Seed of weights"),
            N_("Each element counts as its weight says. Ones give the same gradient as sum."),
        ),
        End(
            "jacobian",
            "rows",
            N_("Jacobian"),
            N_(
                "One row for each element, all in one batched pass. For a function f:"
                " torch.func.jacrev(f)(x), or autograd.functional.jacobian(f, x)."
            ),
        ),
        End(
            "samples",
            "rows",
            N_("Per sample"),
            N_(
                "One gradient for each entry of the first axis. For a function of one sample:"
                " torch.func.vmap(torch.func.grad(f), in_dims=(None, 0))(w, batch)."
            ),
        ),
    )
}
AGAIN: Mapping[Again, str] = {
    "once": N_("no"),
    "retain": N_("for another call"),
    "create": N_("to differentiate the gradient"),
}
AGAIN_QUESTION = N_("Is the graph needed again?")
FIRST = "one"


def path_to(key: str) -> tuple[str, ...]:
    """The keys from the first question to this question or end, both included."""
    above = {answer.to: question.key for question in QUESTIONS.values() for answer in
             question.answers}  # fmt: skip
    found = [key]
    while found[-1] in above:
        found.append(above[found[-1]])
    return tuple(reversed(found))


def standing(subject: Subject) -> str:
    """Where the subject's call stands: at an end, or at the question that it leaves open."""
    start, value = subject.call.start, subject.value
    if start.kind == "seed":
        values = start.values
        if values is None or values.size < 2:
            return "weights"
        one = bool((values != 0).sum() == 1 and (values == 1).any())
        return "component" if one else "weights"
    name = start.reduction or "sum"
    if start.kind == "implicit":
        reading = reduction_of(subject.diagram, subject.call, subject.run.values)
        if reading is None:
            return "plain" if value.size == 1 else "aim"
        name = reading.reduction
    at = {"sum": "sum", "mean": "mean", "component": "component", "weighted": "weights"}
    return at.get(name, "scale")
