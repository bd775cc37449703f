"""Daily papers are followed by weeks: the week at hand, the last one once more, then no more."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from bot.errors import FetchLater, SourceError
from bot.ingest.pipeline import ImportOptions, LocalImporter, ingest
from bot.ingest.report import DocumentReport
from bot.sources.sync import SourceSync, SyncResult
from store.database import Database
from store.library.editions import export_editions
from store.sources import Address, Validators, add_address, list_followed
from tests.bot.ingest.formats.hf_daily.test_hf_daily import answer
from tests.bot.sources.test_daily_papers import paper, papers
from tests.fakes.daily_papers import URL, DailyPapers

LAST_MONDAY, MONDAY = date(2026, 2, 23), date(2026, 3, 2)
THURSDAY = datetime(2026, 3, 5, 9, tzinfo=UTC)
LAST_WEEK, WEEK, NEXT_WEEK = "2026-W09", "2026-W10", "2026-W11"
AWAY = FetchLater("papers.example answers with 503: not now.", status=503, after=60.0)


@dataclass
class Stage:
    """A store that follows the site, and a time."""

    database: Database
    site: DailyPapers = field(default_factory=DailyPapers)
    at: datetime = THURSDAY

    def now(self) -> datetime:
        """Return the time."""
        return self.at

    async def follow(self, *elements: Any, kind: str | None = "hf-daily") -> None:
        """Follow the site, where these papers are listed, and one of the week before."""
        self.site.listed = [*elements, paper(900, 1, LAST_MONDAY)]
        await self.database.write(add_address, "daily", URL, kind)

    async def sync(self, days: float = 0) -> SyncResult:
        """Fetch the site so many days later."""
        self.at += timedelta(days=days)
        [synced] = await SourceSync(self.database, self.site, self).sync()
        return synced

    async def stored(self) -> dict[str, int]:
        """Return how many entries are stored of each week from the one at hand on."""
        known = await self.database.read(export_editions)
        weeks = {f"{each.first_day:%G-W%V}": len(each.entries) for each in known}
        weeks.pop(LAST_WEEK, None)
        return weeks

    async def address(self) -> Address:
        """Return the address."""
        [source] = await self.database.read(list_followed)
        return source.addresses[0]


async def test_two_weeks_are_taken_in_the_first_time(database: Database) -> None:
    """All pages of each are one edition under the source's slug, ranked by the votes."""
    stage = Stage(database)
    await stage.follow(*papers(130))
    synced = await stage.sync()
    assert synced.error is None
    assert [(each.kind, len(each.editions)) for each in synced.reports] == [("hf-daily", 1)] * 2
    assert await stage.stored() == {WEEK: 130}
    newest, last = await database.read(export_editions)
    assert [each.ref for each in last.entries] == ["2603.00900"]
    assert (newest.source, newest.kind, newest.sample) == ("daily", "hf-daily", False)
    assert [each.ref for each in newest.entries[:2]] == ["2603.00129", "2603.00128"]


async def test_a_week_that_ended_is_frozen_after_its_last_word(database: Database) -> None:
    """It is fetched once after its last Sunday, and no sync asks for it or changes it again."""
    stage = Stage(database)
    await stage.follow(paper(1))
    await stage.sync()
    stage.site.weeks()
    stage.site.listed.append(paper(2, 1, MONDAY + timedelta(days=6)))
    await stage.sync(days=4)  # the Monday after
    assert stage.site.weeks() == [WEEK, NEXT_WEEK]
    assert await stage.stored() == {WEEK: 2}
    stage.site.listed += [paper(3), paper(4, 1, MONDAY + timedelta(days=7))]
    for _ in range(3):
        await stage.sync(days=1)
        assert stage.site.weeks() == [NEXT_WEEK]
    assert await stage.stored() == {WEEK: 2, NEXT_WEEK: 1}


async def test_an_import_by_hand_changes_what_is_frozen(database: Database) -> None:
    """And what it says stays."""
    stage = Stage(database)
    await stage.follow(paper(1), paper(2, 1, MONDAY + timedelta(days=7)))
    await stage.sync(days=4)
    by_hand = ImportOptions(source="daily")
    told = answer(paper(1), paper(3)).encode()
    report = await ingest(database, "papers.json", told, by_hand, stage.at)
    assert [each.outcome for each in report.editions] == ["changed"]
    await stage.sync(days=1)
    assert await stage.stored() == {WEEK: 2, NEXT_WEEK: 1}


async def test_a_week_that_ends_while_it_is_fetched_has_its_last_word(database: Database) -> None:
    """What counts is when fetching began: papers may have come after the first page."""
    stage = Stage(database)
    stage.at = datetime(2026, 3, 8, 23, 59, tzinfo=UTC)

    @dataclass
    class Slow(DailyPapers):
        """A site that takes a minute for a page."""

        async def fetch(self, url: str, *told: Any, **given: Any) -> Any:
            """Return a page."""
            stage.at += timedelta(minutes=1)
            return await super().fetch(url, *told, **given)

    stage.site = Slow()
    await stage.follow(paper(1))
    await stage.sync()
    stage.site.weeks()
    assert stage.at.date() == date(2026, 3, 9)
    await stage.sync()
    assert stage.site.weeks() == [WEEK, NEXT_WEEK]


