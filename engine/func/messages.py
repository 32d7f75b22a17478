"""PyTorch's messages of `torch.func`; `M…` are their numbers in the table."""

GRAD_NOT_SCALAR = (  # M076
    "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
    "{n} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
)
GRAD_NOT_TENSOR = (  # M077
    "grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type}"
)
STRUCTURE = (  # M078
    "Expected pytree structure of cotangents to be the same as pytree structure of outputs to "
    "the function. cotangents: {cotangents}, primal output: {outputs}"
)
NO_AUX = "{api}: output of function f should be a tuple: (output, aux) if has_aux is True"
NOT_A_TENSOR = "Thing passed to transform API must be Tensor, got {type}"
UNSUPPORTED = "Expected tensors, got unsupported type {type}"
VJP_DTYPE = (
    "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, "
    "got Tensor with dtype {dtype}"
)
NO_OUTPUT = "{api}: Expected f to be a function that has non-empty output (got output = {output})"
ONLY_TENSORS = "{api}: expected f(*primals) to return only tensors, got unsupported type {type}"
COMPLEX = (
    "{api}: Expected all {what} to be real but received complex tensor at flattened input idx: {i}"
)
ARGNUM_TYPE = "argnum must be int, got: {type}"
ARGNUM_RANGE = "Got argnum={argnum}, but only {count} positional inputs"
ARGNUMS_EMPTY = "argnums must be non-empty"
ARGNUMS_UNIQUE = "argnums elements must be unique, got {argnums}"
ARGNUMS_TYPE = "argnums must be int or Tuple[int, ...], got: {type}"
CHUNK_SIZE = "jacrev: `chunk_size` should be greater than 0."
JVP = "jvp(f, primals, tangents)"
JVP_PRIMALS = (
    "jvp(f, primals, tangents): Expected primals to be a tuple. "
    "E.g. it should be valid to call f(*primals)."
)
JVP_STRUCTURE = (
    "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure. "
    "For example, if primals is a tuple of 3 tensors, tangents also must be. "
    "Got primals with structure {primals} and tangents with structure {tangents}"
)
JVP_NO_TENSOR = "jvp(f, primals, tangents): Expected {what} to contain at least one Tensor."
JVP_NOT_TENSOR = "jvp(f, primals, tangents): Expected {what} to only contain Tensors, got {type}"
JVP_STRICT = (
    "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
    "This is not allowed with strict=True."
)
TANGENT_SHAPE = (
    "Trying to set a forward gradient that has a different size than that of the original Tensor, "
    "this is not supported. Tensor is of size {wanted} while the given forward gradient is of "
    "size {given}."
)
NOT_FLOATING = "Expected {what} to be floating point or complex, but got: {dtype}"
# vmap
IN_DIMS_KIND = (
    "vmap({name}, in_dims={in_dims}, ...)(<inputs>): expected `in_dims` to be int or a "
    "(potentially nested) tuple matching the structure of inputs, got: {type}."
)
NO_INPUTS = (
    "vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to "
    "vmap over a function with no inputs. The latter is unsupported."
)
IN_DIMS_STRUCTURE = (
    "vmap({name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the structure "
    "of `inputs`. in_dims has structure {given} but inputs has structure {wanted}."
)
IN_DIM_TYPE = (
    "vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for an input but in_dim "
    "must be either an integer dimension or None."
)
IN_DIM_NO_TENSOR = (
    "vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for an input but the input "
    "is of type {type}. We cannot vmap over non-Tensor arguments, please use None as the "
    "respective in_dim"
)
IN_DIM_RANGE = (
    "vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for some input, but that "
    "input is a Tensor of dimensionality {n} so expected in_dim to satisfy -{n} <= in_dim < {n}."
)
NOTHING_MAPPED = "vmap: Expected at least one Tensor to vmap over"
SIZES = (  # M079
    "vmap: Expected all tensors to have the same size in the mapped dimension, "
    "got sizes {sizes} for the mapped dimension"
)
OUT_DIMS_KIND = (
    "vmap({name}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python "
    "collection of ints representing where in the outputs the vmapped dimension should appear."
)
OUT_DIMS_STRUCTURE = (
    "vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the "
    "structure of `outputs`. out_dims has structure {given} but outputs has structure {wanted}."
)
OUT_NO_TENSOR = (
    "vmap({name}, ...): `{name}` must only return Tensors, got type {type}. "
    "Did you mean to set out_dims= to None for output?"
)
OUT_MAPPED = "vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
RANDOMNESS = "Only allowed values for randomness are 'error', 'different', or 'same'. Got {given}"
DREW = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' "
    "or 'different' randomness flags on vmap or perform the randomness operation out of vmap"
)
ITEM = (  # M080
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling "
    ".item() on a Tensor, please try to rewrite what you're doing with other operations. If error "
    "is occurring somewhere inside PyTorch internals, please file a bug report."
)
CONTROL_FLOW = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. "
    "We don't support that yet, please file an issue at "
    "https://github.com/pytorch/pytorch/issues ."
)
NO_STORAGE = "Cannot access data pointer of Tensor that doesn't have storage"
VMAP_CHUNK_SIZE = "vmap: chunk_size should be None or greater than 0. (got {given})"
# linearize
LINEAR_STRUCTURE = (
    "Expected the tangents {tangents} to have the same argspec as the primals {primals}"
)
LINEAR_SHAPE = (
    "tangent:{i} with shape {given} in flattened pytree doesn't match the shape {wanted} "
    "of the corresponding primal."
)
LINEAR_DTYPE = (
    "tangent:{i} with dtype {given} in flattened pytree doesn't match the dtype {wanted} "
    "of the corresponding primal."
)
