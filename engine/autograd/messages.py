"""PyTorch's messages of backward calls and transforms; `M…` are their numbers in the table."""

GRAD_VARIABLES = "`grad_variables` is deprecated. Use `grad_tensors` instead."  # M016
GRAD_VARIABLES_TOO = (  # M017
    "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. "
    "Please only use `grad_tensors`."
)
SEED_DEVICE = (  # M010
    "invalid gradient at index {i} - expected device {wanted} but got {given}"
)
INPUTS_MAPPING = (
    "`inputs` argument to `{caller}()` must be a dict, not {type}. "
    "Other Mapping types are not supported."
)
BATCHED_SEED_SHAPE = (  # M022
    "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the "
    "batch dimension. The sizes of the remaining dimensions are expected to match the shape of "
    "corresponding output, but a mismatch was detected: grad_output[{i}] has a shape of {seed} "
    "and output[{i}] has a shape of {output}. If you only want some tensors in `grad_output` to "
    "be considered batched, consider using vmap."
)
BATCHED_SEED_MISSING = (
    "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a "
    "Tensor of dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0."
)
VMAP_SIZES = (  # M079
    "vmap: Expected all tensors to have the same size in the mapped dimension, "
    "got sizes {sizes} for the mapped dimension"
)
BACKWARD_IN_TRANSFORM = (  # M081
    "backward() called inside a functorch transform. This is not supported, please use "
    "functorch.grad or functorch.vjp instead or call backward() outside of functorch transforms."
)
# Custom functions
GRADIENT_COUNT = (  # M056
    "function {name} returned an incorrect number of gradients (expected {wanted}, got {given})"
)
GRADIENT_SHAPE = (  # M057
    "Function {name} returned an invalid gradient at index {i} - got {given} "
    "but expected shape compatible with {wanted}"
)
GRADIENT_FOR_NONE = (
    "function {name} returned a gradient different than None at position {i}, "
    "but the corresponding forward input was not a Variable"
)
GRADIENT_TYPE = "expected Variable or None (got {type})"
SAVE_TYPE = "save_for_backward can only save variables, but argument {i} is of type {type}"
NO_FORWARD = "You must implement the forward function for custom autograd.Function."
NO_BACKWARD = (
    "You must implement either the backward or vjp method for your custom autograd.Function "
    "to use it with backward mode AD."
)
NO_SETUP = "setup_context is not implemented."
BOTH_BACKWARDS = (
    "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. "
    "You should only implement one of them."
)
LEGACY = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style "
    "autograd function with static forward method. "
    "(Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)
INSTANCE = (
    "{type} should not be instantiated. Methods on autograd functions are all static, so you "
    "should invoke them on the class itself. Instantiating an autograd function will raise an "
    "error in a future version of PyTorch."
)
DIRTY_NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. "
    "The inputs that are modified inplace must all be outputs of the Function."
)
DIRTY_LEAF = "a leaf Variable that requires grad has been used in an in-place operation."
NEEDS_SETUP = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, "
    "...), it must override the setup_context staticmethod. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)
NO_VMAP = (
    "You tried to vmap over {name}, but it does not have vmap support. Please override and "
    "implement the vmap staticmethod or set generate_vmap_rule=True. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)
# gradcheck
CHECK_NO_INPUT = (
    "gradcheck expects at least one input tensor to require gradient, "
    "but none of them have requires_grad=True."
)
CHECK_DOUBLE = (
    "Input #{i} requires gradient and is not a double precision floating point or complex. "
    "This check will likely fail if all the inputs are not of double precision floating point "
    "or complex. "
)
CHECK_STRIDE = (
    "The {i}th input has a dimension with stride 0. gradcheck only supports inputs that are "
    "non-overlapping to be able to compute the numerical gradients correctly. You should call "
    ".contiguous on the input before passing it to gradcheck."
)
CHECK_NOT_ZERO = "Numerical gradient for function expected to be zero"
CHECK_MISMATCH = (
    "Jacobian mismatch for output {output} with respect to input {input},\n"
    "numerical:{numerical}\nanalytical:{analytical}\n"
)
