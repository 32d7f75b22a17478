"""Drive a recorded case through the engine and tell where its outcome differs from the record.

A record holds `leaves` to make first, a `program` to run with them, `backward` calls to make in
order, an optional `jacobian` taken by one-hot seeds before the calls, names to `observe`, and what
PyTorch made of it under `expect`. Numbers that JSON lacks are the strings "nan", "inf", "-inf";
complex numbers are pairs.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np

import engine
import engine.nn.functional as F

Case = dict[str, Any]
_TRIGGERED = re.compile(r"\s*\(Triggered internally at [^)]*\)")


def _json(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_json(item) for item in value]
    if isinstance(value, complex):
        return [_json(value.real), _json(value.imag)]
    if isinstance(value, float) and not np.isfinite(value):
        return "nan" if value != value else ("inf" if value > 0 else "-inf")
    return value


def _numbers(value: Any, *, pairs: bool, depth: int) -> Any:
    if pairs and depth == 0:
        return complex(float(value[0]), float(value[1]))
    if isinstance(value, list):
        return [_numbers(item, pairs=pairs, depth=depth - 1) for item in value]
    return float(value) if isinstance(value, str) else value


def _tensor(spec: Case, *, requires_grad: bool = False) -> Any:
    pairs = spec["dtype"].startswith("complex")
    data = _numbers(spec["data"], pairs=pairs, depth=len(spec["shape"]))
    kind = getattr(engine, spec["dtype"])
    return engine.tensor(data, dtype=kind, requires_grad=requires_grad, device=spec.get("device"))


def _encoded(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, engine.Tensor):
        return {
            "data": _json(value.tolist()),
            "dtype": str(value.dtype).removeprefix("torch."),
            "shape": list(value.shape),
            "requires_grad": value.requires_grad,
        }
    if isinstance(value, (list, tuple)):
        return {"list": [_encoded(item) for item in value]}
    if isinstance(value, engine.dtype):
        return {"py": str(value).removeprefix("torch.")}
    return {"py": _json(value.tolist() if isinstance(value, np.ndarray) else value)}


def _seed(names: dict[str, Any], spec: Case | None) -> Any:
    if spec is None:
        return None
    if "var" in spec:
        return names[spec["var"]]
    if "raw" in spec:
        return np.array(spec["raw"], float) if spec["kind"] == "numpy" else spec["raw"]
    return _tensor(spec)


def _backward(names: dict[str, Any], call: Case) -> None:
    flags: dict[str, Any] = {}
    if call.get("retain_graph") is not None:
        flags["retain_graph"] = call["retain_graph"]
    if call.get("create_graph"):
        flags["create_graph"] = True
    if call.get("inputs") is not None:
        flags["inputs"] = [names[name] for name in call["inputs"]]
    if call.get("action", "backward") == "backward":
        names[call["output"]].backward(_seed(names, call.get("gradient")), **flags)
        return
    outputs = [names[name] for name in call["outputs"]]
    seeds = call.get("gradients")
    given = () if seeds is None else ([_seed(names, seed) for seed in seeds],)
    engine.autograd.backward(outputs, *given, **flags)


def _cleared(leaf: Any, to: str) -> None:
    if to == "none":
        leaf.grad = None
    elif leaf.grad is not None:
        leaf.grad.zero_()


def _jacobian(output: Any, leaf: Any) -> Any:
    rows = []
    for place in range(output.numel()):
        seed = engine.zeros(output.numel(), dtype=output.dtype)
        seed[place] = 1
        (row,) = engine.autograd.grad(
            output, leaf, seed.reshape(output.shape), retain_graph=True, materialize_grads=True
        )
        rows.append(row.reshape(-1))
    return engine.stack(rows).reshape(tuple(output.shape) + tuple(leaf.shape))


def _calls(case: Case) -> list[Case]:
    calls = case.get("backward")
    return calls if isinstance(calls, list) else [] if calls is None else [calls]


class _Run:
    """One case being driven."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.names: dict[str, Any] = {
            "torch": engine,
            "F": F,
            "inf": float("inf"),
            "nan": float("nan"),
        }
        self.leaves: dict[str, Any] = {}
        self.phase = "leaf"
        self.at: tuple[int, int] | None = None
        self.snapshots: Case = {}
        self.jacobian: Case = {}

    def go(self) -> None:
        for name, spec in self.case["leaves"].items():
            leaf = _tensor(spec, requires_grad=spec["requires_grad"])
            self.names[name] = self.leaves[name] = leaf
        self.phase = "program"
        exec(compile(self.case["program"], "<program>", "exec"), self.names)
        asked = self.case.get("jacobian")
        if asked:
            self.phase = "jacobian"
            output = self.names[asked["output"]]
            self.jacobian = {
                name: _encoded(_jacobian(output, self.names[name])) for name in asked["wrt"]
            }
        self.phase = "backward"
        for number, call in enumerate(_calls(self.case)):
            for again in range(call.get("repeat", 1)):
                self.at = (number, again)
                if call.get("action") == "zero_grad":
                    for leaf in self.leaves.values():
                        _cleared(leaf, call["to"])
                else:
                    _backward(self.names, call)
            if call.get("snapshot"):
                self.snapshots[call["snapshot"]] = self.grads()
        self.at = None

    def grads(self) -> Case:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {
                name: _encoded(None if leaf.grad is None else leaf.grad.detach().clone())
                for name, leaf in self.leaves.items()
                if self.case["leaves"][name]["requires_grad"]
            }


