"""The references of a bibliography: one a paper, their keys, years, origins and names."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given

from bot.export.bibliography import CitedPaper, last_name_first, origin, references
from bot.library import duplicates
from store.database import Database
from store.library.editions import export_editions
from store.records import Edition
from tests.bot.export.editions import EDITIONS, MONDAY, edition, entry
from tests.bot.ingest.drafts import edition as drafted
from tests.bot.ingest.drafts import entry as drafted_entry
from tests.bot.ingest.imports import take_in

EARLIER = MONDAY - timedelta(weeks=1)
LAST_YEAR = MONDAY - timedelta(weeks=10)
MERGED_AT = datetime(2026, 1, 12, tzinfo=UTC)


def _titles(editions: list[Edition]) -> list[str]:
    return [paper.entry.title for paper in references(editions)]


def _keys(*titles: str) -> list[str]:
    return [paper.key for paper in references([edition(*map(entry, titles))])]


def test_a_paper_that_two_entries_mention_stands_once() -> None:
    """What the store takes for one paper is one, and the newest entry speaks for it."""
    newer = edition(entry("Kites, Second Look", paper=1), entry("Balloons", paper=2))
    older = edition(
        entry("Balloons", paper=3), entry("Kites", paper=1), entry("Gliders"), first_day=EARLIER
    )
    assert _titles([newer, older]) == ["Kites, Second Look", "Balloons", "Balloons", "Gliders"]


def test_ids_come_from_any_entry_of_the_paper() -> None:
    """What the newest entry does not know an older one tells."""
    newer = edition(entry("Kites at Night", doi="10.1234/k", paper=1))
    older = edition(entry("Kites", arxiv_id="2601.00001", paper=1), first_day=EARLIER)
    [paper] = references([newer, older])
    assert (paper.entry.title, paper.entry.arxiv_id) == ("Kites at Night", "2601.00001")
    assert paper.edition == newer


async def test_what_people_merged_stands_once(database: Database) -> None:
    """As the store has it."""
    week = drafted(drafted_entry(1, "Steering Kites"), drafted_entry(2, "Steering Gliders"))
    await database.write(take_in, week, "dair")
    assert len(references(await database.read(export_editions))) == 2
    one, other = (f"dair:{week.first_day}#{rank}" for rank in (1, 2))
    await database.write(duplicates.merge, one, other, MERGED_AT)
    assert len(references(await database.read(export_editions))) == 1


def test_titles_without_letters_name_nothing() -> None:
    """Two of them are two papers."""
    assert _titles([edition(entry("?!"), entry("?!"))]) == ["?!", "?!"]


@pytest.mark.parametrize(
    ("arxiv_id", "year"), [("2501.12948", 2025), ("hep-th/9901001", 1999), (None, 2025)]
)
def test_the_year_is_the_arxiv_ids_else_that_of_the_first_mention(
    arxiv_id: str | None, year: int
) -> None:
    """A paper is as old as its id says, or else as the oldest edition that mentions it."""
    newer = edition(entry("Kites", arxiv_id=arxiv_id, paper=1))
    older = edition(entry("Kites", arxiv_id=arxiv_id, paper=1), first_day=LAST_YEAR)
    assert [paper.year for paper in references([newer, older])] == [year]


@pytest.mark.parametrize(
    ("title", "arxiv_id", "key"),
    [
        ("Kites", "2501.12948", "arXiv2501.12948"),
        ("Kites", "hep-th/9901001", "arXivhep-th-9901001"),
        ("Flying Kites: A Náïve Look", None, "flying-kites-a-naive-look-2026"),
        ("風の研究", None, "dair-2026-01-05-1"),
        ("kite " * 30, None, "-".join(["kite"] * 16) + "-2026"),
        ("k" * 100, None, "k" * 80 + "-2026"),
    ],
)
def test_a_key_can_be_read_and_typed(title: str, arxiv_id: str | None, key: str) -> None:
    """It is the arXiv id, else words of the title with the year, else the ref, all in ASCII."""
    assert [paper.key for paper in references([edition(entry(title, arxiv_id=arxiv_id))])] == [key]


def test_keys_that_recur_are_numbered() -> None:
    """Different titles may leave the same words."""
    assert _keys("Kites 風", "Kites 凧", "Kites", "Kites 2026") == [
        "kites-2026",
        "kites-2026-2",
        "kites-2026-3",
        "kites-2026-2026",
    ]


def test_a_key_stays_when_editions_come() -> None:
    """Neither a newer paper with the same words nor another mention changes it."""
    gliders = entry("Gliders", paper=1)
    older = edition(entry("Kites 風", paper=2), gliders, first_day=LAST_YEAR)
    newer = edition(entry("Kites 凧", paper=3), gliders)
    before = {paper.key for paper in references([older])}
    assert before == {"kites-2025", "gliders-2025"}
    same_year = edition(entry("Kites 凧", paper=3), first_day=LAST_YEAR + timedelta(weeks=1))
    assert [paper.key for paper in references([newer, same_year, older])] == [
        "kites-2025-2",
        "gliders-2025",
        "kites-2025",
    ]


def test_the_origin_says_whose_words_the_summary_is() -> None:
    """A summary is the edition's, and is named as such only where there is one."""
    week = edition(entry("Kites", summary="They fly."), entry("Gliders"))
    assert list(map(origin, references([week]))) == [
        "Number 1 in dair, Jan 5–11, 2026. The abstract is that edition's summary.",
        "Number 2 in dair, Jan 5–11, 2026.",
    ]


@given(EDITIONS)
def test_papers_are_unique_in_all_that_names_them(editions: list[Edition]) -> None:
    """No key stands twice, and no arXiv id is lost."""
    found = references(editions)
    keys = [paper.key.lower() for paper in found]
    assert sorted(set(keys)) == sorted(keys)
    assert all(paper.key.isascii() for paper in found)
    given_ids = [each.arxiv_id for week in editions for each in week.entries]
    assert sorted(_arxiv_ids(found)) == sorted(filter(None, given_ids))


def _arxiv_ids(found: list[CitedPaper]) -> list[str]:
    return [paper.entry.arxiv_id for paper in found if paper.entry.arxiv_id]


def test_no_real_paper_is_lost_or_doubled(real_editions: list[Edition]) -> None:
    """The real documents mention 688 papers, none of them twice."""
    found = references(real_editions)
    assert len(found) == 688
    assert len({paper.key for paper in found}) == 688
    assert not any(paper.key.endswith("-2") for paper in found if not paper.entry.arxiv_id)


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("Ada North", "North, Ada"),
        ("Ada B. North", "North, Ada B."),
        ("Ben van der East", "van der East, Ben"),
        ("Cy South Jr.", "South, Cy, Jr."),
        ("Di West III", "West, Di, III"),
        ("Édgar Ñandú-Ø", "Ñandú-Ø, Édgar"),
        ("van East", "East, van"),
        ("Cher", "Cher"),
        ("Kite Team", "Kite Team"),
        ("The Kite Collaboration", "The Kite Collaboration"),
        ("Kite Lab, Wind & Weather", "Kite Lab, Wind & Weather"),
        ("", ""),
    ],
)
def test_the_last_name_comes_first(name: str, listed: str) -> None:
    """With what it begins with, and what follows it; a single word is all there is."""
    assert last_name_first(name) == listed
