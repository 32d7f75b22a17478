"""Translation catalogues: find what is missing or stale, bring the .po up to date, compile it.

python tests/catalogues.py update    # take texts from the code into the .po, keep translations
python tests/catalogues.py compile   # .po -> .mo
python tests/catalogues.py check     # say what is wrong; status 1 if anything is
"""

from __future__ import annotations

import gettext
import io
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
PO = ROOT / "assets/locale/zh_CN/LC_MESSAGES/gradviz.po"
MO = PO.with_suffix(".mo")
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}


def extracted() -> Catalog:
    """Every text of the code that is marked for translation."""
    found = Catalog(project="gradviz", charset="utf-8")
    for name, _line, message, _comments, context in extract_from_dir(
        str(ROOT / "gradviz"), method_map=[("**.py", "python")], keywords=KEYWORDS
    ):
        found.add(message, locations=[(f"gradviz/{name}", 1)], context=context)
    return found


def translated() -> Catalog:
    """The Chinese catalogue as it is on disk."""
    if not PO.exists():
        return Catalog(locale="zh_CN", charset="utf-8")
    with PO.open("rb") as file:
        return read_po(file, locale="zh_CN", charset="utf-8", abort_invalid=True)


def compiled(catalogue: Catalog) -> bytes:
    """The bytes of the .mo of a catalogue; the same ones whenever it is compiled."""
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    out = io.BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()


def update() -> None:
    """Rewrite the .po: what the code says, in the code's order, with the translations there are."""
    known = {message.id: message for message in translated() if message.id}
    fresh = Catalog(
        locale="zh_CN", charset="utf-8", project="gradviz", fuzzy=False, header_comment="# gradviz"
    )
    for message in sorted(extracted(), key=lambda m: sorted(m.locations)[:1]):
        if message.id:
            old = known.get(message.id)
            string = old.string if old is not None else None
            fresh.add(message.id, string, locations=sorted(set(message.locations)))
    out = io.BytesIO()
    write_po(out, fresh, width=100, include_lineno=False, omit_header=True)
    header = (
        '# gradviz in Simplified Chinese.\nmsgid ""\nmsgstr ""\n"Language: zh_CN\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
        '"Plural-Forms: nplurals=1; plural=0;\\n"\n\n'
    )
    PO.write_bytes(header.encode() + out.getvalue())


def compile_all() -> None:
    MO.write_bytes(compiled(translated()))


def problems() -> Iterator[str]:
    """What keeps the Chinese catalogue from being whole, a sentence each."""
    wanted = {message.id for message in extracted() if message.id}
    catalogue = translated()
    have = {message.id: message for message in catalogue if message.id}
    yield from (f"missing: {_first(key)!r}" for key in sorted(wanted - have.keys(), key=str))
    yield from (f"stale: {_first(key)!r}" for key in sorted(have.keys() - wanted, key=str))
    for key, message in have.items():
        yield from (f"{what}: {_first(key)!r}" for what in _faults(message))
    if not MO.exists() or _entries(MO.read_bytes()) != _entries(compiled(catalogue)):
        yield "the .mo is not what the .po compiles to: python tests/catalogues.py compile"


def _faults(message: Message) -> Iterator[str]:
    if message.fuzzy:
        yield "fuzzy"
    texts = message.string if isinstance(message.string, tuple | list) else (message.string,)
    if not all(texts):
        yield "empty"
        return
    fields = _fields(message.id[-1] if isinstance(message.id, tuple | list) else message.id)
    if any(_fields(text) != fields for text in texts):
        yield "other fields in the translation"


def _fields(text: str) -> set[str]:
    return set(re.findall(r"(?<!\{)\{([^{}]*)\}", text))


def _entries(mo: bytes) -> dict[object, str]:
    """What a .mo says; its header, which names the compiler's version, left out."""
    found = dict(vars(gettext.GNUTranslations(io.BytesIO(mo)))["_catalog"])
    found.pop("", None)
    return found


def _first(key: str | tuple[str, ...]) -> str:
    return key if isinstance(key, str) else key[0]


def main(argv: list[str]) -> int:
    match argv:
        case ["update"]:
            update()
        case ["compile"]:
            compile_all()
        case ["check"]:
            found = list(problems())
            print("\n".join(found) or "the catalogue is whole")
            return 1 if found else 0
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
