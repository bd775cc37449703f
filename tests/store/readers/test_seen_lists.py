"""Lists that were seen last, on both databases."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, insert, select, update
from sqlmodel import SQLModel, col

from store.database import Database, Session
from store.posting import subscriptions
from store.posting.change_subscription import post_now
from store.readers import seen_lists
from store.readers.seen import last_visit
from store.records import Channel, DeliveryState, Person, SeenList, Workspace
from store.tables.posting import DeliveryPartRow, DeliveryRow
from store.workspaces.workspaces import channel_id
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.store.posting.delivery_rows import became
from tests.store.posting.test_subscriptions import ORDER

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
TEAM, OTHER = Workspace("slack", "T1"), Workspace("slack", "T2")
ANN, BEN = Person(TEAM, "U1"), Person(TEAM, "U2")
HERE, THERE = "C1", "direct"
KITES, SAILS = "dair:2026-01-05#1", "dair:2026-01-05#2"
PAGE = SeenList(
    (KITES, SAILS),
    11,
    None,
    "search kites page:3",
    "search kites page:1",
    NOW,
    "search kites page:2",
)


def card(ref: str, at: datetime) -> SeenList:
    """Return that a paper was shown alone."""
    return SeenList((), 1, ref, None, None, at)


async def _found(
    database: Database,
    person: Person = ANN,
    place: str = HERE,
    *,
    workspace: Workspace = TEAM,
    since: datetime = NOW - HOUR,
) -> SeenList | None:
    return await database.read(seen_lists.find, person, workspace, place, since)


async def told_by_alerts(
    database: Database, place: str, *refs: str, at: datetime = NOW, message: str = "5.5"
) -> str:
    """Have what alerts found told in a channel, by a message of an id; return that."""

    def tell(session: Session) -> None:
        channel = channel_id(session, Channel(TEAM, place))
        asked = {"channel_id": channel, "due_at": at, "enqueued_at": at, "sent_at": at}
        told = {**asked, "state": DeliveryState.SENT, "attempts": 1, "fencing_token": 1}
        number = session.connection().execute(
            insert(DeliveryRow).values(**told, send_anyway=False).returning(col(DeliveryRow.id))
        )
        part = {"delivery_id": number.scalar_one(), "number": 1, "key": message, "refs": refs}
        posted_part = {**part, "state": DeliveryState.SENT, "message": message, "began_at": at}
        session.connection().execute(insert(DeliveryPartRow).values(posted_part))

    await database.write(tell)
    return message


async def posted(
    database: Database, place: str, *parts: tuple[str, ...], at: datetime, weeks: int = 0
) -> list[str]:
    """Have a post whose messages show some refs in a channel since an instant; return their ids."""
    first_day = MONDAY + timedelta(weeks=weeks)
    await database.write(take_in, edition(entry(1, f"Paper {weeks}"), first_day=first_day))
    order = replace(ORDER, channel=Channel(TEAM, place))
    number = await database.write(subscriptions.add_subscription, order)
    [asked] = await database.write(post_now, number, None, at, at)
    await database.write(became, asked.delivery.id, DeliveryState.SENT)
    return await database.write(_show, asked.delivery.id, parts, at)


def _show(
    session: Session, delivery: int, parts: tuple[tuple[str, ...], ...], at: datetime
) -> list[str]:
    connection = session.connection()
    sent = update(DeliveryRow).where(col(DeliveryRow.id) == delivery)
    connection.execute(sent.values(sent_at=at))
    keys = [f"{delivery}-{number}" for number in range(1, len(parts) + 1)]
    for number, (key, refs) in enumerate(zip(keys, parts, strict=True), 1):
        part = {"delivery_id": delivery, "number": number, "key": key, "refs": refs}
        posted_part = {**part, "state": DeliveryState.SENT, "message": key, "began_at": at}
        connection.execute(insert(DeliveryPartRow).values(posted_part))
    return keys


def _rows(session: Session) -> list[int]:
    """Count the rows of the lists of people and of channels."""
    tables = (SQLModel.metadata.tables[name] for name in ("seen_list", "shared_list"))
    count = session.connection().scalar
    return [count(select(func.count()).select_from(table)) or 0 for table in tables]


async def test_a_list_is_found_as_it_was_seen(database: Database) -> None:
    """A person has one list in each place; nobody else has it, nor the same id elsewhere."""
    assert await _found(database) is None
    await database.write(seen_lists.note, ANN, HERE, PAGE)
    shown = replace(PAGE, refs=(SAILS,), first=1, more=None, back=None)
    await database.write(seen_lists.note, ANN, THERE, shown)
    assert [await _found(database, place=each) for each in (HERE, THERE)] == [PAGE, shown]
    assert await _found(database, BEN) is None
    assert await _found(database, Person(OTHER, "U1"), workspace=OTHER) is None


async def test_a_list_is_found_until_it_is_too_old(database: Database) -> None:
    """A list of the instant itself is found, one from before is not."""
    await database.write(seen_lists.note, ANN, HERE, PAGE)
    assert await _found(database, since=NOW) == PAGE
    assert await _found(database, since=NOW + timedelta(microseconds=1)) is None


@pytest.mark.parametrize("latest", [0, 1, 2])
async def test_what_was_noted_late_overwrites_nothing_later(
    database: Database, latest: int
) -> None:
    """Of three lists that are noted at once the latest stays."""
    lists = [replace(PAGE, first=n, at=NOW + (n == latest) * MINUTE) for n in range(3)]
    await asyncio.gather(*(database.write(seen_lists.note, ANN, HERE, each) for each in lists))
    assert await _found(database) == lists[latest]
    assert await database.read(_rows) == [1, 0]


async def test_a_list_of_a_wrong_clock_is_overwritten(database: Database) -> None:
    """A list that is more than a day ahead hinders none."""
    await database.write(seen_lists.note, ANN, HERE, replace(PAGE, at=NOW + 25 * HOUR))
    await database.write(seen_lists.note, ANN, HERE, PAGE)
    assert await _found(database) == PAGE


async def test_a_card_sets_the_paper_alone(database: Database) -> None:
    """The list stays with a card, the paper with the next list; each is as old as it is."""
    await database.write(seen_lists.note, ANN, HERE, card(KITES, NOW))
    assert await _found(database) == card(KITES, NOW)
    await database.write(seen_lists.note, ANN, HERE, replace(PAGE, at=NOW + MINUTE))
    both = replace(PAGE, it=KITES, at=NOW + MINUTE)
    assert await _found(database) == both
    assert await _found(database, since=NOW + MINUTE) == replace(both, it=None)
    await database.write(seen_lists.note, ANN, HERE, card(SAILS, NOW + 2 * MINUTE))
    assert await _found(database) == replace(both, it=SAILS)
    alone = card(SAILS, NOW + 2 * MINUTE)
    assert await _found(database, since=NOW + 2 * MINUTE) == alone


async def test_a_card_of_several_leads_on_to_the_next(database: Database) -> None:
    """What comes next is after the card, and the list before it stays."""
    await database.write(seen_lists.note, ANN, HERE, PAGE)
    at = NOW + MINUTE
    await database.write(seen_lists.note, ANN, HERE, replace(card(KITES, at), more="random"))
    assert await _found(database) == replace(PAGE, it=KITES, more="random")
    later = NOW + 2 * HOUR
    for place in (HERE, THERE):
        await database.write(
            seen_lists.note, ANN, place, replace(card(SAILS, later), more="random")
        )
        alone = replace(card(SAILS, later), more="random")
        assert await _found(database, place=place, since=later - HOUR) == alone


async def test_what_is_shared_is_everyones_there(database: Database) -> None:
    """Of a person's list and the shared one the later counts, and so does the paper."""
    shared = replace(PAGE, refs=(SAILS,), it=SAILS, at=NOW + MINUTE)
    await database.write(seen_lists.note, ANN, HERE, PAGE)
    await database.write(seen_lists.note_for_all, TEAM, HERE, shared)
    assert [await _found(database, each) for each in (ANN, BEN)] == [shared] * 2
    assert await _found(database, place=THERE) is None
    assert await _found(database, Person(OTHER, "U1"), workspace=OTHER) is None
    later = replace(PAGE, at=NOW + 2 * MINUTE)
    await database.write(seen_lists.note, ANN, HERE, later)
    assert await _found(database) == replace(later, it=SAILS)
    assert await _found(database, BEN) == shared
    await database.write(seen_lists.note, ANN, HERE, card(KITES, NOW + 3 * MINUTE))
    assert await _found(database) == replace(later, it=KITES)


