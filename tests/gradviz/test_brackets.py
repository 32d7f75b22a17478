"""Brackets and their partners; lines as comments and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradviz.assist.brackets import commented, pair_at


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        ("f|(x)", (1, 3)),
        ("f(|x)", (1, 3)),
        ("f(x)|", (3, 1)),
        ("a[|(1, 2)]", (1, 8)),
        ("f(|", (1, None)),
        ("(]|", (1, None)),
        ("x|", None),
        ("f(')')|", (5, 1)),
        ("'|(' )", None),
        ("f(  # )|\n)", None),
        ("f(|  # )\n)", (1, 8)),
        ("", None),
    ],
)
def test_the_partner_of_the_bracket_at_the_cursor(
    marked: str, found: tuple[int, int | None] | None
) -> None:
    at = max(marked.find("|"), 0)
    assert pair_at(marked.replace("|", ""), at) == found


def test_comments_keep_the_form_of_a_block() -> None:
    lines = ["    for i in x:", "", "        print(i)"]
    marked = ["    # for i in x:", "", "    #     print(i)"]
    assert commented(lines) == marked
    assert commented(marked) == lines


def test_lines_of_which_some_are_comments_all_become_comments() -> None:
    assert commented(["# a", "b"]) == ["# # a", "# b"]
    assert commented(["", "  "]) == ["", "  "]
    assert commented(["#a"]) == ["a"]


line = st.text(alphabet=" ab#(\t", max_size=8)


@given(st.lists(line, max_size=5))
def test_twice_is_as_before_where_no_line_was_a_comment(lines: list[str]) -> None:
    if any(one.lstrip().startswith("#") for one in lines):
        return
    assert commented(commented(lines)) == lines
