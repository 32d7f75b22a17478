"""`torch.func`: gradients, Jacobians and maps as functions of functions."""

from engine.func.batches import vmap
from engine.func.gradients import grad, grad_and_value, vjp
from engine.func.jacobians import hessian, jacfwd, jacrev
from engine.func.modules import functional_call, stack_module_state
from engine.func.tangents import jvp, linearize

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "vjp",
    "vmap",
]
