"""What alerts found is told once: an import recorded twice, papers merged, alerts gone."""

import asyncio
from datetime import datetime, timedelta

from store.database import Database, Session
from store.imports import merge_papers
from store.library import mentions, new_entries
from store.library.new_entries import NewEntries
from store.posting.alert_matches import AlertMatch, record_matches
from store.readers import alerts
from store.records import Refusal
from tests.store.posting.alert_rows import NOW, add_alert, import_papers, match, told

KITES, OWLS = "Kites in Wind", "Owls at Night"


async def _ready(database: Database) -> NewEntries:
    found = await database.read(new_entries.first_ready)
    assert found
    return found


async def _record(
    database: Database, found: NewEntries, matches: list[AlertMatch], now: datetime = NOW
) -> int:
    return await database.write_locking_rows(record_matches, found, matches, NOW, now)


async def test_each_channel_gets_one_delivery_of_an_import(database: Database) -> None:
    """All that its alerts found is in it, each paper once, and others get their own."""
    one = await database.write(add_alert, "kites")
    two = await database.write(add_alert, "wind")
    other = await database.write(add_alert, "owls", "U2", "D2")
    await database.write(import_papers, KITES, OWLS)
    found = await _ready(database)
    matches = [
        each
        for alert, title in ((one, KITES), (two, KITES), (two, OWLS), (other, OWLS))
        for each in await database.read(match, alert, title)
    ]
    assert await _record(database, found, matches) == 2
    assert await database.read(told) == [("D1", [KITES, OWLS]), ("D2", [OWLS])]
    assert not await database.read(new_entries.any_to_match)


async def test_an_import_recorded_twice_is_told_once(database: Database) -> None:
    """Whoever records it second, one after the other or at once, records nothing."""
    alert = await database.write(add_alert, "kites")
    await database.write(import_papers, KITES)
    found = await _ready(database)
    matches = await database.read(match, alert, KITES)
    counts = await asyncio.gather(*(_record(database, found, matches) for _ in range(4)))
    assert sorted(counts) == [0, 0, 0, 1]
    assert await _record(database, found, matches) == 0
    assert await database.read(told) == [("D1", [KITES])]


async def test_a_paper_is_told_once_whichever_source_has_it(database: Database) -> None:
    """Of an import that brings it again only what is new is told."""
    alert = await database.write(add_alert, "kites")
    for source, titles in (("dair", (KITES,)), ("other", (KITES, OWLS)), ("third", (KITES,))):
        await database.write(import_papers, *titles, source=source)
        matches = await database.read(match, alert, *titles)
        await _record(database, await _ready(database), matches)
    assert await database.read(told) == [("D1", [KITES]), ("D1", [OWLS])]


async def test_the_first_match_of_a_paper_is_told(database: Database) -> None:
    """An import may bring a paper twice; the entry that matched first is shown."""
    alert = await database.write(add_alert, "kites")
    await database.write(import_papers, KITES)
    await database.write(import_papers, KITES, source="other")
    matches = await database.read(match, alert, KITES)
    await _record(database, await _ready(database), matches[::-1])
    [paper] = await database.read(alerts.papers_of, 1)
    assert paper.mention.edition.source == "other"


async def test_an_alert_deleted_meanwhile_tells_nothing(database: Database) -> None:
    """Between matching and recording it may go; the others of its channel are told."""
    gone = await database.write(add_alert, "kites")
    stays = await database.write(add_alert, "owls")
    await database.write(import_papers, KITES, OWLS)
    found = await _ready(database)
    matches = [
        *await database.read(match, gone, KITES),
        *await database.read(match, stays, OWLS),
    ]
    await database.write(alerts.remove, gone)
    assert await _record(database, found, matches) == 1
    assert await database.read(told) == [("D1", [OWLS])]


async def test_an_alert_deleted_later_empties_its_delivery(database: Database) -> None:
    """What was found and not told yet is not told."""
    alert = await database.write(add_alert, "kites")
    await database.write(import_papers, KITES)
    found = await _ready(database)
    await _record(database, found, await database.read(match, alert, KITES))
    await database.write(alerts.remove, alert)
    assert await database.read(told) == [("D1", [])]


def _merge(session: Session, one: str, other: str) -> None:
    [first] = mentions.by_ref(session, f"{one}:2026-01-05#1")
    [second] = mentions.by_ref(session, f"{other}:2026-01-05#1")
    merge_papers.merge(session, first, second, NOW)


async def test_papers_merged_later_are_told_once(database: Database) -> None:
    """Told as two, or one of them, they are one that was told; the first delivery keeps it."""
    alert = await database.write(add_alert, "kites")
    for hour, source, title in ((1, "dair", KITES), (2, "other", "Kites in Storms")):
        await database.write(import_papers, title, source=source)
        matches = await database.read(match, alert, title)
        await _record(database, await _ready(database), matches, NOW + timedelta(hours=hour))
    await database.write(_merge, "dair", "other")
    assert await database.read(told) == [("D1", [KITES]), ("D1", [])]
    await database.write(import_papers, "Kites in Storms", source="third")
    found = await _ready(database)
    again = await database.read(match, alert, "Kites in Storms")
    assert await _record(database, found, again) == 0


async def test_entries_gone_meanwhile_are_left_out(database: Database) -> None:
    """An import may take an entry away between matching and recording."""
    alert = await database.write(add_alert, "kites")
    await database.write(import_papers, KITES, OWLS)
    found = await _ready(database)
    matches = await database.read(match, alert, KITES, OWLS)
    await database.write(import_papers, KITES)
    assert await _record(database, found, matches) == 1
    assert await database.read(told) == [("D1", [KITES])]


async def test_what_a_refused_channel_missed_is_not_told_later(database: Database) -> None:
    """Its alerts are matched no more; made again, they tell of what comes from then on."""
    alert = await database.write(add_alert, "kites")
    await database.write(alerts.refuse, 1, Refusal("They take no messages."))
    assert await database.read(alerts.filed_under, {"kite", "kites"}) == []
    await database.write(import_papers, KITES)
    found = await _ready(database)
    assert await _record(database, found, []) == 0
    assert await database.write(add_alert, "kites") == alert
    assert await database.read(alerts.filed_under, {"kite", "kites"}) == [alert]
    assert await database.read(new_entries.first_ready) is None
    assert await database.read(told) == []


async def test_a_number_is_given_once(database: Database) -> None:
    """A message of an alert that is gone has a button for its number, which no other gets."""
    gone = await database.write(add_alert, "kites")
    await database.write(alerts.remove, gone)
    assert await database.write(add_alert, "owls") > gone
