"""`torch.optim`: gradient descent; each optimizer loads when it is first asked for."""

from __future__ import annotations

from engine.late import Late, places

_PLACES = places(
    {
        "engine.optim.optimizer": "Optimizer",
        "engine.optim.sgd": "SGD",
        "engine.optim.adam": "Adam AdamW Adamax NAdam RAdam",
        "engine.optim.adaptive": "RMSprop Adagrad Adadelta Rprop",
        "engine.optim.lbfgs": "LBFGS",
    }
)

__getattr__ = Late(__name__, _PLACES, "lr_scheduler")
__all__ = [*_PLACES, "lr_scheduler"]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
