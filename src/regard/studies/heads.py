"""Every head of pretrained Transformers in one table: what each does while its model reads a text.

`heads` is about one model and one text, `sweep_heads` about several of both; workers take a pair each. Torch and
transformers load when a study begins, so that naming this module costs nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.cluster import map_batches
from regard.display import percent
from regard.errors import ArgumentError, MissingExtraError, ValueRangeError
from regard.progress import Progress, part, show_progress, silent
from regard.records import Workers
from regard.report.heads_page import draw_heads
from regard.tables import StudyTable
from regard.text.corpora.corpus import TextSource, find_text

if TYPE_CHECKING:
    from regard.pretrained.load import Pretrained
    from regard.pretrained.noise_laws import Noise
    from regard.pretrained.quantise import Quantiser
    from regard.pretrained.sensitivity import HeadSensitivity


@dataclass(frozen=True)
class Config:
    """How a text is read, and what is asked of the heads."""

    model: str = "the model"
    text: str = "the text"
    lines: bool = False
    """Whether each line is a text of its own, as sentences are for an encoder; else the text is cut into blocks."""
    block: int | None = None
    """Tokens that are read at once, marks included; None: as many as the model has positions, at most 512."""
    max_tokens: int = 8192
    """How many tokens of the text are read at most."""
    noise: Sequence[str] = ()
    """Noise in the keys: radial:0.1, isotropic:0.1, or a quantiser such as int4 or int2:token:symmetric."""
    measure: bool = False
    """Whether errors under random noise are also measured by draws, and what all heads together do to the model."""
    seed: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.noise, str):
            raise ArgumentError(f"noise is a list of names, such as ['radial:0.1']; got {self.noise!r}")
        if self.max_tokens < 2:
            raise ValueRangeError(f"max_tokens must be at least 2, as a head reads other tokens; got {self.max_tokens}")


def heads(
    model: str | Path | Pretrained, text: TextSource, *, progress: Progress | bool = True, **settings: Any
) -> StudyTable:
    """A row for every head of a pretrained model: what it does while the model reads the text.

    `model` is a folder, a name on the Hugging Face hub, or what `load_pretrained` returned; `text` a corpus name, a
    path, or a text with a line break. Settings are those of `regard.studies.heads.Config`: lines, block, max_tokens.
    With `noise`, such as ["radial:0.1", "int4"], each head's error and the damage to the model stand beside it.
    """
    from regard.studies.training.run import make_config

    loaded = open_pretrained(model)
    corpus = find_text(text)
    config = make_config(Config, {"model": loaded.name, "text": corpus.name, **settings})
    with show_progress(progress) as report:
        table = run(loaded, corpus.text, config, progress=part(report, 0.0, 0.5) if config.noise else report)
        if not config.noise:
            return table
        return join_noise(table, run_noise(loaded, corpus.text, config, progress=part(report, 0.5, 1.0)))


def open_pretrained(model: str | Path | Pretrained) -> Pretrained:
    """The model in a folder or on the hub; one that is loaded already is returned as it is."""
    try:
        from regard.pretrained.load import Pretrained, load_pretrained
    except ImportError:
        raise MissingExtraError("pretrained models need torch: pip install 'regard[pretrained]'") from None
    return model if isinstance(model, Pretrained) else load_pretrained(model)


def run(pretrained: Pretrained, text: str, config: Config, *, progress: Progress = silent) -> StudyTable:
    """The table of all heads over the text."""
    from regard.pretrained.influence import direct_effects
    from regard.pretrained.profile import HeadProfile, profile_heads

    blocks = cut_text(pretrained, text, config)
    profiles = profile_heads(pretrained, blocks, progress=progress)
    effects = direct_effects(pretrained, blocks)
    columns = [*HeadProfile.__dataclass_fields__]
    rows = [list(vars(profile).values()) for profile in profiles]
    if effects is not None:
        columns.append("direct_effect")
        for row, effect in zip(rows, effects.flatten().tolist(), strict=True):
            row.append(effect)
    return StudyTable(
        title=_title(pretrained, config),
        columns=tuple(columns),
        rows=tuple(map(tuple, rows)),
        notes=tuple(_notes(pretrained, blocks, config, has_effects=effects is not None)),
        config=asdict(config),
        draw=draw_heads,
    )


def run_noise(pretrained: Pretrained, text: str, config: Config, *, progress: Progress = silent) -> StudyTable:
    """A row for every head under every noise: its error, its layer's, the damage to the model, and the method."""
    from regard.pretrained.influence import damage_name
    from regard.pretrained.sensitivity import HeadSensitivity, predict_noise

    blocks = cut_text(pretrained, text, config)
    noises = [parse_noise_name(name) for name in config.noise]
    found = predict_noise(
        pretrained, blocks, noises, measure=config.measure, seed=config.seed, progress=part(progress, 0.0, 0.9)
    )
    notes = [
        "error: root mean square of what noise in a head's keys does to its output after W_O, as a share of it",
        f"damage: {damage_name(pretrained)}, predicted for noise in that head alone",
    ]
    for name, noise in zip(config.noise, noises, strict=True):
        notes.append(_noise_note(name, [each for each in found if each.noise == noise.name]))
        if config.measure:
            notes.append(f"{name}: {_measured_note(pretrained, blocks, noise, config)}")
    columns = tuple(HeadSensitivity.__dataclass_fields__)
    rows = tuple(tuple(vars(each).values()) for each in found)
    return StudyTable(
        f"{_title(pretrained, config)}, with noise in the keys", columns, rows, tuple(notes), asdict(config)
    )


