"""The palette: what takes several nodes, as PyTorch's function of that name makes them."""

from __future__ import annotations

from gradviz.edit.entry import Entry, Step
from gradviz.edit.palette.common import family, words
from gradviz.language import N_

_NORM = {"ord": 2, "dim": (-1,), "keepdim": True}
_TINY = {"min": 1e-12}
_LAST = {"dim": (-1,), "keepdim": False}
_KEPT = {"dim": (-1,), "keepdim": True}
_ALL = {"dim": None, "keepdim": False}

# fmt: off
_GROUPS = (
    Entry("linear", N_("Linear layer"), N_("x @ Wᵀ + b, for rows x"),
          words("dense affine fully connected Wx+b 全连接层 仿射 线性层"),
          slots=("x", "weight", "bias"),
          steps=(Step("t", ("weight",)), Step("addmm", ("bias", "x", 0), {"beta": 1, "alpha": 1}))),
    Entry("cross_entropy", N_("Cross-entropy"), N_("of scores and the right classes"),
          words("softmax loss classification 交叉熵 损失 分类"), slots=("x", "target"),
          steps=(Step("log_softmax", ("x",), {"dim": -1}),
                 Step("nll_loss", (0, "target"), {"reduction": "mean", "ignore_index": -100}))),
    Entry("l1_loss", N_("Mean absolute error"), N_("the mean of |x − t|"),
          words("mae l1 absolute 绝对误差 损失 平均绝对误差"), slots=("x", "t"),
          steps=(Step("sub", ("x", "t")), Step("abs", (0,)), Step("mean", (1,), _ALL))),
    Entry("normalize", N_("Normalize"), N_("each row divided by its length"),
          words("unit vector direction 归一化 单位向量"),
          steps=(Step("vector_norm", ("x",), _NORM), Step("clamp_min", (0,), _TINY),
                 Step("div", ("x", 1)))),
    Entry("cosine_similarity", N_("Cosine similarity"), N_("the cosine of the angle between rows"),
          words("angle cos 余弦相似度 夹角"), slots=("a", "b"),
          steps=(Step("vector_norm", ("a",), _NORM), Step("clamp_min", (0,), _TINY),
                 Step("div", ("a", 1)), Step("vector_norm", ("b",), _NORM),
                 Step("clamp_min", (3,), _TINY), Step("div", ("b", 4)), Step("mul", (2, 5)),
                 Step("sum", (6,), _LAST))),
    Entry("rms_norm", N_("RMS norm"), N_("each row divided by its root mean square"),
          words("normalization 归一化 均方根"),
          steps=(Step("pow", ("x",), {"exponent": 2}), Step("mean", (0,), _KEPT),
                 Step("add", (1, "=1e-06")), Step("rsqrt", (2,)), Step("mul", ("x", 3)))),
    Entry("outer", N_("Outer product"), N_("every element of a times every element of b"),
          words("⊗ \\otimes ger 外积 张量积"), slots=("a", "b"),
          steps=(Step("unsqueeze", ("a",), {"dim": 1}), Step("mul", (0, "b")))),
    Entry("attention", N_("Attention"), N_("softmax(q @ kᵀ · scale) @ v, step by step"),
          words("transformer sdpa QK^T 注意力"), slots=("q", "k", "v"),
          steps=(Step("t", ("k",)), Step("mm", ("q", 0)), Step("mul", (1, "=0.5")),
                 Step("softmax", (2,), {"dim": -1}), Step("mm", (3, "v")))),
    Entry("sort", N_("Sort"), N_("from the least to the greatest, along the last axis"),
          words("order ascending 排序 升序"),
          steps=(Step("argsort", ("x",), {"dim": -1, "descending": False}),
                 Step("sort", ("x", 0), {"dim": -1}))),
    Entry("softmax_steps", N_("Softmax, step by step"), N_("exp, divided by its sum"),
          words("exp sum div 逐步"),
          steps=(Step("exp", ("x",)), Step("sum", (0,), _KEPT), Step("div", (0, 1)))),
    Entry("variance_steps", N_("Variance, step by step"), N_("the mean of the squared distances"),
          words("var centre 逐步 方差"),
          steps=(Step("mean", ("x",), _ALL), Step("sub", ("x", 0)),
                 Step("pow", (1,), {"exponent": 2}), Step("mean", (2,), _ALL))),
)

ENTRIES = family("groups", _GROUPS)
