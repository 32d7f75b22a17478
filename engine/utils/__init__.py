"""`torch.utils`: data in batches, and checkpoints."""

from engine.late import Late

__getattr__ = Late(__name__, {}, "checkpoint data")
__all__: list[str] = []
