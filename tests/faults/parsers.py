"""Everything in Regard that reads data from outside, each with inputs that it accepts, for `fuzz_parsers`."""

from __future__ import annotations

import dataclasses
import functools
import gzip
import io
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from safetensors.numpy import save

from regard.claims.check import check
from regard.claims.meaning.setting import read_setting
from regard.claims.sheets.documents import read_claims
from regard.claims.sheets.rubric import read_rubric
from regard.claims.syntax.grammar import parse
from regard.errors import CheckpointError
from regard.lab import inputs
from regard.lab.server.api import parse_json as parse_sent
from regard.models import checkpoint
from regard.models.folder import CONFIG, _own_checksum, parse_json, parse_tensors, stamps
from regard.models.folder_writer import save as save_model
from regard.report.tour.page import unpack_answers
from regard.studies.attention.array_files import read_array, read_rows
from regard.text.corpora.archive import read_members
from regard.text.corpora.corpus import parse_rated, read_table_text
from regard.text.corpora.reader import read_text
from regard.text.labelled.source import read_labelled
from regard.text.vectors.glove_text import read_vectors
from tests.faults import hostile_files as files
from tests.support.local_index import packed
from tests.support.models import MODELS

Seeds = Callable[[], list[bytes]]


@dataclass(frozen=True)
class Parser:
    """What reads a file of this name; `is_packed` where the file is gzip."""

    name: str
    filename: str
    use: Callable[[Path], Any]
    seeds: Seeds

    @property
    def is_packed(self) -> bool:
        """Whether inputs are gzip, so that they can be changed inside."""
        return self.filename.endswith(("gz", "tgz"))

    @functools.cache  # noqa: B019  # there are some twenty parsers
    def insides(self) -> list[bytes]:
        """The seeds without their packing."""
        return [gzip.decompress(seed) for seed in self.seeds()]


def _texts(*contents: str) -> Seeds:
    return lambda: [content.encode() for content in contents]


CLAIMS = (
    "q = C(k_a + k_b)", r"\sum_{i=1}^n \alpha_i = 1", r"\|v\|^2 = v^T v", r"E[\alpha_a] \ge 1/2 for C >> 0",
    r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix} v = v", "softmax(x + c) = softmax(x)", "c ≈ ½(v_a + v_b)",
    "A^{-1} A = I",
)  # fmt: skip


def _parquet() -> list[bytes]:
    written = []
    for options in ({}, {"compression": "uncompressed"}, {"use_pyarrow": False, "statistics": False}):
        file = io.BytesIO()
        pl.DataFrame({"text": ["a good film", "a bad one"] * 4, "label": [1, 0] * 4}).write_parquet(file, **options)  # type: ignore[arg-type]
        written.append(file.getvalue())
    return written


def _npz() -> list[bytes]:
    written = []
    for write in (np.savez, np.savez_compressed):
        file = io.BytesIO()
        write(file, keys=np.eye(3), values=np.ones((3, 2), np.float32))
        written.append(file.getvalue())
    return written


def _npy() -> list[bytes]:
    written = []
    for array in (np.eye(3), np.ones((2, 2), ">f4"), np.zeros((0, 3)), np.asfortranarray(np.eye(2))):
        file = io.BytesIO()
        np.save(file, array)
        written.append(file.getvalue())
    return written


def _archives() -> list[bytes]:
    return [
        packed([("play-1.0/text.txt", b"to be\n" * 50), ("play-1.0/setup.py", b"x = 1\n")]),
        packed([("../text.txt", b"to be\n"), ("play-1.0/text.txt", b"to be\n")]),
    ]


@functools.cache
def _model() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as place:
        save_model(MODELS["bigram-word"](), Path(place, "model"))
        return {path.name: path.read_bytes() for path in Path(place, "model").iterdir() if path.is_file()}


def _load_forged(path: Path) -> Any:
    """A model whose config.json is this, with checksums that fit where there can be any."""
    others = {name: content for name, content in _model().items() if name != CONFIG}
    config = parse_json(path.read_bytes(), path)
    try:
        ours = {name: value for name, value in config["regard"].items() if name not in ("files", "sha256")}
        listed = {**config, "regard": {**ours, "files": stamps(others)}}
        sealed = {**listed, "regard": {**listed["regard"], "sha256": _own_checksum(listed)}}
    except (KeyError, TypeError, AttributeError):
        raise CheckpointError("not sealed") from None
    folder = path.parent / "model"
    folder.mkdir(exist_ok=True)
    for name, content in (others | {CONFIG: json.dumps(sealed).encode()}).items():
        (folder / name).write_bytes(content)
    model = checkpoint.load(folder)
    return model.token_log_probs(model.tokeniser.encode("the moon is up").ids)


