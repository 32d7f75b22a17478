"""The SVG and JSON files: well formed, whole, the same every time, in both themes and languages."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from gradviz import language
from gradviz.diagram import Diagram, Node
from gradviz.export import ExportProblem, export
from gradviz.look import DARK, LIGHT
from gradviz.run import Run, Value
from gradviz.scene.measure import wrapped
from tests.gradviz.pictures import beside, reduced, refused, seeded

SVG = "{http://www.w3.org/2000/svg}"


def drawn(path: Path) -> ElementTree.Element:
    return ElementTree.fromstring(path.read_text(encoding="utf-8"))


def texts(root: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def by_id(root: ElementTree.Element, key: str) -> ElementTree.Element:
    return next(one for one in root.iter() if one.get("id") == key)


def test_text_is_text_and_groups_have_ids_and_classes(tmp_path: Path) -> None:
    root = drawn(export(*seeded(), tmp_path / "a.svg"))
    for words in ("x ** 2", "3 * x", "seed v", "+ [4, 6]", "[3, 3]", "leaf", "18", "injected seed"):
        assert words in texts(root)
    assert by_id(root, "node-x").get("class") == "node leaf done"
    assert by_id(root, "node-pow").get("class") == "node op current"
    assert by_id(root, "node-seed:y").get("class") == "node seed done"
    assert by_id(root, "edge-x->pow:0").get("class") == "edge data current"
    told = by_id(root, "node-x").findtext(f"{SVG}title")
    assert told == "x (leaf); value 2, 3; grad 7, 9"
    described = root.findtext(f"{SVG}desc")
    assert described is not None
    assert described.startswith("step 4 of 4: x ** 2 sends [4, 6] to x")


def test_ids_are_unique(tmp_path: Path) -> None:
    root = drawn(export(*reduced(), tmp_path / "a.svg", twin=beside()))
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert {"1-node-x", "2-node-x", "1-node-added:sum", "2-node-seed:y"} <= set(ids)


def test_a_twin_has_two_headings_and_one_legend(tmp_path: Path) -> None:
    root = drawn(export(*reduced(), tmp_path / "a.svg", twin=beside()))
    assert "y.sum().backward()" in texts(root)
    assert "y.backward(gradient=v)" in texts(root)
    assert texts(root).count("injected seed") == 1
    assert "added" in texts(root)
    # x, x ** 2, 3 * x and y, on both sides, and the mark in the legend
    assert texts(root).count("=") == 2 * 4 + 1
    assert texts(root).count("only here") == 2  # the sum, and the seed
    assert texts(root).count("only on this side") == 1  # in the legend


def test_a_twin_is_drawn_at_a_moment_of_both(tmp_path: Path) -> None:
    root = drawn(export(*reduced(), tmp_path / "a.svg", position=1, twin=beside()))
    assert by_id(root, "1-node-added:sum").get("class") == "node reduction current"
    assert by_id(root, "2-node-y").get("class") == "node op waiting"
    told = " ".join(texts(root))
    assert "step 1 of 5: Σ sum sends [1, 1] to y · a step of this side only" in told
    assert "waits: Σ sum → y is a step of the other side only" in told


def test_the_same_bytes_twice(tmp_path: Path) -> None:
    one = export(*seeded(), tmp_path / "a.svg").read_bytes()
    assert export(*seeded(), tmp_path / "b.svg").read_bytes() == one


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_themes(tmp_path: Path, theme: str, colours: object) -> None:
    path = export(*seeded(), tmp_path / "a.svg", theme=theme)  # type: ignore[arg-type]
    ground = drawn(path).find(f"{SVG}rect")
    assert ground is not None
    assert ground.get("fill") == getattr(colours, "canvas")  # noqa: B009


def test_languages_are_the_picture_s_own(tmp_path: Path) -> None:
    root = drawn(export(*seeded(), tmp_path / "a.svg", lang="zh"))
    assert root.get("lang") == "zh-CN"
    assert any(re.search("[\u4e00-\u9fff]", words) for words in texts(root))
    assert language.current() == "en"
    root = drawn(export(*seeded(), tmp_path / "a.svg"))
    assert not any(re.search("[\u4e00-\u9fff]", words) for words in texts(root))


def test_fonts_come_along(tmp_path: Path) -> None:
    style = drawn(export(*seeded(), tmp_path / "a.svg")).findtext(f"{SVG}style")
    assert style is not None
    assert style.count("@font-face") >= 3
    assert "font-family:'JetBrains Mono'" in style
    assert "data:font/woff;base64," in style


def test_scale_and_width(tmp_path: Path) -> None:
    def size(**options: float) -> tuple[float, float]:
        root = drawn(export(*seeded(), tmp_path / "a.svg", **options))  # type: ignore[arg-type]
        return float(root.get("width", 0)), float(root.get("height", 0))

    wide, high = size()
    assert size(scale=2.0) == (2 * wide, 2 * high)
    assert size(width=500)[0] == 500
    with pytest.raises(ExportProblem, match="scale"):
        size(scale=0.0)
    with pytest.raises(ExportProblem, match="width"):
        size(width=1e9)


def test_hostile_names_and_values(tmp_path: Path) -> None:
    name = 'a<b>&"\x00\x1b\ud800]]>'
    data = np.array([np.nan, -np.inf, 0.0])
    diagram = Diagram({"a": Node("a", "leaf", name=name, data=data)}, title="<\x01&>")
    root = drawn(export(diagram, Run({"a": Value(data, True)}), tmp_path / "a.svg"))
    assert any("a<b>&" in words for words in texts(root))
    assert {"nan", "-inf", "0"} <= set(texts(root))
    hatched = [one for one in root.iter(f"{SVG}rect") if one.get("fill") == "url(#hatch)"]
    assert len(hatched) == 2


def test_an_error_is_marked_and_told(tmp_path: Path) -> None:
    root = drawn(export(*refused(), tmp_path / "a.svg"))
    group = by_id(root, "node-y")
    assert "failed" in (group.get("class") or "").split()
    assert "grad can be implicitly created" in (group.findtext(f"{SVG}title") or "")
    assert "!" in texts(root)


def test_an_empty_diagram_is_a_picture_too(tmp_path: Path) -> None:
    assert drawn(export(Diagram(), Run(), tmp_path / "a.svg")).tag == f"{SVG}svg"


def test_json_has_the_run_and_the_figure(tmp_path: Path) -> None:
    path = export(*reduced(), tmp_path / "a.json", position=0, twin=beside())
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["gradviz"] == 1
    assert [box["id"] for box in document["figure"]["boxes"]][-1] == "added:sum"
    assert document["figure"]["caption"] == "start: Σ sum was added to y; 1 is placed at it"
    assert [box["id"] for box in document["twin"]["boxes"]][-1] == "seed:y"


def test_problems_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ExportProblem, match=r"a\.xyz: .*\.svg, \.png, \.json"):
        export(*seeded(), tmp_path / "a.xyz")
    with pytest.raises(ExportProblem, match="cannot be written"):
        export(*seeded(), tmp_path / "missing" / "a.svg")
    folder = tmp_path / "folder.svg"
    folder.mkdir()
    with pytest.raises(ExportProblem, match="cannot be written"):
        export(*seeded(), folder)
    with pytest.raises(ExportProblem, match="klingon"):
        export(*seeded(), tmp_path / "a.svg", lang="klingon")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.svg"]


def test_an_existing_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text("old")
    export(*seeded(), path)
    assert drawn(path).tag == f"{SVG}svg"
    assert [found.name for found in tmp_path.iterdir()] == ["a.svg"]


def test_sentences_break_where_they_may() -> None:
    assert wrapped("one two three", 1e9, 13.0) == ["one two three"]
    assert wrapped("one two three", 40, 13.0) == ["one", "two", "three"]
    lines = wrapped("把种子向量放到这里，然后反向传播。", 90, 13.0)
    assert len(lines) > 1
    assert "".join(lines) == "把种子向量放到这里，然后反向传播。"
    assert not any(line[0] in "，。" for line in lines)


def test_a_selected_node_has_a_ring(tmp_path: Path) -> None:
    from gradviz.export.sheet import Panel
    from gradviz.export.svg import svg
    from gradviz.figure import figure

    fig = figure(*seeded(), selection="x")
    assert 'class="ring"' in svg([Panel(fig)])
    assert 'class="ring"' not in svg([Panel(replace(fig, boxes=fig.boxes[1:]))])
