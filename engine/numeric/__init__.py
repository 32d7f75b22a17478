"""Numerical methods that NumPy and SciPy lack, or do another way than PyTorch."""
