import os
from pathlib import Path

import pytest
import torch
from tests.support import command_server
from tests.support.lab import free_port

from regard.errors import ValueRangeError
from regard.training.network.processes import Processes, join_processes


@pytest.mark.parametrize(("n_rows", "size"), [(8, 1), (8, 3), (3, 3), (64, 5)])
def test_every_row_belongs_to_one_process(n_rows, size):
    rows = [row for rank in range(size) for row in range(n_rows)[Processes(rank, size).rows(n_rows)]]
    assert rows == list(range(n_rows))


def test_too_many_processes_are_refused():
    with pytest.raises(
        ValueRangeError, match=r"^a batch of 2 rows cannot be shared by 3 processes; start fewer of them$"
    ):
        Processes(0, 3).rows(2)


def test_alone_nothing_happens(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    tensor = torch.tensor([1.0, 2.0])
    with join_processes() as processes:
        assert processes == Processes()
        processes.sum_in_place([tensor])
        assert processes.gather_rows(tensor, 2) is tensor
        assert processes.agree([True, 3]) == [1, 3]
    assert tensor.tolist() == [1, 2]


THREADS = Path("/proc/self/task")
TOGETHER = """
import pathlib
import torch
from regard.training.network.processes import join_processes

def thread_names():
    return sorted(path.read_text().strip() for path in pathlib.Path("/proc/self/task").glob("*/comm"))

weight = torch.nn.Parameter(torch.ones(2))
weight.grad = torch.ones(2)
before = thread_names()
with join_processes() as processes:
    torch.optim.AdamW([weight]).step()  # the first optimiser imports much more of torch
    processes.sum_in_place([weight.grad])
    assert processes.size == 2
    assert thread_names() != before
print(weight.grad.tolist(), [name for name in thread_names() if name not in before])
"""


@pytest.mark.skipif(not THREADS.exists(), reason="threads that Python does not know are seen in /proc: needs Linux")
def test_no_thread_of_the_group_outlives_it(tmp_path):
    shared = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "OMP_NUM_THREADS": "1"}
    (tmp_path / "together.py").write_text(TOGETHER)
    processes = [
        command_server.start(script=tmp_path / "together.py", environment=os.environ | shared | {"RANK": rank})
        for rank in "01"
    ]
    for out, err in [process.communicate() for process in processes]:
        assert out == "[2.0, 2.0] []\n", err
