"""The examples that ship with gradviz: small PyTorch scripts with a title and two sentences."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from gradviz import resources
from gradviz.language import N_, _

_SHELF = (  # name, title, text; in the order in which they are best met
    (
        "nonscalar",
        N_("The error: backward on a vector"),
        N_(
            "y has two elements, so backward() cannot know how they are to be weighed, and refuses."
            " Reduce y to one number or hand over a seed, and compare what each does."
        ),
    ),
    (
        "sum",
        N_("Reduce with sum"),
        N_(
            "An extra node adds up the elements of y, and the pass starts there from 1."
            " It hands 1 to every element, so each of them counts once."
        ),
    ),
    (
        "mean",
        N_("Reduce with mean"),
        N_(
            "An extra node averages the elements of y, so the pass hands 1/N to each of them."
            " Every gradient is 1/N of the one that sum gives."
        ),
    ),
    (
        "ones",
        N_("Seed with ones"),
        N_(
            "Nothing is added to the graph: a vector of ones is placed on y, and the pass starts."
            " The gradients are those of sum, with one node less on the way."
        ),
    ),
    (
        "onehot",
        N_("One-hot seeds: rows of the Jacobian"),
        N_(
            "A seed that is 1 in one place and 0 elsewhere asks for one row of the Jacobian."
            " The graph is kept for the second call, and .grad is cleared in between."
        ),
    ),
    (
        "weighted",
        N_("A weighted seed"),
        N_(
            "The seed (1, 0.5) lets the second element of y count half."
            " It is the same as reducing with (v * y).sum()."
        ),
    ),
    (
        "fanout",
        N_("Used twice: contributions add up"),
        N_(
            "x goes into a square and into a multiple, and each sends a contribution back."
            " They are added where they meet, and only then is the gradient of x complete."
        ),
    ),
    (
        "broadcast",
        N_("Broadcast forward, summed back"),
        N_(
            "A row times a column fills a table by repeating both."
            " On the way back, whatever was repeated is summed over the repeats."
        ),
    ),
    (
        "losses",
        N_("A layer with one loss per sample"),
        N_(
            "With reduction='none' a matmul layer has a vector of losses, one for each sample."
            " The seed says how much each sample is to count; here the third counts half."
        ),
    ),
    (
        "crossentropy",
        N_("Softmax and cross-entropy by hand"),
        N_(
            "The loss of a classifier, built from exp, sum, division, indexing and log."
            " Follow how the long chain ends in something short: probability minus one-hot label."
        ),
    ),
    (
        "accumulate",
        N_("Repeated calls: .grad accumulates"),
        N_(
            "Three calls give three times the gradient, because .grad is added to and not replaced."
            " Clearing it first gives the gradient of the last call alone."
        ),
    ),
    (
        "second-backward",
        N_("A second backward through a freed graph"),
        N_(
            "The first call frees what the graph had saved for its derivatives; the second fails."
            " Keep the graph, or compute y anew."
        ),
    ),
    (
        "second-storey",
        N_("Differentiate the gradient again"),
        N_(
            "With create_graph=True the gradient is computed by a graph of its own, above the"
            " first. A seed at the gradient goes through both, and gives the Hessian times v."
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Example:
    """A script that ships with the app; `title` and `text` are in the current language."""

    name: str
    title: str
    text: str
    path: Path

    def source(self) -> str:
        """The script."""
        return self.path.read_text(encoding="utf-8")


def examples() -> tuple[Example, ...]:
    """All of them, from the first to look at to the last."""
    return tuple(_example(*row) for row in _SHELF)


def example(name: str) -> Example:
    """The example of this name. Raises KeyError with a sentence that suggests near ones."""
    for row in _SHELF:
        if row[0] == name:
            return _example(*row)
    raise KeyError(_unknown(name))


def _example(name: str, title: str, text: str) -> Example:
    return Example(name, _(title), _(text), resources.path("examples", f"{name}.py"))


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), [row[0] for row in _SHELF], n=3, cutoff=0.5)
    if near:
        return _("there is no example {name!r}; did you mean {near}?").format(
            name=name, near=", ".join(near)
        )
    return _("there is no example {name!r}; `gradviz examples` lists them").format(name=name)
