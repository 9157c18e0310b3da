"""Every head of a pretrained Transformer in one table: what it does while the model reads a text.

Torch and transformers load when a study begins, so that naming this module costs nothing.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.errors import MissingExtraError, ValueRangeError
from regard.progress import Progress, show_progress, silent
from regard.records import StudyTable
from regard.studies.sources import TextSource, find_text

if TYPE_CHECKING:
    from regard.pretrained.load import Pretrained


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
    """So many tokens of the text are read."""

    def __post_init__(self) -> None:
        if self.max_tokens < 2:
            raise ValueRangeError(f"a head is seen on at least two tokens; got max_tokens {self.max_tokens}")


def heads(
    model: str | Path | Pretrained, text: TextSource, *, progress: Progress | bool = True, **settings: Any
) -> StudyTable:
    """A row for every head of a pretrained model: what it does while the model reads the text.

    `model` is a folder, a name on the Hugging Face hub, or what `load_pretrained` returned; `text` a corpus name, a
    path, or a text with a line break. Settings are those of `regard.studies.heads.Config`: lines, block, max_tokens.
    """
    from regard.studies.training.result import make_config

    loaded = open_pretrained(model)
    corpus = find_text(text)
    config = make_config(Config, {"model": loaded.name, "text": corpus.name, **settings})
    with show_progress(progress) as report:
        return run(loaded, corpus.text, config, progress=report)


def open_pretrained(model: str | Path | Pretrained) -> Pretrained:
    """The model in a folder or on the hub; one that is loaded already is returned as it is."""
    try:
        from regard.pretrained.load import Pretrained, load_pretrained
    except ImportError:
        raise MissingExtraError("pretrained models need torch: pip install 'regard[pretrained]'") from None
    return model if isinstance(model, Pretrained) else load_pretrained(model)


def run(pretrained: Pretrained, text: str, config: Config, *, progress: Progress = silent) -> StudyTable:
    """The table of all heads over the text."""
    from regard.pretrained.direct_effect import direct_effects
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
    )


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
