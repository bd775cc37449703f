"""What a person did with papers, and what is left to them, on both databases."""

from datetime import UTC, date, datetime, timedelta

import pytest

from bot.domain.drafts import DocumentKind
from bot.ingest.decide import contribute, decide
from store.database import Database, Session
from store.imports import apply_edition
from store.readers import history, saved, seen, votes
from store.readers.history import SignalKind
from store.readers.saved import Listing
from store.readers.seen import BriefRequest, FeedScope
from store.records import Person, Source
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import NOW as IMPORTED
from tests.conftest import on_both
from tests.store.consensus.fused_weeks import SECOND, takes_in, week
from tests.store.readers.votes import OURS, THEIRS, turns

pytestmark = pytest.mark.on_sqlite

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
TODAY = NOW.date()
READER = Person(OURS, "U1")
_HOUR = timedelta(hours=1)


async def _saves(database: Database, ref: str, at: datetime, note: str | None = None) -> None:
    wanted = Listing(ref, "As it was", at)
    if note is None:
        await database.write(saved.save_all, READER, (wanted,), None)
    else:
        await database.write(saved.note, READER, wanted, note, None)


async def _opens(database: Database, ref: str, at: datetime = NOW) -> None:
    await database.write_locking_rows(seen.open_paper, READER, ref, at)


async def _signals(
    database: Database, person: Person = READER
) -> list[tuple[SignalKind, str, datetime]]:
    found = await database.read(history.history, person)
    return [(each.kind, each.mention.entry.title, each.at) for each in found]


async def _unseen(
    database: Database,
    sources: tuple[str, ...] | None = None,
    today: date = TODAY,
    person: Person = READER,
) -> list[str]:
    found = await database.read(history.unseen, person, sources, today)
    return [each.entry.ref for each in found]


@on_both
async def test_signals_are_what_a_person_did_newest_first(database: Database) -> None:
    """Saves with and without a note, votes and opened papers are signals."""
    await takes_in(database, ("dair", week(1, 2, 3, 4)))
    await _saves(database, "dair:2026-01-05#1", NOW)
    await _saves(database, "dair:2026-01-05#2", NOW + _HOUR, "Read it again")
    await _opens(database, "dair:2026-01-05#3", NOW + 2 * _HOUR)
    await turns(database, "U1", "dair:2026-01-05#4", at=NOW + 3 * _HOUR)
    assert await _signals(database) == [
        (SignalKind.VOTED, "Paper 4", NOW + 3 * _HOUR),
        (SignalKind.OPENED, "Paper 3", NOW + 2 * _HOUR),
        (SignalKind.NOTED, "Paper 2", NOW + _HOUR),
        (SignalKind.SAVED, "Paper 1", NOW),
    ]
    assert await _signals(database, Person(OURS, "U2")) == []


async def test_a_paper_has_each_kind_once(database: Database) -> None:
    """A paper may be saved and opened; votes in two workspaces are one, of the newer's time."""
    await takes_in(database, ("dair", week(1)))
    ref = "dair:2026-01-05#1"
    await _saves(database, ref, NOW)
    await _opens(database, ref)
    await turns(database, "U1", ref, OURS, at=NOW + _HOUR)
    await database.write_locking_rows(votes.toggle, READER, THEIRS, ref, None, NOW)
    assert await _signals(database) == [
        (SignalKind.VOTED, "Paper 1", NOW + _HOUR),
        (SignalKind.OPENED, "Paper 1", NOW),
        (SignalKind.SAVED, "Paper 1", NOW),
    ]


async def test_what_a_brief_listed_is_no_signal(database: Database) -> None:
    """A paper that was only listed was not opened."""
    await takes_in(database, ("dair", week(1, 2)))
    await _briefed(database)
    assert await _signals(database) == []


