"""How ops are written in PyTorch whose form depends on their inputs and parameters."""

from __future__ import annotations

import numpy as np

from gradviz.program import literals, phrase, templates
from gradviz.program.call import Call, Form
from gradviz.program.literals import TORCH
from gradviz.program.phrase import Phrase, tuple_text

# Ops of which an input may be a Python number; elsewhere it is made a tensor.
NUMBERS = frozenset(
    """
    add sub rsub mul div pow_tensor gt lt ge le eq ne where floor_divide_number number_floor_divide
    remainder_number number_remainder fmod_number xlogy_number_first xlogy_number_last
    xlog1py_number_first xlog1py_number_last copysign_number bitwise_and bitwise_or bitwise_xor
    bitwise_left_shift bitwise_right_shift convolution convolution_transpose layer_norm group_norm
    batch_norm batch_norm_settled
    """.split()  # noqa: SIM905  a long table of names reads better as text
)


def _infix(sign: str, binds: int) -> Form:
    return lambda c: phrase.infix(c.inputs[0], sign, c.inputs[1], binds)


def _compared(sign: str) -> Form:
    def form(c: Call) -> Phrase:
        if c.node.name is not None:  # a comparison is not told the name of its variable
            return c.fill(f"torch.{c.node.op}({{0}}, {{1}})")
        place = phrase.COMPARISON + 1
        left, right = c.inputs[0].within(place), c.inputs[1].within(place)
        return Phrase(f"{left} {sign} {right}", phrase.COMPARISON)

    return form


def _times(c: Call) -> Phrase:
    """`3 * x`: a number first, as one writes it."""
    left, right = c.inputs
    if c.numbers[1] and right.binds == phrase.ATOM and left.binds > phrase.PRODUCT:
        left, right = right, left
    return phrase.infix(left, "*", right, phrase.PRODUCT)


def _with_number(sign: str, binds: int, *, first: bool = False) -> Form:
    def form(c: Call) -> Phrase:
        number = literals.number(c.params["value"], c.library)
        left, right = (number, c.inputs[0]) if first else (c.inputs[0], number)
        return phrase.infix(left, sign, right, binds)

    return form


def _power(c: Call) -> Phrase:
    exponent = c.params["exponent"]
    shown = Phrase(templates.value(exponent, c.library))
    if not isinstance(exponent, np.ndarray):
        shown = literals.number(exponent, c.library)
    return phrase.power(c.inputs[0], shown)


def _power_of_number(c: Call) -> Phrase:
    return phrase.power(literals.number(c.params["base"], c.library), c.inputs[0])


def _rsub(c: Call) -> Phrase:
    if c.numbers[1]:
        return phrase.infix(c.inputs[1], "-", c.inputs[0], phrase.SUM)
    return c.fill("torch.rsub({0}, {1})")


def _size(c: Call) -> str:
    """The shape that a view is given, between the brackets of its call."""
    return ", ".join(map(str, c.params["shape"])) or "()"


def _reshaped(c: Call) -> Phrase:
    return Phrase(f"{c.inputs[0].owner}.reshape({_size(c)})")


def _expanded(c: Call) -> Phrase:
    return Phrase(f"{c.inputs[0].owner}.expand({_size(c)})")


def _squeezed(c: Call) -> Phrase:
    dim, kind = c.params["dim"], c.params.get("kind", 0)
    ones = tuple(axis for axis, n in enumerate(c.arrays[0].shape) if n == 1)
    if kind == 0 and tuple(dim) == ones:
        return c.fill("{0}.squeeze()")
    return c.fill("{0}.squeeze({dim})" if kind < 2 else "{0}.squeeze({axes})", axes=[*dim])


def _transposed(c: Call) -> Phrase:
    whole = tuple(reversed(range(c.arrays[0].ndim)))
    if c.params["dims"] == whole and c.arrays[0].ndim == 2:
        return c.fill("{0}.T")
    return c.fill("{0}.permute({dims})")


def _clamped(c: Call) -> Phrase:
    low, high = ", ".join(("min={1}", "max={2}")).split(", ")
    kept = {"both": [low, high], "min": [low], "max": [high]}[c.params["bounds"]]
    if c.params["bounds"] == "max" and len(c.inputs) == 2:
        kept = ["max={1}"]
    return c.fill(f"{{0}}.clamp({', '.join(kept)})")


def exponential_unit(c: Call) -> Phrase:
    """ELU and its relatives: `scale * (x if x > 0 else alpha * expm1(input_scale * x))`."""
    p = c.params
    alpha, scale, inner = p["alpha"], p.get("scale", 1.0), p.get("input_scale", 1.0)
    if scale == 1 and inner == 1:
        return c.fill("F.elu({0}{alpha=1.0})")
    if scale == 1 and np.isclose(inner * alpha, 1, rtol=1e-12):
        return c.fill("F.celu({0}{alpha=1.0})")
    if inner == 1 and (alpha, scale) == (1.6732632423543772, 1.0507009873554805):
        return c.fill("F.selu({0})")
    return c.fill(
        "{scale} * torch.where({0} > 0, {0}, {alpha} * torch.expm1({inner} * {0}))", inner=inner
    )


