"""The ops that a person may add, in tables by family."""

from gradviz.edit.palette.arithmetic import ENTRIES as _ARITHMETIC
from gradviz.edit.palette.functions import ENTRIES as _FUNCTIONS
from gradviz.edit.palette.groups import ENTRIES as _GROUPS
from gradviz.edit.palette.neural import ENTRIES as _NEURAL
from gradviz.edit.palette.reducing import ENTRIES as _REDUCING
from gradviz.edit.palette.shaping import ENTRIES as _SHAPING

ENTRIES = (*_ARITHMETIC, *_REDUCING, *_FUNCTIONS, *_NEURAL, *_SHAPING, *_GROUPS)
