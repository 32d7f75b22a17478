"""The three common mistakes of the checklist, each with what goes wrong and how it is repaired."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gradviz.language import N_

Kind = Literal["fails", "misleads", "casts"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A script of the guide that goes wrong, and the repaired one beside it; texts untranslated.

    `text` says why. The repaired script is called as the other, with "-repaired" after it.
    """

    name: str
    kind: Kind
    title: str
    repair: str
    text: str

    @property
    def repaired(self) -> str:
        return f"{self.name}-repaired"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One of the three, in one or two variants."""

    key: str
    title: str
    pairs: tuple[Pair, ...]


KINDS = {
    "fails": N_("raises an error"),
    "misleads": N_("no error, but not what was meant"),
    "casts": N_("no error: PyTorch casts"),
}
MISTAKES = (
    Mistake(
        "seed",
        N_("A seed that does not fit"),
        (
            Pair(
                "shape",
                "fails",
                N_("Another shape"),
                N_("Make it like the output"),
                N_(
                    "The seed has one weight for each element of the output, so it must have the"
                    " output's shape. It is not broadcast."
                ),
            ),
            Pair(
                "dtype",
                "casts",
                N_("Another dtype"),
                N_("Say the dtype that is meant"),
                N_(
                    "A seed of another floating dtype is no error: PyTorch casts it to the dtype"
                    " of the output, and the gradient has no more digits than before."
                ),
            ),
        ),
    ),
    Mistake(
        "state",
        N_("What one call leaves behind"),
        (
            Pair(
                "cleared",
                "misleads",
                N_(".grad is not cleared"),
                N_("Clear it before each call"),
                N_(
                    "backward() adds to .grad. Without clearing, the second row of the Jacobian"
                    " is shown with the first row still in it."
                ),
            ),
            Pair(
                "freed",
                "fails",
                N_("The graph is gone"),
                N_("Keep it for the call to come"),
                N_(
                    "A backward call frees what the graph saved. Whoever needs the graph again"
                    " says retain_graph=True in the call before."
                ),
            ),
        ),
    ),
    Mistake(
        "ones",
        N_("Ones, sum and mean"),
        (
            Pair(
                "elementwise",
                "misleads",
                N_("Ones are not the elementwise derivative"),
                N_("Take the diagonal of the Jacobian"),
                N_(
                    "A seed of ones adds up the rows of the Jacobian. Only where each output"
                    " depends on its own input alone is that the elementwise derivative."
                ),
            ),
            Pair(
                "scale",
                "misleads",
                N_("Sum where the mean was meant"),
                N_("Average over the batch"),
                N_(
                    "With sum, or a seed of ones, the gradient grows with the batch, and so does"
                    " every step of the optimizer. With mean it does not."
                ),
            ),
        ),
    ),
)