def _triangular(c: Call) -> Phrase:
    form = "torch.linalg.solve_triangular({0}, {1}{upper=}{left=True}{unitriangular=False})"
    return c.fill(form, unitriangular=c.params["unit"])


def _cholesky(c: Call) -> Phrase:
    if c.params["name"] == "cholesky":
        return c.fill("torch.cholesky({0}{upper=False})")
    return c.fill("torch.linalg.cholesky({0}{upper=False})")


def _fourier(c: Call) -> Phrase:
    p, sizes = c.params, [c.arrays[0].shape[axis] for axis in c.params["dim"]]
    if c.node.op == "fft_c2r":
        sizes[-1] = p["last"]
        name, more = "irfft", f", s={tuple_text(sizes)}"
    elif c.node.op == "fft_r2c":
        name, more = ("rfft" if p["onesided"] else "fft"), ""
    else:
        name, more = ("fft" if p["forward"] else "ifft"), ""
    count = float(np.prod(sizes))
    norms = {1.0: "backward", 1 / count: "forward", 1 / np.sqrt(count): "ortho"}
    if name.startswith("i"):
        norms = {1.0: "forward", 1 / count: "backward", 1 / np.sqrt(count): "ortho"}
    near = min(norms, key=lambda scale: abs(scale - p["scale"]))
    rest = "" if abs(near - p["scale"]) < 1e-9 * near else p["scale"] / near
    made = c.fill(f"torch.fft.{name}n({{0}}{more}{{dim=}}{{norm='backward'}})", norm=norms[near])
    made = Phrase(
        made.text.replace(f"dim={p['dim'][0]},", f"dim=({p['dim'][0]},),").replace(
            f"dim={p['dim'][0]})", f"dim=({p['dim'][0]},))"
        )
    )
    if not rest:
        return made
    return phrase.infix(made, "*", literals.number(rest, TORCH), phrase.PRODUCT)


FORMS: dict[str, Form] = {
    "add": _infix("+", phrase.SUM),
    "sub": _infix("-", phrase.SUM),
    "mul": _times,
    "div": _infix("/", phrase.PRODUCT),
    "mm": _infix("@", phrase.PRODUCT),
    "mv": _infix("@", phrase.PRODUCT),
    "dot": _infix("@", phrase.PRODUCT),
    "floor_divide": _infix("//", phrase.PRODUCT),
    "floor_divide_number": _infix("//", phrase.PRODUCT),
    "number_floor_divide": _infix("//", phrase.PRODUCT),
    "remainder": _infix("%", phrase.PRODUCT),
    "remainder_number": _infix("%", phrase.PRODUCT),
    "number_remainder": _infix("%", phrase.PRODUCT),
    "bitwise_and": _infix("&", phrase.BIT_AND),
    "bitwise_or": _infix("|", phrase.BIT_OR),
    "bitwise_xor": _infix("^", phrase.BIT_XOR),
    "bitwise_not": lambda c: phrase.prefix("~", c.inputs[0]),
    "neg": lambda c: phrase.prefix("-", c.inputs[0]),
    "gt": _compared(">"),
    "lt": _compared("<"),
    "ge": _compared(">="),
    "le": _compared("<="),
    "eq": _compared("=="),
    "ne": _compared("!="),
    "rsub": _rsub,
    "pow": _power,
    "pow_tensor": lambda c: phrase.power(*c.inputs),
    "pow_number": _power_of_number,
    "add_number": _with_number("+", phrase.SUM),
    "sub_number": _with_number("-", phrase.SUM),
    "mul_number": _with_number("*", phrase.PRODUCT),
    "div_number": _with_number("/", phrase.PRODUCT),
    "rsub_number": _with_number("-", phrase.SUM, first=True),
    "view": _reshaped,
    "reshape_alias": _reshaped,
    "unsafe_view": _reshaped,
    "expand": _expanded,
    "squeeze": _squeezed,
    "permute": _transposed,
    "clamp_tensors": _clamped,
    "elu": exponential_unit,
    "celu": exponential_unit,
    "sgn": lambda c: c.fill("torch.sgn({0})" if c.result.dtype.kind == "c" else "torch.sign({0})"),
    "linalg_solve_triangular": _triangular,
    "linalg_cholesky": _cholesky,
    "fft_c2c": _fourier,
    "fft_r2c": _fourier,
    "fft_c2r": _fourier,
}
