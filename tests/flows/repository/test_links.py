"""The links of the pages that people read."""

import re
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[3]
_PAGES = [
    path.relative_to(ROOT) for path in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
]
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\(<?(?![a-z]+:)([^)\s#>]*)(?:#([^)\s>]*))?>?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def _text(page: Path) -> str:
    return _FENCED.sub("", (ROOT / page).read_text(encoding="utf-8"))


def _anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = _HEADING.findall(_text(page)) if page.suffix == ".md" else []
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {each.replace(" ", "-") for each in words}


@pytest.mark.parametrize("page", _PAGES, ids=str)
def test_each_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    """No page of the repository links to a file or a heading that is not there."""
    broken = set()
    for name, anchor in _LINK.findall(_CODE.sub("", _text(page))):
        target = (ROOT / page).parent / unquote(name) if name else ROOT / page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.add(f"{name}#{anchor}")
    assert broken == set()


def test_every_page_is_in_the_index_and_in_the_menu() -> None:
    """The list of pages by task leaves out decisions alone, the menu of the site none."""
    docs = ROOT / "docs"
    pages = {page.relative_to(docs).as_posix() for page in docs.rglob("*.md")}
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    assert set(re.findall(r"'([\w./-]+\.md)'", str(site["project"]["nav"]))) == pages
    listed = {name for name, _ in _LINK.findall(_text(Path("docs", "README.md")))}
    assert {page for page in pages if not page.startswith("decisions/0")} - {"README.md"} <= listed
