"""Erasure deletes every row of a person in every table, and none of others."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update
from sqlmodel import SQLModel, col

from store.coordination.request_claims import Claim, claim
from store.database import Database, Session
from store.database.encryption import SecretBox
from store.posting import subscriptions
from store.posting.notices import add_notice, list_notices
from store.readers import erasure, saved, seen_lists, votes
from store.readers.erasure import NOTHING, StoredFacts
from store.readers.saved import Listing
from store.records import Channel, ChannelFacts, Person, Refusal, SeenList, Workspace
from store.tables.readers import BriefRow, PersonRow, SeenPaperRow
from store.workspaces import command_strings, installations, people, workspaces
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.store.posting.test_subscriptions import ORDER
from tests.store.readers.votes import kept
from tests.store.workspaces.test_installations import ACME

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)
KITES = "dair:2026-01-05#1"
# Nobody else's id holds these, so that a search for them finds what is theirs and nothing else.
ANN, BEN = "U4711ANN", "U4712BEN"
TEAM, OTHER = Workspace("slack", "T1"), Workspace("slack", "T2")
GUILD = Workspace("discord", "77")


def _in_team(user: str, team: Workspace = TEAM) -> Person:
    return Person(team, user)


def _on_discord(user: str) -> Person:
    return Person(Workspace("discord", f"@{user}"), user)


def _live(session: Session, person: Person, place: Workspace) -> None:
    """Store a row of every kind about a person."""
    wanted = Listing(KITES, "Kites", NOW)
    saved.note(session, person, wanted, f"Of {person.external_id}.", None)
    saved.save_all(session, person, (wanted,), None, [f"of-{person.external_id}"])
    member = people.ensure_person(session, person)
    connection = session.connection()
    new = insert(BriefRow).values(person_id=member, minutes=5, asked_at=NOW)
    brief = connection.execute(new.returning(col(BriefRow.id))).scalar_one()
    seen = {"person_id": member, **kept(session, KITES), "brief_id": brief, "position": 0}
    connection.execute(insert(SeenPaperRow).values(**seen, seen_at=NOW))
    connection.execute(update(PersonRow).where(col(PersonRow.id) == member).values(welcomed_at=NOW))
    votes.toggle(session, person, place, KITES, None, NOW)
    command_strings.save_personal(session, person, {"one": f"note 1 {person.external_id}"}, NOW)
    shown = SeenList((KITES,), 1, None, f"saved as:json {person.external_id}", None, NOW)
    seen_lists.note(session, person, "C1", shown)
    channel = Channel(place, f"C{len(person.external_id)}")
    subscriptions.add_subscription(
        session, replace(ORDER, channel=channel, owner=person.external_id)
    )


def _everything(session: Session) -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table."""
    connection = session.connection()
    return {
        name: [dict(row) for row in connection.execute(select(table)).mappings()]
        for name, table in SQLModel.metadata.tables.items()
    }


def _named(rows: dict[str, list[dict[str, Any]]], word: str) -> list[tuple[str, str]]:
    """Return the tables and columns that have a word in any value."""
    return [
        (table, column)
        for table, found in rows.items()
        for row in found
        for column, value in row.items()
        if word in str(value)
    ]


@pytest.mark.parametrize("alone", [False, True], ids=["slack", "discord"])
async def test_nothing_of_a_person_stays_in_any_table(database: Database, *, alone: bool) -> None:
    """No table has the person's id afterwards; rows of others are unchanged."""
    person = _on_discord if alone else _in_team
    place = GUILD if alone else TEAM
    await database.write(take_in, edition(entry(1, "Kites")))
    await database.write(_live, person(BEN), place)
    before = await database.read(_everything)
    await database.write(_live, person(ANN), place)
    if alone:
        await database.write(workspaces.change_settings, person(ANN).workspace, {"zone": "UTC"})
    else:
        mine = replace(ACME, installer=ANN)
        await database.write(installations.save, mine, SecretBox(["old"]))
    assert _named(await database.read(_everything), ANN) != []
    found = await database.write(erasure.forget, person(ANN), None, NOW, alone=alone)
    after = await database.read(_everything)
    assert _named(after, ANN) == []
    assert found == StoredFacts(
        saved=1,
        notes=1,
        tags=1,
        seen=1,
        briefs=1,
        votes=1,
        settings=int(alone),
        subscriptions=1,
        installations=int(not alone),
        command_strings=1,
        lists=1,
        welcomed=True,
    )
    for table in (
        "person",
        "saved_paper",
        "brief",
        "seen_paper",
        "vote",
        "personal_command_string",
        "seen_list",
        "workspace",
    ):
        assert after[table] == before[table]
    assert await database.read(erasure.facts, person(ANN), alone=alone) == NOTHING
    assert (await database.read(erasure.facts, person(BEN), alone=alone)).votes == 1


async def test_one_id_in_two_teams_is_two_people(database: Database) -> None:
    """Erasure in one Slack workspace keeps the person's rows in another."""
    await database.write(take_in, edition(entry(1, "Kites")))
    for team in (TEAM, OTHER):
        await database.write(_live, _in_team(ANN, team), team)
    await database.write(erasure.forget, _in_team(ANN), None, NOW, alone=False)
    there = await database.read(erasure.facts, _in_team(ANN, OTHER), alone=False)
    assert (there.saved, there.votes, there.subscriptions) == (1, 1, 1)


