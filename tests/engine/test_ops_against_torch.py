"""Every op of the subset against PyTorch: values, dtypes, graph, gradients, second backward."""

from __future__ import annotations

import pytest

from tests.engine.against import assert_same, leaves


def _listed(text: str) -> list[str]:
    """The expressions of a text, which semicolons part."""
    return [part.strip() for part in text.split(";")]


V, M, S = {"x": (3,)}, {"x": (2, 3)}, {"x": ()}
VV, MM, MV = {"x": (3,), "w": (3,)}, {"x": (2, 3), "w": (3, 2)}, {"x": (2, 3), "w": (3,)}
BROADCAST = [
    {"x": (2, 3), "w": (3,)},
    {"x": (2, 1), "w": (1, 3)},
    {"x": (), "w": (2, 3)},
    {"x": (3,), "w": ()},
    {"x": (0, 3), "w": (1, 3)},
    {"x": (2, 3, 2), "w": (3, 1)},
    {"x": (), "w": ()},
]
BINARY = _listed(
    """
    x + w; x - w; x * w; x / w; torch.maximum(x, w); torch.minimum(x, w);
    torch.add(x, w, alpha=2); torch.sub(x, w, alpha=0.5); abs(x) ** w; torch.where(x > w, x, w);
    torch.max(x, w); x % w
    """
)
UNARY = _listed(
    """
    -x; abs(x); x.exp(); abs(x).log(); abs(x).sqrt(); abs(x).rsqrt(); x.sin(); x.cos();
    x.tanh(); x.sigmoid(); torch.relu(x); F.relu(x); x.reciprocal(); x.square(); x ** 2; x ** 3;
    x ** 0; x ** 1; abs(x) ** 0.5; x ** -1; x ** 2.0; 2 ** x; 2.5 ** x; x + 1; 1 + x; x - 1;
    1 - x; x * 3; 3 * x; x / 2; 2 / x; x * 1.5; x + True; x.clone(); x.clamp(-0.5, 0.5);
    x.clamp(min=0); x.clamp(max=1); torch.clip(x, 0.0, 1.0); x.float(); x.double(); x.half();
    x.to(torch.float64); x.to(dtype=torch.float32); x.type(torch.float64); x.to('cpu');
    x.sign(); x.floor(); x.ceil(); x.round(); x % 2; x.detach(); +x; torch.where(x > 0, x, 0.0);
    torch.where(x > 0, 1.0, x); x.masked_fill(x > 0, 0.0); torch.rsub(x, 2); x.contiguous()
    """
)
PLAIN = _listed(
    """
    x > 0; x < 0.5; x >= 0; x <= 0; x == x; x != 1; ~(x > 0); (x > 0) & (x < 1);
    (x > 0) | (x < -1); (x > 0) ^ (x < 1); x.long(); x.int(); x.bool(); x.isnan();
    torch.isfinite(x); x.detach() // 2; torch.ones_like(x); torch.zeros_like(x);
    torch.full_like(x, 2); (x > 0).all(); (x > 0).any(); (x > 0).sum(); (x > 0).float().mean();
    torch.tensor(x.numel()); torch.tensor(x.dim()); x.long() / 2; x.long() + 0.5; x.long() // 2;
    x.long() % 2; x.long() ** 2; x.long() ** 0.5; x.bool() ** 2.0; x.int() + x.long();
    x.int() * 2; x.bool() + 1; x.bool() * 1.5; x.bool() + True; 1 - x.long(); x.long() > 1;
    (x > 0) * 2; x.int().sum(); x.bool().sum(); x.half() + x.detach().float(); x.argmax();
    x.argmin(); x.long().exp(); x.long().sqrt()
    """
)
REDUCTIONS = _listed(
    """
    x.sum(); x.sum(0); x.sum(-1); x.sum(dim=1); x.sum(1, keepdim=True); x.sum((0, 1));
    x.sum(dim=(0, 1), keepdim=True); torch.sum(x); x.sum(dtype=torch.float64); x.mean();
    x.mean(0); x.mean(dim=1, keepdim=True); x.mean((0, 1)); x.max(); x.min(); x.max(0)[0];
    x.max(1).values; x.min(dim=1, keepdim=True)[0]; x.max(0)[1]; x.amax(0);
    x.amin(1, keepdim=True); x.amax(); x.argmax(1); x.argmin(0, keepdim=True); x.norm();
    x.norm(dim=1); x.norm(1); x.norm(3, dim=0); x.norm(float('inf'));
    x.norm(p=2, dim=(0, 1), keepdim=True); torch.norm(x, 1.5);
    torch.linalg.vector_norm(x, 2, 1); torch.linalg.norm(x); x.logsumexp(0);
    torch.logsumexp(x, dim=1, keepdim=True); torch.logsumexp(x, (0, 1)); x.softmax(0);
    torch.softmax(x, dim=1); F.softmax(x, -1); F.log_softmax(x, dim=1); x.log_softmax(0);
    (x > 0).all(1); (x > 0).any(0, keepdim=True)
    """
)
SHAPES = _listed(
    """
    x.view(3, 2); x.view(-1); x.reshape(6); x.reshape(-1, 2); x.reshape((1, 2, 3));
    x.view((6,)); x.t(); x.T; x.mT; x.transpose(0, 1); x.permute(1, 0);
    torch.permute(x, (1, 0)); x.t().reshape(6); x.T.contiguous(); x.t().view(3, 2); x.flatten();
    torch.flatten(x); x.unsqueeze(0); x.unsqueeze(-1); x[None].squeeze(); x[None].squeeze(0);
    x[None].squeeze(1); x[None].squeeze((0, 1)); x.expand(2, 2, 3); x[:1].expand(4, -1);
    x.expand_as(x); x.view_as(x); torch.broadcast_to(x, (2, 2, 3)); x.unflatten(1, (3, 1));
    x.movedim(0, 1); torch.cat([x, x]); torch.cat((x, 2 * x), dim=1); torch.cat([x.T, x.T], -1);
    torch.stack([x, x]); torch.stack([x, x + 1, x], dim=1); torch.stack([x, x], -1);
    torch.concat([x, x]); x.unbind()[0]; x.unbind(1)[2]; x.split(2, 1)[1];
    x.split([1, 2], dim=1)[0]; x.chunk(2)[0]; torch.chunk(x, 3, dim=1)[1]; x.narrow(1, 1, 2);
    [r for r in x][1]; x.gather(1, torch.tensor([[0, 2, 0], [1, 1, 2]])); x.flatten(0, 1);
    x.flatten(1); torch.ravel(x); x.swapaxes(0, 1); x.reshape(2, 3); x[:, :2].reshape(2, 1, 2);
    x[:, 1].reshape(2, 1)
    """
)
INDEXING = _listed(
    """
    x[0]; x[-1]; x[0, 1]; x[0][1]; x[0:1]; x[:, 0]; x[:, 1:]; x[::2]; x[..., 0]; x[...]; x[:];
    x[:, :]; x[None]; x[:, None]; x[0, None, 1]; x[0:1, None, 1]; x[..., None];
    x[torch.tensor([0, 0, 1])]; x[[1, 0]]; x[:, [0, 2, 0]];
    x[torch.tensor([0, 1]), torch.tensor([2, 2])]; x[torch.arange(2), torch.tensor([1, 0])];
    x[x > 0]; x[torch.tensor([True, False])]; x[:, torch.tensor([True, False, True])];
    x[torch.tensor(1)]; x[1, torch.tensor([0, 2])]; x[torch.tensor([[0, 1], [1, 0]])];
    x[0:2, torch.tensor([0]), None]; x[-1:]; x[1:1]; x[5:]; x[True]; x[np.array([0, 1])];
    x[range(2)]; x[(0,)]; x[()]; x[2]; x[0, 5]; x[0, 0, 0]; x[torch.tensor([5])]; x[::-1];
    x[1.5]; x[torch.tensor([1.0])]
    """
)
PRODUCTS = [
    ("x @ w", {"x": (2, 3), "w": (3, 4)}),
    ("x @ w", {"x": (2, 3), "w": (3,)}),
    ("x @ w", {"x": (3,), "w": (3,)}),
    ("x @ w", {"x": (3,), "w": (3, 2)}),
    ("x @ w", {"x": (2, 2, 3), "w": (3, 4)}),
    ("x @ w", {"x": (2, 2, 3), "w": (3,)}),
    ("x @ w", {"x": (2, 2, 3), "w": (2, 3, 4)}),
    ("x @ w", {"x": (2, 3), "w": (2, 3, 2)}),
    ("x @ w", {"x": (2, 1, 2, 3), "w": (2, 3, 2)}),
    ("x @ w", {"x": (3,), "w": (2, 3, 2)}),
    ("x @ w.T", {"x": (2, 3), "w": (4, 3)}),
    ("torch.mm(x, w)", MM),
    ("torch.matmul(x, w)", MM),
    ("torch.mv(x, w)", MV),
    ("torch.dot(x, w)", VV),
    ("torch.outer(x, w)", VV),
    ("torch.bmm(x, w)", {"x": (2, 2, 3), "w": (2, 3, 2)}),
    ("torch.addmm(b, x, w)", {"b": (2,), **MM}),
    ("F.linear(x, w)", {"x": (2, 3), "w": (4, 3)}),
    ("F.linear(x, w, b)", {"x": (2, 3), "w": (4, 3), "b": (4,)}),
    ("F.linear(x, w, b)", {"x": (2, 2, 3), "w": (4, 3), "b": (4,)}),
    ("F.linear(x, w, b)", {"x": (3,), "w": (4, 3), "b": (4,)}),
    ("F.linear(x, w)", {"x": (2, 2, 3), "w": (4, 3)}),
    ("x @ w", {"x": (0, 3), "w": (3, 2)}),
    ("x @ x", {"x": (2, 2)}),
    ("x @ w", {"x": (1, 2), "w": (1, 2)}),
    ("x @ w", {"x": (2, 3), "w": (2,)}),
    ("x @ w", {"x": (2,), "w": (3,)}),
    ("x @ w", {"x": (), "w": (2,)}),
    ("x @ w.float()", {"x": (2, 2), "w": (2, 2)}),
    ("torch.dot(x, w.float())", VV),
    ("torch.bmm(x, w)", {"x": (2, 2, 3), "w": (3, 3, 2)}),
    ("F.linear(x, w)", {"x": (1, 3), "w": (2, 2)}),
    ("x.matmul(w)", MM),
    ("x.mm(w)", MM),
]
TARGETS = "torch.tensor([2, 0])"
LOSSES = [
    *(f"F.mse_loss(x, 2 * x, reduction='{r}')" for r in ("mean", "sum", "none")),
    "F.mse_loss(x, torch.zeros_like(x))",
    "F.mse_loss(x, x.sum(0).detach())",
    "nn.MSELoss()(x, torch.zeros_like(x))",
    *(f"F.cross_entropy(x, {TARGETS}, reduction='{r}')" for r in ("mean", "sum", "none")),
    f"nn.CrossEntropyLoss()(x, {TARGETS})",
    *(
        f"F.nll_loss(F.log_softmax(x, 1), {TARGETS}, reduction='{r}')"
        for r in ("mean", "sum", "none")
    ),
    f"F.cross_entropy(x, {TARGETS}, weight=torch.tensor([1.0, 2.0, 0.5], dtype=x.dtype))",
    f"F.cross_entropy(x, {TARGETS}, ignore_index=0)",
    f"F.cross_entropy(x, {TARGETS}, ignore_index=0, reduction='sum')",
    "F.cross_entropy(x, torch.tensor([-100, -100]))",
    "F.cross_entropy(x[0], torch.tensor(1))",
    "F.cross_entropy(x, torch.softmax(x, 1).detach(), reduction='sum')",
    "F.cross_entropy(x.reshape(1, 3, 2), torch.tensor([[0, 2]]))",
    "F.mse_loss(x, x, reduction='avg')",
    "F.cross_entropy(x, torch.tensor([0, 3]))",
    "F.cross_entropy(x, torch.tensor([0.0, 1.0]))",
    "F.cross_entropy(x, torch.tensor([0, 1, 0]))",
    "F.softmax(x)",
    "F.log_softmax(x)",
]
DTYPES = ["float64", "float32"]


