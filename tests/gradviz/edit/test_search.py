"""Searching the palette: what is meant comes first, however it is asked for."""

import pytest

from gradviz import language
from gradviz.edit import catalogue
from gradviz.edit.search import search

FIRST = {
    "sum": "sum",
    "∑": "sum",
    "Σ": "sum",
    "\\sum": "sum",
    "求和": "sum",
    "总和": "sum",
    "torch.sum": "sum",
    "ＳＵＭ": "sum",
    "sigm": "sigmoid",
    "σ": "sigmoid",
    "\\sigma": "sigmoid",
    "logistic": "sigmoid",
    "@": "matmul",
    "matmul": "matmul",
    "mm": "matmul",
    "矩阵乘": "matmul",
    "矩阵乘法": "matmul",
    "点积": "matmul",
    "softmax dim": "softmax",
    "softmax": "softmax",
    "sofmax": "softmax",
    "log softmax": "log_softmax",
    "logsoftmax": "log_softmax",
    "概率": "softmax",
    "+": "add",
    "加": "add",
    "-": "sub",
    "−": "sub",
    "*": "mul",
    "×": "mul",
    "乘": "mul",
    "\\cdot": "mul",
    "/": "div",
    "÷": "div",
    "\\frac": "div",
    "√": "sqrt",
    "sqr": "sqrt",
    "开方": "sqrt",
    "根号": "sqrt",
    "∥x∥": "vector_norm",
    "||x||": "vector_norm",
    "范数": "vector_norm",
    "|x|": "abs",
    "绝对值": "abs",
    "^": "pow",
    "**": "pow",
    "平方": "pow",
    "square": "pow",
    "mean": "mean",
    "average": "mean",
    "平均": "mean",
    "μ": "mean",
    "∏": "prod",
    "连乘": "prod",
    "ln": "log",
    "log": "log",
    "对数": "log",
    "e^x": "exp",
    "指数": "exp",
    "转置": "t",
    "x^T": "t",
    "trnaspose": "transpose",
    "reshape": "view",
    "形状": "view",
    "concat": "cat",
    "拼接": "cat",
    "expand": "expand",
    "broadcast": "expand",
    "relu": "relu",
    "激活": "sigmoid",
    "tanh": "tanh",
    "swish": "silu",
    "mse": "mse_loss",
    "均方误差": "mse_loss",
    "bce": "binary_cross_entropy",
    "交叉熵": "cross_entropy",
    "cross entropy": "cross_entropy",
    "nll": "nll_loss",
    "linear": "linear",
    "全连接": "linear",
    "attention": "attention",
    "外积": "outer",
    "余弦": "cos",
    "相似度": "cosine_similarity",
    "mae": "l1_loss",
    "max": "max",
    "最大值": "max",
    "amax": "amax",
    "==": "eq",
    "≥": "ge",
    "inv": "linalg_inv",
    "A^{-1}": "linalg_inv",
    "行列式": "linalg_det",
    "mask": "masked_fill",
    "掩码": "masked_fill",
    "leaf": "leaf",
    "tensor": "leaf",
    "叶子": "leaf",
    "参数": "leaf",
    "常量": "constant",
    "one slice": "select",
    "swap axes": "transpose",
    "round down": "floor",
    "stop gradient": "detach",
    "conv2d": "convolution",
    "卷积": "convolution",
    "池化": "avg_pool",
    "特征值": "linalg_eigh",
    "svd": "linalg_svd",
    "排序": "sort",
}


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_what_is_meant_comes_first(tongue: str) -> None:
    language.use(tongue)
    try:
        found = {query: next((hit.entry.id for hit in search(query)), None) for query in FIRST}
    finally:
        language.use("en")
    assert {query: name for query, name in found.items() if name != FIRST[query]} == {}


def test_a_part_of_a_word_finds_less_than_the_word() -> None:
    ids = [hit.entry.id for hit in search("sum")]
    assert ids[:2] == ["sum", "add"]
    assert ids.index("nansum") < ids.index("cumsum") or "cumsum" in ids


def test_every_word_has_to_be_found() -> None:
    assert {hit.entry.id for hit in search("softmax dim")} == {"softmax", "log_softmax"}
    assert search("softmax frobnicate") == []


def test_nothing_is_found_for_nonsense() -> None:
    assert search("qqqqq") == []
    assert search("🦑") == []


def test_with_nothing_asked_for_the_common_ones_lead() -> None:
    hits = [hit.entry.id for hit in search("  ")]
    assert hits[:5] == ["leaf", "constant", "sum", "mul", "add"]
    assert len(hits) == len(catalogue.entries())


def test_a_search_among_some() -> None:
    assert "leaf" not in [hit.entry.id for hit in search("tensor", catalogue.accepting())]


def test_the_word_it_was_found_by_is_told() -> None:
    assert search("求和")[0].by == "求和"
    assert search("sigm")[0].by in ("sigmoid", "Sigmoid")


def test_every_entry_is_found_by_its_own_names() -> None:
    for entry in catalogue.entries():
        for query in (entry.id, entry.title):
            assert entry in [hit.entry for hit in search(query)][:8], query
