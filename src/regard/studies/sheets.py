"""A folder of answer sheets, checked by several processes; what is finished is kept, so that a run can go on."""

from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path

from regard import __version__
from regard.claims.sheets.documents import READERS
from regard.claims.sheets.totals import Answer, answer_from_record, answer_record
from regard.errors import CorpusError, InputFileError, RegardError
from regard.files import cache_folder, sha256, write_output
from regard.progress import Progress, silent, track
from regard.studies.claims import Config, check_document


def check_folder(
    folder: Path, config: Config | None = None, *, workers: int = 1, progress: Progress = silent
) -> list[Answer]:
    """All claims of all sheets in a folder, in the order of their names; each sheet is worked on by one process.

    What is finished is kept in the cache folder, so that a run which was ended goes on where it stopped: a sheet is
    tried again only if it, the settings or the version has changed.

    Raises: InputFileError where the folder holds no sheet, or a sheet cannot be read; the others are finished first.
    """
    sheets = sorted(path for path in folder.iterdir() if path.suffix.lower() in READERS and path.is_file())
    if not sheets:
        raise InputFileError(f"{folder}: no sheet found; expected files that end in {', '.join(READERS)}")
    results: dict[Path, list[Answer]] = {}
    errors: list[str] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max(1, min(workers, len(sheets))), mp_context=context) as pool:
        jobs = {pool.submit(_check_kept, sheet, config or Config()): sheet for sheet in sheets}
        for job in track(as_completed(jobs), total=len(jobs), progress=progress, message="sheets"):
            try:
                results[jobs[job]] = job.result()
            except RegardError as error:
                errors.append(str(error))
    if errors:
        raise InputFileError("; ".join(sorted(errors)))
    return [answer for sheet in sheets for answer in results[sheet]]


def _check_kept(sheet: Path, config: Config) -> list[Answer]:
    """The answers of a sheet: those kept from an earlier run, or else new ones, which are kept."""
    own = Path(config.setting).read_bytes() if Path(config.setting).is_file() else b""
    asked = repr((__version__, sheet.name, config)).encode()
    kept = cache_folder() / "claims" / f"{sha256(asked + own + sheet.read_bytes())}.json"
    with suppress(OSError, ValueError, KeyError, TypeError):
        return [answer_from_record(record) for record in json.loads(kept.read_text("utf-8"))]
    answers = check_document(sheet, config)
    records = [answer_record(answer) for answer in answers]
    with suppress(OSError, CorpusError):  # a full disk: the answers are there all the same
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_output(kept, json.dumps(records).encode())
    return answers
