"""What is followed is fetched and taken in, and each address tells what came of it."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from bot.commands.handlers.status import sources_reply
from bot.domain.drafts import EditionDraft
from bot.errors import FetchLater, SourceError, UserError
from bot.ingest.pipeline import Importer, ImportOptions, LocalImporter, ingest
from bot.ingest.report import DocumentReport
from bot.operations.metrics import Metrics
from bot.replies.blocks import Notice
from bot.sources.sync import SourceSync
from store.coordination import jobs as runs
from store.database import Database
from store.errors import StoreUnavailable
from store.library.editions import list_editions
from store.sources import FollowedSource, Validators, add_address, enable, list_followed
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.formats.archive.documents import week as archive_week
from tests.bot.ingest.formats.newsletter.printer import print_edition
from tests.fakes.pages import MemoryFetcher

NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)
HERE, THERE = "https://here.example/weekly", "https://there.example/weekly"
WEEK = edition(
    *(entry(rank, f"Invented Paper {rank}", f"It does thing {rank}.") for rank in range(1, 4)),
    title="The Top AI Papers of the Week (January 5-11)",
)


@dataclass
class Stage:
    """A store that follows sources, and what is at their addresses."""

    database: Database
    fetcher: MemoryFetcher = field(default_factory=MemoryFetcher)
    at: datetime = NOW

    def now(self) -> datetime:
        """Return the time."""
        return self.at

    @property
    def syncing(self) -> SourceSync:
        """What fetches them."""
        return SourceSync(self.database, self.fetcher, self)

    async def followed(self) -> list[FollowedSource]:
        """Return what is followed."""
        return await self.database.read(list_followed)


def _printed(week: EditionDraft) -> str:
    return print_edition("Top AI Papers", week)


async def test_what_is_found_becomes_editions_of_the_source(database: Database) -> None:
    """Under the slug that it is followed by, whatever the document calls itself.

    The source has the title of what came first; until then its slug is all that is known of it.
    """
    stage = Stage(database)
    await database.write(add_address, "weekly", HERE, None)
    [before] = await stage.followed()
    stage.fetcher.put(HERE, _printed(WEEK))
    [synced] = await stage.syncing.sync()
    [report] = synced.reports
    assert [each.outcome for each in report.editions] == ["new"]
    assert [each.source for each in await database.read(list_editions)] == ["weekly"]
    [after] = await stage.followed()
    assert (before.source.title, after.source.title) == ("weekly", "Top AI Papers of the Week")


async def test_what_has_not_changed_is_not_taken_in_again(database: Database) -> None:
    """The server is asked by what it said before, and nothing is written when it says so."""
    stage = Stage(database)
    await database.write(add_address, "weekly", HERE, None)
    stage.fetcher.put(HERE, _printed(WEEK), '"1"')
    await stage.syncing.sync()
    stage.at += timedelta(days=1)
    [synced] = await stage.syncing.sync()
    assert (synced.reports, synced.error) == ((), None)
    assert stage.fetcher.requests[-1] == (HERE, Validators('"1"'))
    [weekly] = await stage.followed()
    assert weekly.addresses[0].fetched_at == stage.at


async def test_one_that_fails_stops_no_other_and_says_since_when(database: Database) -> None:
    """The last good edition stays, and so do the validators, so that it is asked for again."""
    stage = Stage(database)
    await database.write(add_address, "broken", HERE, None)
    await database.write(add_address, "weekly", THERE, None)
    stage.fetcher.put(HERE, _printed(WEEK), '"1"')
    stage.fetcher.put(THERE, _printed(WEEK))
    await stage.syncing.sync()
    since = stage.at = NOW + timedelta(days=7)
    stage.fetcher.put(HERE, "<html>We moved.</html>", '"2"')
    await stage.syncing.sync()
    stage.at += timedelta(days=1)
    stage.fetcher.pages[HERE] = SourceError("here.example is away.", "Try later.")
    broken, weekly = await stage.syncing.sync()
    assert (broken.error, broken.failing_since) == ("here.example is away.", since)
    assert len(weekly.reports) == 1
    [kept, _] = await stage.followed()
    assert kept.addresses[0].validators == Validators('"1"')
    assert {each.source for each in await database.read(list_editions)} == {"broken", "weekly"}


async def test_only_what_is_enabled_is_fetched_unless_it_is_named(database: Database) -> None:
    """A name that is not followed is answered with the one that may be meant."""
    stage = Stage(database)
    with pytest.raises(UserError, match="No source is followed"):
        await stage.syncing.sync()
    for slug, url in (("weekly", HERE), ("other", THERE)):
        await database.write(add_address, slug, url, None)
        stage.fetcher.put(url, _printed(WEEK))
    await database.write(enable, "other", enabled=False)
    assert [each.source for each in await stage.syncing.sync()] == ["weekly"]
    assert [each.source for each in await stage.syncing.sync(["other"])] == ["other"]
    with pytest.raises(UserError, match="'weakly'") as caught:
        await stage.syncing.sync(["weakly"])
    assert [each.command for each in caught.value.suggestions] == ["weekly"]
    await database.write(enable, "weekly", enabled=False)
    with pytest.raises(UserError, match="No source is enabled"):
        await stage.syncing.sync()


async def test_several_addresses_tell_of_the_same_weeks(database: Database) -> None:
    """They are fetched one after the other, and what one says is joined to what another said."""
    stage = Stage(database)
    for url in (HERE, THERE):
        await database.write(add_address, "weekly", url, "newsletter")
        stage.fetcher.put(url, _printed(WEEK))
    first, second = await stage.syncing.sync()
    reports = first.reports + second.reports
    outcomes = [each.outcome for report in reports for each in report.editions]
    assert outcomes == ["new", "unchanged"]
    assert [url for url, _ in stage.fetcher.requests] == [HERE, THERE]


async def test_by_schedule_what_is_enabled_is_a_run_each(database: Database) -> None:
    """Named by its source; what fails is tried again sooner than what goes well is fetched."""
    stage = Stage(database)
    for slug, url in (("broken", HERE), ("off", HERE), ("weekly", THERE)):
        await database.write(add_address, slug, url, None)
    await database.write(enable, "off", enabled=False)
    stage.fetcher.pages[HERE] = FetchLater("It is away.", after=1200)
    stage.fetcher.put(THERE, _printed(WEEK))
    syncing = SourceSync(database, stage.fetcher, stage, system_clock=stage, random=Random(7))  # noqa: S311 - no secret
    jobs = await syncing.jobs()
    assert sorted(jobs) == ["source:broken", "source:weekly"]
    broken, weekly = await jobs["source:broken"](0), await jobs["source:weekly"](0)
    assert (broken.failed, broken.reason) == (True, "It is away.")
    assert timedelta(minutes=20) <= broken.next_at - NOW <= timedelta(minutes=25)
    assert not weekly.failed
    assert timedelta(hours=6) <= weekly.next_at - NOW <= timedelta(hours=6, minutes=5)


async def test_by_hand_the_schedule_goes_on_from_there(database: Database) -> None:
    """What was fetched by hand is not due again, whoever had it before."""
    stage = Stage(database)
    await database.write(add_address, "weekly", HERE, None)
    stage.fetcher.put(HERE, _printed(WEEK))
    await database.write_locking_rows(runs.ensure_jobs, ["source:weekly"], [], NOW)
    [run] = await database.read(runs.list_jobs)
    await database.write_locking_rows(runs.claim, run, "gone")
    await SourceSync(database, stage.fetcher, stage, system_clock=stage).sync()
    [run] = await database.read(runs.list_jobs)
    assert run.owner is None
    assert run.next_at >= NOW + timedelta(hours=6)


async def test_keys_in_addresses_are_told_nobody(database: Database) -> None:
    """What a document is refused for names its address, and goes to channels and logs."""
    stage = Stage(database)
    url = f"{HERE}?key=secret&limit=7"
    await database.write(add_address, "weekly", url, None)
    stage.fetcher.put(url, "<html>We moved.</html>")
    [synced] = await stage.syncing.sync()
    [weekly] = await stage.followed()
    for told in (synced.error, weekly.addresses[0].error):
        assert f"{HERE}?key=…&limit=7" in (told or "")
        assert "secret" not in (told or "")


async def test_by_hand_a_store_in_trouble_is_told_of(database: Database) -> None:
    """It is no source that failed; what went wrong is raised once all sources ended."""
    stage = Stage(database)
    for slug, url in (("broken", HERE), ("weekly", THERE)):
        await database.write(add_address, slug, url, None)
        stage.fetcher.put(url, _printed(WEEK))
    syncing = SourceSync(
        database, stage.fetcher, stage, importer=_Away("broken", LocalImporter(database))
    )
    with pytest.raises(StoreUnavailable):
        await syncing.sync()
    assert [each.source for each in await database.read(list_editions)] == ["weekly"]
    assert [each.owner for each in await database.read(runs.list_jobs)] == [None, None]


@dataclass(frozen=True, slots=True)
class _Away:
    """Takes documents in, but for one source whose store is away."""

    source: str
    importer: Importer

    async def ingest(
        self, path: str, data: bytes, options: ImportOptions, now: datetime
    ) -> DocumentReport:
        """Take a document in, or raise."""
        if options.source == self.source:
            raise StoreUnavailable("store", "gone")
        return await self.importer.ingest(path, data, options, now)


async def test_what_comes_of_fetching_is_counted(database: Database) -> None:
    """By source and outcome; when a source was fetched last is told of those that are enabled."""
    stage, metrics = Stage(database), Metrics()
    for slug, url in (("broken", HERE), ("off", HERE), ("weekly", THERE)):
        await database.write(add_address, slug, url, None)
    await database.write(enable, "off", enabled=False)
    stage.fetcher.pages[HERE] = SourceError("It is away.")
    stage.fetcher.put(THERE, _printed(WEEK), '"1"')
    syncing = SourceSync(database, stage.fetcher, stage, metrics=metrics)
    for _ in range(2):
        await syncing.sync()
    await syncing.jobs()
    lines = metrics.text()[0].decode().splitlines()
    names = "broadsheet_fetches_total", "broadsheet_source_"
    told = {line for line in lines if line.startswith(names)}
    assert told == {
        'broadsheet_fetches_total{outcome="failed",source="broken"} 2.0',
        'broadsheet_fetches_total{outcome="imported",source="weekly"} 1.0',
        'broadsheet_fetches_total{outcome="unchanged",source="weekly"} 1.0',
        'broadsheet_source_fetched_timestamp_seconds{source="broken"} 0.0',
        'broadsheet_source_fetched_timestamp_seconds{source="weekly"} 1.7682084e+09',
    }


_INDEX = """\
# Kite Papers of the Week
## 2026
- [Top Kite Papers of the Week (January 5 - January 11)](years/2026.md#january-5)
## 2025
- [Top Kite Papers of the Week (December 15 - December 21)](years/2025.md#december-15)
"""


async def test_an_archive_of_several_files_is_followed_by_its_index(database: Database) -> None:
    """What the index leads to is fetched in the same run, and by what it said from then on.

    A file that comes later is found when the index has it.
    """
    stage = Stage(database)
    index, folder = "https://here.example/kites/README.md", "https://here.example/kites/years"
    first, second = (archive_week(f"({days}") for days in _DAYS)
    await database.write(add_address, "kites", index, "archive")
    stage.fetcher.put(index, _INDEX.partition("## 2025")[0] * 2, '"1"')
    stage.fetcher.put(f"{folder}/2026.md", first, '"a"')
    done = await stage.syncing.sync()
    assert [(each.url, each.error) for each in done] == [
        (index, None),
        (f"{folder}/2026.md", None),
    ]
    stage.fetcher.put(index, _INDEX, '"2"')
    stage.fetcher.put(f"{folder}/2025.md", second, '"b"')
    done = await stage.syncing.sync()
    assert [len(each.reports) for each in done] == [1, 0, 1]
    stored = await database.read(list_editions)
    assert [str(each.first_day) for each in stored] == ["2026-01-05", "2025-12-15"]
    assert {each.source for each in stored} == {"kites"}


_DAYS = ("January 5 - January 11) - 2026", "December 15 - December 21) - 2025")


async def test_a_sync_replaces_no_week_and_says_what_does(database: Database) -> None:
    """The week is left and told of wherever sources are, until an operator has replaced it.

    The source fails nobody meanwhile: it is fetched by its hours, and its other weeks go in. The
    command names an address, and is for operators.
    """
    stage = Stage(database)
    await database.write(add_address, "weekly", HERE, "newsletter")
    stage.fetcher.put(HERE, _printed(WEEK), '"1"')
    await stage.syncing.sync()
    others = _printed(
        replace(WEEK, entries=(entry(1, "Spoon", "Stirs."), entry(2, "Fork", "Picks.")))
    )
    stage.fetcher.put(HERE, others, '"2"')
    await stage.syncing.sync()
    [synced] = await stage.syncing.sync()
    assert (synced.error, synced.failing_since) == (None, None)
    assert synced.left
    assert "'Spoon' in that of 'Invented Paper 1'" in synced.left
    [weekly] = known = await stage.followed()
    [address] = weekly.addresses
    assert (address.left, address.failing_since, address.fetched_at) == (synced.left, None, NOW)
    operators, readers = (
        next(block for block in reply.blocks if isinstance(block, Notice))
        for reply in (sources_reply([], known, NOW.date(), reasons=why) for why in (True, False))
    )
    assert operators.text == readers.text == f"weekly: {synced.left}"
    command = f"broadsheet import {HERE} --source weekly --kind newsletter --replace"
    assert (command in operators.remedy, readers.remedy) == (True, "")
    await ingest(database, HERE, others.encode(), ImportOptions(source="weekly", replace=True), NOW)
    [synced] = await stage.syncing.sync()
    [weekly] = await stage.followed()
    assert (synced.left, weekly.addresses[0].left) == (None, None)
    assert weekly.addresses[0].validators == Validators('"2"')
