"""A folder of answer sheets, checked by several processes; what is finished is kept, so that a run can go on."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from regard import __version__
from regard.claims.sheets.documents import READERS
from regard.claims.sheets.totals import Answer, answer_from_record, answer_record
from regard.cluster import Workers, map_batches
from regard.errors import CorpusError, InputFileError, RegardError
from regard.files import cache_folder, sha256, write_output
from regard.progress import Progress, silent
from regard.studies.claims import Config, check_document


def check_folder(
    folder: Path,
    config: Config | None = None,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress = silent,
) -> list[Answer]:
    """All claims of all sheets in a folder, in the order of their names; each sheet is worked on by one process.

    What is finished is kept in the cache folder, so that a run which was ended goes on where it stopped: a sheet is
    tried again only if it, the settings or the version has changed. Workers of a `scheduler` have to see the folder.

    Raises: InputFileError where the folder holds no sheet, or a sheet cannot be read; the others are finished first.
    """
    sheets = sorted(path for path in folder.iterdir() if path.suffix.lower() in READERS and path.is_file())
    if not sheets:
        raise InputFileError(f"{folder}: no sheet found; expected files that end in {', '.join(READERS)}")
    config = config or Config()
    batches = [(str(sheet.absolute()), sheet.name, config, _fingerprint(sheet, config)) for sheet in sheets]
    group = Workers(min(workers, len(sheets)), scheduler)
    done = map_batches(check_sheet, batches, workers=group, total=len(sheets), progress=progress, message="sheets")
    found = [json.loads(result) for result in done]
    if errors := sorted(each["error"] for each in found if "error" in each):
        raise InputFileError("; ".join(errors))
    return [answer_from_record(record) for each in found for record in each["answers"]]


def check_sheet(path: str, name: str, config: Config, fingerprint: str) -> bytes:
    """The answers of a sheet as JSON, or the error that it has: kept from an earlier run, or else new, and kept."""
    kept: Path | None = None
    with suppress(OSError, ValueError, KeyError, TypeError, CorpusError):
        kept = cache_folder() / "claims" / f"{fingerprint}.answers"
        checksum, _, content = kept.read_bytes().partition(b"\n")
        if checksum.decode("ascii", "replace") == sha256(content):
            records = json.loads(content)
            [answer_from_record(record) for record in records]  # it is of this version
            return _as_bytes(answers=records)
    try:
        records = [answer_record(answer) for answer in check_document(Path(path), config)]
    except RegardError as error:
        return _as_bytes(error=str(error))
    if kept is not None:
        with suppress(OSError):  # a full disk: the answers are there all the same
            kept.parent.mkdir(parents=True, exist_ok=True)
            content = json.dumps(records).encode()
            write_output(kept, sha256(content).encode() + b"\n" + content)
    return _as_bytes(answers=records)


def _fingerprint(sheet: Path, config: Config) -> str:
    """What the answers depend on, as a checksum."""
    own = Path(config.setting).read_bytes() if Path(config.setting).is_file() else b""
    try:
        content = sheet.read_bytes()
    except OSError:  # `check_document` says why
        content = b""
    return sha256(repr((__version__, sheet.name, config)).encode() + own + content)


def _as_bytes(**record: Any) -> bytes:
    return json.dumps(record).encode()
