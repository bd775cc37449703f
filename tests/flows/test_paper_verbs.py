"""`broadsheet papers`: what is said of who is who, said through the installed program."""

import json

import pytest

from bot.ingest.drafts import ParsedDocument
from tests.bot.ingest.drafting import edition, entry
from tests.bot.ingest.print_newsletter import print_newsletter
from tests.flows.program import Program

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
        path = broadsheet.folder / f"{slug}.txt"
        path.write_text(print_newsletter(ParsedDocument(week.kind, slug, "Top AI Papers", (week,))))
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
    assert "taken back" in stocked("papers", "split", WINGS).out
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