async def test_a_signal_shows_the_newest_entry_where_the_seen_one_is_gone(
    database: Database,
) -> None:
    """A paper that stands elsewhere now is shown there; one without entries is left out."""
    await takes_in(database, ("dair", week(1, 2)), ("other", week(1, first_day=SECOND)))
    for rank in (1, 2):
        await _saves(database, f"dair:2026-01-05#{rank}", NOW + rank * _HOUR)
    await takes_in(database, ("dair", week(3, 4)))
    found = await database.read(history.history, READER)
    assert [each.mention.entry.ref for each in found] == ["other:2026-01-12#1"]


@on_both
async def test_unseen_papers_are_newest_week_first_and_in_each_best_first(
    database: Database,
) -> None:
    """A paper of several editions is there once, in its newest week at its best place."""
    await takes_in(
        database,
        ("dair", week(1, 2, 3)),
        ("dair", week(4, 5, 6, first_day=SECOND)),
        ("other", week(6, 2, first_day=SECOND)),
    )
    assert await _unseen(database) == [
        "other:2026-01-12#1", "dair:2026-01-12#1", "dair:2026-01-12#2", "other:2026-01-12#2",
        "dair:2026-01-05#1", "dair:2026-01-05#3",
    ]  # fmt: skip


@on_both
async def test_what_a_person_met_is_left_out(database: Database) -> None:
    """Papers that they opened, had in a brief, saved or voted for are no longer unseen to them."""
    await takes_in(database, ("dair", week(1, 2, 3, 4, 5)))
    await _briefed(database)
    await _opens(database, "dair:2026-01-05#2")
    await _saves(database, "dair:2026-01-05#3", NOW)
    await turns(database, "U1", "dair:2026-01-05#4")
    assert await _unseen(database) == ["dair:2026-01-05#5"]
    assert len(await _unseen(database, person=Person(OURS, "U2"))) == 5


async def test_only_followed_sources_count_and_never_the_consensus(database: Database) -> None:
    """Papers of other sources are left out; the consensus only repeats them."""
    await takes_in(database, ("dair", week(1, 2)), ("other", week(2, 3)))
    assert await _unseen(database, ("other",)) == ["other:2026-01-05#1", "other:2026-01-05#2"]
    assert await _unseen(database, ("none",)) == []
    assert await _unseen(database) == [
        "other:2026-01-05#1", "dair:2026-01-05#1", "other:2026-01-05#2",
    ]  # fmt: skip


async def test_papers_of_eight_weeks_count(database: Database) -> None:
    """They are counted from the newest edition of the sources, however old that is."""
    weeks = [MONDAY + timedelta(weeks=number) for number in range(10)]
    for number, first_day in enumerate(weeks):
        await takes_in(database, ("dair", edition(entry(1, f"Of {number}"), first_day=first_day)))
    expected = [f"dair:{first_day}#1" for first_day in reversed(weeks[2:])]
    assert await _unseen(database, today=date(2026, 3, 20)) == expected
    assert await _unseen(database, today=date(2027, 3, 20)) == expected


async def test_a_running_week_waits(database: Database) -> None:
    """An edition that still grows is in no digest."""
    await takes_in(
        database,
        ("hf-daily", edition(entry(1, "Today"), kind=DocumentKind.HF_DAILY, first_day=TODAY)),
    )
    assert await _unseen(database) == []
    assert await _unseen(database, today=TODAY + timedelta(weeks=1)) == [f"hf-daily:{TODAY}#1"]


async def test_a_sample_is_in_no_digest(database: Database) -> None:
    """The bundled samples are not posted."""
    draft = week(1)

    def take_sample(session: Session) -> None:
        decision = decide("dair", draft, contribute(draft, sample=True), None)
        assert decision.change
        apply_edition.apply(session, Source("dair", "Dair"), decision.change, None, IMPORTED)

    await database.write(take_sample)
    assert await _unseen(database) == []


async def _briefed(database: Database) -> None:
    """Have a brief of one paper."""
    wanted = BriefRequest(5, FeedScope(None, TODAY), NOW)
    await database.write_locking_rows(
        seen.create_brief, READER, wanted, lambda papers: [next(papers)]
    )