@pytest.mark.parametrize(
    ("page", "said", "words"),
    [
        ("p=0", AWAY, "answers with 503"),
        ("p=1", AWAY, "answers with 503"),
        ("p=0", "<html><p>Papers</p></html>", "is no whole JSON"),
        ("p=1", '{"error": "none"}', "is no list of papers"),
    ],
)
async def test_a_week_that_fails_leaves_all_as_it_is(
    database: Database, page: str, said: str | SourceError, words: str
) -> None:
    """Nothing half is taken in, other weeks are, and the last word is asked for again."""
    stage = Stage(database)
    await stage.follow(*papers(120), paper(500, 1, MONDAY + timedelta(days=7)))
    await stage.sync()
    stage.site.instead = {f"week={WEEK}&{page}&": said}
    stage.site.listed.append(paper(501))
    synced = await stage.sync(days=4)
    assert words in (synced.error or "")
    assert synced.after == (60.0 if said is AWAY else None)
    assert [len(each.editions) for each in synced.reports] == [1]
    assert await stage.stored() == {WEEK: 120, NEXT_WEEK: 1}
    assert (await stage.address()).failing_since == stage.at
    stage.site.instead = {}
    stage.site.weeks()
    assert (await stage.sync(days=1)).error is None
    assert stage.site.weeks() == [WEEK, NEXT_WEEK]
    assert await stage.stored() == {WEEK: 121, NEXT_WEEK: 1}


async def test_a_list_of_another_shape_is_told_as_changed(database: Database) -> None:
    """Where papers were read before, what holds none is said to read otherwise."""
    stage = Stage(database)
    await stage.follow(paper(1))
    stage.site.instead = {"": '{"papers": []}'}
    first = await stage.sync()
    assert "may have changed" not in (first.error or "")
    stage.site.instead = {}
    await stage.sync()
    for said in ('{"papers": []}', "<html>", '[{"title": "Papers"}]', "[]"):
        stage.site.instead = {"": said}
        synced = await stage.sync()
        assert synced.error is not None
        assert synced.error.endswith("its markup may have changed.")
    assert await stage.stored() == {WEEK: 1}


async def test_a_week_that_just_began_may_be_empty(database: Database) -> None:
    """That is no failure, and nothing is taken away."""
    stage = Stage(database)
    await stage.follow(paper(1))
    synced = await stage.sync(days=4)
    assert (synced.error, len(synced.reports)) == (None, 1)
    synced = await stage.sync(days=0.1)
    assert (synced.error, synced.reports) == (None, ())
    assert await stage.stored() == {WEEK: 1}


async def test_the_kind_need_not_be_told(database: Database) -> None:
    """One page says what it is of; the weeks are asked for, and always are anew."""
    stage = Stage(database)
    await stage.follow(*papers(130), kind=None)
    for _ in range(2):
        synced = await stage.sync()
        assert synced.error is None
        assert await stage.stored() == {WEEK: 130}
        assert stage.site.weeks()[0] == ""
    assert (await stage.address()).validators == Validators()


async def test_a_year_may_have_53_weeks(database: Database) -> None:
    """The week over the turn of 2026 is one edition, though the site knows no such week."""
    stage = Stage(database, at=datetime(2027, 1, 1, 9, tzinfo=UTC))
    monday = date(2026, 12, 28)
    stage.site.refused = frozenset({"2026-W53"})
    stage.site.today = stage.at.date()
    days = (0, 1, 4)
    before = paper(9, 1, monday - timedelta(days=1))
    await stage.follow(before, *(paper(day, 1, monday + timedelta(days=day)) for day in days))
    assert (await stage.sync()).error is None
    assert await stage.stored() == {"2026-W52": 1, "2026-W53": 3}


async def test_an_importer_that_gives_up_leaves_the_other_week(database: Database) -> None:
    """What it could not bring to its end is told, and the week at hand is taken in."""

    class Weary(LocalImporter):
        """An importer that does not take the older week in."""

        async def ingest(self, path: str, data: bytes, *told: Any) -> DocumentReport:
            """Take a document in."""
            if b"2603.00900" in data:
                raise SourceError("That was too much.")
            return await super().ingest(path, data, *told)

    stage = Stage(database)
    await stage.follow(paper(1))
    syncing = SourceSync(database, stage.site, stage, importer=Weary(database))
    [synced] = await syncing.sync()
    assert (synced.error, len(synced.reports)) == ("That was too much.", 1)
    assert await stage.stored() == {WEEK: 1}
