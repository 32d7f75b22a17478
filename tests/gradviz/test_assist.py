"""What may stand at a place of a script, what a call takes, what a word is."""

from __future__ import annotations

import pytest

from gradviz.assist.calls import call_at, known_at
from gradviz.assist.completion import complete

HEAD = """import torch
import torch.nn.functional as F
from torch import nn
x = torch.tensor([1.0, 2.0], requires_grad=True)
for step in range(3):
    pass
def square(z): return z
"""


SUM = "sum(input, dim=None, keepdim=False, *, dtype=None, axis=None, keepdims=False)"


def names(typed: str, text: str = HEAD) -> list[str]:
    """What is offered after the text and what is typed, where `|` is the cursor if there is one."""
    whole = text + typed
    at = whole.index("|") if "|" in whole else len(whole)
    whole = whole.replace("|", "")
    return [row.name for row in complete(whole, at)[1]]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("y = torch.logsu", "logsumexp"),
        ("torch.tenso", "tensor"),
        ("F.cross_e", "cross_entropy"),
        ("nn.Lin", "Linear"),
        ("torch.nn.functional.rel", "relu"),
        ("torch.autograd.functional.jac", "jacobian"),
        ("x.backw", "backward"),
        ("(x * 2).lognot_there|", None),
        ("(x * 2).require", "requires_grad"),
        ("x[0].cums", "cumsum"),
        ("squ", "square"),
        ("ste", "step"),
        ("whi", "while"),
        ("torch.sum(x, keepd", "keepdim="),
        ("x.mean(di", "dim="),
        ("x.sum().me", "mean"),
    ],
)
def test_the_best_is_first(typed: str, first: str | None) -> None:
    assert next(iter(names(typed)), None) == first


@pytest.mark.parametrize(
    "typed",
    ["'torch.te", "# torch.te", '"""torch.te', "x = 1", "", "y = ", "unknown_module_x = 3."],
)
def test_nothing_in_texts_comments_and_where_nothing_was_typed(typed: str) -> None:
    assert names(typed) == []


def test_what_a_dot_offers_is_public_unless_asked_for() -> None:
    assert names("torch.")
    assert not [name for name in names("torch.") if name.startswith("_")]


def test_the_word_to_replace_begins_where_it_was_begun() -> None:
    start, rows = complete("import torch\ntorch.logsu", 24)
    assert ("import torch\ntorch.logsu"[start:24], rows[0].name) == ("logsu", "logsumexp")


def test_a_script_that_does_not_parse_is_helped_too() -> None:
    assert names("y = (x +\nif torch.expm")[0] == "expm1"


@pytest.mark.parametrize(
    ("typed", "signature", "parameter"),
    [
        ("torch.sum(", SUM, "input"),
        ("torch.sum(x, ", SUM, "dim=None"),
        ("torch.softmax(x, dim=[1, ", "softmax(input, dim, dtype=None)", "dim"),
        ("x.mean(", "mean(dim=None, keepdim=False, *, dtype=None)", "dim=None"),
        ("(x + 1).mean(1, ", "mean(dim=None, keepdim=False, *, dtype=None)", "keepdim=False"),
        ("torch.sum(torch.exp(x), ", SUM, "dim=None"),
        ("torch.exp(", "exp(input)", "input"),
        ("torch.stack([x, x], ", "stack(tensors, dim=0)", "dim=0"),
        ("x.view(2, 3, ", "view(*shape, size=None, dtype=None)", "*shape"),
    ],
)  # fmt: skip
def test_the_call_and_the_parameter_that_is_written(
    typed: str, signature: str, parameter: str
) -> None:
    text = HEAD + typed
    call = call_at(text, len(text))
    assert call is not None
    assert call.known is not None
    assert call.known.signature == signature
    assert call.parameter is not None
    assert (call.known.parameters or ())[call.parameter] == parameter


@pytest.mark.parametrize(
    "typed", ["x = 1", "(x + 1", "y = [1, 2", "square(", "f(x)", "'torch.sum("]
)
def test_no_call_or_one_that_is_not_the_librarys(typed: str) -> None:
    call = call_at(HEAD + typed, len(HEAD + typed))
    assert call is None or call.known is None


@pytest.mark.parametrize(
    ("line", "word", "text"),
    [
        ("y = torch.tanh(x)", "tanh", "The hyperbolic tangent."),
        ("x.backward()", "backward", "Accumulate into each leaf's"),
        ("F.relu(x)", "relu", ""),
        ("(x * 2).tanh()", "tanh", "The hyperbolic tangent."),
    ],
)
def test_what_a_word_is(line: str, word: str, text: str) -> None:
    whole = HEAD + line
    found = known_at(whole, len(HEAD) + line.index(word) + 1)
    assert found is not None
    assert found.name == word
    assert found.text.startswith(text)


@pytest.mark.parametrize("line", ["x = 2", "'torch.tanh'", "# torch.tanh", "torch.nonsense", ""])
def test_other_words_are_nothing(line: str) -> None:
    whole = HEAD + line
    assert known_at(whole, len(HEAD) + len(line) // 2) is None
