"""Recorded cases: what PyTorch answered to programs that people wrote."""
