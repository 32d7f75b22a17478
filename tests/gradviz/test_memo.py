"""What was made of a value is found again by that very value."""

from __future__ import annotations

from gradviz.memo import Memo


def test_equal_values_are_not_the_same() -> None:
    memo: Memo[str] = Memo(2)
    one, other = {"a": 1}, {"a": 1}
    assert memo.last is None
    assert memo.keep("of one", one) == "of one"
    assert memo.find(one) == "of one"
    assert memo.find(other) is None
    assert memo.find(one, one) is None
    memo.keep("of both", one, other)
    assert (memo.find(one, other), memo.find(other, one)) == ("of both", None)
    assert memo.last == "of both"


def test_what_is_kept_again_takes_no_more_room() -> None:
    memo: Memo[int] = Memo(2)
    one, other = {}, {}
    memo.keep(1, one)
    memo.keep(2, other)
    for number in range(3, 6):
        memo.keep(number, other)
    assert (memo.find(one), memo.find(other), memo.last) == (1, 5, 5)


def test_the_oldest_is_forgotten() -> None:
    memo: Memo[int] = Memo(2)
    keys = [{}, {}, {}]
    for number, key in enumerate(keys):
        memo.keep(number, key)
    assert [memo.find(key) for key in keys] == [None, 1, 2]
