"""`DataLoader`: a dataset in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.streams import Generator
from engine.utils.data.batches import default_collate, default_convert
from engine.utils.data.datasets import IterableDataset
from engine.utils.data.sampling import (
    BatchSampler,
    RandomSampler,
    SequentialSampler,
    drawn_seed,
)


class _Endless:
    """The sampler of a dataset that is not asked by number."""

    def __iter__(self) -> Iterator[None]:
        while True:
            yield None


class DataLoader:
    """The items of a dataset, `batch_size` at a time, put together by `collate_fn`.

    Everything is loaded in this process and thread, whatever `num_workers` is. Raises ValueError
    with PyTorch's messages for options that exclude one another.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Any = None,
        generator: Generator | None = None,
        **_further: Any,
    ) -> None:
        self.dataset = dataset
        self.num_workers = num_workers
        self.drop_last = drop_last
        self.generator = generator
        self._check(shuffle, sampler, batch_sampler, batch_size)
        self.sampler = self._sampler(shuffle) if sampler is None else sampler
        self.batch_size = None if batch_sampler is not None else batch_size
        if batch_sampler is None and batch_size is not None:
            batch_sampler = BatchSampler(self.sampler, batch_size, drop_last)
        self.batch_sampler = batch_sampler
        usual = default_convert if batch_sampler is None else default_collate
        self.collate_fn = usual if collate_fn is None else collate_fn

    def _check(self, shuffle: Any, sampler: Any, batch_sampler: Any, batch_size: Any) -> None:
        if self.num_workers < 0:
            raise ValueError(
                "num_workers option should be non-negative; "
                "use num_workers=0 to disable multiprocessing."
            )
        if isinstance(self.dataset, IterableDataset):
            for name, given in (("shuffle", shuffle), ("sampler", sampler),
                                ("batch_sampler", batch_sampler)):  # fmt: skip
                if given:
                    raise ValueError(
                        f"DataLoader with IterableDataset: expected unspecified {name} option, "
                        f"but got {name}={given}"
                    )
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None and (
            batch_size != 1 or shuffle or sampler is not None or self.drop_last
        ):
            raise ValueError(
                "batch_sampler option is mutually exclusive with "
                "batch_size, shuffle, sampler, and drop_last"
            )
        if batch_sampler is None and batch_size is None and self.drop_last:
            raise ValueError(
                "batch_size=None option disables auto-batching "
                "and is mutually exclusive with drop_last"
            )

    def _sampler(self, shuffle: bool | None) -> Iterable[Any]:
        if isinstance(self.dataset, IterableDataset):
            return _Endless()
        if shuffle:
            return RandomSampler(self.dataset, generator=self.generator)
        return SequentialSampler(self.dataset)

    def __iter__(self) -> Iterator[Any]:
        drawn_seed(self.generator)  # PyTorch draws one for its workers, even where it has none
        return self._batches()

    def _batches(self) -> Iterator[Any]:
        if isinstance(self.dataset, IterableDataset):
            yield from self._of_stream(iter(self.dataset))
        elif self.batch_sampler is None:
            for number in self.sampler:
                yield self.collate_fn(self.dataset[number])
        else:
            for numbers in self.batch_sampler:
                yield self.collate_fn([self.dataset[number] for number in numbers])

    def _of_stream(self, items: Iterator[Any]) -> Iterator[Any]:
        if self.batch_size is None:
            yield from map(self.collate_fn, items)
            return
        for batch in BatchSampler(items, self.batch_size, self.drop_last):
            yield self.collate_fn(batch)

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            count = len(self.dataset)  # type: ignore[arg-type]
            if self.batch_size is None:
                return count
            return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)  # type: ignore[arg-type]
