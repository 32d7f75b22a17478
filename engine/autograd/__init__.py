"""`torch.autograd`: backward calls, gradients as values, and functions with rules of one's own."""

from engine import late
from engine.state import enable_grad, no_grad, set_grad_enabled

__getattr__ = late.Late(__name__, late.places(late.AUTOGRAD), late.MODULES["engine.autograd"])

__all__ = ["backward", "enable_grad", "grad", "no_grad", "set_grad_enabled"]
