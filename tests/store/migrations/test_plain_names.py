"""The upgrade to plain names keeps every row of an older store, on both databases."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, MetaData, Table, insert, inspect, select, text

from store.database import Database
from store.library import mentions
from store.maintenance.health import check
from store.migrations.upgrade import upgrade
from store.readers import saved, votes
from store.records import Person, Workspace
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in
from tests.store.consensus.fused_weeks import SECOND

Row = dict[str, Any]

TEAM = Workspace("slack", "T1")
ANN, BEN = Person(TEAM, "U1"), Person(TEAM, "U2")


def _at(hours: int) -> datetime:
    return datetime(2026, 1, 20, 8, tzinfo=UTC) + timedelta(hours=hours)


def _gone(name: str) -> str:
    """Return the ref by which the release before kept a paper that no edition had any more."""
    return f"gone:{hashlib.blake2b(name.encode(), digest_size=8).hexdigest()}"


KITES, GLIDERS, KITES_AGAIN = "dair:2026-01-05#1", "dair:2026-01-05#2", "dair:2026-01-12#1"
ROCKETS, SAILS = _gone("title:2025:rockets"), _gone("arxiv:2601.00009")
TURBINES, FORGOTTEN = "dair:2025-12-29#4", "dair:2024-01-01#9"


def _edition(number: int, source: str, first_day: date, week: str) -> Row:
    return {
        "id": number,
        "source": source,
        "kind": "newsletter",
        "title": "Top Papers",
        "first_day": first_day,
        "last_day": first_day + timedelta(days=6),
        "week": week,
        "published_on": first_day,
        "year_rule": "weekday",
        "overview": "A week of wings.",
        "minutes": 4,
        "url": "https://example.org/week",
        "headings": [{"title": "Wings", "tagline": "Of wings."}],
        "sample": False,
        "changed_at": _at(1),
        "arrived_at": _at(0),
    }


def _entry(number: int, edition_id: int, paper: int, ref: str, title: str) -> Row:
    return {
        "id": number,
        "edition_id": edition_id,
        "paper_id": paper,
        "ref": ref,
        "position": number,
        "rank": number,
        "episode": None,
        "title": title,
        "summary": f"Of {title.lower()}.",
        "highlights": [{"lead": "Lead", "text": "It soars."}],
        "heading": None,
        "section": None,
        "links": [{"label": "Paper", "url": "https://example.org/paper"}],
        "arxiv_id": "2601.00001" if paper == 1 else None,
        "doi": "10.1000/example.3" if paper == 3 else None,
        "title_key": title.lower(),
        "topics": ["agents"],
        "name_key": None,
    }


def _subscription(number: int, state: str, ended_at: datetime | None = None, **more: object) -> Row:
    return {
        "id": number,
        "channel_id": 1,
        "state": state,
        "weekday": 0,
        "local_time": time(9, 30),
        "zone": "Europe/Berlin",
        "sources": ["dair"],
        "topics": ["agents"],
        "not_topics": ["vision"],
        "size": 10,
        "layout": "single",
        "patience": 3600,
        "owner": "U1",
        "paused_until": None,
        "next_due_at": _at(24),
        "open_due_at": None,
        "open_until": None,
        "missed_at": None,
        "refusal": None,
        "remedy": None,
        "refusal_code": None,
        "ended_at": ended_at,
        **more,
    }


STATES = ("pending", "claimed", "sending", "sent", "retry", "unknown", "dead", "skipped")


def _delivery(number: int, state: str) -> Row:
    is_held = state in {"claimed", "sending"}
    return {
        "id": number,
        "subscription_id": (number + 1) // 2,
        "edition_id": 2 - number % 2,
        "state": state,
        "attempts": number,
        "due_at": _at(number),
        "enqueued_at": _at(number + 1),
        "ready_at": _at(number + 2) if state in {"pending", "retry"} else None,
        "owner": "worker-1" if is_held else None,
        "beat": 10 + number,
        "insist": state == "unknown",
        "layout": None if state == "pending" else "single",
        "size": None if state == "pending" else 10,
        "topics": None if state == "pending" else ["agents"],
        "not_topics": None if state == "pending" else [],
        "content_at": _at(1) if state == "sent" else None,
        "sent_at": _at(number + 3) if state == "sent" else None,
        "error": "It was refused." if state == "dead" else None,
        "recount": state == "sent",
    }


def _part(delivery: int, state: str) -> Row:
    is_sent = state == "sent"
    return {
        "delivery_id": delivery,
        "number": 1,
        "key": f"key-{delivery}",
        "refs": [KITES, GLIDERS],
        "state": state,
        "digest": "digest" if is_sent else None,
        "place": "C1" if is_sent else None,
        "message": "1768900000.000100" if is_sent else None,
        "url": "https://example.slack.com/archives/C1/p1" if is_sent else None,
        "began_at": _at(delivery),
    }


# A store of the release before, by the names that its tables and columns had.
BEFORE: dict[str, list[Row]] = {
    "source": [
        {"slug": "dair", "title": "DAIR"},
        {"slug": "consensus", "title": "Consensus"},
    ],
    "followed": [{"source": "dair", "enabled": True, "weekday": 0, "hour": time(14)}],
    "address": [
        {
            "id": 1,
            "source": "dair",
            "kind": "newsletter",
            "url": "https://example.org/feed",
            "etag": '"1"',
            "last_modified": "Mon, 19 Jan 2026 08:00:00 GMT",
            "tried_at": _at(2),
            "fetched_at": _at(1),
            "failing_since": _at(2),
            "error": "It did not answer.",
            "predefined": True,
        }
    ],
    "run": [
        {"name": "dair", "owner": "worker-1", "beat": 7, "next_at": _at(5), "failures": 2},
    ],
    "edition": [
        _edition(1, "dair", date(2026, 1, 5), "2026-W02"),
        _edition(2, "dair", date(2026, 1, 12), "2026-W03"),
        _edition(3, "consensus", date(2026, 1, 5), "2026-W02"),
    ],
    "contribution": [
        {
            "edition_id": number,
            "kind": "newsletter",
            "digest": f"digest {number}",
            "sample": False,
            "facts": "{}",
            "imported_at": _at(number),
        }
        for number in (1, 2)
    ],
    "document": [
        {
            "key": "hash",
            "source": "dair",
            "kind": "newsletter",
            "said": {"editions": [["2026-01-05", "digest 1"]], "warnings": []},
            "imported_at": _at(1),
        }
    ],
    "paper": [
        {"id": 1, "arxiv_id": "2601.00001", "doi": None, "title_key": "kites", "year": 2026},
        {"id": 2, "arxiv_id": None, "doi": None, "title_key": "gliders", "year": 2026},
        {
            "id": 3,
            "arxiv_id": None,
            "doi": "10.1000/example.3",
            "title_key": "balloons",
            "year": 2026,
        },
    ],
    "entry": [
        _entry(1, 1, 1, KITES, "Kites"),
        _entry(2, 1, 2, GLIDERS, "Gliders"),
        _entry(3, 2, 1, KITES_AGAIN, "Kites"),
        # Episodes of two weeks may have one ref.
        _entry(4, 1, 2, "E7", "Gliders"),
        _entry(5, 2, 3, "E7", "Balloons"),
    ],
    "entry_topic": [{"topic": "agents", "entry_id": number} for number in range(1, 6)],
    "entry_word": [{"word": f"word{number}", "entry_id": number} for number in range(1, 6)],
    "content": [{"id": 1, "version": "abc", "rules": "1/2"}],
    "word": [{"word": "kites"}],
    "acronym": [{"letters": "moe", "words": "mixture of expert"}],
    "arxiv": [
        {
            "arxiv_id": number,
            "version": 2,
            "title": "Kites",
            "authors": ["A. Flyer"],
            "abstract": "Of kites.",
            "categories": ["cs.LG"],
            "submitted_at": _at(-48),
            "updated_at": _at(-24),
            "comment": "Nine pages.",
            "journal_ref": "Wings 1",
            "doi": "10.1000/kites",
            "withdrawn": True,
            "asked_at": _at(1),
            "checked_at": _at(1),
            "misses": 0,
        }
        for number in ("2601.00001", "2601.00009")
    ],
    "fused": [
        {"edition_id": 3, "rank": 1, "entry_id": 1},
        {"edition_id": 3, "rank": 2, "entry_id": 2},
    ],
    "paper_merge": [{"one": "arxiv:2601.00001", "other": "title:2026:wings", "at": _at(3)}],
    "paper_split": [{"ref": GLIDERS, "at": _at(4)}, {"ref": f"{KITES} {GLIDERS}", "at": _at(5)}],
    "workspace": [
        {
            "id": 1,
            "platform": "slack",
            "external_id": "T1",
            "left_at": None,
            "rests_until": _at(1),
            "welcomed_at": _at(0),
        },
        {
            "id": 2,
            "platform": "discord",
            "external_id": "77",
            "left_at": _at(2),
            "rests_until": None,
            "welcomed_at": None,
        },
    ],
    "workspace_setting": [{"workspace_id": 1, "name": "zone", "value": "Europe/Berlin"}],
    "channel": [
        {
            "id": 1,
            "workspace_id": 1,
            "external_id": "C1",
            "name": "papers",
            "private": True,
            "kind": "channel",
        }
    ],
    "installation": [
        {
            "id": 1,
            "platform": "slack",
            "client_id": "client",
            "enterprise_id": "",
            "team_id": "T1",
            "bot_token": "encrypted",
            "bot_id": "B1",
            "bot_user_id": "U9",
            "bot_scopes": ["commands"],
            "app_id": "A1",
            "installer": "U1",
            "enterprise_name": "",
            "team_name": "Acme",
            "is_org_wide": False,
            "installed_at": _at(0),
            "updated_at": _at(1),
        }
    ],
    "subscription": [
        _subscription(1, "active", open_due_at=_at(1), open_until=_at(2), missed_at=_at(0)),
        _subscription(2, "paused", paused_until=_at(48)),
        _subscription(3, "refused", refusal="It is gone.", remedy="Ask.", refusal_code="gone"),
        _subscription(4, "active", ended_at=_at(3)),
    ],
    "delivery": [_delivery(number, state) for number, state in enumerate(STATES, start=1)],
    "delivery_part": [_part(number, state) for number, state in enumerate(STATES, start=1)],
    "notice": [
        {
            "id": 1,
            "subscription_id": 3,
            "key": "n1",
            "sentence": "It is gone.",
            "remedy": "Ask.",
            "attempts": 1,
            "began_at": _at(1),
            "ready_at": _at(2),
        }
    ],
    "lease": [{"name": "discord:gateway", "owner": "worker-1", "beat": 12}],
    "budget": [{"key": "slack:T1", "free_at": _at(1), "slow_until": _at(2)}],
    "claim": [{"key": "slack:request", "at": _at(1)}],
    "line": [{"digest": "d1", "line": "search kites", "at": _at(1)}],
    "oauth_state": [{"state": "s", "expires_at": _at(1)}],
    "member": [
        {"id": 1, "workspace_id": 1, "external_id": "U1", "welcomed_at": _at(1)},
        {"id": 2, "workspace_id": 1, "external_id": "U2", "welcomed_at": None},
    ],
    "own_line": [{"member_id": 1, "digest": "d2", "line": "note 1 mine", "at": _at(1)}],
    "brief": [{"id": 1, "member_id": 1, "minutes": 5, "at": _at(3)}],
    "saved": [
        {"member_id": 1, "ref": KITES, "title": "Kites", "at": _at(1), "note": "Old."},
        {"member_id": 1, "ref": KITES_AGAIN, "title": "Kites", "at": _at(2), "note": "New."},
        {"member_id": 1, "ref": "E7", "title": "Balloons", "at": _at(3), "note": None},
        {"member_id": 1, "ref": ROCKETS, "title": "Rockets", "at": _at(4), "note": "Gone."},
        {"member_id": 1, "ref": SAILS, "title": "Sails", "at": _at(5), "note": None},
        {"member_id": 2, "ref": GLIDERS, "title": "Gliders", "at": _at(6), "note": None},
        {"member_id": 2, "ref": TURBINES, "title": "Turbines", "at": _at(7), "note": "Gone."},
    ],
    "seen": [
        {"member_id": 1, "ref": KITES, "at": _at(1), "brief_id": None, "position": None},
        {"member_id": 1, "ref": KITES_AGAIN, "at": _at(3), "brief_id": 1, "position": 0},
        {"member_id": 1, "ref": GLIDERS, "at": _at(3), "brief_id": 1, "position": 1},
        {"member_id": 1, "ref": ROCKETS, "at": _at(4), "brief_id": None, "position": None},
        {"member_id": 2, "ref": FORGOTTEN, "at": _at(5), "brief_id": None, "position": None},
    ],
    "vote": [
        {"member_id": 1, "workspace_id": 1, "ref": KITES, "at": _at(1)},
        {"member_id": 1, "workspace_id": 1, "ref": KITES_AGAIN, "at": _at(2)},
        {"member_id": 1, "workspace_id": 2, "ref": KITES, "at": _at(3)},
        {"member_id": 2, "workspace_id": 1, "ref": GLIDERS, "at": _at(4)},
        {"member_id": 2, "workspace_id": 1, "ref": ROCKETS, "at": _at(5)},
    ],
    "schema_support": [{"oldest": "0009"}],
}

NEW_TABLES = {
    "address": "source_address",
    "budget": "rate_limit",
    "claim": "request_claim",
    "followed": "followed_source",
    "fused": "consensus_rank",
    "line": "command_string",
    "member": "person",
    "own_line": "personal_command_string",
    "run": "job",
    "saved": "saved_paper",
    "seen": "seen_paper",
}
# Columns that later revisions added, with the values that older rows got.
ADDED_SINCE: dict[str, Row] = {
    "subscription": {"personal": False},
    "delivery": {"channel_id": None},
    "channel": {"direct": False},
}
# By the tables that had them; those of saved papers, seen papers and votes are told one by one.
NEW_COLUMNS = {
    "brief": {"member_id": "person_id", "at": "asked_at"},
    "claim": {"at": "claimed_at"},
    "delivery": {"beat": "fencing_token", "insist": "send_anyway", "recount": "votes_changed"},
    "document": {"said": "parsed"},
    "lease": {"beat": "heartbeat"},
    "line": {"line": "command", "at": "kept_at"},
    "own_line": {"member_id": "person_id", "line": "command", "at": "kept_at"},
    "run": {"beat": "fencing_token"},
    "subscription": {"ended_at": "cancelled_at"},
    "workspace": {"rests_until": "cooldown_until"},
}


def _tables(connection: Connection) -> dict[str, Table]:
    """Return the tables as they are, without the full-text index and the revision."""
    names = [
        name
        for name in inspect(connection).get_table_names()
        if not name.startswith(("entry_text", "alembic"))
    ]
    metadata = MetaData()
    metadata.reflect(connection, only=names)
    return {name: metadata.tables[name] for name in names}


def _fill(connection: Connection) -> None:
    tables = _tables(connection)
    assert tables.keys() == BEFORE.keys()
    connection.execute(tables["schema_support"].delete())
    for name, rows in BEFORE.items():
        assert all(row.keys() == set(tables[name].c.keys()) for row in rows), name
        connection.execute(insert(tables[name]), rows)
    for row in BEFORE["entry"]:
        connection.execute(
            text(
                "INSERT INTO entry_text (rowid, title, summary, highlights, heading, section)"
                " VALUES (:id, :title, :summary, '', '', '')"
            ),
            {name: row[name] for name in ("id", "title", "summary")},
        )
    if connection.dialect.name == "postgresql":
        for name, table in tables.items():
            if "id" in table.c and name != "content":
                # As if the rows had been numbered by the database.
                connection.execute(
                    text(
                        f"SELECT setval(pg_get_serial_sequence('{name}', 'id'),"  # noqa: S608 - ours
                        f" (SELECT max(id) FROM {name}))"
                    )
                )


def _rows(connection: Connection, table: Table) -> list[Row]:
    return [dict(row) for row in connection.execute(select(table)).mappings()]


def _in_order(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted(str(sorted((name, _plain(value)) for name, value in row.items())) for row in rows)


def _plain(value: object) -> str:
    """Return a value in words that both databases have; SQLite returns instants without a zone."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    return repr(value)


