"""`gradviz guide`: the pages of the guide as text."""

from __future__ import annotations

import sys
from textwrap import indent

from gradviz.cells import array_text
from gradviz.commands.common import check_pass, opened, working
from gradviz.commands.problem import CommandProblem
from gradviz.guide.pages import TITLES, Page, Part, page
from gradviz.guide.subject import article, subject_of
from gradviz.language import _
from gradviz.report import VERSION, dumps, nested
from gradviz.script.sandbox import Sandbox


def guide(
    name: str | None, *, src: str | None = None, number: int | None = None, as_json: bool = False
) -> int:
    """Print a page, about the output of SRC's pass `number`, or the list of pages."""
    if name is None:
        _list(as_json=as_json)
        return 0
    if name not in TITLES:
        sentence = _("the guide has no page {name!r}; it has {names}")
        raise CommandProblem(sentence.format(name=name, names=", ".join(TITLES)))
    if src is None:
        with Sandbox() as sandbox, working(_("running {src}").format(src=name)):
            found = page(name, sandbox, article(sandbox))
    else:
        with opened(src) as loaded:
            calls = loaded.diagram.calls
            check_pass(number, len(calls))
            call = calls[(number or 1) - 1] if calls else None
            about = subject_of(loaded.diagram, loaded.run, call)
            if about is None:
                raise CommandProblem(_("the program has no output with a gradient"))
            found = page(name, loaded.sandbox, about)
    if as_json:
        sys.stdout.write(dumps(_document(found)))
    else:
        _show(found)
    return 0


def _list(*, as_json: bool) -> None:
    if as_json:
        pages = [{"page": key, "title": _(title)} for key, title in TITLES.items()]
        sys.stdout.write(dumps({"gradviz": VERSION, "pages": pages}))
        return
    width = max(len(key) for key in TITLES)
    for key, title in TITLES.items():
        print(f"{key:<{width}}  {_(title)}")


def _show(found: Page) -> None:
    print(found.title)
    if found.text:
        print(found.text)
    for part in found.parts:
        print(f"\n{part.title}")
        for paragraph in _paragraphs(part):
            print(indent(paragraph, "  "))


def _paragraphs(part: Part) -> list[str]:
    """What is printed below a part's title."""
    lines = [part.text] if part.text else []
    lines += [indent(part.code.rstrip(), "    ")] if part.code else []
    lines += [part.printed.rstrip()] if part.printed else []
    lines += [f"! {part.error}"] if part.error else []
    lines += [f"{leaf}: {array_text(array)}" for leaf, array in part.grads]
    lines += [f"{label}: {value}" for label, value in part.facts]
    return lines + ([f"gradviz run {part.src}"] if part.src else [])


def _document(found: Page) -> dict[str, object]:
    return {
        "gradviz": VERSION,
        "page": found.key,
        "title": found.title,
        "text": found.text,
        "parts": [
            {
                "title": part.title,
                "text": part.text,
                "code": part.code or None,
                "src": part.src or None,
                "printed": part.printed,
                "error": part.error or None,
                "facts": [{"label": label, "value": value} for label, value in part.facts],
                "gradients": {leaf: nested(array) for leaf, array in part.grads},
            }
            for part in found.parts
        ],
    }