def parse_noise_name(name: str) -> Noise | Quantiser:
    """What a name of noise stands for."""
    from regard.pretrained.noise_laws import parse_noise
    from regard.pretrained.quantise import parse_quantiser

    return parse_quantiser(name) if name.startswith("int") else parse_noise(name)


def check_names(noises: Sequence[str], quantisers: Sequence[str]) -> None:
    """Refuse names of noise and of quantisers that are not understood, before anything is loaded."""
    from regard.pretrained.noise_laws import parse_noise
    from regard.pretrained.quantise import parse_quantiser

    for name in noises:
        parse_noise(name)
    for name in quantisers:
        parse_quantiser(name)


def join_noise(table: StudyTable, noise: StudyTable) -> StudyTable:
    """The table of heads with two columns for each noise: error and damage."""
    records = noise.records()
    names = list(dict.fromkeys(row["noise"] for row in records))
    by_place = {(row["noise"], row["layer"], row["head"]): row for row in records}
    rows = [
        (*row, *(by_place[name, row[0], row[1]][figure] for name in names for figure in ("error", "damage")))
        for row in table.rows
    ]
    columns = (*table.columns, *(f"{name} {figure}" for name in names for figure in ("error", "damage")))
    return StudyTable(table.title, columns, tuple(rows), (*table.notes, *noise.notes), table.config, table.draw)


def _noise_note(name: str, found: list[HeadSensitivity]) -> str:
    worst = max(found, key=lambda each: each.error)
    methods = Counter(each.method for each in found)
    said = ", ".join(f"{method} for {count}" for method, count in methods.most_common())
    shares = [each.first_order_share for each in found if each.first_order_share is not None]
    low = f"; first order gives down to {min(shares):.2g} of the squared error" if shares else ""
    return (
        f"{name}: layer {worst.layer} head {worst.head} errs most, by {percent(worst.error, decimals=0)}; "
        f"method: {said} heads{low}"
    )


def _measured_note(pretrained: Pretrained, blocks: list[list[int]], noise: Noise | Quantiser, config: Config) -> str:
    """What noise in the keys of all heads at once does to the model, by whole forward passes."""
    from regard.pretrained.influence import damage_name, measure_damage
    from regard.pretrained.sensitivity import key_changes

    damage = measure_damage(pretrained, blocks, key_changes(pretrained, noise, seed=config.seed))
    return f"measured with noise in all heads at once, {damage_name(pretrained)}: {damage:.4g}"


def make_page(pretrained: Pretrained, text: str, table: StudyTable, config: Config) -> str:
    """A self-contained HTML page: the map of heads, and each one's pattern on the longest block of the text."""
    from regard.pretrained.profile import KINDS, capture_patterns
    from regard.report.heads_page import heads_page

    patterns = capture_patterns(pretrained, max(cut_text(pretrained, text, config), key=len))
    return heads_page(table, patterns, kinds=[(name, rule) for name, rule, _ in KINDS])


