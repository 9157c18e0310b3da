"""The lab as static pages: each is one file that works from a disk or any web server, without Python.

    folder/index.html            the start page
    folder/<slug>.html           a chapter, with its styles, its script and the models that it reads
    folder/regard-lab.json       which of these files are ours, and their checksums

What a served page loads is written into it. Its Content-Security-Policy lets it run its own script and ask nobody else;
nothing keeps it from being shown in a frame, where `?embed=1` leaves the figure and its controls.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from regard.errors import OutputFileError
from regard.files import sha256
from regard.folders import HIDDEN, AtomicFolder, hold_lock
from regard.lab.contents import CHAPTERS, WEB, Chapter
from regard.lab.html_pages import chapter_page, join_modules, module_order, start_page

MANIFEST = "regard-lab.json"
DATA_FILE = re.compile(r'"(\.\./\.\./web/[\w./-]+)"')
"""How a chapter's script names a file that it fetches."""
DATA_BLOCK = '<script type="application/octet-stream" data-file="{address}">{content}</script>'
POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'"
)


@dataclass(frozen=True)
class ExportedLab:
    """Where the pages are, and how large each is."""

    folder: Path
    sizes: dict[str, int]

    def __repr__(self) -> str:
        total = sum(self.sizes.values())
        return f"ExportedLab({str(self.folder)!r}, {len(self.sizes)} files, {total / 1e6:.1f} MB)"


def export(folder: Path | str, *, force: bool = False) -> ExportedLab:
    """Write the lab as static pages, of which index.html is the first, to a new or empty folder.

    An earlier export is replaced if `force` is true. A folder with anything else in it is refused, and nothing in it
    is touched. All files change at once.
    """
    shown = Path(folder)
    path = Path(os.path.realpath(shown))
    place = AtomicFolder(path, shown=shown)
    if not (path / HIDDEN).exists():  # else another process may be at work, which is reported first
        _require_free(place, force=force)
    files = {name: text.encode() for name, text in static_pages().items()}
    with hold_lock(path, shown=shown):
        place.recover()
        before = _require_free(place, force=force)
        manifest = {"regard": "lab", "files": {name: sha256(content) for name, content in files.items()}}
        listing = json.dumps(manifest, indent=1).encode() + b"\n"
        place.change({**files, MANIFEST: listing}, before=before)
    return ExportedLab(shown, {name: len(content) for name, content in files.items()})


def _require_free(place: AtomicFolder, *, force: bool) -> dict[str, str]:
    """The files of an earlier export with their checksums; OutputFileError where the folder may not be written."""
    if place.path.exists() and not place.path.is_dir():
        raise OutputFileError(f"{place.shown} is a file; the pages need a folder: choose another name")
    ours = _exported_files(place)
    strangers = sorted((place.names() - ours.keys()) | place.unknown_hidden())
    if strangers:
        named = ", ".join(strangers[:3]) + (" …" if len(strangers) > 3 else "")
        raise OutputFileError(
            f"{place.shown} holds {named}, which is no part of an exported lab; choose another folder"
        )
    if ours and not force:
        raise OutputFileError(
            f"{place.shown} holds an exported lab; "
            "--force replaces it (in Python: force=True), or choose another folder"
        )
    return ours


def _exported_files(place: AtomicFolder) -> dict[str, str]:
    """The files that an earlier export wrote, with their checksums; none where there was no such thing."""
    try:
        content = place.read(MANIFEST)
        listed = json.loads(content)
        if listed["regard"] == "lab":
            return {
                **{str(name): str(checksum) for name, checksum in listed["files"].items()},
                MANIFEST: sha256(content),
            }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    return {}


def static_pages() -> dict[str, str]:
    """All pages by the names of their files, the start page last: once it is there, so is what it leads to."""
    pages = {f"{chapter.slug}.html": static_chapter(chapter) for chapter in CHAPTERS}
    return {**pages, "index.html": _static_page(start_page(CHAPTERS))}


def static_chapter(chapter: Chapter) -> str:
    """A chapter as one file."""
    return _static_page(chapter_page(chapter), data=_data_blocks(chapter.script))


def _static_page(page: str, *, data: str = "") -> str:
    """A page of the server with all that it loads written into it; links lead to the other files of the export."""
    page = re.sub(r' *<link rel="modulepreload"[^>]*>\n', "", page)
    page = re.sub(r'href="(?:\.\./\.\./)?web/(icon\.svg)"', lambda found: f'href="{_icon_address(found[1])}"', page)
    styles = [
        _web_text(name) for name in re.findall(r'<link rel="stylesheet" href="(?:\.\./\.\./)?web/([^"]+)">', page)
    ]
    names = re.findall(r'<script type="module" src="(?:\.\./\.\./)?web/([^"]+)"></script>', page)
    scripts = [_inline_script(WEB / name) for name in names]
    page = re.sub(r' *<link rel="stylesheet"[^>]*>\n| *<script type="module"[^>]*></script>\n', "", page)
    page = re.sub(r'href="(?:\.\./|chapter/)([\w-]+)/"', r'href="\1.html"', page).replace(
        'href="../../"', 'href="index.html"'
    )
    policy = POLICY.format(script=_hashes(scripts), style=_hashes(styles))
    head = [f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">']
    head += [f"<style>{style}</style>" for style in styles]
    end = [data, *(f"<script>{script}</script>" for script in scripts)]
    page = page.replace('<meta charset="utf-8">', "\n".join(['<meta charset="utf-8">', *head]), 1)
    page = page.replace("<body", '<body data-exported="yes"', 1)
    return page.replace("  </body>", "\n".join([*filter(None, end), "  </body>"]))


def _inline_script(script: Path) -> str:
    """A script with its modules as one classic script, whose names are its own; nothing in it ends the element."""
    text = join_modules(script)
    assert "<!--" not in text, f"{script.name} or what it imports holds <!--, which a page reads as its own"
    safe = text.replace("</script", r"<\/script")
    return f'\n(() => {{\n"use strict";\n{safe}\n}})();\n'


def _data_blocks(script: Path) -> str:
    """The files that a chapter's script fetches, as elements of the page that hold them."""
    addresses = {
        address: WEB / address.removeprefix("../../web/")
        for path in module_order(script)
        for address in DATA_FILE.findall(path.read_text(encoding="utf-8"))
    }
    return "\n".join(
        DATA_BLOCK.format(address=address, content=base64.b64encode(file.read_bytes()).decode())
        for address, file in sorted(addresses.items())
    )


def _hashes(texts: list[str]) -> str:
    """Sources of a Content-Security-Policy that allow exactly these inline texts."""
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts)
    return " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"


def _web_text(name: str) -> str:
    return (WEB / name).read_text(encoding="utf-8")


def _icon_address(name: str) -> str:
    return "data:image/svg+xml," + quote(_web_text(name), safe="/:=' ")
