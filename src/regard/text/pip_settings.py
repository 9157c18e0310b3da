"""Which package index the user has set up, as pip itself understands it.

pip alone knows how its configuration files, environment variables and defaults add up, so pip is asked: a fresh
interpreter parses an empty `pip download` and prints the options that come of it. Nothing is downloaded by that.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, fields
from typing import Any

from regard.errors import CorpusError

# -P: a file called pip.py in the current folder is not pip.
_QUESTION = """
import json, sys
from pip._internal.commands import create_command
options, _ = create_command("download").parse_args([])
answer = {name: getattr(options, name) for name in sys.argv[1].split(",") if name != "bundle"}
try:
    from pip._vendor import certifi
    answer["bundle"] = certifi.where()
except ImportError:
    answer["bundle"] = None
print(json.dumps(answer))
"""


@dataclass(frozen=True)
class PipSettings:
    """Options of pip, under pip's own names; `bundle` are the certificates that pip brings along."""

    index_url: str = ""
    extra_index_urls: tuple[str, ...] = ()
    find_links: tuple[str, ...] = ()
    no_index: bool = False
    proxy: str = ""
    cert: str | None = None
    client_cert: str | None = None
    trusted_hosts: tuple[str, ...] = ()
    timeout: float = 15.0
    bundle: str | None = None

    def indexes(self) -> tuple[str, ...]:
        """The indexes to ask, in order."""
        return () if self.no_index else tuple(url for url in (self.index_url, *self.extra_index_urls) if url)


def read_settings(python: str = sys.executable) -> PipSettings:
    """What pip would use, were it called by this Python."""
    names = ",".join(field.name for field in fields(PipSettings))
    command = [python, "-P", "-c", _QUESTION, names]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    try:
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        reason = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        raise CorpusError(f"pip cannot be asked which package index to use: {reason}") from None
    answer = {name: tuple(value) if isinstance(value, list) else value for name, value in answer.items()}
    return PipSettings(**answer | {"no_index": bool(answer["no_index"])})  # pip reads PIP_NO_INDEX=1 as the number