def cut_text(pretrained: Pretrained, text: str, config: Config) -> list[list[int]]:
    """The text as the model reads it: blocks of ids."""
    from regard.pretrained.load import token_blocks

    texts = [line for line in text.splitlines() if line.strip()] if config.lines else [text]
    return token_blocks(pretrained, texts, block=config.block, max_tokens=config.max_tokens)


def _title(pretrained: Pretrained, config: Config) -> str:
    kind = "decoder" if pretrained.is_decoder else "encoder"
    return f"{config.model} ({kind}, {pretrained.n_layers} layers of {pretrained.n_heads} heads) on {config.text}"


def _notes(pretrained: Pretrained, blocks: list[list[int]], config: Config, *, has_effects: bool) -> list[str]:
    from regard.pretrained.load import special_tokens
    from regard.pretrained.profile import KINDS

    n_marks = sum(map(len, special_tokens(pretrained.tokenizer)))
    n_tokens = sum(map(len, blocks)) - n_marks * len(blocks)
    what = ("line" if config.lines else "block") + ("s" if len(blocks) > 1 else "")
    notes = [
        f"read: {n_tokens:,} tokens of the text in {len(blocks):,} {what}; the longest has {max(map(len, blocks))} "
        f"of the model's {pretrained.max_positions} positions, marks included"
    ]
    if n_tokens == config.max_tokens:
        notes.append(f"the text was read up to its token {n_tokens:,}; max-tokens reads more")
    rules = "; ".join(f"{name}: {rule}" for name, rule, _ in KINDS)
    notes.append(f"kind is the first rule that holds: {rules}")
    if has_effects:
        notes.append(
            "direct_effect: by how many nats a token the loss grows if what the head adds to the residual is its mean"
        )
    return notes


def sweep_heads(
    models: Sequence[str | Path],
    texts: Sequence[TextSource],
    *,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | bool = True,
    **settings: Any,
) -> StudyTable:
    """A row for every head of every model on every text, after the columns `model` and `text`.

    Models are folders, or names on the Hugging Face hub, that every worker can open. Settings are those of
    `regard.studies.heads.Config`: lines, block, max_tokens. A head is measured on one thread, so that the figures are
    equal to the last bit, whichever worker measures.
    """
    from regard.studies.training.run import make_config

    if not models or not texts:
        raise ArgumentError(f"expected a model and a text at least; got {len(models)} models and {len(texts)} texts")
    corpora = [find_text(text) for text in texts]
    configs = [
        (make_config(Config, {**settings, "model": str(model), "text": corpus.name}), corpus.text)
        for model in models
        for corpus in corpora
    ]
    batches = [(json.dumps(asdict(config)), text) for config, text in configs]
    group = Workers(min(workers, len(batches)), scheduler)
    with show_progress(progress) as report:
        done = map_batches(profile_pair, batches, workers=group, total=len(batches), progress=report, message="models")
        found = [json.loads(result) for result in done]
    columns, rows = _join_tables([config for config, _ in configs], found)
    return StudyTable(
        title=f"{len(rows)} heads: {_count_of(models, 'model')} on {_count_of(corpora, 'text')}",
        columns=("model", "text", *columns),
        rows=tuple(rows),
        notes=tuple(dict.fromkeys(f"{each['title']}: {each['notes'][0]}" for each in found)),
        config={"models": [str(model) for model in models], "texts": [corpus.name for corpus in corpora], **settings},
    )


def _join_tables(configs: Sequence[Config], found: Sequence[dict[str, Any]]) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns of all tables, and all rows, each after its model and text; empty where a table lacks a column."""
    columns = list(dict.fromkeys(name for each in found for name in each["columns"]))
    rows = [
        (config.model, config.text, *(dict(zip(each["columns"], row, strict=True)).get(name, "") for name in columns))
        for config, each in zip(configs, found, strict=True)
        for row in each["rows"]
    ]
    return columns, rows


def _count_of(things: Sequence[Any], name: str) -> str:
    return f"{len(things)} {name}{'s' * (len(things) > 1)}"


def profile_pair(settings: str, text: str) -> bytes:
    """What a worker does: the table of one model's heads on one text, as JSON."""
    import torch

    config, threads = Config(**json.loads(settings)), torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        table = run(open_pretrained(config.model), text, config)
    finally:
        torch.set_num_threads(threads)
    record = {"title": table.title, "columns": table.columns, "rows": table.rows, "notes": table.notes}
    return json.dumps(record).encode()
