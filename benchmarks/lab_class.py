"""A class in the lab: 30 and 100 visitors at once, what each of them waits for, and what the server keeps afterwards.

    python benchmarks/lab_class.py [SECONDS] [--visitors N] [--chapter SLUG]

Real connections to the real command on this machine, without browsers: what a page computes itself costs the server
nothing. A visitor opens a chapter (its page and every module), then moves something every two seconds, about which the
page asks Python. In the end one visitor more asks for long answers on twenty connections at once, as fast as they come.
SECONDS is how long each class stays. With --visitors one class of that size comes, and no greedy visitor; with
--chapter all of them open that chapter.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.support.lab import served_lab

Row = tuple[str, str, str]
CLASSES = (30, 100)
CHAPTERS = ("look-up", "average-and-subspace", "noisy-keys", "many-heads")
THINKING_SECONDS = 2.0
REST_SECONDS = 15


def question(slug: str, chance: random.Random) -> dict[str, Any]:
    """What the page of a chapter asks after something was moved."""
    scale = 10 ** chance.uniform(-0.5, 1.5)
    if slug == "look-up":
        keys = [[chance.uniform(-1, 1), chance.uniform(-1, 1)] for _ in range(5)]
        values = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]]
        return {"keys": keys, "values": values, "query": [0.6, 0.7], "scale": scale, "chosen": 0}
    if slug == "average-and-subspace":
        return {"shares": [1, 1, 0, 0, 0], "error": 0.01, "angle": chance.uniform(5, 90), "length": 1}
    if slug == "noisy-keys":
        return {"n_keys": 10, "variance": chance.random(), "everywhere": 0.0001, "scale": scale}
    law = {"n_keys": 10, "n_wanted": 2, "variance": chance.random(), "everywhere": 0.0001, "noise": "one"}
    return {**law, "scale": scale, "design": []}


@dataclass
class Heard:
    """How long everything took, in seconds, and what was answered."""

    opened: list[float] = field(default_factory=list)
    answered: dict[str, list[float]] = field(default_factory=lambda: {slug: [] for slug in CHAPTERS})
    refused: list[int] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def all_answers(self) -> list[float]:
        """Every interaction, whatever the chapter."""
        return [taken for times in self.answered.values() for taken in times]


class Visitor:
    """A browser's connection to the lab, kept alive."""

    def __init__(self, address: str, cookie: str = "") -> None:
        parts = urlsplit(address)
        self.host, self.port, self.cookie = str(parts.hostname), parts.port, cookie
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, sent: Any = None) -> tuple[int, bytes]:
        """The status and body of an answer; a connection that was closed meanwhile is opened again."""
        for attempt in (1, 2):
            try:
                return await asyncio.wait_for(self._ask(method, path, sent), 60)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()
                if attempt == 2:
                    raise
        raise AssertionError

    async def _ask(self, method: str, path: str, sent: Any) -> tuple[int, bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self.streams
        body = b"" if sent is None else json.dumps(sent).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nCookie: {self.cookie}\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        await writer.drain()
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        if given := re.search(r"(?i)set-cookie: ([^;\r]+)", answer):
            self.cookie = given[1]
        found = re.search(r"(?i)content-length: (\d+)", answer)
        content = await reader.readexactly(int(found[1])) if found else await read_chunks(reader)
        return int(answer.split()[1]), content

    def close(self) -> None:
        """Leave."""
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


async def read_chunks(reader: asyncio.StreamReader) -> bytes:
    """A body of unknown length."""
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)


async def stay(address: str, number: int, seconds: float, heard: Heard, chapters: tuple[str, ...]) -> None:
    """Open a chapter, and move something every two seconds until it is time to leave."""
    chance = random.Random(number)
    slug = chapters[number % len(chapters)]
    visitor = Visitor(address)
    await asyncio.sleep(chance.uniform(0, THINKING_SECONDS))
    began = time.perf_counter()
    try:
        _, page = await visitor.ask("GET", f"/chapter/{slug}/")
        for file in re.findall(r'(?:href|src)="\.\./\.\./(web/[^"]+)"', page.decode()):
            await visitor.ask("GET", f"/{file}")
        heard.opened.append(time.perf_counter() - began)
        while time.perf_counter() - began < seconds:
            await asyncio.sleep(chance.uniform(0.5, 1.5) * THINKING_SECONDS)
            asked = time.perf_counter()
            status, _ = await visitor.ask("POST", f"/api/{slug}/confirm", question(slug, chance))
            heard.answered[slug].append(time.perf_counter() - asked)
            if status != 200:
                heard.refused.append(status)
    except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
        heard.failed.append(repr(error))
    finally:
        visitor.close()


