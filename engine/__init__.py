"""A NumPy autodiff engine with PyTorch's face: `import engine as torch`."""

from engine import arithmetic as _arithmetic
from engine import autograd
from engine.arithmetic import add, div, mul, pow, sub
from engine.record import record
from engine.state import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from engine.tensor import Tensor

_arithmetic.attach()
