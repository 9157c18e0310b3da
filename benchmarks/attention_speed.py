"""Attention against PyTorch's own kernel, and the memory that very many keys take.

python benchmarks/attention_speed.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

N_REPEATS = 41
MIB = 2**20


def measure() -> list[tuple[str, str, str]]:
    """Rows of what was measured, what came out, and what is to be reached."""
    return [speed_row(n_threads=1), memory_row("numpy", "float64"), memory_row("torch", "float32")]


def speed_row(*, n_threads: int) -> tuple[str, str, str]:
    """CPU time of `attend` against scaled_dot_product_attention: 8 heads × 64 queries × 8,192 keys, width 64.

    One thread: threads of a busy machine wait for each other, and their waiting counts as CPU time.
    The kernel is given four axes, because with three it takes a path that is more than twice as slow.
    """
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    from regard.arrays import attend

    generator = torch.Generator().manual_seed(0)
    shapes = ((1, 8, 64, 64), (1, 8, 8192, 64), (1, 8, 8192, 64))
    q, k, v = (torch.randn(shape, generator=generator) for shape in shapes)
    before = torch.get_num_threads()
    torch.set_num_threads(n_threads)
    try:
        ours, theirs = interleaved(
            lambda: attend(q, k, v, scale=1 / 8), lambda: scaled_dot_product_attention(q, k, v, scale=1 / 8)
        )
    finally:
        torch.set_num_threads(before)
    ratio = statistics.median(our / their for our, their in zip(ours, theirs, strict=True))
    return (
        f"attend, 8 heads × 64 queries × 8,192 keys, float32, {n_threads} thread: CPU time against torch's kernel",
        f"{ratio:.2f}× ({1e3 * statistics.median(ours):.1f} ms against {1e3 * statistics.median(theirs):.1f} ms)",
        "≤ 1.3×",
    )


def interleaved(*functions: Callable[[], object]) -> list[list[float]]:
    """CPU seconds of each function, called in turn so that a slow moment meets all; the first round is left out."""
    rounds = [[cpu_seconds(function) for function in functions] for _ in range(N_REPEATS + 1)]
    return [list(column) for column in zip(*rounds[1:], strict=True)]


def cpu_seconds(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


def memory_row(library: str, dtype: str) -> tuple[str, str, str]:
    """Peak memory above the inputs, in a process of its own: 1,000 queries, 1,000,000 keys and values, width 64."""
    what = f"attend, 1,000 queries × 1,000,000 keys × 64, {library} {dtype}: memory above the inputs"
    if not Path("/proc/self/status").exists():
        return what, "not measured: needs Linux", "≤ 1 GiB"
    command = [sys.executable, __file__, "--memory", library, dtype]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    mebibytes, seconds = done.stdout.split()
    return what, f"{mebibytes} MiB ({seconds} s CPU)", "≤ 1 GiB"


def print_memory(library: str, dtype: str) -> None:
    """What the child process does: MiB above the inputs, and CPU seconds."""
    import numpy as np

    from regard.arrays import attend

    rng = np.random.default_rng(0)
    shapes = ((1000, 64), (1_000_000, 64), (1_000_000, 64))
    arrays: list[object] = [rng.standard_normal(shape, dtype=np.dtype(dtype)) for shape in shapes]
    if library == "torch":
        import torch

        arrays = [torch.from_numpy(array) for array in arrays]
    before = peak_bytes()
    seconds = cpu_seconds(lambda: attend(*arrays, scale=1 / 8))
    print(f"{(peak_bytes() - before) / MIB:.0f} {seconds:.1f}")


def peak_bytes() -> int:
    """The most memory that this process has held so far."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--memory"]:
        print_memory(*sys.argv[2:])
    else:
        for row in measure():
            print("  ".join(row))
