"""Model folders in tests: changed by hand so that checksums still fit, or as an earlier version wrote them."""

import json
from pathlib import Path

from regard.models.folder import CONFIG, json_bytes, seal, stamps


def reseal(folder: Path) -> None:
    """Make the list in config.json fit the files as they are now."""
    config = json.loads((folder / CONFIG).read_text())
    names = [name for name in config["regard"]["files"] if (folder / name).exists()]
    files = stamps({name: (folder / name).read_bytes() for name in names})
    (folder / CONFIG).write_bytes(json_bytes(seal(config, files)))


def rewrite(path: Path, **entries: object) -> None:
    """Change entries of a JSON file in a model folder."""
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))
    reseal(path.parent)


def rewrite_ours(folder: Path, **entries: object) -> None:
    """Change our part of config.json; None removes an entry."""
    config = json.loads((folder / CONFIG).read_text())
    ours = {name: value for name, value in (config["regard"] | entries).items() if value is not None}
    (folder / CONFIG).write_text(json.dumps({**config, "regard": ours}))
    reseal(folder)


def unlist(folder: Path) -> None:
    """Make a folder like those of versions that wrote no list."""
    config = json.loads((folder / CONFIG).read_text())
    for name in ("files", "sha256", "complete"):
        config["regard"].pop(name, None)
    (folder / CONFIG).write_bytes(json_bytes(config))


def contents(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder: the bytes of each file, None for folders."""
    found = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in found}


def names(folder: Path) -> list[str]:
    """What stands in a folder, sorted."""
    return sorted(path.name for path in folder.iterdir())
