"""The page on a team's own lists shows lists that the program takes."""

import json
import re
from pathlib import Path

import pytest

from tests.flows.program import Program

_PAGE = Path(__file__).parents[3] / "docs" / "own-list.md"
_BLOCKS = re.findall(r"^```(markdown|csv|bibtex|ris)\n(.*?)^```$", _PAGE.read_text(), re.M | re.S)
_KITES = "Kites That Steer Themselves"


def test_the_page_shows_a_list_of_each_kind() -> None:
    """In three forms of Markdown and of CSV, and as both kinds of bibliography."""
    assert [kind for kind, _ in _BLOCKS] == [*["markdown"] * 3, *["csv"] * 3, "bibtex", "ris"]


@pytest.mark.parametrize(("kind", "text"), _BLOCKS)
def test_a_list_on_the_page_is_imported(broadsheet: Program, kind: str, text: str) -> None:
    """Recognised by its content alone, every row of it."""
    (broadsheet.folder / "list.txt").write_text(text)
    ran = broadsheet("import", "list.txt", "--source", "ours", "--week", "2026-W02")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("list.txt: list, 1 edition with ")
    [edition] = json.loads(broadsheet("export", "--source", "ours").out)["editions"]
    assert (edition["first_day"], edition["last_day"]) == ("2026-01-05", "2026-01-11")
    assert edition["entries"][0]["title"] == _KITES
    assert all("http" not in (entry["summary"] or "") for entry in edition["entries"])
