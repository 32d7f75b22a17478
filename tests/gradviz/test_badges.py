"""Badges: given from outside, placed at the lower edge, the same in every medium."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from gradviz.export import export
from gradviz.figure import Badge, Box, figure
from gradviz.look import LIGHT, NODE
from gradviz.scene.badges import HEIGHT, badge_places
from gradviz.scene.picture import picture
from gradviz.scene.places import row_places
from gradviz.ui.canvas.words import box_tooltip
from tests.gradviz.pictures import reduced, seeded

PASSED = Badge("✓ fd adj", "holds", "finite differences: ✓ 1e-9\nadjoint test: ✓ 0")
OFF = Badge("Δ 3.5", "differs")
MARKS = {"x": (PASSED,), "mul": (OFF, Badge("?", "unknown")), "seed:y": (Badge("=", "holds"),)}
SVG = "{http://www.w3.org/2000/svg}"


def box(key: str, marks: dict[str, tuple[Badge, ...]]) -> Box:
    return next(one for one in figure(*seeded(), marks=marks).boxes if one.id == key)


def test_marks_become_badges_and_entries_of_the_legend() -> None:
    marked = figure(*seeded(), marks=MARKS)
    badges = {one.id: one.badges for one in marked.boxes if one.badges}
    assert badges == MARKS
    entries = [(entry.kind, entry.text) for entry in marked.legend][4:]
    assert entries == [("holds", "agrees"), ("differs", "differs"), ("unknown", "cannot be told")]
    assert figure(*seeded()).legend == marked.legend[:4]


def test_only_boxes_whose_badges_change_are_made_anew() -> None:
    plain = picture(*seeded())
    marked = plain.with_marks({"x": (PASSED,)})
    before, after = plain.figure(), marked.figure()
    changed = [a.id for a, b in zip(before.boxes, after.boxes, strict=True) if a is not b]
    assert changed == ["x"]
    assert replace(after.boxes[0], badges=()) == before.boxes[0]
    assert plain.figure().boxes[0].badges == ()
    assert marked.with_marks({"x": (PASSED,)}) is marked
    assert plain.with_marks({}) is plain


def test_what_a_pass_added_can_have_a_badge() -> None:
    added = next(
        one for one in figure(*reduced(), marks={"added:sum": (OFF,)}).boxes if one.id[0] == "a"
    )
    assert added.badges == (OFF,)


def test_pills_stand_in_a_row_under_the_rows_and_between_the_ports() -> None:
    one = box("mul", MARKS)
    first, second = badge_places(one)
    assert (first.text, second.text) == ("Δ 3.5", "?")
    assert first.x + first.width < second.x
    assert second.x + second.width == one.x + one.width - 10.0
    cells = [y + high for place in row_places(one) for _x, y, _wide, high in place.cells]
    assert first.y == second.y == one.y + one.height - 3.5
    assert first.y > max(cells)
    assert first.y + HEIGHT - (one.y + one.height) < NODE.lane_gap


def test_a_text_without_room_loses_its_end_or_gives_way_to_its_glyph() -> None:
    long = Badge("only on the left of the two pictures", "only")
    place = badge_places(box("mul", {"mul": (long,)}))[0]
    assert place.text.endswith("…")
    assert place.text.startswith("only on the left")
    number = box("3", {"3": (long,)})
    assert [place.text for place in badge_places(number)] == ["+"]
    assert badge_places(replace(number, width=30.0)) == ()
    several = badge_places(box("mul", {"mul": (long, OFF)}))
    assert [place.badge for place in several] == [long]


def test_the_tool_tip_says_all_of_it() -> None:
    tip = box_tooltip(box("x", MARKS))
    assert tip.endswith("finite differences: ✓ 1e-9<br>adjoint test: ✓ 0")
    assert box_tooltip(box("mul", MARKS)).endswith("Δ 3.5<br>?")


def test_the_svg_has_them_with_their_tip_and_the_legend(tmp_path: Path) -> None:
    path = export(*seeded(), tmp_path / "a.svg", marks=(MARKS,))
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    node = next(one for one in root.iter() if one.get("id") == "node-x")
    pill = next(one for one in node.iter() if one.get("class") == "verdict holds")
    assert [text.text for text in pill.iter(f"{SVG}text")] == ["✓ fd adj"]
    told = node.findtext(f"{SVG}title") or ""
    assert told.endswith("finite differences: ✓ 1e-9; adjoint test: ✓ 0")
    legend = next(one for one in root.iter() if one.get("class") == "legend")
    words = [text.text for text in legend.iter(f"{SVG}text")]
    assert words[4:] == [
        "✓",
        "agrees",
        "≠",
        "differs",
        "?",
        "cannot be told",
        "colour: linear up to 9",
    ]
    style = root.findtext(f"{SVG}style") or ""
    assert f".verdict.holds>rect{{fill:{LIGHT.holds_ground};stroke:{LIGHT.holds}}}" in style
