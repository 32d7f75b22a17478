"""PyTorch's messages of operations, losses and optimisers, word for word; `M…`: the table."""

# Shapes and dtypes of operations
BOOL_MINUS_BOOL = (
    "Subtraction, the `-` operator, with two bool tensors is not supported. "
    "Use the `^` or `logical_xor()` operator instead."
)
BOOL_MINUS = (
    "Subtraction, the `-` operator, with a bool tensor is not supported. "
    "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
)
DTYPE_BOTH = "{a} did not match {b}"
MATRIX_SIZES = "mat1 and mat2 shapes cannot be multiplied ({m}x{k} and {k2}x{n})"  # M083, M115
VECTOR_SIZES = "size mismatch, got input ({m}), mat ({m}x{k}), vec ({n})"  # M084
DOT_SIZES = (  # M085
    "inconsistent tensor size, expected tensor [{a}] and src [{b}] to have the same number of "
    "elements, but got {a} and {b} elements respectively"
)
MATMUL_0D = (  # M086
    "both arguments to matmul need to be at least 1D, but they are {a}D and {b}D"
)
MATRIX_DTYPES = "expected m1 and m2 to have the same dtype, but got: {a} != {b}"  # M087
DOT_DTYPES = (  # M088
    "dot : expected both vectors to have same dtype, but found {a} and {b}"
)
BATCH_SIZES = (  # M089
    "Expected size for first two dimensions of batch2 tensor to be: {wanted} but got: {given}."
)
NOT_VIEWABLE = (  # M090
    "view size is not compatible with input tensor's size and stride (at least one dimension "
    "spans across two contiguous subspaces). Use .reshape(...) instead."
)
BAD_SHAPE = "shape '{shape}' is invalid for input of size {n}"  # M091
NOT_EXPANDABLE = (  # M092
    "The expanded size of the tensor ({wanted}) must match the existing size ({existing}) at "
    "non-singleton dimension {d}.  Target sizes: {target}.  Tensor sizes: {shape}"
)
INDEX_RANGE = "index {i} is out of bounds for dimension {d} with size {n}"  # M093, M094
TOO_MANY_INDICES = "too many indices for tensor of dimension {n}"  # M095
INDEX_OF_0D = (
    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ "
    "to convert a 0-dim tensor to a number"
)
BAD_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
    "indices (got {type})"
)
T_OF_0D = "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases."
T_OF_MANY = (
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated "
    "and it will throw an error in a future release. Consider `x.mT` to transpose batches of "
    "matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a "
    "tensor."
)
NO_SUCH_AXIS = (  # M096
    "Dimension out of range (expected to be in range of [{low}, {high}], but got {d})"
)
STACK_SIZES = (  # M097
    "stack expects each tensor to be equal size, but got {a} at entry {i} and {b} at entry {j}"
)
CAT_SIZES = (  # M098
    "Sizes of tensors must match except in dimension {d}. Expected size {a} but got size {b} "
    "for tensor number {i} in the list."
)
SPLIT_SIZES = (  # M099
    "split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at "
    "dimension {d}), but got split_sizes={sizes}"
)
EMPTY_EXTREME = (  # M100
    "{name}(): Expected reduction dim to be specified for input.numel() == 0. "
    "Specify the reduction dim with the 'dim' argument."
)
EMPTY_PLACE = "{name}(): Expected reduction dim to be specified for input.numel() == 0."
MEAN_OF_INTEGERS = (  # M101
    "mean(): could not infer output dtype. Input dtype must be either a floating point or "
    "complex dtype. Got: {dtype}"
)
# Losses
TARGET_SIZE = (  # M105
    "Using a target size ({target}) that is different to the input size ({input}). This will "
    "likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
)
BAD_REDUCTION = "{reduction} is not a valid value for reduction"  # M109
TARGET_RANGE = "Target {k} is out of bounds."  # M110
TARGET_DTYPE = "expected target dtype to be Long or Byte, but got {dtype}"  # M111
BATCH_MISMATCH = (  # M112
    "Expected input batch_size ({n}) to match target batch_size ({m})."
)
IMPLICIT_DIM = (  # M114
    "Implicit dimension choice for {name} has been deprecated. "
    "Change the call to include dim=X as an argument."
)
# Optimisers
OPTIMIZER_NON_LEAF = "can't optimize a non-leaf Tensor"  # M044
OPTIMIZER_EMPTY = "optimizer got an empty parameter list"  # M045
OPTIMIZER_ONE_TENSOR = (
    "params argument given to the optimizer should be an iterable of Tensors or dicts, "
    "but got torch.FloatTensor"
)
