"""Random programs, line by line: values, printed text, warnings, errors, gradients as PyTorch's."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.engine.against import ENGINE, TORCH, Outcome, run

LEAVES = {
    "x": np.array([[0.5, -1.25, 2.0], [1.5, 0.75, -0.5]]),
    "z": np.array([1.25, -0.75, 0.5]),
    "w": np.array([[2.0], [-1.5]]),
    "s": np.array(1.75),
    "k": np.array([[3.0, 1.0, -2.0]]),  # does not require grad
}
# Where PyTorch's words are of its insides: signatures, kernels of booleans.
OTHER_WORDS = ("arguments:", "not implemented for 'Bool'", "addmv input tensors", "CPUBoolType")
UNARY = (
    "exp()", "sin()", "cos()", "tanh()", "sigmoid()", "relu()",
    "abs()", "neg()", "sqrt()", "log()", "square()", "reciprocal()",
    "sign()", "floor()", "clone()", "detach()", "erf()", "log1p()",
    "softmax(0)", "log_softmax(-1)", "cumsum(0)", "t()", "T", "flatten()",
    "ravel()", "contiguous()", "squeeze()", "unsqueeze(0)", "unsqueeze(-1)", "mT",
    "sum()", "mean()", "max()", "min()", "prod()", "sum(0)",
    "sum(-1,keepdim=True)", "mean(1)", "amax(0)", "logsumexp(0)", "var(0)", "std()",
    "norm()", "float()", "double()", "long()", "clamp(-1,1)", "clamp(min=0)",
    "pow(2)", "pow(0.5)", "triu()", "flip(0)", "sort(0)[0]", "max(0)[0]",
    "topk(1)[0]", "cumprod(0)", "median()", "argmax()", "expand(2,3)", "reshape(-1)",
    "reshape(3,-1)", "view(-1)", "transpose(0,1)", "permute(1,0)", "repeat(2,1)", "roll(1)",
    "diagonal()", "trace()", "unbind()[0]", "chunk(2)[0]", "split(1)[0]", "narrow(0,0,1)",
    "select(0,0)", "nan_to_num()", "round()", "masked_fill(torch.tensor(True),0.5)",
)  # fmt: skip
BINARY = ("+", "-", "*", "/", "**", "@", "//", "%", ">")
INDICES = (
    "0", "-1", "1:", ":1", "...", "None", ":,0", ":,1:", "[0,0]", "[1,0,1]", "...,None", "::2",
    "torch.tensor([0,1,1])", "5",
)  # fmt: skip
FUNCTIONS = """\
torch.cat([{a}, {b}])
torch.stack([{a}, {b}])
torch.maximum({a}, {b})
torch.minimum({a}, {b})
torch.where({a} > 0, {a}, {b})
torch.matmul({a}, {b})
torch.outer({a}, {b})
torch.dot({a}, {b})
torch.lerp({a}, {b}, 0.25)
torch.atan2({a}, {b})
torch.hypot({a}, {b})
F.mse_loss({a}, {b})
F.l1_loss({a}, {b}, reduction='none')
F.linear({a}, {b})
F.smooth_l1_loss({a}, {b})
torch.addcmul({a}, {b}, {b}, value=2)
torch.einsum('ij,kj->ik', {a}, {b})
torch.logaddexp({a}, {b})
torch.cdist({a}, {b})
F.softplus({a})
torch.autograd.grad({a}.sum(), {b}, create_graph=True)[0]""".splitlines()
STATEMENTS = """\
{a} += {b}
{a} *= 2
{a}.mul_({b})
{a}.add_(1)
{a}.exp_()
{a}[0] = {b}
{a}[0] += 1
{a}.zero_()
{a}.data *= 2
{a}.grad = None
{a}.sum().backward()
{a}.backward()
{a}.backward({b})
{a}.backward(torch.ones_like({a}))
{a}.sum().backward(retain_graph=True)
with torch.no_grad(): {a} -= 0.5
with torch.no_grad(): {n} = {a} * {b}
{a}.register_hook(lambda g: g * 2)
{n}, rest = {a}[:1], {a}[1:]
with torch.enable_grad(): {n} = {a} * 3
{a}.copy_({b})
{a}.fill_(0.25)
{a}.clamp_(0, 1)
{a}.sub_({b}, alpha=2)
{a}.detach_()
{a}.retain_grad()""".splitlines()


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Assignments of new names, writes in place, backward calls, and a last one at the end."""
    names, lines = list(LEAVES), []
    for number in range(draw(st.integers(1, 7))):
        a, b, n = draw(st.sampled_from(names)), draw(st.sampled_from(names)), f"t{number}"
        kind = draw(st.integers(0, 9))
        if kind < 4:
            made = draw(st.sampled_from(UNARY))
            lines.append(f"{n} = {a}.{made}")
        elif kind < 6:
            other = draw(st.sampled_from([b, "2", "0.5", "-1"]))
            lines.append(f"{n} = {a} {draw(st.sampled_from(BINARY))} {other}")
        elif kind == 6:
            lines.append(f"{n} = {a}[{draw(st.sampled_from(INDICES))}]")
        elif kind == 7:
            lines.append(f"{n} = " + draw(st.sampled_from(FUNCTIONS)).format(a=a, b=b))
        else:
            statement = draw(st.sampled_from(STATEMENTS))
            lines.append(statement.format(a=a, b=b, n=n))
            if "{n}" not in statement:
                continue
        names.append(n)
    last = names[-1]
    end = draw(st.sampled_from(["{}.sum().backward()", "{}.backward()", "{}.backward({})"]))
    return "\n".join([*lines, end.format(last, last)])


