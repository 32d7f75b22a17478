"""`gradviz examples`: what ships with the app, one line each."""

from __future__ import annotations

from gradviz.examples import examples as shipped


def examples() -> int:
    """Print name and title of every example."""
    found = shipped()
    width = max(len(example.name) for example in found)
    for example in found:
        print(f"example:{example.name.ljust(width)}  {example.title}")
    return 0
