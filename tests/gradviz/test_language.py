"""Languages: which one is used, switching, and whether the Chinese catalogue is whole."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from gradviz import language, resources
from gradviz.language import _, ngettext


@pytest.fixture(autouse=True)
def _back_to_english() -> Iterator[None]:
    yield
    language.use("en")


@pytest.fixture(scope="module")
def catalogues() -> ModuleType:
    path = Path(__file__).resolve().parent.parent / "catalogues.py"
    spec = importlib.util.spec_from_file_location("catalogues", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_chinese_catalogue_is_whole(catalogues: ModuleType) -> None:
    assert list(catalogues.problems()) == []


def test_what_the_check_finds(catalogues: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = catalogues.Catalog(locale="zh_CN", charset="utf-8")
    broken.add("gone from the code", "已删除")
    broken.add("Reduce with sum", "", flags=("fuzzy",))
    broken.add("there is no example {name!r}; did you mean {near}?", "没有 {nom} 这个示例")
    monkeypatch.setattr(catalogues, "translated", lambda: broken)
    found = set(catalogues.problems())
    assert "missing: 'Reduce with mean'" in found
    assert "stale: 'gone from the code'" in found
    assert {"fuzzy: 'Reduce with sum'", "empty: 'Reduce with sum'"} <= found
    assert any(problem.startswith("other fields") for problem in found)


def test_switching_at_run_time() -> None:
    assert _("Reduce with sum") == "Reduce with sum"
    language.use("zh")
    assert language.current() == "zh"
    assert _("Reduce with sum") == "用 sum 规约"
    assert _("") == ""
    language.use("en")
    assert _("Reduce with sum") == "Reduce with sum"
    assert [ngettext("{n} step", "{n} steps", n) for n in (1, 2)] == ["{n} step", "{n} steps"]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown language 'fr'; there are en, zh"):
        language.use("fr")
    assert language.current() == "en"


def test_a_broken_catalogue_leaves_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "locale/zh_CN/LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "gradviz.mo").write_bytes(b"not a catalogue")
    monkeypatch.setattr(resources, "root", lambda: tmp_path)
    language.use("zh")
    assert _("Reduce with sum") == "Reduce with sum"


@pytest.mark.parametrize(
    ("argv", "setting", "environ", "expected"),
    [
        ([], None, {}, "en"),
        ([], None, {"LANG": "zh_CN.UTF-8"}, "zh"),
        ([], None, {"LANG": "de_DE.UTF-8"}, "en"),
        ([], None, {"LANG": "en_US.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, "zh"),
        ([], None, {"LANG": "zh_CN", "LC_MESSAGES": "en_GB"}, "en"),
        ([], None, {"LANG": "de_DE", "LANGUAGE": "de:zh:en"}, "zh"),
        ([], None, {"LANG": "C.UTF-8", "LANGUAGE": "zh"}, "en"),
        ([], "zh", {"LANG": "en_US"}, "zh"),
        ([], "auto", {"LANG": "zh_CN"}, "zh"),
        (["run", "a.py", "--lang", "en"], "zh", {"LANG": "zh_CN"}, "en"),
        (["--lang=zh-Hans"], None, {}, "zh"),
        (["--lang"], None, {"LANG": "zh_CN"}, "zh"),
        (["--", "--lang", "zh"], None, {}, "en"),
    ],
)
def test_which_language(
    argv: list[str], setting: str | None, environ: dict[str, str], expected: str
) -> None:
    assert language.detect(argv, environ=environ, setting=setting) == expected
