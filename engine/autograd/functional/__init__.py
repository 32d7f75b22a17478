"""`torch.autograd.functional`: Jacobians, Hessians, and their products with vectors."""

from engine.autograd.functional.matrices import hessian, jacobian
from engine.autograd.functional.products import hvp, jvp, vhp, vjp

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
