"""Several processes that train one network, as `torchrun` starts them; alone, everything here does nothing.

Each process reads its share of a batch's rows. Gradients are added up over all of them, so that every process takes
the same step as one that had read the whole batch; what has to be decided, the first process decides.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module

import torch
from torch import Tensor, distributed

from regard.errors import ClusterError, ValueRangeError


@dataclass(frozen=True)
class Processes:
    """This process among all: which it is, counted from 0, and how many there are."""

    rank: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        """Whether it is the one that decides, writes and prints."""
        return self.rank == 0

    def rows(self, n_rows: int) -> slice:
        """The rows of a batch that this process reads.

        >>> [Processes(rank, 3).rows(8) for rank in range(3)]
        [slice(0, 2, None), slice(2, 5, None), slice(5, 8, None)]
        """
        if n_rows < self.size:
            raise ValueRangeError(
                f"a batch of {n_rows} rows cannot be shared by {self.size} processes; start fewer of them"
            )
        return self.share(n_rows)

    def share(self, n_rows: int) -> slice:
        """The rows that this process reads, perhaps none.

        >>> [Processes(rank, 2).share(1) for rank in range(2)]
        [slice(0, 0, None), slice(0, 1, None)]
        """
        return slice(self.rank * n_rows // self.size, (self.rank + 1) * n_rows // self.size)

    def sum_in_place(self, tensors: Iterable[Tensor]) -> None:
        """Each tensor becomes its sum over all processes, in place; it may be sparse."""
        if self.size > 1:
            with _report_loss():
                for tensor in tensors:
                    distributed.all_reduce(tensor)

    def gather_rows(self, rows: Tensor, n_rows: int) -> Tensor:
        """All rows of a tensor of which each process has its share."""
        if self.size == 1:
            return rows
        # zeros but for our own rows: the sum over all processes has every row
        whole = rows.new_zeros((n_rows, *rows.shape[1:]))
        whole[self.rows(n_rows)] = rows
        self.sum_in_place([whole])
        return whole

    def agree(self, numbers: Sequence[float | int]) -> list[float]:
        """The numbers that the first process has."""
        if self.size == 1:
            return [float(number) for number in numbers]
        decided = torch.tensor(numbers, dtype=torch.float64)
        with _report_loss():
            distributed.broadcast(decided, src=0)
        return decided.tolist()


@contextmanager
def _report_loss() -> Iterator[None]:
    """Report that a process has gone, once, by the first process that notices; the others end in silence."""
    try:
        yield
    except RuntimeError as error:  # gloo has no class of its own for a connection that was closed
        if not _is_first_to_notice():
            raise SystemExit(1) from None
        raise ClusterError(
            "one of the processes that train together has ended, so the others have to; start the same command again "
            "with --resume, which goes on from the last checkpoint to the same result"
        ) from error


def _is_first_to_notice(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether no other process has said so: they count in the store of `torchrun`; where that is gone, all say it."""
    try:
        host, port = environment["MASTER_ADDR"], int(environment["MASTER_PORT"])
        store = distributed.TCPStore(host, port, is_master=False, timeout=timedelta(seconds=2))
        return bool(store.add("regard/lost", 1) == 1)
    except (RuntimeError, KeyError, ValueError):
        return True


def is_first_process(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this process will be the first one; known before the processes have joined.

    >>> is_first_process({}), is_first_process({"WORLD_SIZE": "2", "RANK": "1"}), is_first_process({"RANK": "1"})
    (True, False, True)
    """
    return int(environment.get("WORLD_SIZE", "1")) == 1 or environment.get("RANK", "0") == "0"


GROUP_AS_DEFAULT = ("torch.distributed.nn.functional", "torch.distributed._functional_collectives")
"""Modules of torch whose functions take the group of all processes, as it is when they are imported, as a default."""


@contextmanager
def join_processes() -> Iterator[Processes]:
    """The processes that `torchrun` started, while they work together; this one alone where it did not.

    At the end the group's threads have ended too. One that still lets go of a tensor while Python itself ends would
    abort the process: "terminate called without an active exception".
    """
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield Processes()
        return
    # The first optimiser imports these. Imported while there is a group, they keep it, and its threads, for ever.
    for name in GROUP_AS_DEFAULT:
        import_module(name)
    distributed.init_process_group("gloo")
    try:
        yield Processes(distributed.get_rank(), size)
    finally:
        distributed.destroy_process_group()