async def test_what_was_ordered_in_direct_messages_goes_too(database: Database) -> None:
    """A person's own workspace is deleted; subscriptions in servers only lose the name."""
    person = _on_discord(ANN)
    for place in (person.workspace, GUILD):
        order = replace(ORDER, channel=Channel(place, "C1"), owner=ANN)
        await database.write(subscriptions.add_subscription, order)
    found = await database.write(erasure.forget, person, None, NOW, alone=True)
    assert (found.own_subscriptions, found.subscriptions) == (1, 1)
    [left] = await database.read(subscriptions.list_subscriptions)
    assert (left.channel.workspace, left.owner) == (GUILD, "")


async def test_what_was_ordered_in_a_channel_of_direct_messages_goes_too(
    database: Database,
) -> None:
    """In a shared workspace, the person's own channel is deleted; other channels stay."""
    person = _in_team(ANN)
    facts = ChannelFacts("messages", private=True, direct=True)
    for name, owner, known in (
        ("D1", ANN, facts),
        ("D1-older", ANN, None),
        ("D2", BEN, facts),
        ("C1", ANN, None),
    ):
        is_digest = name == "D1-older"  # as an older program stores it
        order = replace(ORDER, channel=Channel(TEAM, name), owner=owner, personal=is_digest)
        await database.write(subscriptions.add_subscription, order)
        await database.write(
            subscriptions.save_channel_facts, order.channel, known or ChannelFacts("c")
        )
    found = await database.write(erasure.forget, person, None, NOW, alone=False)
    assert (found.own_subscriptions, found.subscriptions) == (2, 1)
    left = await database.read(subscriptions.list_subscriptions)
    assert [(each.channel.external_id, each.owner) for each in left] == [("D2", BEN), ("C1", "")]
    assert _named(await database.read(_everything), "D1") == []


async def test_command_strings_of_direct_messages_are_deleted(database: Database) -> None:
    """Command strings that name the channel are deleted; those of others stay."""
    person = _on_discord(ANN)
    order = replace(ORDER, channel=Channel(person.workspace, "4711"), owner=ANN)
    await database.write(subscriptions.add_subscription, order)
    kept = {"1": "subscribe in:4711 zone:UTC", "2": "deliver in:4711", "3": "deliver in:47112"}
    await database.write(command_strings.save, kept, NOW)
    await database.write(erasure.forget, person, None, NOW, alone=True)
    assert [await database.read(command_strings.find, each) for each in kept] == [
        None,
        None,
        kept["3"],
    ]


async def test_a_subscription_without_owner_keeps_its_notices(database: Database) -> None:
    """A notice to the erased owner waits until the subscription is cancelled."""
    order = replace(ORDER, channel=Channel(TEAM, "C1"), owner=ANN)
    number = await database.write(subscriptions.add_subscription, order)
    await database.write(add_notice, number, Refusal("Gone."), "n1", NOW)
    await database.write(erasure.forget, _in_team(ANN), None, NOW, alone=False)
    [notice] = await database.read(list_notices, NOW + timedelta(minutes=1))
    assert notice.subscription.owner == ""


async def test_a_request_that_comes_again_deletes_nothing(database: Database) -> None:
    """A repeated request does not delete what was saved since."""
    await database.write(take_in, edition(entry(1, "Kites")))
    request, wanted = Claim("forget", NOW), Listing(KITES, "Kites", NOW)
    person = _in_team(ANN)
    await database.write(saved.save_all, person, (wanted,), None)
    first = await database.write(erasure.forget, person, request, NOW, alone=False)
    assert first == StoredFacts(saved=1)
    await database.write(saved.save_all, person, (wanted,), None)
    again = await database.write(erasure.forget, person, request, NOW, alone=False)
    assert again == NOTHING
    assert len(await database.read(saved.list_all, person)) == 1


async def test_to_forget_a_stranger_changes_nothing(database: Database) -> None:
    """Erasure of an unknown person deletes nothing."""
    before = await database.read(_everything)
    found = await database.write(erasure.forget, _in_team(ANN), None, NOW, alone=False)
    assert found == NOTHING
    assert await database.read(_everything) == before


async def test_of_several_processes_one_uses_a_question_up(
    database: Database, database_url: str
) -> None:
    """However many confirm it at once, all is deleted once; too late it deletes nothing."""
    await database.write(take_in, edition(entry(1, "Kites")))
    ann, asked = _in_team(ANN), Claim("asked:one", NOW, timedelta(hours=1))
    await database.write(_live, ann, TEAM)
    await database.write(claim, asked)
    others = [Database(database_url) for _ in range(3)]

    async def confirm(store: Database, request: str, at: datetime) -> StoredFacts | None:
        return await store.write(
            erasure.forget_if_asked, ann, Claim(request, NOW), replace(asked, at=at), alone=False
        )

    assert await confirm(database, "late", NOW + timedelta(hours=1)) is None
    done = await asyncio.gather(
        *(confirm(store, f"press:{number}", NOW) for number, store in enumerate(others))
    )
    assert [each.saved for each in done if each] == [1]
    assert done.count(None) == len(others) - 1
    for store in others:
        store.close()
