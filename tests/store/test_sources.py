"""The sources that are followed, on both databases."""

from datetime import UTC, datetime, timedelta

import pytest

from store.database import Database
from store.library.editions import source_states
from store.records import Source
from store.sources import (
    Validators,
    add_address,
    add_linked,
    enable,
    list_followed,
    note_failed,
    note_fetched,
    note_replaced,
    remove,
)
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
FEED = "https://papers.example/feed"
PAGE = "https://papers.example/archive.md"


async def test_a_source_has_its_addresses_in_their_order(database: Database) -> None:
    """One that is added again is not there twice, and is fetched anew, as what is said now."""
    assert await database.write(add_address, "weekly", FEED, None)
    assert await database.write(add_address, "weekly", PAGE, "archive")
    assert await database.write(add_address, "another", FEED, "feed")
    [_, weekly] = await database.read(list_followed)
    await database.write(note_fetched, weekly.addresses[0].id, Validators('"1"', "then"), NOW)
    assert not await database.write(add_address, "weekly", FEED, "feed")
    [another, weekly] = await database.read(list_followed)
    assert (another.source, another.enabled) == (Source("another", "another"), True)
    assert [(each.url, each.kind) for each in weekly.addresses] == [
        (FEED, "feed"),
        (PAGE, "archive"),
    ]
    assert weekly.addresses[0].validators == Validators()


async def test_failing_begins_with_the_first_error_and_ends_with_the_next_fetch(
    database: Database,
) -> None:
    """The last error is told, and the validators of what was taken in last are kept meanwhile."""
    await database.write(add_address, "weekly", FEED, None)
    [weekly] = await database.read(list_followed)
    address, known = weekly.addresses[0].id, Validators('"1"')
    await database.write(note_fetched, address, known, NOW)
    for hours, error in ((1, "It was away."), (2, "It was no feed.")):
        await database.write(note_failed, address, error, NOW + timedelta(hours=hours))
    [failing] = (await database.read(list_followed))[0].addresses
    assert failing.failing_since == NOW + timedelta(hours=1)
    assert (failing.error, failing.validators) == ("It was no feed.", known)
    assert (failing.tried_at, failing.fetched_at) == (NOW + timedelta(hours=2), NOW)
    later = NOW + timedelta(hours=3)
    await database.write(note_fetched, address, Validators('"2"'), later)
    [well] = (await database.read(list_followed))[0].addresses
    assert (well.failing_since, well.error, well.fetched_at) == (None, None, later)


async def test_what_was_left_of_a_document_is_no_failure(database: Database) -> None:
    """It is noted until it was replaced; why a page fails is not taken for it."""
    await database.write(add_address, "weekly", FEED, None)
    [weekly] = await database.read(list_followed)
    address = weekly.addresses[0].id
    await database.write(note_fetched, address, Validators(), NOW, "A week was left.")
    [left] = (await database.read(list_followed))[0].addresses
    assert (left.left, left.failing_since) == ("A week was left.", None)
    await database.write(note_replaced, FEED)
    [replaced] = (await database.read(list_followed))[0].addresses
    assert replaced.left is None
    await database.write(note_failed, address, "It is away.", NOW)
    await database.write(note_replaced, FEED)
    [failing] = (await database.read(list_followed))[0].addresses
    assert (failing.left, failing.error) == (None, "It is away.")


async def test_one_that_is_disabled_keeps_its_addresses(database: Database) -> None:
    """It is told whether that is new; what is not followed can't be."""
    await database.write(add_address, "weekly", FEED, None)
    for enabled, is_new in ((True, False), (False, True), (False, False), (True, True)):
        assert await database.write(enable, "weekly", enabled=enabled) is is_new
        [weekly] = await database.read(list_followed)
        assert (weekly.enabled, len(weekly.addresses)) == (enabled, 1)
    with pytest.raises(LookupError):
        await database.write(enable, "other", enabled=True)


async def test_editions_of_a_source_that_is_removed_stay(database: Database) -> None:
    """It is not followed any more; one of which nothing was taken in leaves nothing behind."""
    for slug in ("weekly", "empty"):
        await database.write(add_address, slug, FEED, None)
    await database.write(take_in, edition(entry(1, "A Paper", "It is one.")), "weekly", NOW)
    for slug in ("weekly", "empty"):
        await database.write(remove, slug)
        with pytest.raises(LookupError):
            await database.write(remove, slug)
    assert await database.read(list_followed) == []
    assert [each.source.slug for each in await database.read(source_states, NOW.date())] == [
        "weekly"
    ]
    assert await database.write(add_address, "empty", FEED, None)


async def test_what_a_page_leads_to_is_followed_too(database: Database) -> None:
    """Behind the addresses that are known, each once, however often the page leads there."""
    await database.write(add_address, "weekly", FEED, None)
    for _ in range(2):
        await database.write(add_linked, "weekly", "archive", [FEED, f"{FEED}/2026.md"])
    [weekly] = await database.read(list_followed)
    assert [(each.kind, each.url) for each in weekly.addresses] == [
        (None, FEED),
        ("archive", f"{FEED}/2026.md"),
    ]
