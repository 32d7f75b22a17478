"""`torch.autograd.grad_mode`: the modes by the name of the module they have in PyTorch."""

from engine.inference import inference_mode
from engine.state import enable_grad, no_grad, set_grad_enabled

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]
