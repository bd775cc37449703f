"""A reader's list in the terminal, through the installed program."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from bibtexparser.entrypoint import parse_string

from tests.bot.ingest.drafts import edition, entry
from tests.flows.program import Program, write_week

_CLOSED = Path("/proc")  # to its owner too, whoever runs the tests


@pytest.fixture
def stocked(broadsheet: Program) -> Program:
    """Return a program that holds a week of seven papers."""
    week = edition(
        *(entry(rank, f"Kites, part {rank}", "Words.") for rank in range(1, 8)),
        title="The Top AI Papers of the Week (January 5-11)",
    )
    assert broadsheet("import", write_week(broadsheet.folder, week).name).code == 0
    return broadsheet


def test_a_list_is_kept_from_one_call_to_the_next(stocked: Program) -> None:
    """What one call saves the next has as a bibliography on its standard output."""
    assert stocked("ask", "save 3").out.startswith("On your list: Kites, part 3.\n")
    assert stocked("ask", "note 3 50% better").code == 0
    exported = stocked("ask", "saved as:bibtex")
    first, _, rest = exported.out.partition("\n")
    assert first == "1 paper as BibTeX."
    [record] = parse_string(rest).entries
    assert record.fields_dict["title"].value == "{Kites, part 3}"
    assert record.fields_dict["annote"].value.startswith(r"50\% better [")
    unknown = stocked("ask", "saved as:bib-tex")
    assert (unknown.code, unknown.out) == (1, "")
    assert stocked("ask", "forget confirm:operator").code == 1
    assert stocked("chat", "--no-samples", stdin="forget\nDelete all of it\n").code == 0
    assert "Nothing is stored about you." in stocked("ask", "forget").out


def test_a_long_list_is_a_file_of_the_folder(stocked: Program) -> None:
    """Six papers are written beside the caller; in JSON the bytes stand in the answer.

    Where none can be written the words come on standard output, why there is no file on standard
    error, with exit 1.
    """
    lines = "".join(f"save {rank}\n" for rank in range(1, 7))
    assert stocked("chat", "--no-samples", stdin=lines).code == 0
    told = stocked("ask", "saved as:json").out
    assert "6 papers as JSON." in told
    papers = json.loads((stocked.folder / "saved.json").read_text())["papers"]
    assert [each["rank"] for each in papers] == [6, 5, 4, 3, 2, 1]
    blocks = json.loads(stocked("ask", "--json", "saved as:csv").out)["blocks"]
    assert [each["type"] for each in blocks] == ["text", "file"]
    if _CLOSED.exists():
        store = f"sqlite:///{stocked.folder / 'broadsheet.db'}"
        refused = replace(stocked, folder=_CLOSED, database_url=store)("ask", "saved as:csv")
        assert (refused.code, refused.out) == (1, "6 papers as CSV.\n"), refused
        assert refused.err.startswith("saved.csv could not be written: this folder can't be")
