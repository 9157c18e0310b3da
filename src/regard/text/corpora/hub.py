"""Text of a dataset on the Hugging Face hub, through the package `datasets`, which has its own cache."""

from __future__ import annotations

import importlib
import re
from typing import Any

from regard.errors import CorpusError, MissingExtraError

PREFIX = "hub:"
_FORM = re.compile(r"hub:(?P<path>[\w.-]+(/[\w.-]+)?)(@(?P<config>[\w.-]+))?(:(?P<split>[\w.%\[\]:-]+))?")


def read_hub(name: str) -> str:
    """The column `text` of hub:OWNER/NAME[@CONFIG][:SPLIT], one row a line; the split is train unless named."""
    form = _FORM.fullmatch(name)
    if form is None:
        raise CorpusError(f"expected hub:OWNER/NAME, then @CONFIG and :SPLIT where needed; got {name!r}")
    try:
        datasets: Any = importlib.import_module("datasets")
    except ImportError:
        raise MissingExtraError(
            f"{name} needs the package datasets: pip install datasets, or give the path of a text file"
        ) from None
    try:
        # Only data is loaded: a dataset that is a program is refused by not trusting it.
        dataset = datasets.load_dataset(form["path"], form["config"], split=form["split"] or "train")
    except Exception as error:  # which the package's many parts raise in as many kinds
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise CorpusError(
            f"cannot load {name} from the hub: {reason}; check the name and the connection, "
            "or give the path of a text file"
        ) from error
    if "text" not in dataset.column_names:
        raise CorpusError(f"{name} has no column text, but {', '.join(dataset.column_names)}")
    return "".join(f"{row}\n" for row in dataset["text"])