def shown(outcome: Outcome) -> dict[str, str]:
    """What `print` writes of what the program made, and of the leaves' gradients."""
    texts = {
        name: repr(value)
        for name, value in outcome.names.items()
        if name in LEAVES or re.fullmatch(r"t\d", name)
    }
    for name in LEAVES:
        leaf = outcome.names[name]
        texts[f"{name}.grad"] = repr(leaf.grad) if leaf.is_leaf else "no leaf"
    return texts


def numbers(outcome: Outcome) -> dict[str, np.ndarray]:
    """All values and gradients as arrays."""
    found = {}
    for name, value in outcome.names.items():
        if hasattr(value, "requires_grad") and not isinstance(value, type):
            found[name] = value.detach().numpy()
            if value.is_leaf and value.grad is not None:
                found[f"{name}.grad"] = value.grad.detach().numpy()
    return found


@pytest.fixture(autouse=True)
def _warnings_each_time() -> Iterator[None]:
    """Else what one warns of once depends on what ran before in the process."""
    for library in (ENGINE.library, TORCH.library):
        library.set_warn_always(True)
    yield
    for library in (ENGINE.library, TORCH.library):
        library.set_warn_always(False)


@settings(
    max_examples=1000,
    derandomize=True,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.function_scoped_fixture,
    ],
)
@given(programs())
def test_a_random_program(program: str) -> None:
    theirs = run(TORCH, program, LEAVES)
    assume(theirs.error is None or not any(word in theirs.error[1] for word in OTHER_WORDS))
    mine = run(ENGINE, program, LEAVES)
    assert mine.error == theirs.error
    assert mine.warned == theirs.warned
    expected, found = numbers(theirs), numbers(mine)
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        near = 1e-6 if array.dtype == np.float32 else 1e-10
        np.testing.assert_allclose(found[name], array, rtol=near, atol=near, err_msg=name)
    texts, wanted = shown(mine), shown(theirs)
    for name, text in wanted.items():  # where a bit differs, so may a rounded digit or a -0.
        if name not in expected or found[name].tobytes() == expected[name].tobytes():
            assert texts[name] == text, name
