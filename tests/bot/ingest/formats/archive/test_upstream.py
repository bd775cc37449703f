"""The archive in files of years, in whatever order they are imported, and where it is followed."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime

from bot.domain.drafts import ParsedDocument, ParseOptions, RawDocument, YearRule
from bot.errors import SourceError
from bot.ingest.formats.archive import FORMAT
from bot.ingest.pipeline import ImportOptions, ingest
from bot.sources.followed import follow_predefined, predefined
from bot.sources.sync import SourceSync
from store.database import Database
from store.library.editions import export_editions
from store.sources import predefine
from tests.bot.conftest import FixedClock
from tests.bot.ingest.formats.archive.upstream import HOME, YEARS, days_of, index, year_file
from tests.fakes.pages import MemoryFetcher
from tests.shared_data import shared_file

NOW = datetime(2026, 7, 6, 9, tzinfo=UTC)
_OLD = "https://raw.githubusercontent.com/dair-ai/ML-Papers-of-the-Week/main/README.md"
_FEED = "https://nlp.elvissaravia.com/feed"


def _parsed(year: int) -> ParsedDocument:
    return _read(year_file(year))


def _read(text: str) -> ParsedDocument:
    return FORMAT.parse(RawDocument("archive.md", text), ParseOptions(NOW.date()))


def test_the_files_have_all_weeks_and_share_none() -> None:
    """They hold 181 weeks with 1,810 entries in any order, for no two begin on one day."""
    files = {year: _parsed(year) for year in YEARS}
    weeks = [each for document in files.values() for each in document.editions]
    assert len({each.first_day for each in weeks}) == len(weeks) == 181
    assert sum(len(each.entries) for each in weeks) == 1810
    for year, document in files.items():
        days = [(each.first_day, each.last_day) for each in document.editions]
        assert days == days_of(year)
        assert (document.slug, document.warnings) == ("dair", ())


def test_the_file_without_years_is_dated_by_its_title() -> None:
    """Its first week is of 2023, though January 1 is a Monday in 2024."""
    weeks = _parsed(2023).editions
    assert {each.year_rule for each in weeks} == {YearRule.DOCUMENT}
    assert weeks[-1].first_day == date(2023, 1, 1)


async def test_a_store_of_the_old_page_moves_to_the_new_home(database: Database) -> None:
    """Without anybody's doing: its address is the index now, which leads to the files of years.

    The weeks that it has of these years are corrected, and none of them is refused.
    """
    dair, *others = predefined()
    old = replace(dair, addresses=(("archive", _OLD), *dair.addresses[1:]))
    await database.write(predefine, [old, *others])
    text = shared_file("archive-README.md").read_text("utf-8")
    known = {each.first_day: each for each in _read(text).editions}
    report = await ingest(database, "archive-README.md", text.encode(), ImportOptions(), NOW)
    assert Counter(each.outcome for each in report.editions) == {"new": 65}
    await follow_predefined(database)
    fetcher = MemoryFetcher({_FEED: SourceError("It is away.")})
    years = YEARS[:2]  # the first names no year, and begins with the same days
    fetcher.put(f"{HOME}/README.md", index(years))
    for year in years:
        fetcher.put(f"{HOME}/years/{year}.md", year_file(year, known))
    done = await SourceSync(database, fetcher, FixedClock(NOW)).sync(["dair"])
    asked = [url for url, _ in fetcher.requests if url != _FEED]
    assert asked == [f"{HOME}/README.md", *(f"{HOME}/years/{y}.md" for y in reversed(years))]
    outcomes = Counter(
        each.outcome for synced in done for report in synced.reports for each in report.editions
    )
    assert outcomes == {"new": 52, "changed": 52}
    editions = await database.read(export_editions)
    assert {each.source for each in editions} == {"dair"}
    assert len(editions) == 65 + 52
    assert sum(len(each.entries) for each in editions) == 10 * len(editions)
