"""The heads of several pretrained models on several texts, in one table; workers take a model and a text each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from regard.cluster import Workers, map_batches
from regard.errors import ArgumentError
from regard.progress import Progress, show_progress
from regard.studies.heads import Config, open_pretrained, run
from regard.studies.sources import TextSource, find_text
from regard.tables import StudyTable


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
    the same to the last bit whoever measures.
    """
    from regard.studies.training.result import make_config

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
    columns = list(dict.fromkeys(name for each in found for name in each["columns"]))
    rows = [
        (config.model, config.text, *(dict(zip(each["columns"], row, strict=True)).get(name, "") for name in columns))
        for (config, _), each in zip(configs, found, strict=True)
        for row in each["rows"]
    ]
    return StudyTable(
        title=f"{len(rows)} heads: {_some(models, 'model')} on {_some(corpora, 'text')}",
        columns=("model", "text", *columns),
        rows=tuple(rows),
        notes=tuple(dict.fromkeys(f"{each['title']}: {each['notes'][0]}" for each in found)),
        config={"models": [str(model) for model in models], "texts": [corpus.name for corpus in corpora], **settings},
    )


def _some(things: Sequence[Any], name: str) -> str:
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
