"""PyTorch's messages of `torch.autograd.functional`; `M…` are their numbers in the table."""

V_FOR_OUTPUT = (  # M062
    "The vector v can only be None if the user-provided function returns "
    "a single Tensor with a single element."
)
V_FOR_INPUT = (  # M063
    "The vector v can only be None if the input to the user-provided function is "
    "a single Tensor with a single element."
)
V_SIZE = "v has invalid size: should be {wanted} but got {given}."  # M064
V_ENTRY = "Entry {i} in "
V_SINGLE = "The given v should contain a single Tensor."  # M065
V_COUNT = "v is a tuple of invalid length: should be {wanted} but got {given}."  # M066
NO_GRADIENTS = (  # M067
    "Output {i} of the user-provided function does not require gradients. The outputs must be "
    "computed in a differentiable manner from the input when running in strict mode."
)
INDEPENDENT = (  # M068
    "Output {i} of the user-provided function is independent of input {j}. "
    "This is not allowed in strict mode."
)
HESSIAN_OF_LINEAR = (  # M069
    "While computing the hessian, found that the jacobian of the user-provided function with "
    "respect to input {i} is independent of the input. This is not allowed in strict mode. You "
    "should ensure that your function is twice differentiable and that the jacobian depends on "
    "the inputs (this would be violated by a linear function for example)."
)
ONE_ELEMENT = (  # M070, M071
    "The Tensor returned by the function given to {caller} should contain a single element"
)
ONE_TENSOR = "The function given to {caller} should return a single Tensor"
KIND = (  # M072, M073
    "The {what} given to {caller} must be either a Tensor or a tuple of Tensors but the "
    "given {what} has type {type}."
)
KIND_AT = (
    "The {what} given to {caller} must be either a Tensor or a tuple of Tensors but the "
    "value at index {i} has type {type}."
)
STRICT_VECTORIZED = (  # M074
    "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported "
    "together. Please either set `strict=False` or `vectorize=False`."
)
FORWARD_ONLY_VECTORIZED = (  # M075
    "Computing Jacobian using forward-AD or forward-over-reverse Hessian is"
    "only implemented for `vectorize=True`."
)
STRICT_FORWARD = (
    'torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not '
    'supported together (yet). Please either set `strict=False` or `strategy="reverse-mode"`.'
)
GRAPH_FORWARD = (
    'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are '
    "not supported together (yet). Please either set `create_graph=False` or "
    '`strategy="reverse-mode"`.'
)
STRATEGY = (
    'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has '
    'more outputs than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to '
    'use "reverse-mode".'
)
OUTER_STRATEGY = 'Expected strategy to be either "forward-mode" or "reverse-mode".'

# In strict mode: what a missing gradient says, by the reverse pass that did not bring it.
MISSING = {
    "back": (
        "The output of the user-provided function is independent of input {i}. "
        "This is not allowed in strict mode."
    ),
    "back_trick": (
        "The gradient with respect to the input is independent of entry {i} in the grad_outputs "
        "when using the double backward trick to compute forward mode gradients. "
        "This is not allowed in strict mode."
    ),
    "double_back": (
        "The jacobian of the user-provided function is independent of input {i}. "
        "This is not allowed in strict mode."
    ),
    "double_back_trick": (
        "The hessian of the user-provided function is independent of entry {i} in the "
        "grad_jacobian. This is not allowed in strict mode as it prevents from using the double "
        "backward trick to replace forward mode AD."
    ),
}
# And what one says that came without history, although a graph was asked for.
WITHOUT_HISTORY = (
    "The {what} of the user-provided function is independent of input {i}. "
    "This is not allowed in strict mode when create_graph=True."
)
# And what values say that should depend on the inputs and do not.
FLAT = {
    "outputs": NO_GRADIENTS,
    "grad_inputs": (
        "The gradient with respect to input {i} is independent of the inputs of the "
        "user-provided function. This is not allowed in strict mode."
    ),
    "jacobian": HESSIAN_OF_LINEAR,
    "hessian": (
        "The hessian of the user-provided function with respect to input {i} is independent of "
        "the input. This is not allowed in strict mode. You should ensure that your function is "
        "thrice differentiable and that the hessian depends on the inputs."
    ),
}