@pytest.fixture
def upgraded(empty_url: str) -> Iterator[Database]:
    """Upgrade a store that the release before filled."""
    with closing(Database(empty_url)) as database:
        upgrade(database.engine, "0017")
        with database.engine.begin() as connection:
            _fill(connection)
        assert upgrade(database.engine)
        yield database


def test_every_row_is_there_under_its_new_name(upgraded: Database) -> None:
    """All tables have the rows that they had, field by field; the store is sound."""
    with upgraded.engine.connect() as connection:
        tables = _tables(connection)
        for name, before in BEFORE.items():
            if name in {"saved", "seen", "vote", "paper", "oauth_state", "schema_support"}:
                continue
            columns = NEW_COLUMNS.get(name, {})
            later = ADDED_SINCE.get(name, {})
            wanted = [{columns.get(key, key): row[key] for key in row} | later for row in before]
            found = _rows(connection, tables[NEW_TABLES.get(name, name)])
            assert _in_order(found) == _in_order(wanted), name
        papers = _rows(connection, tables["paper"])
        assert [row for row in papers if row["id"] <= 3] == BEFORE["paper"]
        assert _rows(connection, tables["schema_support"]) == [{"oldest": "0019"}]
    assert check(upgraded.engine) == []


def test_what_people_keep_belongs_to_papers(upgraded: Database) -> None:
    """Two rows of one paper are one; a ref of no entry has a paper of its own."""
    with upgraded.engine.connect() as connection:
        tables = _tables(connection)
        papers = {
            row["title_key"]: row for row in _rows(connection, tables["paper"]) if row["id"] > 3
        }
        rockets, sails, turbines, unknown = (
            papers.pop(key) for key in ("rockets", "sails", "turbines", "")
        )
        assert papers == {}
        assert (rockets["arxiv_id"], rockets["year"]) == (None, 2025)
        assert (sails["arxiv_id"], sails["year"]) == ("2601.00009", 2026)
        found = {
            name: _rows(connection, tables[name]) for name in ("saved_paper", "seen_paper", "vote")
        }
    saved_rows = [
        (1, 1, 3, "Kites", _at(2), "New. · Old."),
        (1, 3, 5, "Balloons", _at(3), None),
        (1, rockets["id"], None, "Rockets", _at(4), "Gone."),
        (1, sails["id"], None, "Sails", _at(5), None),
        (2, 2, 2, "Gliders", _at(6), None),
        (2, turbines["id"], None, "Turbines", _at(7), "Gone."),
    ]
    columns = "person_id paper_id entry_id title saved_at note"
    assert _in_order(found["saved_paper"]) == _in_order(_named_rows(columns, saved_rows))
    seen_rows = [
        (1, 1, 3, _at(3), 1, 0),
        (1, 2, 2, _at(3), 1, 1),
        (1, rockets["id"], None, _at(4), None, None),
        (2, unknown["id"], None, _at(5), None, None),
    ]
    columns = "person_id paper_id entry_id seen_at brief_id position"
    seen = [row | {"delivery_id": None} for row in _named_rows(columns, seen_rows)]
    assert _in_order(found["seen_paper"]) == _in_order(seen)
    vote_rows = [
        (1, 1, 1, 1, _at(1)),
        (1, 2, 1, 1, _at(3)),
        (2, 1, 2, 2, _at(4)),
        (2, 1, rockets["id"], None, _at(5)),
    ]
    columns = "person_id workspace_id paper_id entry_id voted_at"
    assert _in_order(found["vote"]) == _in_order(_named_rows(columns, vote_rows))


