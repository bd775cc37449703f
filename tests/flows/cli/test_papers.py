"""`broadsheet papers`: what is said of who is who, said through the installed program."""

import json
import shlex

import pytest

from tests.bot.ingest.drafts import edition, entry
from tests.flows.program import Program, write_week

KITES, WINGS = "alpha:2026-01-05#1", "beta:2026-01-05#1"
KITES_AGAIN = "beta:2026-01-05#2"


@pytest.fixture
def stocked(broadsheet: Program) -> Program:
    """Return a program that holds a week of two sources."""
    weeks = {"alpha": ["KiteNet", "Hinges"], "beta": ["Wings on a Line", "KiteNet"]}
    for slug, titles in weeks.items():
        week = edition(
            *(entry(rank, title, "Words.") for rank, title in enumerate(titles, 1)),
            title="The Top AI Papers of the Week (January 5-11)",
        )
        path = write_week(broadsheet.folder, week, slug)
        assert broadsheet("import", "--source", slug, path.name).code == 0
    return broadsheet


def _shown(broadsheet: Program, ref: str) -> set[str]:
    entries = json.loads(broadsheet("show", "--json", ref).out)["entries"]
    return {each["ref"] for each in entries}


def test_papers_are_merged_and_parted(stocked: Program) -> None:
    """A merge shows at once, is listed, lasts through a new import, and is taken back."""
    merged = stocked("papers", "merge", "Wings on a Line", KITES)
    assert (merged.code, merged.err) == (0, "")
    assert merged.out.startswith("They are one paper from now on.\nBefore:\n  1. beta:")
    assert _shown(stocked, WINGS) == {KITES, WINGS, KITES_AGAIN}
    assert "already" in stocked("papers", "merge", KITES, WINGS).out
    assert "“wings on a line” (2026)" in stocked("papers", "list").out
    path = stocked.folder / "beta.txt"
    path.write_text(path.read_text().replace("Words.", "Other words."))
    assert stocked("import", "--source", "beta", path.name).code == 0
    assert _shown(stocked, WINGS) == {KITES, WINGS, KITES_AGAIN}
    assert "was removed" in stocked("papers", "split", WINGS).out
    assert _shown(stocked, WINGS) == {WINGS}
    assert stocked("papers", "list").out == "Nothing was merged or split.\n"


def test_an_entry_is_parted_and_joined_again(stocked: Program) -> None:
    """What a title joined is split off by its ref, as JSON lists it, and merged again."""
    asked = stocked("papers", "split", "KiteNet")
    assert (asked.code, asked.out) == (1, "")
    assert f"  {KITES}\n" in asked.err
    assert f"  {KITES_AGAIN}\n" in asked.err
    assert stocked("papers", "split", KITES_AGAIN).code == 0
    assert _shown(stocked, KITES) == {KITES}
    said = json.loads(stocked("papers", "list", "--json").out)
    assert (said["merges"], said["splits"][0]["ref"]) == ([], KITES_AGAIN)
    assert stocked("papers", "merge", KITES, KITES_AGAIN).code == 0
    assert _shown(stocked, KITES) == {KITES, KITES_AGAIN}
    assert "joined with nothing" in stocked("papers", "split", "Hinges").out


def test_doubtful_papers_are_listed_and_decided(stocked: Program) -> None:
    """What may be one paper is listed with what to run, as text and as JSON, until that is run."""
    listed = stocked("papers", "list", "--doubtful")
    assert (listed.code, listed.out) == (0, "No papers are in doubt.\n")
    path = stocked.folder / "beta.txt"
    path.write_text(path.read_text().replace("January 5-11", "January 6-12, 2025"))
    assert stocked("import", "--source", "gamma", path.name).code == 0
    found = json.loads(stocked("papers", "list", "--doubtful", "--json").out)["doubtful"]
    for each in found:
        assert each["split"] in stocked("papers", "list", "--doubtful").out
        program, *arguments = shlex.split(each["split"])
        assert (program, stocked(*arguments).code) == ("broadsheet", 0)
    assert len(found) == 2
    assert stocked("papers", "list", "--doubtful").out == "No papers are in doubt.\n"
    assert " and " in stocked("papers", "list").out
    assert len(json.loads(stocked("papers", "list", "--json").out)["apart"]) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["merge", KITES], 2, "Missing argument"),
        (["merge", KITES, "2601.99999"], 1, "No edition that is stored names the paper 2601.99999"),
        (["merge", KITES, "2026-01-05#1"], 1, "Several papers fit"),
        (["split", "enzymes"], 1, "No title holds the words"),
    ],
)
def test_who_is_not_known_is_told(
    stocked: Program, arguments: list[str], code: int, words: str
) -> None:
    """A paper that is not there, or could be several, is told in words, and nothing is said."""
    ran = stocked("papers", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert words in ran.err
    assert stocked("papers", "list").out == "Nothing was merged or split.\n"
