"""axe-core, a script of its own that the package axe-playwright-python brings.

The browser's debugger evaluates it in the page, so that the lab's policy, which allows no foreign script, stays.
"""

import importlib.util
from functools import cache
from pathlib import Path

GRAVE = ("serious", "critical")
RUN = "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"


@cache
def axe_script():
    found = importlib.util.find_spec("axe_playwright_python")
    assert found is not None, "there is no axe-core: pip install 'regard[test]'"
    return Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8")


def grave_findings(page):
    """What axe-core finds grave, as lines: the rule, and the elements that break it."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe_script())
    return [
        f"{found['impact']}: {found['id']}: {node['html'][:120]} {node['failureSummary'].splitlines()[-1][:160]}"
        for found in page.evaluate(RUN)
        if found["impact"] in GRAVE
        for node in found["nodes"][:4]
    ]


def assert_accessible(page):
    """Nothing grave in light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert grave_findings(page) == [], scheme
