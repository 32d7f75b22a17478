"""How the parts of a rule are written: plain text as one would type it, and TeX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

# How tightly each form binds; an operand that binds looser than its place needs is bracketed.
LOGIC, COMPARISON, SUM, PRODUCT, UNARY, POWER, ATOM = range(7)


@dataclass(frozen=True, slots=True)
class Text:
    """A rendered expression, plain and TeX, and how tightly it binds."""

    plain: str
    tex: str
    binds: int = ATOM

    def within(self, place: int) -> Text:
        """Bracketed unless it binds at least as tightly as `place`."""
        if self.binds >= place:
            return self
        return Text(f"({self.plain})", rf"\left({self.tex}\right)")

    @property
    def is_number(self) -> bool:
        """Whether it is a number written out."""
        return self.plain.lstrip("-").replace(".", "", 1).isdigit()


def number_text(value: Any) -> str:
    """A number as one would write it by hand: 2, 0.5, -1."""
    number = np.asarray(value)
    if number.ndim:
        shown = ", ".join(number_text(v) for v in number.ravel()[:6])
        return f"[{shown}{', …' if number.size > 6 else ''}]"
    plain = number.item()
    return f"{plain:.4g}" if isinstance(plain, float) else str(plain)


def text_of_number(value: Any) -> Text:
    """A number of a rule, or an array that it made from bare numbers."""
    plain = number_text(value)
    return Text(plain, plain.replace("inf", r"\infty"), SUM if plain.startswith("-") else ATOM)


def call_text(name: str, arguments: Sequence[Text]) -> Text:
    """A call, as in name(a, b)."""
    upright = name.replace("_", r"\_")
    return Text(
        f"{name}({', '.join(a.plain for a in arguments)})",
        rf"\mathrm{{{upright}}}\left({', '.join(a.tex for a in arguments)}\right)",
    )


def _infix(plain: str, tex: str, binds: int) -> Callable[[Text, Text], Text]:
    def render(left: Text, right: Text) -> Text:
        a, b = left.within(binds), right.within(binds + 1)
        return Text(f"{a.plain} {plain} {b.plain}", f"{a.tex} {tex} {b.tex}", binds)

    return render


def _times(left: Text, right: Text) -> Text:
    if left.plain == "1":
        return right
    if right.plain == "1":
        return left
    # Brackets stay around a product on the right: what the cotangent is multiplied by.
    a, b = left.within(PRODUCT), right.within(UNARY)
    by = r"\," if left.is_number or right.is_number else r"\odot"
    return Text(f"{a.plain} * {b.plain}", f"{a.tex} {by} {b.tex}", PRODUCT)


def _fraction(top: Text, bottom: Text) -> Text:
    a, b = top.within(PRODUCT), bottom.within(UNARY)
    return Text(f"{a.plain} / {b.plain}", rf"\frac{{{top.tex}}}{{{bottom.tex}}}", PRODUCT)


def _power(base: Text, exponent: Text) -> Text:
    if exponent.plain == "1":
        return base
    a, b = base.within(ATOM), exponent.within(POWER)
    return Text(f"{a.plain} ** {b.plain}", f"{a.tex}^{{{exponent.tex}}}", POWER)


def _negated(operand: Text) -> Text:
    a = operand.within(PRODUCT)
    return Text(f"-{a.plain}", f"-{a.tex}", UNARY)


def _called(name: str, tex: str) -> Callable[..., Text]:
    def render(*arguments: Text) -> Text:
        plain = ", ".join(a.plain for a in arguments)
        return Text(f"{name}({plain})", tex % ", ".join(a.tex for a in arguments))

    return render


def _summed(operand: Text, *rest: Text) -> Text:
    inner = operand.within(POWER)
    return Text(f"sum({operand.plain})", rf"\sum {inner.tex}", UNARY)


def _same(operand: Text, *rest: Text) -> Text:
    """Reshaping is left out of a formula: it only moves the numbers."""
    return operand


def _repeated(operand: Text, *rest: Text) -> Text:
    """Broadcasting: the same number for every element."""
    a = operand.within(PRODUCT)
    return Text(f"{a.plain} * ones", rf"{a.tex} \, \mathbf{{1}}", PRODUCT)


def _transposed(operand: Text, *rest: Text) -> Text:
    if operand.tex.endswith("^{-1}"):
        return Text(f"{operand.plain}.T", f"{operand.tex[:-5]}^{{-T}}", POWER)
    a = operand.within(ATOM)
    return Text(f"{a.plain}.T", f"{a.tex}^{{T}}", POWER)


UFUNCS: dict[np.ufunc, Callable[..., Text]] = {
    np.add: _infix("+", "+", SUM),
    np.subtract: _infix("-", "-", SUM),
    np.multiply: _times,
    np.true_divide: _fraction,
    np.power: _power,
    np.negative: _negated,
    np.matmul: _infix("@", r"\,", PRODUCT),
    np.exp: _called("exp", r"\exp\left(%s\right)"),
    np.log: _called("log", r"\ln\left(%s\right)"),
    np.sin: _called("sin", r"\sin\left(%s\right)"),
    np.cos: _called("cos", r"\cos\left(%s\right)"),
    np.tanh: _called("tanh", r"\tanh\left(%s\right)"),
    np.sqrt: _called("sqrt", r"\sqrt{%s}"),
    np.absolute: _called("abs", r"\left|%s\right|"),
    np.sign: _called("sign", r"\mathrm{sign}\left(%s\right)"),
    np.floor: _called("floor", r"\left\lfloor %s\right\rfloor"),
    np.greater: _infix(">", ">", COMPARISON),
    np.less: _infix("<", "<", COMPARISON),
    np.greater_equal: _infix(">=", r"\geq", COMPARISON),
    np.less_equal: _infix("<=", r"\leq", COMPARISON),
    np.equal: _infix("==", "=", COMPARISON),
    np.not_equal: _infix("!=", r"\neq", COMPARISON),
    np.bitwise_and: _infix("&", r"\land", LOGIC),
    np.bitwise_or: _infix("|", r"\lor", LOGIC),
}
FUNCTIONS: dict[str, Callable[..., Text]] = {
    "sum": _summed,
    "broadcast_to": _repeated,
    "outer": lambda a, b: Text(
        f"outer({a.plain}, {b.plain})",
        rf"{a.within(ATOM).tex} \, {b.within(ATOM).tex}^{{T}}",
        PRODUCT,
    ),
    "expand_dims": _same,
    "reshape": _same,
    "squeeze": _same,
    "swapaxes": _transposed,
    "transpose": _transposed,
    "zeros_like": lambda *_: Text("0", "0"),
    "ones_like": lambda *_: Text("1", "1"),
    "where": lambda *texts: _masked(*texts),
}


def key_text(key: Sequence[Any]) -> str:
    """An index as one would write it between brackets."""

    def part(item: Any) -> str:
        if not isinstance(item, slice):
            return "…" if item is Ellipsis else str(item)
        bounds = ["" if b is None else str(b) for b in (item.start, item.stop)]
        step = "" if item.step in (None, 1) else f":{item.step}"
        return ":".join(bounds) + step

    return ", ".join(part(item) for item in key)


def _piece(of: Text, where: str) -> Text:
    a = of.within(ATOM)
    return Text(f"{a.plain}[{where}]", rf"{a.tex}_{{[{where}]}}")


def _placed(value: Text, where: str) -> Text:
    """Zeros but for the value at its place."""
    tex = rf"\mathrm{{put}}_{{[{where}]}}\left({value.tex}\right)"
    return Text(f"put({value.plain} at [{where}])", tex)


def _over(base: Text, value: Text, where: str) -> Text:
    """The base with the value written over a place."""
    if base.plain == "0":
        return _placed(value, where)
    tex = rf"\mathrm{{set}}_{{[{where}]}}\left({base.tex}, {value.tex}\right)"
    return Text(f"set({base.plain}, [{where}] = {value.plain})", tex)


def _axis_key(dim: int, at: Any) -> str:
    return key_text([*[slice(None)] * dim, at])


def _slice(params: Mapping[str, Any]) -> slice:
    return slice(params["start"], params["stop"], params["step"])


def _joined(texts: Sequence[Text]) -> str:
    return ", ".join(t.plain for t in texts)


def _rounded(a: Text, b: Text, mode: str) -> Text:
    quotient = _fraction(a, b)
    if mode == "floor":
        return UFUNCS[np.floor](quotient)
    return call_text(mode, [quotient])


def _masked(*texts: Text) -> Text:
    """A value where a condition holds and 0 elsewhere is a product with it."""
    if len(texts) == 3 and texts[2].plain == "0":  # a bare array as the condition has no text
        return _times(texts[1], texts[0])
    return _called("where", r"\mathrm{where}\left(%s\right)")(*texts)


def _inverted(a: Text, name: str = "inv", power: str = "-1") -> Text:
    plain = f"{name}({a.plain})"
    if a.tex.endswith("^{T}") and power == "-1":
        return Text(plain, f"{a.tex[:-4]}^{{-T}}", POWER)
    return Text(plain, rf"{a.within(ATOM).tex}^{{{power}}}", POWER)


def _solved(a: Text, b: Text, *, left: bool) -> Text:
    """The solution of a x = b, or of x a = b."""
    first, second = (_inverted(a), b) if left else (b, _inverted(a))
    tex = rf"{first.within(PRODUCT).tex} \, {second.within(UNARY).tex}"
    return Text(f"solve({a.plain}, {b.plain})", tex, PRODUCT)


def _factor(*names: str) -> Callable[[list[Text], Mapping[str, Any]], Text]:
    """A factor of a matrix goes by its usual letter."""
    return lambda t, p: Text(names[p.get("output", 0)], names[p.get("output", 0)])


_above, _zero, _one = UFUNCS[np.greater], Text("0", "0"), Text("1", "1")
# How the rows that rules call are written, from the texts of the inputs and the params.
CALLS: dict[str, Callable[[list[Text], Mapping[str, Any]], Text]] = {
    "div_rounded": lambda t, p: _rounded(t[0], t[1], p["mode"]),
    "zero": lambda t, p: _zero,
    "step": lambda t, p: _masked(_above(t[0], _zero), _one, text_of_number(p["low"])),
    "pow_number": lambda t, p: _power(text_of_number(p["base"]), t[0]),
    "polygamma": lambda t, p: call_text("polygamma", [text_of_number(p["n"]), t[0]]),
    "threshold_backward": lambda t, p: _times(t[0], _above(t[1], _zero)),
    "convolution": lambda t, p: call_text("conv", t[:2]),
    "convolution_transpose": lambda t, p: call_text("conv_transpose", t[:2]),
    "convolution_weight": lambda t, p: call_text("correlate", t),
    "safe_softmax": lambda t, p: call_text("softmax", t),
    "std_of": lambda t, p: call_text("std", t),
    "select": lambda t, p: _piece(t[0], _axis_key(p["dim"], p["index"])),
    "slice": lambda t, p: _piece(t[0], _axis_key(p["dim"], _slice(p))),
    "piece": lambda t, p: _piece(t[0], key_text(p["key"])),
    "put": lambda t, p: _placed(t[0], key_text(p["key"])),
    "index": lambda t, p: _piece(t[0], _joined(t[1:])),
    "index_put": lambda t, p: _over(t[0], t[1], _joined(t[2:])),
    "gather": lambda t, p: _piece(t[0], t[1].plain.strip("[]")),
    "index_select": lambda t, p: _piece(t[0], t[1].plain),
    "take": lambda t, p: _piece(t[0], t[1].plain),
    "masked_select": lambda t, p: _piece(t[0], t[1].plain),
    "index_add": lambda t, p: _over(t[0], t[2], t[1].plain),
    "put_at": lambda t, p: _over(t[0], t[2], t[1].plain),
    "masked_scatter": lambda t, p: _over(t[0], t[2], t[1].plain),
    "scatter_value": lambda t, p: _over(t[0], text_of_number(p["value"]), t[1].plain),
    "index_fill": lambda t, p: _over(t[0], text_of_number(p["value"]), t[1].plain),
    "masked_fill": lambda t, p: _over(t[0], text_of_number(p["value"]), t[1].plain),
    "put_diagonal": lambda t, p: call_text("diag", t),
    "scatter_add": lambda t, p: _over(t[0], t[2], t[1].plain.strip("[]")),
    "put_view": lambda t, p: _over(t[0], t[1], "view"),
    "linalg_inv": lambda t, p: _inverted(t[0]),
    "linalg_pinv": lambda t, p: _inverted(t[0], "pinv", "+"),
    "linalg_solve": lambda t, p: _solved(t[0], t[1], left=p["left"]),
    "linalg_solve_triangular": lambda t, p: _solved(t[0], t[1], left=p["left"]),
    "linalg_matrix_exp": lambda t, p: UFUNCS[np.exp](t[0]),
    "linalg_cross": lambda t, p: _infix("×", r"\times", PRODUCT)(t[0], t[1]),
    "linalg_svd": _factor("U", "S", "Vh"),
    "linalg_eigh": _factor("L", "V"),
    "linalg_eig": _factor("L", "V"),
    "linalg_qr": _factor("Q", "R"),
    "linalg_lu": _factor("P", "L", "U"),
    "lu_unpack": _factor("P", "L", "U"),
    "lu_permutation": _factor("P"),
    "lu_order": _factor("P"),
    "fft_c2c": lambda t, p: call_text("fft" if p["forward"] else "ifft", t),
    "fft_r2c": lambda t, p: call_text("rfft" if p["onesided"] else "fft", t),
    "fft_c2r": lambda t, p: call_text("irfft", t),
}