async def test_a_post_is_a_list_for_everyone_in_its_channel(database: Database) -> None:
    """The last post shows the refs of all its messages in order, and is found however old."""
    await posted(database, HERE, (KITES,), at=NOW - HOUR)
    await posted(database, HERE, (), (SAILS,), (KITES,), at=NOW, weeks=1)
    await posted(database, THERE, (KITES,), at=NOW + HOUR, weeks=2)
    post = SeenList((SAILS, KITES), 1, None, None, None, NOW)
    assert [await _found(database, each) for each in (ANN, BEN)] == [post] * 2
    assert await _found(database, since=NOW + MINUTE) is None
    assert await database.read(seen_lists.last_post_of, TEAM, HERE) == post
    for workspace, place in ((OTHER, HERE), (TEAM, "C9")):
        assert await database.read(seen_lists.last_post_of, workspace, place) is None
    await database.write(seen_lists.note_for_all, TEAM, HERE, replace(PAGE, at=NOW + MINUTE))
    assert await _found(database) == replace(PAGE, at=NOW + MINUTE)
    assert await database.read(seen_lists.last_post_of, TEAM, HERE) == post


async def test_a_message_of_a_post_shows_its_papers(database: Database) -> None:
    """One with a paper is about it; one without stands for the post; others are unknown."""
    root, reply = await posted(database, HERE, (), (SAILS,), at=NOW)
    [whole] = await posted(database, THERE, (KITES, SAILS), at=NOW, weeks=1)
    one = SeenList((SAILS,), 1, SAILS, None, None, NOW)
    assert await database.read(seen_lists.of_message, TEAM, reply) == one
    assert await database.read(seen_lists.of_message, TEAM, root) == one
    both = SeenList((KITES, SAILS), 1, None, None, None, NOW)
    assert await database.read(seen_lists.of_message, TEAM, whole) == both
    assert await database.read(seen_lists.of_message, OTHER, whole) is None
    assert await database.read(seen_lists.of_message, TEAM, "9.9") is None
    *_, second = await posted(database, HERE, (KITES,), (SAILS,), at=NOW, weeks=2)
    assert await database.read(seen_lists.of_message, TEAM, second) == replace(one, first=2)


