"""Variables of a program: which node each holds at the moment, and names that are still free."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from gradviz.diagram import NodeId

RESERVED = frozenset(
    """
    torch F np jnp jax base64 print range len put put_view named float complex
    """.split()  # noqa: SIM905  a table of names reads better as text
)


def is_variable(name: str | None) -> bool:
    """Whether a program may have a variable of this name."""
    return (
        name is not None
        and name.isidentifier()
        and not keyword.iskeyword(name)
        and name not in RESERVED
    )


def is_key(name: str | None) -> bool:
    """Whether a name that is no variable's can stand as a key: `named["fc.weight"]`."""
    return name is not None and name.isprintable() and len(name) < 60 and '"' not in name


def identifier(name: str | None) -> str | None:
    """A variable that is called nearly like this: fc_weight for fc.weight."""
    if name is None or name.isidentifier():
        return name
    made = "".join(sign if sign.isalnum() else "_" for sign in name).strip("_")
    return made if made.isidentifier() else f"_{made}"


class Names:
    """`taken` are the names that nodes have of their own, now or later."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {*taken, *RESERVED}
        self.holds: dict[str, NodeId | None] = {}

    def take(self, name: str) -> None:
        """The name stands for something already."""
        self._taken.add(name)

    def take_all(self, others: Names) -> None:
        """What stands for something in the program around."""
        self._taken |= others._taken

    def fresh(self, stem: str) -> str:
        """A name that nothing has: the stem itself, or with a number."""
        name, count = stem, 0
        while name in self._taken or keyword.iskeyword(name):
            count += 1
            name = f"{stem}{count}"
        self._taken.add(name)
        return name
