"""What is followed is fetched and taken in, and each address tells what came of it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from bot.errors import SourceError, UserError
from bot.ingest.drafts import EditionDraft, ParsedDocument
from bot.syncing import Syncing
from store.database import Database
from store.editions import list_editions
from store.followed import Followed, Validators, add_address, enable, list_followed
from tests.bot.ingest.drafting import edition, entry
from tests.bot.ingest.print_newsletter import print_newsletter
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
    def syncing(self) -> Syncing:
        """What fetches them."""
        return Syncing(self.database, self.fetcher, self)

    async def followed(self) -> list[Followed]:
        """Return what is followed."""
        return await self.database.read(list_followed)


def _printed(week: EditionDraft) -> str:
    return print_newsletter(ParsedDocument(week.kind, "dair", "Top AI Papers", (week,)))


async def test_what_is_found_becomes_editions_of_the_source(database: Database) -> None:
    """Under the slug that it is followed by, whatever the document calls itself."""
    stage = Stage(database)
    await database.write(add_address, "weekly", HERE, None)
    stage.fetcher.put(HERE, _printed(WEEK))
    [synced] = await stage.syncing.sync()
    assert synced.report is not None
    assert [each.outcome for each in synced.report.editions] == ["new"]
    assert [each.source for each in await database.read(list_editions)] == ["weekly"]


async def test_what_has_not_changed_is_not_taken_in_again(database: Database) -> None:
    """The server is asked by what it said before, and nothing is written when it says so."""
    stage = Stage(database)
    await database.write(add_address, "weekly", HERE, None)
    stage.fetcher.put(HERE, _printed(WEEK), '"1"')
    await stage.syncing.sync()
    stage.at += timedelta(days=1)
    [synced] = await stage.syncing.sync()
    assert (synced.report, synced.error) == (None, None)
    assert stage.fetcher.asked[-1] == (HERE, Validators('"1"'))
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
    assert weekly.report is not None
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
    assert first.report is not None
    assert second.report is not None
    outcomes = [
        each.outcome for report in (first.report, second.report) for each in report.editions
    ]
    assert outcomes == ["new", "unchanged"]
    assert [url for url, _ in stage.fetcher.asked] == [HERE, THERE]