async def be_greedy(address: str, seconds: float, heard: Heard) -> None:
    """One visitor with twenty connections, each of which asks for the longest answers again and again."""
    law = {"n_keys": 24, "n_wanted": 6, "variance": 0.5, "everywhere": 0.01, "noise": "each"}
    asked = (("confirm", {**law, "scale": 20, "design": []}), ("search", {**law, "n_heads": 4}))
    end = time.perf_counter() + seconds

    first = Visitor(address)
    await first.ask("GET", "/chapter/many-heads/")
    first.close()

    async def ask_on(number: int) -> None:
        visitor = Visitor(address, first.cookie)
        name, sent = asked[number % 2]
        while time.perf_counter() < end:
            try:
                left = max(0.1, end - time.perf_counter())
                status, _ = await asyncio.wait_for(visitor.ask("POST", f"/api/many-heads/{name}", sent), left)
                heard.refused += [status] if status != 200 else []
                await asyncio.sleep(0.05)
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                visitor.close()
        visitor.close()

    await asyncio.gather(*(ask_on(number) for number in range(20)))


async def attend(
    address: str,
    n_visitors: int,
    seconds: float,
    *,
    chapters: tuple[str, ...] = CHAPTERS,
    is_one_greedy: bool = False,
) -> tuple[Heard, Heard]:
    """A class: what its visitors waited for, and what the greedy one was told."""
    heard, greedy = Heard(), Heard()
    tasks = [stay(address, number, seconds, heard, chapters) for number in range(n_visitors)]
    if is_one_greedy:
        tasks.append(be_greedy(address, seconds, greedy))
    await asyncio.gather(*tasks)
    return heard, greedy


def measure(seconds: float = 30, n_visitors: int | None = None, chapter: str | None = None) -> Iterator[Row]:
    """What was measured, the figure, and the goal."""
    chapters = CHAPTERS if chapter is None else (chapter,)
    with tempfile.TemporaryDirectory() as folder, served_lab(Path(folder), "--no-token") as (address, process):
        asyncio.run(attend(address, 4, 5, chapters=chapters))  # imports what answers need
        time.sleep(3)
        yield "load of the machine (1 minute) when this began, on two processors", f"{os.getloadavg()[0]:.1f}", ""
        for size in CLASSES if n_visitors is None else (n_visitors,):
            yield from measure_class(address, process.pid, size, seconds, chapters)
        if n_visitors is None:
            heard, greedy = asyncio.run(attend(address, 30, seconds, chapters=chapters, is_one_greedy=True))
            name = "30 visitors, and one who asks for the longest answers on 20 connections"
            yield f"{name}: an interaction of the others", times(heard.all_answers), "stated"
            told = f"{len(heard.refused)}; {len(heard.failed)}; {len(greedy.refused)}"
            yield f"{name}: the others refused; failed; the one refused", told, "0; 0; many"


def measure_class(address: str, pid: int, n_visitors: int, seconds: float, chapters: tuple[str, ...]) -> Iterator[Row]:
    """What a class of this size waited for, and what it cost the server."""
    before, began = resident_mb(pid), cpu_seconds(pid)
    heard, _ = asyncio.run(attend(address, n_visitors, seconds, chapters=chapters))
    during, used = resident_mb(pid), cpu_seconds(pid)
    time.sleep(REST_SECONDS)
    idle, after = cpu_seconds(pid) - used, resident_mb(pid)
    place = "chapters 1 to 4" if chapters == CHAPTERS else f"chapter {' '.join(chapters)}"
    name = f"{n_visitors} visitors for {seconds:g} s in {place}"
    yield f"{name}: a chapter with all its files", times(heard.opened), "≤ 1 s"
    yield f"{name}: an interaction, all chapters", times(heard.all_answers), "p99 ≤ 1 s"
    for slug in chapters:
        number = CHAPTERS.index(slug) + 1
        yield f"{name}: an interaction of chapter {number}", times(heard.answered[slug]), ""
    each = (used - began) / max(1, len(heard.all_answers))
    yield f"{name}: the server's processor time for an interaction, pages included", f"{1000 * each:.0f} ms", ""
    yield f"{name}: refused; failed", f"{len(heard.refused)}; {len(heard.failed)}", "0; 0"
    memory = f"{before:.0f} MB, {during:.0f} MB, {after:.0f} MB"
    yield f"{name}: memory before, with them, and {REST_SECONDS} s after", memory, "freed"
    yield f"{name}: processor time in the {REST_SECONDS} s after all had left", f"{idle:.2f} s", "≤ 0.5 s"


def times(taken: list[float]) -> str:
    """Median, 99th percentile and count."""
    if len(taken) < 2:
        return "too few"
    p99 = statistics.quantiles(taken, n=100)[98] if len(taken) >= 100 else max(taken)
    return f"p50 {1000 * statistics.median(taken):.0f} ms, p99 {1000 * p99:.0f} ms ({len(taken)})"


def resident_mb(pid: int) -> float:
    """The memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=30.0, metavar="SECONDS")
    parser.add_argument("--visitors", type=int, metavar="N")
    parser.add_argument("--chapter", choices=CHAPTERS)
    given = parser.parse_args()
    for row in measure(given.seconds, given.visitors, given.chapter):
        print(" | ".join(row), flush=True)