def run(case: Case) -> Case:
    """What came of the case: values, grads, snapshots, jacobian, error, warnings."""
    one, error = _Run(case), None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            one.go()
        except Exception as raised:  # noqa: BLE001  the exception may be what is expected
            error = {"type": type(raised).__name__, "message": str(raised), "phase": one.phase}
            if one.at is not None:
                error["call"], error["iteration"] = one.at
    return {
        "values": {
            name: _encoded(one.names[name]) for name in case.get("observe", []) if name in one.names
        },
        "grads": one.grads(),
        "snapshots": one.snapshots,
        "jacobian": one.jacobian,
        "error": error,
        "warnings": [_TRIGGERED.sub("", str(w.message)) for w in caught],
    }


def _flat(value: Any) -> list[Any]:
    return [leaf for item in value for leaf in _flat(item)] if isinstance(value, list) else [value]


class _Compared:
    """What differs, a line each."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.lines: list[str] = []
        how = case.get("compare") or {}
        single = "float32" in f"{case['leaves']}{case['backward']}" or "float()" in case["program"]
        self.rtol = how.get("rtol", 1e-6 if single else 1e-9)
        self.atol = how.get("atol", 1e-7 if single else 1e-12)
        self.ties = {name for name, kind in (how.get("grads") or {}).items() if kind == "tie_sum"}

    def close(self, want: Any, got: Any) -> bool:
        if isinstance(want, str) or isinstance(got, str):
            return bool(want == got)
        return bool(abs(got - want) <= self.atol + self.rtol * abs(want))

    def all_close(self, want: Any, got: Any) -> bool:
        a, b = _flat(want), _flat(got)
        return len(a) == len(b) and all(map(self.close, a, b))

    def value(self, path: str, want: Any, got: Any) -> None:
        if want is None or got is None:
            same = want is got
        elif "list" in want:
            same = len(want["list"]) == len(got.get("list", []))
            for number, pair in enumerate(zip(want["list"], got.get("list", []), strict=False)):
                self.value(f"{path}[{number}]", *pair)
        elif "py" in want:
            same = "py" in got and (want["py"] == got["py"] or self._numbers(want, got))
        else:
            keys = ("dtype", "shape", "requires_grad")
            same = all(want[key] == got.get(key) for key in keys)
            same = same and self.all_close(want["data"], got["data"])
        if not same:
            self.lines.append(f"{path}: wanted {want}, got {got}")

    def _numbers(self, want: Case, got: Case) -> bool:
        return isinstance(want["py"], float) and self.close(want["py"], got["py"])

    def grad(self, name: str, want: Any, got: Any) -> None:
        if name not in self.ties or want is None or got is None:
            self.value(f"grads.{name}", want, got)
            return
        # Equal entries of the leaf may share their gradients in any way that keeps the total.
        keys = [str(key) for key in _flat(self.case["leaves"][name]["data"])]
        for key in sorted(set(keys)):
            totals = [
                sum(g for g, k in zip(_flat(side["data"]), keys, strict=True) if k == key)
                for side in (want, got)
            ]
            if not self.close(*totals):
                self.lines.append(f"grads.{name}: entries {key} total {totals[1]}, not {totals[0]}")


def _other_words(expect: Case, got: Case) -> list[str]:
    error = expect.get("error") or {}
    lines = [
        f"error.{key}: wanted {error[key]!r}, got {got['error'].get(key)!r}"
        for key in ("type", "phase", "message", "call", "iteration")
        if key in error and error[key] != got["error"].get(key)
    ]
    expected = [expect["warning"]] if "warning" in expect else []
    return lines + [
        f"warning missing: {warning['core']!r}"
        for warning in expected + expect.get("more_warnings", [])
        if warning["core"] not in got["warnings"]
    ]


def differences(case: Case, got: Case) -> list[str]:
    """Where the outcome is not what PyTorch's was; [] where it is."""
    expect, compared = case["expect"], _Compared(case)
    if (expect.get("error") is None) != (got["error"] is None):
        return [f"error: wanted {expect.get('error')}, got {got['error']}"]
    compared.lines += _other_words(expect, got)
    for name, want in expect.get("values", {}).items():
        compared.value(f"values.{name}", want, got["values"].get(name))
    for name, want in expect["grads"].items():
        compared.grad(name, want, got["grads"].get(name))
    for moment, grads in expect.get("snapshots", {}).items():
        for name, want in grads.items():
            taken = got["snapshots"].get(moment, {}).get(name)
            compared.value(f"snapshots.{moment}.{name}", want, taken)
    for name, want in expect.get("jacobian", {}).items():
        if name not in compared.ties:
            compared.value(f"jacobian.{name}", want, got["jacobian"].get(name))
    return compared.lines