def _named_rows(columns: str, rows: Sequence[tuple[Any, ...]]) -> list[Row]:
    return [dict(zip(columns.split(), row, strict=True)) for row in rows]


async def test_what_no_edition_had_returns_after_the_upgrade(upgraded: Database) -> None:
    """An edition brings papers back: to their lists, with their notes and votes."""
    titles = [each.title for each in await upgraded.read(saved.list_all, ANN)]
    assert titles == ["Sails", "Rockets", "Balloons", "Kites"]
    week = edition(
        entry(1, "Sailing", links=["https://arxiv.org/abs/2601.00009"]),
        first_day=SECOND + timedelta(days=7),
    )
    earlier = edition(entry(1, "Rockets"), first_day=date(2025, 12, 1))
    for each in (week, earlier):
        await upgraded.write(take_in, each)
    sails, rockets, *_ = await upgraded.read(saved.list_all, ANN)
    assert [(each.title, len(each.mentions)) for each in (sails, rockets)] == [
        ("Sailing", 1),
        ("Rockets", 1),
    ]
    assert rockets.note == "Gone."
    assert await upgraded.read(votes.has_voted, BEN, TEAM, rockets.ref)
    [mention] = await upgraded.read(mentions.by_ref, rockets.ref)
    assert mention.entry.title == "Rockets"
    assert check(upgraded.engine) == []
