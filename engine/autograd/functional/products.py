"""Products of a vector with a function's Jacobian or Hessian, from either side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.autograd.functional import messages
from engine.autograd.functional.checks import (
    OUTPUTS,
    Tensors,
    as_tuple,
    check_depends,
    checked_v,
    filled,
    finished,
    fresh,
    gradients,
    is_single,
    probes_for,
)
from engine.state import enable_grad, is_grad_enabled, set_grad_enabled
from engine.tensor import Tensor

Function = Callable[..., Any]


def vjp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The function's outputs, and v times its Jacobian, in the inputs' shapes.

    `v` has the outputs' shapes and may be left out for a single element. Raises RuntimeError and
    TypeError with PyTorch's messages; with `strict` also where an output does not depend on an
    input.
    """
    with enable_grad():
        many_in, ins = as_tuple(inputs, "inputs", "vjp")
        ins = fresh(ins, create_graph=create_graph, need_graph=True)
        many_out, outs = as_tuple(func(*ins), OUTPUTS, "vjp")
        check_depends(outs, "outputs", strict=strict)
        seeds: Tensors | None = None
        if v is not None:
            seeds = checked_v(v, outs, many=many_out, caller="vjp", create_graph=create_graph)
        elif not is_single(outs):
            raise RuntimeError(messages.V_FOR_OUTPUT)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients(outs, ins, seeds, create_graph=create_graph)
        product = filled(found, ins, "back", strict=strict, create_graph=create_graph)
    return (
        finished(outs, many=many_out, create_graph=create_graph),
        finished(product, many=many_in, create_graph=create_graph),
    )


def jvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The function's outputs, and its Jacobian times v, in the outputs' shapes.

    `v` has the inputs' shapes and may be left out for a single element. Found by going back twice:
    v times the Jacobian is linear in v, and its own derivative in v is what is wanted. Raises
    RuntimeError and TypeError with PyTorch's messages.
    """
    with enable_grad():
        many_in, ins = as_tuple(inputs, "inputs", "jvp")
        ins = fresh(ins, create_graph=create_graph, need_graph=True)
        seeds = _v_for_inputs(v, ins, many=many_in, caller="jvp", create_graph=create_graph)
        many_out, outs = as_tuple(func(*ins), OUTPUTS, "jvp")
        check_depends(outs, "outputs", strict=strict)
        probes = probes_for(outs)
        back = gradients(outs, ins, probes, create_graph=True)
        check_depends(back, "grad_inputs", strict=strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients(back, probes, seeds, create_graph=create_graph)
        product = filled(found, outs, "back_trick", strict=strict, create_graph=create_graph)
    return (
        finished(outs, many=many_out, create_graph=create_graph),
        finished(product, many=many_out, create_graph=create_graph),
    )


def vhp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The value of a function with one element, and v times its Hessian, in the inputs' shapes.

    Raises RuntimeError and TypeError with PyTorch's messages.
    """
    with enable_grad():
        many_in, ins = as_tuple(inputs, "inputs", "vhp")
        ins = fresh(ins, create_graph=create_graph, need_graph=True)
        seeds = _v_for_inputs(v, ins, many=many_in, caller="vhp", create_graph=create_graph)
        outs, slope = _slope(func, ins, "vhp", strict=strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients(slope, ins, seeds, create_graph=create_graph)
        product = filled(found, ins, "double_back", strict=strict, create_graph=create_graph)
    return (
        finished(outs, many=False, create_graph=create_graph),
        finished(product, many=many_in, create_graph=create_graph),
    )


def hvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The value of a function with one element, and its Hessian times v, in the inputs' shapes.

    Raises RuntimeError and TypeError with PyTorch's messages.
    """
    with enable_grad():
        many_in, ins = as_tuple(inputs, "inputs", "hvp")
        ins = fresh(ins, create_graph=create_graph, need_graph=True)
        seeds = _v_for_inputs(v, ins, many=many_in, caller="hvp", create_graph=create_graph)
        outs, slope = _slope(func, ins, "hvp", strict=strict)
        probes = probes_for(ins)
        back = gradients(slope, ins, probes, create_graph=True)
        check_depends(slope, "hessian", strict=strict)
    with set_grad_enabled(create_graph or is_grad_enabled()):
        found = gradients(back, probes, seeds, create_graph=create_graph)
        product = filled(found, ins, "double_back_trick", strict=strict, create_graph=create_graph)
    return (
        finished(outs, many=False, create_graph=create_graph),
        finished(product, many=many_in, create_graph=create_graph),
    )


def _v_for_inputs(
    v: Any, ins: Tensors, *, many: bool, caller: str, create_graph: bool
) -> Tensors | None:
    if v is not None:
        return checked_v(v, ins, many=many, caller=caller, create_graph=create_graph)
    if not is_single(ins):
        raise RuntimeError(messages.V_FOR_INPUT)
    return None


def _slope(
    func: Function, ins: Tensors, caller: str, *, strict: bool
) -> tuple[Tensors, tuple[Tensor | None, ...]]:
    """The output of a function with one element, and its gradient, which has history."""
    many, outs = as_tuple(func(*ins), OUTPUTS, caller)
    check_depends(outs, "outputs", strict=strict)
    if many:
        raise RuntimeError(messages.ONE_TENSOR.format(caller=caller))
    if not is_single(outs):
        raise RuntimeError(messages.ONE_ELEMENT.format(caller=caller))
    slope = gradients(outs, ins, create_graph=True)
    check_depends(slope, "jacobian", strict=strict)
    return outs, slope