def _cases(expressions: list[str], *shapes: dict[str, tuple[int, ...]]) -> list[object]:
    return [
        pytest.param(f"y = {e}", s, id=f"{e}-{'x'.join(map(str, s['x']))}")
        for e in expressions
        for s in shapes
    ]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("program", "shapes"),
    [
        *_cases(BINARY, *BROADCAST),
        *_cases(UNARY, V, S, {"x": (2, 0)}),
        *_cases(PLAIN, V),
        *_cases(REDUCTIONS, M),
        *_cases(SHAPES, M),
        *_cases(INDEXING, M),
        *_cases(LOSSES, M),
        *[pytest.param(f"y = {e}", s, id=f"{e}-{s}") for e, s in PRODUCTS],
    ],
)
def test_agrees(program: str, shapes: dict[str, tuple[int, ...]], dtype: str) -> None:
    assert_same(program, leaves(shapes, dtype))


@pytest.mark.parametrize(
    "expression",
    [
        "x.sum()",
        "x.mean()",
        "x.sum(0)",
        "x.sum(1)",
        "x.mean(1)",
        "x.softmax(1)",
        "x.logsumexp(0)",
        "x @ x.T",
        "torch.cat([x, x])",
        "x.norm()",
        "x[0:0]",
        "x.reshape(3, 0)",
        "x.max()",
        "x.argmax()",
        "x.all()",
    ],
)
def test_empty_tensors(expression: str) -> None:
    assert_same(f"y = {expression}", leaves({"x": (0, 3)}))


@pytest.mark.parametrize(
    "expression",
    [
        "x.sum(0)",
        "x.mean(0)",
        "x.max(0)[0]",
        "x.softmax(0)",
        "x.log_softmax(0)",
        "x.logsumexp(0)",
        "x.norm(dim=0)",
        "x.argmax(0)",
        "x.flatten()",
        "x.squeeze()",
        "x.unsqueeze(0)",
        "x.view(1)",
        "x.expand(3)",
        "x.T",
        "x.t()",
        "x[None]",
        "x[...]",
        "x[0]",
        "x.item() + x",
        "x.transpose(0, 0)",
        "x.sum(1)",
    ],
)
def test_0d_tensors(expression: str) -> None:
    assert_same(f"y = {expression}", leaves({"x": ()}))
