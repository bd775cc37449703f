"""The page about own lists: each list that it shows is imported as it stands."""

import json
import re
from pathlib import Path

import pytest

from tests.flows.program import Program

PAGE = (Path(__file__).parents[3] / "docs" / "own-list.md").read_text(encoding="utf-8")
_LISTS = re.findall(r"^```(markdown|csv|bibtex|ris)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
_TITLES = ["Attention Is All You Need", "Mamba", "Long Short-Term Memory"]


def test_the_page_shows_a_list_of_each_kind() -> None:
    """Markdown as items and as a table, CSV, BibTeX, RIS."""
    assert [kind for kind, _ in _LISTS] == ["markdown", "markdown", "csv", "bibtex", "ris"]


@pytest.mark.parametrize(("kind", "text"), _LISTS)
def test_each_list_of_the_page_is_imported(broadsheet: Program, kind: str, text: str) -> None:
    """Every row is understood, and belongs to the second week of 2026."""
    name = "list.txt" if "2026" in text else f"2026-W02.{kind}"
    (broadsheet.folder / name).write_text(text, encoding="utf-8")
    ran = broadsheet("import", name, "--source", "team", "--json")
    (document,) = json.loads(ran.out)["documents"]
    assert (ran.code, document["kind"], document["warnings"]) == (0, "list", [])
    (edition,) = json.loads(broadsheet("export", "--source", "team").out)["editions"]
    assert (edition["kind"], edition["first_day"]) == ("list", "2026-01-05")
    entries = edition["entries"]
    assert [each["title"] for each in entries] == [
        title for title in _TITLES if title in text.replace("{", "").replace("}", "")
    ]
    assert entries[0]["summary"].lower() == "where it began"
    assert entries[0]["arxiv_id"] == "1706.03762"


def test_the_import_that_the_page_shows_says_so(broadsheet: Program) -> None:
    """The first lines of the page are what the program prints."""
    [block] = re.findall(r"^```console\n\$ (.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    command, *printed = block.splitlines()
    path = broadsheet.folder / "papers.md"
    path.write_text("".join(f"- {title}\n" for title in _TITLES), encoding="utf-8")
    ran = broadsheet(*command.split()[1:])
    assert ran.out.splitlines() == printed