async def test_a_message_of_alerts_shows_what_they_found(database: Database) -> None:
    """It belongs to no subscription, and what is said below is about its papers all the same."""
    message = await told_by_alerts(database, "D1", KITES, SAILS)
    both = SeenList((KITES, SAILS), 1, None, None, None, NOW)
    assert await database.read(seen_lists.of_message, TEAM, message) == both
    assert await database.read(seen_lists.of_message, OTHER, message) is None


async def test_old_lists_are_dropped(database: Database) -> None:
    """Now and then a list takes along those of which nothing is younger than a day.

    When a person saw one last is still known.
    """
    await database.write(seen_lists.note, ANN, HERE, PAGE)
    await database.write(seen_lists.note_for_all, TEAM, HERE, PAGE)
    await database.write(seen_lists.note, ANN, THERE, PAGE)
    await database.write(seen_lists.note, ANN, THERE, card(KITES, NOW + HOUR))
    tomorrow, counts = NOW + seen_lists.LIFETIME, []
    for microsecond in (-64, 63, 64):
        at = tomorrow + timedelta(microseconds=microsecond)
        await database.write(seen_lists.note, BEN, HERE, replace(PAGE, at=at))
        counts.append(await database.read(_rows))
    assert counts == [[3, 1], [3, 1], [3, 0]]
    assert await _found(database, place=THERE) == replace(PAGE, it=KITES)
    assert await _found(database) is None
    assert await database.read(last_visit, ANN, NOW + 10 * HOUR) == NOW + HOUR


async def _visit(database: Database, person: Person, *instants: datetime, place: str) -> None:
    """Show a person a list in a place at each of some instants."""
    for at in instants:
        await database.write(seen_lists.note, person, place, replace(PAGE, at=at))


async def test_a_visit_goes_on_until_nothing_is_shown_for_long(database: Database) -> None:
    """However many lists it has, and whatever they overwrite, the last one before it is known."""
    before, now = NOW - 20 * HOUR, NOW + 14 * HOUR
    assert await database.read(last_visit, ANN, NOW) is None
    await _visit(database, ANN, before - 30 * HOUR, before, place=HERE)
    assert await database.read(last_visit, ANN, NOW) == before
    for at in (NOW, NOW + 7 * HOUR, NOW + 14 * HOUR):
        await _visit(database, ANN, at, place=HERE)
        assert await database.read(last_visit, ANN, at) == before
    assert await database.read(last_visit, ANN, now + 7 * HOUR) == before
    assert await database.read(last_visit, ANN, now + 9 * HOUR) == now


async def test_a_visit_is_one_in_all_places(database: Database) -> None:
    """Who goes from place to place is still there; each person comes and goes alone."""
    before = NOW - 20 * HOUR
    await _visit(database, ANN, before, place=HERE)
    await _visit(database, BEN, NOW, place=HERE)
    for at, place in ((NOW, THERE), (NOW + 7 * HOUR, HERE), (NOW + 14 * HOUR, THERE)):
        await _visit(database, ANN, at, place=place)
        assert await database.read(last_visit, ANN, at) == before
    assert await database.read(last_visit, BEN, NOW + 14 * HOUR) == NOW
    await _visit(database, BEN, NOW + 14 * HOUR, place=THERE)
    await database.write(seen_lists.note, BEN, THERE, card(KITES, NOW + 15 * HOUR))
    assert await database.read(last_visit, BEN, NOW + 15 * HOUR) == NOW


async def test_a_visit_is_known_to_a_program_that_starts(database: Database) -> None:
    """Another process reads it, and what is noted late changes nothing."""
    before = NOW - 20 * HOUR
    await _visit(database, ANN, before, NOW, place=HERE)
    async with Database(database.url.render_as_string(hide_password=False)) as other:
        await _visit(other, ANN, NOW - MINUTE, place=THERE)
        await _visit(other, ANN, NOW - MINUTE, NOW + MINUTE, place=HERE)
        assert await other.read(last_visit, ANN, NOW + HOUR) == before


async def test_a_clock_that_was_wrong_makes_no_visit(database: Database) -> None:
    """What was noted far ahead is none of this visit, nor of the one before."""
    await _visit(database, ANN, NOW - 20 * HOUR, place=HERE)
    await _visit(database, ANN, NOW + 1000 * HOUR, place=THERE)
    await _visit(database, ANN, NOW, place=HERE)
    assert await database.read(last_visit, ANN, NOW) == NOW - 20 * HOUR
