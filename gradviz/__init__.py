"""gradviz: see how a gradient comes about."""

__version__ = "0.1.0"
