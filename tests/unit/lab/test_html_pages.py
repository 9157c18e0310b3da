"""The start page, the frame of a chapter, and modules joined into one text."""

import re

import pytest

from regard.lab.contents import CHAPTERS, WEB, Chapter
from regard.lab.html_pages import EXPORT, IMPORT, chapter_page, join_modules, module_order, start_page


def test_titles_are_escaped():
    page = start_page((Chapter(7, "a-b", "<Title>", "x & y"),))
    assert 'href="chapter/a-b/"' in page
    assert "<strong>&lt;Title&gt;</strong>" in page
    assert "x &amp; y" in page
    assert "<!-- cards -->" not in page


def test_a_chapter_names_its_neighbours_and_all_that_it_loads():
    page = chapter_page(CHAPTERS[0])
    assert "<title>Look-up · Regard</title>" in page
    assert '<a rel="next" href="../average-and-subspace/">Average and subspace →</a>' in page
    assert 'rel="prev"' not in page
    assert '<link rel="modulepreload" href="../../web/parts/page.js">' in page
    assert "<!--" not in page


def test_addresses_are_relative_so_that_any_folder_may_hold_the_pages():
    for chapter in CHAPTERS:
        assert not re.search(r'(?:src|href)="/', chapter_page(chapter))
    assert not re.search(r'(?:src|href)="/', start_page(CHAPTERS))


def test_modules_come_after_what_they_import_and_once(tmp_path):
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nimport { c } from "./c.js";\nb(c);\n')
    (tmp_path / "b.js").write_text('import { c } from "./c.js";\nexport function b() {}\n')
    (tmp_path / "c.js").write_text("export const c = 1;\nconst text = 'export const';\n")
    assert [path.name for path in module_order(tmp_path / "a.js")] == ["c.js", "b.js", "a.js"]
    assert join_modules(tmp_path / "a.js") == "const c = 1;\nconst text = 'export const';\n\nfunction b() {}\n\nb(c);\n"


def test_modules_that_import_each_other_are_refused(tmp_path):
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\n')
    with pytest.raises(AssertionError, match=r"a\.js imports itself through b\.js"):
        module_order(tmp_path / "a.js")


SCRIPTS = sorted(path for path in WEB.rglob("*.js") if path.parent.name != "start")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_module_imports_and_exports_in_the_one_way_that_can_be_joined(path):
    text = path.read_text(encoding="utf-8")
    code = re.sub(r"`[^`]*`", "", text)  # the Python that a page shows imports as well
    for line in re.findall(r"^(?:import|export)\b.*", code, re.MULTILINE):
        assert IMPORT.match(line + "\n") or EXPORT.match(line) or line.startswith("import {"), line
    assert "innerHTML" not in text
    assert not re.search(r"\beval\(|new Function\(|document\.write", text)


DEFINED = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|const|let|var|class) +(\{[^}]*\}|\[[^\]]*\]|[\w$]+)", re.MULTILINE
)


def top_level_names(script):
    """Every name that the joined modules define; `const { a, b: c } = …` defines a and c."""
    found = (re.sub(r"=[^,}\]]*", "", words) for words in DEFINED.findall(join_modules(script)))
    return [name for words in found for name in re.findall(r"[\w$]+(?=\s*(?:,|\}|\]|$))", words)]


def test_names_are_found_however_they_are_defined(tmp_path):
    (tmp_path / "a.js").write_text(
        'import { b } from "./b.js";\nconst [one, two] = b;\nlet { ten, four: five, six = 1 } = b;\nfunction* go() {}\n'
    )
    (tmp_path / "b.js").write_text("export const b = 1;\nexport async function one() {\n  const two = 2;\n}\n")
    names = top_level_names(tmp_path / "a.js")
    assert sorted(names) == ["b", "five", "go", "one", "one", "six", "ten", "two"]


JOINED = [*(chapter.script for chapter in CHAPTERS), *(WEB.parent / "widgets").glob("*.js")]


@pytest.mark.parametrize("script", JOINED, ids=lambda path: path.name)
def test_no_name_is_defined_twice_in_what_a_page_or_widget_loads(script):
    names = top_level_names(script)
    assert len(names) > 5
    assert sorted(names) == sorted(set(names))
