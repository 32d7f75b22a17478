"""Edits of a script's text: comments, layout and everything else stay."""

from __future__ import annotations

import ast

import pytest

from gradviz.doctor.text import Edit, Text, applied


def first_call(text: Text) -> ast.Call:
    return next(node for node in ast.walk(text.tree) if isinstance(node, ast.Call))


@pytest.mark.parametrize(
    ("source", "edited"),
    [
        ("f()", "f(k=1)"),
        ("f(a)", "f(a, k=1)"),
        ("f(a,)", "f(a, k=1)"),
        ("f((a))", "f((a), k=1)"),
        ("f(\n    a,  # one\n)", "f(\n    a, k=1  # one\n)"),
        ("f(\n    a  # one, two\n)", "f(\n    a, k=1  # one, two\n)"),
        ("é = f('é', a)", "é = f('é', a, k=1)"),
        ("f(a, k=0)", "f(a, k=1)"),
        ("f(*a, **b)", "f(*a, **b, k=1)"),
    ],
)
def test_a_keyword_is_set(source: str, edited: str) -> None:
    text = Text(source)
    assert applied(source, [text.keyword(first_call(text), "k", "1")]) == edited


@pytest.mark.parametrize(
    ("source", "edited"),
    [
        ("y.backward()", "y.sum().backward()"),
        ("(a + b).backward()  # é", "(a + b).sum().backward()  # é"),
        ("( é * y ) . backward()", "( é * y ) .sum(). backward()"),
        ("f(y.x).backward()", "f(y.x).sum().backward()"),
    ],
)
def test_a_method_goes_before_another(source: str, edited: str) -> None:
    text = Text(source)
    func = first_call(text).func
    assert isinstance(func, ast.Attribute)
    assert applied(source, [text.before_attribute(func, ".sum()")]) == edited


@pytest.mark.parametrize(
    ("source", "before", "after"),
    [
        ("a = 1  # c\n", "n\na = 1  # c\n", "a = 1  # c\nn\n"),
        ("if x:\n    a = 1", "if x:\n    n\n    a = 1", "if x:\n    a = 1\n    n"),
        ("if x: a = 1", "if x: n; a = 1", "if x: a = 1; n"),
        ("b = 2; a = 1", "b = 2; n; a = 1", "b = 2; a = 1; n"),
        ("a = 1; b = 2", "n\na = 1; b = 2", "a = 1; n; b = 2"),
    ],
)
def test_a_statement_gets_a_neighbour(source: str, before: str, after: str) -> None:
    text = Text(source)
    statement = next(
        node
        for node in text.statements
        if isinstance(node, ast.Assign) and text.segment(node) == "a = 1"
    )
    assert applied(source, [text.before(statement, "n")]) == before
    assert applied(source, [text.after(statement, "n")]) == after


def test_a_statement_is_moved_into_a_block() -> None:
    source = "for i in x:\n    w -= g  # step\n"
    text = Text(source)
    edit = text.wrapped(text.statements[1], "with n():")
    assert edit is not None
    assert applied(source, [edit]) == "for i in x:\n    with n():\n        w -= g  # step\n"
    shared = Text("a = 1; b = 2\n")
    assert shared.wrapped(shared.statements[0], "with n():") is None


def test_a_call_is_taken_off() -> None:
    source = "y = (x * x).detach().sum()  # end\n"
    text = Text(source)
    cut = next(node for node in ast.walk(text.tree) if getattr(node, "attr", None) == "detach")
    assert isinstance(cut, ast.Attribute)
    assert applied(source, [text.without_attribute(cut)]) == "y = (x * x).sum()  # end\n"


def test_edits_do_not_shift_one_another() -> None:
    edits = [Edit(0, 1, "long"), Edit(4, 5, "")]
    assert applied("a + b", edits) == applied("a + b", reversed(edits)) == "long + "


@pytest.mark.parametrize("source", ["", "x = (", "\0", "  indented", "é = ’"])
def test_what_is_not_python_has_no_statements(source: str) -> None:
    text = Text(source)
    assert text.statements == ()
    assert text.at(1) is None
    assert list(text.calls(1)) == []


def test_torch_is_called_as_the_script_calls_it() -> None:
    assert Text("import torch as t\n").torch == "t"
    assert Text("import torch\n").torch == "torch"
