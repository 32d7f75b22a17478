"""The functions of the `torch` namespace, by family; most are methods of `Tensor` too."""
