"""What a few typed letters find, and in which order."""

from __future__ import annotations

import pytest

from gradviz.fuzzy import best, score


def found(typed: str, *names: str) -> list[str]:
    return best(typed, names, lambda name: (name,))


def test_a_beginning_goes_before_a_word_a_part_and_scattered_letters() -> None:
    names = ("assumes", "s-u-m", "the sum", "summary", "sum", "other")
    assert found("sum", *names) == ["sum", "summary", "the sum", "assumes", "s-u-m"]


def test_of_equals_the_shorter_name_is_first_and_ties_keep_their_order() -> None:
    assert found("log", "logsumexp", "log", "logit") == ["log", "logit", "logsumexp"]
    assert found("a", "ab", "ac") == ["ab", "ac"]


@pytest.mark.parametrize("typed", ["", "   "])
def test_nothing_typed_finds_all(typed: str) -> None:
    assert found(typed, "b", "a") == ["b", "a"]


def test_every_word_has_to_fit_in_any_order() -> None:
    names = ("append sum", "append mean", "sum of squares")
    assert found("sum app", *names) == ["append sum"]
    assert found("sum x", *names) == []


def test_letters_out_of_order_do_not_fit() -> None:
    assert score("mus", "sum") is None
    assert score("SUM", "sum") == 0  # whatever the case


def test_a_row_is_found_by_any_of_its_names() -> None:
    rows = {"sum": ("sum", "求和", "∑"), "mean": ("mean", "平均")}
    for typed in ("求", "∑", "su"):
        assert best(typed, rows, lambda key: rows[key]) == ["sum"]


def test_a_word_that_comes_later_in_the_name_counts_as_a_word() -> None:
    assert score("in", "min in") == score("in", "max in")
