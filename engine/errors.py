"""PyTorch's messages, word for word; `M…` are their numbers in the collected table."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from engine import dtypes

if TYPE_CHECKING:
    from engine.tensor import Tensor

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
# Leaves, flags, .grad
ONLY_FLOATING_NEW = (  # M024
    "Only Tensors of floating point and complex dtype can require gradients"
)
ONLY_FLOATING_SET = (  # M025
    "only Tensors of floating point and complex dtype can require gradients"
)
ONLY_FLOATING_METHOD = "only Tensors of floating point dtype can require gradients"  # M026
CHANGE_NON_LEAF_OFF = (  # M027
    "you can only change requires_grad flags of leaf variables. If you want to use a computed "
    "variable in a subgraph that doesn't require differentiation use "
    "var_no_grad = var.detach()."
)
CHANGE_NON_LEAF = "you can only change requires_grad flags of leaf variables."  # M028
NON_LEAF_GRAD = (  # M029
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information."
)
NUMPY_WITH_GRAD = (  # M032
    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
)
GRAD_SHAPE = (  # M033
    "attempting to assign a gradient of size '{grad}' to a tensor of size '{tensor}'. "
    "Please ensure that the gradient and the tensor are the same size"
)
GRAD_DTYPE = (  # M034
    "attempting to assign a gradient with dtype '{grad}' to a tensor with grad_dtype '{tensor}'. "
    "The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can "
    "set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set "
    "grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
    "downstream systems that assume they match."
)
GRAD_TYPE = "assigned grad expected to be a Tensor or None but got grad of type {type}"  # M035
GRAD_ITSELF = "can't assign Variable as its own grad"  # M036
COPY_CONSTRUCT = (  # M039
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
)
SCALAR_CONVERSION = (  # M040
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)
NOT_A_SCALAR = "a Tensor with {n} elements cannot be converted to Scalar"  # M041
ONE_ELEMENT = "only one element tensors can be converted to Python scalars"  # M042
EMPTY_BOOL = "Boolean value of Tensor with no values is ambiguous"
NOT_AN_INDEX = "only integer tensors of a single element can be converted to an index"
# Optimisers
OPTIMIZER_NON_LEAF = "can't optimize a non-leaf Tensor"  # M044
OPTIMIZER_EMPTY = "optimizer got an empty parameter list"  # M045
OPTIMIZER_ONE_TENSOR = (
    "params argument given to the optimizer should be an iterable of Tensors or dicts, "
    "but got torch.FloatTensor"
)
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
# In-place
DEEPCOPY = (  # M038
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)
ONE_OF_SEVERAL_VIEWS = (  # M050
    "Output {number} of {name} is a view and is being modified inplace. This view is the output "
    "of a function that returns multiple views. Such functions do not allow the output views to "
    "be modified inplace. You should replace the inplace operation by an out-of-place one."
)
NO_GRAD_VIEW = (  # M051
    "A view was created in no_grad mode and is being modified inplace with grad mode enabled. "
    "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your "
    "code by moving both the view and the inplace either both inside the no_grad block (if you "
    "don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
)
DETACH_VIEW = (  # M055
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel "
    "(DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP "
    "buckets, and hence detach_() cannot be called on these gradients. To fix this error, please "
    "refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
)
VIEW_OF_LEAF_IN_PLACE = (  # M047
    "a view of a leaf Variable that requires grad is being used in an in-place operation."
)
OVERLAPPING_WRITE = (  # M052
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
FILL_SHAPE = "fill_ only supports 0-dimension value tensor but got tensor with {n} dimensions."
IN_PLACE_SHAPE = "output with shape {shape} doesn't match the broadcast shape {made}"  # M053
IN_PLACE_DTYPE = (  # M054
    "result type {made} can't be cast to the desired output type {target}"
)
LEAF_IN_PLACE = (  # M046
    "a leaf Variable that requires grad is being used in an in-place operation."
)
MODIFIED = (  # M048, M049
    "one of the variables needed for gradient computation has been modified by an inplace "
    "operation: [{type} {shape}]{which} is at version {now}; expected version {then} instead. "
    "Hint: {hint}"
)
HINT_ANOMALY = (
    "enable anomaly detection to find the operation that failed to compute its gradient, "
    "with torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
HINT_ABOVE = (
    "the backtrace further above shows the operation that failed to compute its gradient. The "
    "variable in question was changed in there or anywhere later. Good luck!"
)

_given: set[str] = set()


def warn_once(text: str, *, stacklevel: int = 3) -> None:
    """A warning that PyTorch gives only once in a process."""
    if text not in _given:
        _given.add(text)
        warnings.warn(text, UserWarning, stacklevel=stacklevel)


def warn_scalar_conversion() -> None:
    """A Python number is taken from a tensor that requires grad."""
    warn_once(SCALAR_CONVERSION, stacklevel=4)


def check_assigned_grad(tensor: Tensor, grad: Any) -> None:
    """Raise what PyTorch raises where `grad` cannot be the tensor's `.grad`."""
    from engine.tensor import Tensor

    if not isinstance(grad, Tensor):
        raise TypeError(GRAD_TYPE.format(type=type(grad).__name__))
    if grad is tensor:
        raise RuntimeError(GRAD_ITSELF)
    if grad._array.dtype != tensor._array.dtype:
        raise RuntimeError(
            GRAD_DTYPE.format(grad=dtypes.c_name(grad.dtype), tensor=dtypes.word(tensor.dtype))
        )
    if grad._array.shape != tensor._array.shape:
        raise RuntimeError(
            GRAD_SHAPE.format(grad=list(grad._array.shape), tensor=list(tensor._array.shape))
        )


INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)
INFERENCE_VERSION = "Inference tensors do not track version counter."
