"""Programs written from a diagram: PyTorch, JAX and NumPy text that prints the same gradients."""
