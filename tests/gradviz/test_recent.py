"""What was made of a value is found again by that very value."""

from __future__ import annotations

from gradviz.recent import Recent


def test_equal_values_are_not_the_same() -> None:
    recent: Recent[str] = Recent(2)
    one, other = {"a": 1}, {"a": 1}
    assert recent.last is None
    assert recent.keep("of one", one) == "of one"
    assert recent.find(one) == "of one"
    assert recent.find(other) is None
    assert recent.find(one, one) is None
    recent.keep("of both", one, other)
    assert (recent.find(one, other), recent.find(other, one)) == ("of both", None)
    assert recent.last == "of both"


def test_the_oldest_is_forgotten() -> None:
    recent: Recent[int] = Recent(2)
    keys = [{}, {}, {}]
    for number, key in enumerate(keys):
        recent.keep(number, key)
    assert [recent.find(key) for key in keys] == [None, 1, 2]
