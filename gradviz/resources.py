"""The one reader of `assets/`: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def root() -> Path:
    """The folder of assets. Raises FileNotFoundError where the installation has none."""
    here = Path(__file__).resolve().parent
    for folder in (here / "assets", here.parent / "assets"):
        if (folder / "schema").is_dir():
            return folder
    raise FileNotFoundError(f"no assets beside {here}")


def path(*parts: str) -> Path:
    """The path of an asset, as in `path("icons", "gradviz.svg")`; it need not exist."""
    return root().joinpath(*parts)


def text(*parts: str) -> str:
    """A text asset, decoded as UTF-8."""
    return path(*parts).read_text(encoding="utf-8")


def fonts() -> tuple[Path, ...]:
    """The font files that ship with the app, in the order of their names."""
    return tuple(sorted(p for p in path("fonts").iterdir() if p.suffix in (".ttf", ".otf")))
