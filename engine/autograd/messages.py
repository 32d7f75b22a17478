"""PyTorch's messages of backward calls and transforms; `M…` are their numbers in the table."""

GRAD_VARIABLES = "`grad_variables` is deprecated. Use `grad_tensors` instead."  # M016
GRAD_VARIABLES_TOO = (  # M017
    "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. "
    "Please only use `grad_tensors`."
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
