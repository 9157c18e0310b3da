import pytest
import torch

from regard.errors import ValueRangeError
from regard.training.processes import Processes, joined


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
    with joined() as processes:
        assert processes == Processes()
        processes.add_up([tensor])
        assert processes.gathered(tensor, 2) is tensor
        assert processes.agree([True, 3]) == [1, 3]
    assert tensor.tolist() == [1, 2]
