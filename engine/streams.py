"""`Generator`: PyTorch's CPU stream of random bits, and the numbers made of them."""

from __future__ import annotations

import secrets
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.numeric import box_muller
from engine.tensor import Tensor

Array = npt.NDArray[Any]

SEED_OF_NEW_GENERATORS = 67280421310721
_LOW_32 = 0xFFFFFFFF
_STATE = struct.Struct("<QiiQ624Q3dii8x")  # seed, left, seeded, next, words, normals, valid
_WORDS = 624


class Generator:
    """A Mersenne Twister, read as PyTorch reads its own."""

    def __init__(self, device: object = "cpu") -> None:
        self._bits = np.random.MT19937()
        self.manual_seed(SEED_OF_NEW_GENERATORS)

    def manual_seed(self, seed: int) -> Generator:
        """Start over from this seed (a negative one counts down from 2**64); returns itself."""
        if not isinstance(seed, int):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(1 << 63) <= seed < 1 << 64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = seed % (1 << 64)
        self.is_repeatable = True  # whether the program knows what it will draw
        fresh = np.random.RandomState(self._seed & _LOW_32).get_state(legacy=False)
        self._bits.state = {"bit_generator": "MT19937", "state": fresh["state"]}
        self._spare: float | None = None  # the second of the last pair of normal numbers
        return self

    def initial_seed(self) -> int:
        """The seed that the stream started from."""
        return self._seed

    def seed(self) -> int:
        """Start over from an unpredictable seed and return it."""
        self.manual_seed(secrets.randbits(64))
        self.is_repeatable = False
        return self._seed

    def get_state(self) -> Tensor:
        """Everything the stream goes on from, 5056 bytes as a tensor."""
        return Tensor(self.packed())

    def set_state(self, new_state: Tensor) -> Generator:
        """Go on from what `get_state` gave; returns itself."""
        if not isinstance(new_state, Tensor):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        return self.restore(new_state._array)

    def packed(self) -> npt.NDArray[np.uint8]:
        """Everything the stream goes on from, laid out as PyTorch's."""
        state: Any = self._bits.state["state"]
        words, place = [int(word) for word in state["key"]], int(state["pos"])
        untouched = place == _WORDS and words[0] == self._seed & _LOW_32
        spare, valid = self._spare or 0.0, self._spare is not None
        after = 0 if untouched else place
        head = (self._seed, _WORDS + 1 - place, 1, after)
        packed = _STATE.pack(*head, *words, 0.0, spare, 0.0, valid, 0)
        return np.frombuffer(packed, np.uint8).copy()

    def restore(self, state: Array) -> Generator:
        """Go on from what `packed` gave; returns itself."""
        if state.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if state.size != _STATE.size:
            found = f"but found the input RNG state size to be {state.size}"
            raise RuntimeError(f"Expected a CPUGeneratorImplState of size {_STATE.size} {found}")
        seed, left, _, _, *rest = _STATE.unpack(state.tobytes())
        words, (_, spare, _, valid, _) = rest[:_WORDS], rest[_WORDS:]
        self._seed, self._spare = seed, spare if valid else None
        self.is_repeatable = True
        self._bits.state = {
            "bit_generator": "MT19937",
            "state": {"key": np.array(words, np.uint32), "pos": _WORDS + 1 - left},
        }
        return self

    def words(self, count: int) -> npt.NDArray[np.uint64]:
        """The next `count` numbers of 32 random bits."""
        return np.asarray(self._bits.random_raw(count), np.uint64)

    def double_words(self, count: int) -> npt.NDArray[np.uint64]:
        """The next `count` numbers of 64 random bits: the higher half is drawn first."""
        halves = self.words(2 * count)
        return (halves[0::2] << np.uint64(32)) | halves[1::2]

    def floats(self, count: int) -> npt.NDArray[np.float32]:
        """Uniform in [0, 1), 24 bits each."""
        bits = self.words(count) & np.uint64((1 << 24) - 1)
        return bits.astype(np.float32) * np.float32(2.0**-24)

    def doubles(self, count: int) -> npt.NDArray[np.float64]:
        """Uniform in [0, 1), 53 bits each."""
        bits = self.double_words(count) & np.uint64((1 << 53) - 1)
        return bits.astype(np.float64) * 2.0**-53

    def normals(self, count: int) -> npt.NDArray[np.float64]:
        """Standard normal, made in pairs; a second number that is left over waits for next time."""
        made = [] if self._spare is None or count == 0 else [self._spare]
        if made:
            self._spare = None
        uniform = self.doubles(2 * ((count - len(made) + 1) // 2)).tolist()
        for first, second in zip(uniform[0::2], uniform[1::2], strict=True):
            made.extend(box_muller.pair(first, second))
        if len(made) > count:
            self._spare = made.pop()
        return np.array(made)