def _tensors() -> list[bytes]:
    return [_model()["model.safetensors"], save({"a": np.eye(2, dtype=np.float32)}), save({"b": np.zeros(0, np.int64)})]


@dataclass(frozen=True)
class _Sent:
    """A page's input with one field of each kind."""

    shares: list[float] = inputs.numbers(0, 10, most=8)  # noqa: RUF009
    error: float = inputs.number(1e-6, 0.5)


def _read_plan(path: Path) -> Any:
    from regard.pretrained.bits import BitPlan

    return BitPlan.read(path)


PLAN = {"format": "regard bit plan 1", "model": "x", "budget": 3.0, "before_rotary": True,
        "keys": {"bits": [[[2, 3]]], "low": [[[0.0, -1.0]]], "step": [[[0.1, 0.2]]]}}  # fmt: skip


def _gzipped(*contents: str) -> Seeds:
    return lambda: [gzip.compress(content.encode(), mtime=0) for content in contents]


PARSERS = (
    Parser("claim", "claim.txt", lambda path: parse(path.read_text("utf-8", "replace")), _texts(*CLAIMS)),
    Parser("check", "claim.txt", lambda path: check(path.read_text("utf-8", "replace")), _texts(*CLAIMS)),
    Parser("sheet-md", "sheet.md", read_claims, _texts(files.SHEET)),
    Parser("sheet-tex", "sheet.tex", read_claims, _texts(files.SHEET)),
    Parser("sheet-html", "sheet.html", read_claims, _texts(f"<h1>Q1</h1><p>{files.SHEET}</p><math>x</math>")),
    Parser("sheet-ipynb", "sheet.ipynb", read_claims, _texts(files.NOTEBOOK)),
    Parser("answers-csv", "answers.csv", read_claims, _texts("student,question,claim\nAda,1,c = v_a\nEmmy,2,1 = 2\n")),
    Parser("rubric-toml", "rubric.toml", read_rubric, _texts(files.RUBRIC)),
    Parser("setting-toml", "setting.toml", read_setting, _texts(files.SETTING)),
    Parser("keys-toml", "keys.toml", files._ask_keys, _texts(files.KEYS)),
    Parser("rows-json", "rows.json", lambda path: read_rows(str(path)), _texts(files.ARRAY, "[[1, 2], [3, 4.5]]")),
    Parser("npy", "rows.npy", lambda path: read_rows(str(path)), _npy),
    Parser("npz", "rows.npz", lambda path: read_array(f"{path}:keys"), _npz),
    Parser("glove", "vectors.txt", read_vectors, _texts(files.VECTORS)),
    Parser("glove-gz", "vectors.txt.gz", read_vectors, _gzipped(files.VECTORS)),
    Parser("rows-csv", "reviews.csv", lambda path: read_labelled(str(path)), _texts(files.TABLE)),
    Parser("rows-csv-gz", "reviews.csv.gz", lambda path: read_labelled(str(path)), _gzipped(files.TABLE)),
    Parser("rows-jsonl", "reviews.jsonl", lambda path: read_labelled(str(path)), _texts(files.ROWS)),
    Parser("rows-parquet", "reviews.parquet", lambda path: read_labelled(str(path)), _parquet),
    Parser("text-parquet", "text.parquet", read_table_text, _parquet),
    Parser("text", "text.txt", read_text, _texts("to be\r\nor not é\u2028x\n", "\ufeffbe")),
    Parser("rated", "rated.tsv", lambda path: parse_rated(read_text(path), label="r"), _texts("7\t-0.5\tlong\n" * 3)),
    Parser("archive", "play.tar.gz", lambda path: read_members(path.read_bytes(), ["play-1.0/text.txt"], label="play"),
           _archives),
    Parser("config", "config.json", _load_forged, lambda: [_model()[CONFIG]]),
    Parser("safetensors", "model.safetensors", lambda path: parse_tensors(path.read_bytes(), path), _tensors),
    Parser("bit-plan", "plan.json", _read_plan, lambda: [json.dumps(PLAN).encode()]),
    Parser("tour-page", "tour.html", lambda path: unpack_answers(path.read_text("utf-8", "replace")), _texts(
        '<template id="answers">H4sIAAAAAAAC/6tWSszLTC4pVrJSqjbUUVBKK0rMTVWyUtJQqgUAvsKAQRoAAAA=</template>')),
    Parser("lab-input", "sent.json", lambda path: inputs.read_input(_Sent, parse_sent(path.read_bytes())),
           _texts(json.dumps(dataclasses.asdict(_Sent([1.0, 2.0], 0.1))))),
)  # fmt: skip
