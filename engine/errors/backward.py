"""PyTorch's messages of backward calls, word for word; `M…`: the table's numbers."""

# Roots and seeds
IMPLICIT_SCALAR = "grad can be implicitly created only for scalar outputs"  # M001
IMPLICIT_REAL = (  # M002
    "grad can be implicitly created only for real scalar outputs but got {dtype}"
)
SEED_SHAPE = (  # M003
    "Mismatch in shape: grad_output[{i}] has a shape of {seed} "
    "and output[{i}] has a shape of {output}."
)
SEED_COMPLEX = (  # M004
    "For complex Tensors, both grad_output and output are required to have the same dtype. "
    "Mismatch in dtype: grad_output[{i}] has a dtype of {seed} "
    "and output[{i}] has a dtype of {output}."
)
SEED_TYPE = "gradients can be either Tensors or None, but got {type}"  # M005
NOT_ITERABLE = "'{type}' object is not iterable"  # M006
SEED_COUNT = "got {outputs} tensors and {seeds} gradients"  # M007
AMBIGUOUS_BOOL = "Boolean value of Tensor with more than one value is ambiguous"  # M008, M043
SIZES_DIFFER = (  # M009, M082
    "The size of tensor a ({a}) must match the size of tensor b ({b}) "
    "at non-singleton dimension {d}"
)
NO_HISTORY = "element {i} of tensors does not require grad and does not have a grad_fn"  # M011
EMPTY_INPUTS = "`inputs` argument to `backward()` cannot be empty."  # M012
RETAIN_WITHOUT_GRAD = "can't retain_grad on Tensor that has requires_grad=False"  # M013
FREED = (  # M014
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you "
    "call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward "
    "through the graph a second time or if you need to access saved tensors after calling backward."
)
CREATE_GRAPH_CYCLE = (  # M015
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak."
)
# autograd.grad
GRAD_EMPTY_INPUTS = "`inputs` argument to `grad()` cannot be empty."  # M018
UNUSED = (  # M019
    "The differentiated Tensor at index {i} appears to not have been used in the graph. "
    "Set allow_unused=True if this is the desired behavior."
)
GRAD_NOT_REQUIRED = "One of the differentiated Tensors does not require grad"  # M020
ONLY_INPUTS = (  # M023
    "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate "
    "gradient for other parts of the graph, please use torch.autograd.backward."
)
MATERIALIZE = (  # M021
    "Expected allow_unused to be True or not passed when materialize_grads=True, "
    "but got: allow_unused=False."
)
