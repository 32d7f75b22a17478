"""Diagrams made at random, of all ops that a program says exactly as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.op import Op, Sample
from engine.ops import OPS
from gradviz.diagram import CONSTANT, LEAF, BackwardCall, Diagram, Node, Start
from gradviz.evaluate import evaluate

WHOLE = (
    "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "gcd", "lcm",
    "bitwise_left_shift", "bitwise_right_shift",
)  # fmt: skip
_ALONG = {"dim": 1, "keepdim": False}
SAMPLES = {
    "argsort": {"dim": 1, "descending": True},
    "topk_places": {"k": 2, "dim": 1, "largest": True},
    "kthvalue_places": {"k": 2, **_ALONG},
    "mode_places": _ALONG,
    "median_places": _ALONG,
    "nanmedian_places": _ALONG,
    "cummax_places": {"dim": 1},
    "cummin_places": {"dim": 1},
}
WITH_NUMBERS = ("add", "sub", "rsub", "mul", "div", "gt", "le", "where")
PRESETS = (None, "ones", "1/N", "onehot:0", "random:3", "normal:5")

# Rows that no call of PyTorch's makes alone, from these samples or at all: a program has others
# for them.
OTHERWISE = frozenset(
    """
    rsub zero fill copy keep_grad to floor_divide floor_divide_number number_floor_divide
    remainder_number number_remainder fmod_number sgn reshape_alias unsafe_view as_view put_view
    put piece split split_with_sizes threshold_backward nll_loss2d put_diagonal safe_softmax
    flash_attention binary_cross_entropy clamp_tensors conj conj_physical real imag
    convolution_weight split_copy split_with_sizes_copy narrow_copy unsafe_split
    unsafe_split_with_sizes ctc_loss_backward ctc_loss part spread_part euclidean_dist bernoulli
    drawn embedding_bag embedding_bag_max xlogy_number_first xlogy_number_last
    xlog1py_number_first xlog1py_number_last copyltu fft_c2c fft_r2c fft_c2r transpose_frames
    unsqueeze_inside transpose_inside t_inside bitwise_left_shift bitwise_right_shift
    linalg_lstsq heaviside lu_unpack lu_permutation lu_order linalg_lu_solve norm_dim max_pool
    max_unpool unit std_of group_norm_statistic vector_norm_in add_number sub_number mul_number
    div_number rsub_number sort sort_stable topk kthvalue mode median_dim nanmedian_dim cummax
    cummin argsort topk_places kthvalue_places mode_places median_places nanmedian_places
    cummax_places cummin_places pad_back avg_pool avg_pool_back trilinear step elu elu_result
    celu celu_result leaky_relu_result rrelu rrelu_result threshold_result prelu_kernel upsample
    upsample_back copysign_number index_reduce off_diagonal gaps as_strided_scatter fold_windows
    slice_scatter diagonal_scatter
    """.split()  # noqa: SIM905  a long table of names reads better as text
)


def exact_rows() -> list[tuple[Op, Sample]]:
    """Rows that a program says exactly as they are, on all of their samples."""
    return [(op, s) for name, op in OPS.items() if name not in OTHERWISE for s in samples(op)]


def samples(op: Op) -> Sequence[Sample]:
    """Inputs on which the row can be tried."""
    if op.name in WHOLE:
        return [Sample(tuple(np.array([6, 4]) for _ in op.pullbacks))]
    if op.name in SAMPLES:
        return [Sample(((2, 3),), SAMPLES[op.name])]
    return op.samples or [Sample(((2,),) * (2 if op.variadic else len(op.pullbacks)))]


def of_row(op: Op, sample: Sample) -> Diagram:
    """One application of a row, and a backward call with a seed where gradients can flow."""
    nodes = {}
    for name, array in zip("abcdefgh", sample.arrays(), strict=False):
        kind = LEAF if array.dtype.kind in "fc" else CONSTANT
        nodes[name] = Node(name, kind, name=name, data=np.asarray(array))
    nodes["y"] = Node("y", op.name, tuple(nodes), dict(sample.params), name="y")
    diagram = Diagram(nodes)
    value = evaluate(diagram).values.get("y")
    if value is None or not value.requires_grad:
        return diagram
    seed = np.random.default_rng(3).standard_normal(value.array.shape).astype(value.array.dtype)
    return replace(diagram, calls=(BackwardCall("y", Start("seed", values=seed)),))


class Maker:
    """Grows a diagram op by op; one that the op refuses is left out."""

    def __init__(self, seed: int, rows: Sequence[tuple[Op, Sample]]) -> None:
        self.draw = np.random.default_rng(seed)
        self.rows = rows
        self.diagram = Diagram()
        self.values: dict[str, Any] = {}
        self.count = 0

    def make(self, ops: int) -> Diagram:
        while ops > 0:
            op, sample = self.rows[int(self.draw.integers(len(self.rows)))]
            ops -= self._grow(op, sample)
        return replace(self.diagram, calls=tuple(self._calls()))

    def _new(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def _grow(self, op: Op, sample: Sample) -> bool:
        before = self.diagram
        inputs = [
            self._input(array, free=isinstance(given, tuple))
            for array, given in zip(sample.arrays(), sample.inputs, strict=True)
        ]
        numbers = op.name in WITH_NUMBERS and not sample.params and self.draw.random() < 0.5
        if numbers and op.name != "where":
            inputs[-1] = self._number(op.name)
        key = self._new("n")
        name = self._new("y") if self.draw.random() < 0.4 else None
        self.diagram = self.diagram.put(Node(key, op.name, tuple(inputs), sample.params, name=name))
        run = evaluate(self.diagram)
        if run.error is not None or key not in run.values:
            self.diagram = before
            return False
        self.values = {k: v.array for k, v in run.values.items()}
        return True

    def _number(self, op: str) -> str:
        key = self._new("k")
        value = np.float64(self.draw.choice([2.0, 0.5, 3.0])) if op != "rsub" else np.int64(2)
        if op in ("gt", "le"):
            value = np.float64(0.5)
        self.diagram = self.diagram.put(Node(key, CONSTANT, data=np.asarray(value), is_number=True))
        return key

    def _input(self, array: Any, *, free: bool) -> str:
        """A node like the array, or a new source; not `free`: its numbers matter."""
        fits = [
            key
            for key, value in self.values.items()
            if value.shape == array.shape
            and value.dtype == array.dtype == np.float64
            and not self.diagram.nodes[key].is_number
        ]
        if fits and free and self.draw.random() < 0.7:
            return str(self.draw.choice(fits))
        kind = LEAF if array.dtype.kind in "fc" and self.draw.random() < 0.8 else CONSTANT
        name = self._new("x") if kind == LEAF or self.draw.random() < 0.5 else None
        key = self._new("s")
        data = np.asarray(array) + (self.draw.random() if free else 0)
        self.diagram = self.diagram.put(Node(key, kind, name=name, data=data.astype(array.dtype)))
        return key

    def _calls(self) -> Iterator[BackwardCall]:
        run = evaluate(self.diagram)
        ends = [k for k, v in run.values.items() if v.requires_grad and v.grad_fn is not None]
        leaves = [k for k, n in self.diagram.nodes.items() if n.op == LEAF]
        for _at in range(int(self.draw.integers(1, 4)) if ends else 0):
            target = str(self.draw.choice(ends))
            start = self._start(run.values[target].array)
            clear = tuple(k for k in leaves if self.draw.random() < 0.2)
            yield BackwardCall(target, start, retain_graph=True, clear=clear)

    def _start(self, y: Any) -> Start:
        kind = self.draw.integers(4)
        if kind == 0 and y.size == 1 and y.dtype.kind == "f":
            return Start()
        if kind == 1 and y.size and y.dtype.kind == "f":
            name = str(self.draw.choice(["sum", "mean", "norm", "weighted", "component"]))
            weights = self.draw.standard_normal(y.shape) if name == "weighted" else None
            return Start("reduction", reduction=name, values=weights)
        preset = PRESETS[int(self.draw.integers(len(PRESETS)))]
        if preset is None or y.dtype.kind != "f" or not y.size:
            values = self.draw.standard_normal(y.shape).astype(y.dtype)
            return Start("seed", values=values, name="v")
        return Start("seed", preset=preset)
