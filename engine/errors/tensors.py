"""PyTorch's messages of tensors and their flags, word for word; `M…`: the table's numbers."""

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
# Inference mode
INFERENCE_SAVED = (  # M059
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)
INFERENCE_WRITE = (  # M060
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone "
    "to get a normal tensor before doing inplace update."
    "See https://github.com/pytorch/rfcs/pull/17 for more details."
)
INFERENCE_REQUIRES_GRAD = (  # M061
    "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
)
INFERENCE_VERSION = "Inference tensors do not track version counter."
