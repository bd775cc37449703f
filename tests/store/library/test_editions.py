"""Editions in the store: order, weeks, and changes applied, on both databases."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import text

from bot.domain.drafts import DocumentKind, EditionDraft
from bot.ingest.decide import contribute, decide
from store.consensus import queries
from store.database import Database, Session
from store.imports import apply_edition
from store.library import autocomplete, editions, mentions, statistics
from store.library.statistics import list_months, list_weeks
from store.maintenance.health import check
from store.posting import editions_to_post
from store.records import Edition, Source
from store.search import EVERYTHING, SearchQuery, search
from store.sources import CONSENSUS
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import NOW, stored, take_in


async def test_what_was_put_in_comes_out(database: Database) -> None:
    """Every fact of an edition survives the way through the store."""
    draft = edition(
        entry(1, "Māori ‘voices’ — 🥇", "Words.", links=["https://a.example"], highlights=["x"]),
        entry(2, "No summary"),
    )
    [out] = await stored(database, draft)
    assert [(e.title, e.summary, len(e.links), len(e.highlights)) for e in out.entries] == [
        ("Māori ‘voices’ — 🥇", "Words.", 1, 1),
        ("No summary", None, 0, 0),
    ]
    assert (out.first_day, out.last_day, out.year_rule) == (MONDAY, date(2026, 1, 11), "weekday")


async def test_a_correction_leaves_the_other_rows_alone(database: Database) -> None:
    """Only the corrected entry's row is written again; the others keep theirs."""

    def rows(session: Session) -> dict[str, tuple[int, str | None]]:
        found = session.connection().execute(text("SELECT ref, id, summary FROM entry"))
        return {ref: (row_id, summary) for ref, row_id, summary in found}

    await database.write(take_in, edition(entry(1, "One"), entry(2, "Two")))
    before = await database.read(rows)
    await database.write(take_in, edition(entry(1, "One"), entry(2, "Two", "Corrected.")))
    after = await database.read(rows)
    assert after["dair:2026-01-05#1"] == before["dair:2026-01-05#1"]
    assert after["dair:2026-01-05#2"] == (before["dair:2026-01-05#2"][0], "Corrected.")


async def test_kinds_imported_at_once_are_all_kept(database: Database) -> None:
    """Three kinds of one edition written at the same moment end up united."""
    drafts = [
        edition(entry(1, "One", links=[f"https://{kind}.example"]), kind=kind)
        for kind in (DocumentKind.NEWSLETTER, DocumentKind.ARCHIVE, DocumentKind.FEED)
    ]
    await asyncio.gather(*(database.write(take_in, draft) for draft in drafts))
    [united] = await database.read(editions.export_editions)
    assert len(united.entries[0].links) == 3


def _edition(source: str, last_day: date, *, sample: bool = False) -> Edition:
    draft = edition(first_day=last_day - timedelta(days=6))
    return Edition(
        source, "newsletter", draft.title, draft.first_day, last_day,
        None, None, None, None, None, (), sample=sample,
    )  # fmt: skip


def test_newest_is_the_greatest_last_day_then_the_source() -> None:
    """Ties go to dair, paperdive, hf-daily, then by slug; samples stand last of all."""
    day = date(2026, 1, 11)
    expected = [
        _edition("zeta", day + timedelta(days=1)),
        *(_edition(slug, day) for slug in ("dair", "paperdive", "hf-daily", "alpha", "beta")),
        _edition("dair", day - timedelta(days=1)),
        _edition("sample-weekly", day + timedelta(days=9), sample=True),
    ]
    assert sorted(expected[3:] + expected[:3], key=editions.newest_first) == expected


async def test_the_newest_edition_follows_that_rule(database: Database) -> None:
    """What `latest` shows is the first of the list, over all sources and of each."""
    for slug in ("zeta", "paperdive"):
        await database.write(take_in, edition(entry(1, "One")), slug)
    older = edition(entry(1, "Old"), first_day=MONDAY - timedelta(days=7))
    await database.write(take_in, older, "dair")
    newest = await database.read(editions.newest_edition)
    dair = await database.read(editions.newest_edition, "dair")
    assert newest
    assert dair
    assert (newest.source, dair.entries[0].title) == ("paperdive", "Old")
    assert await database.read(editions.newest_edition, "nobody") is None


async def test_what_is_still_open_is_not_the_newest(database: Database) -> None:
    """Until its week ends it comes after what is not, unless its source is asked for."""
    await database.write(take_in, edition(entry(1, "One")), "dair")
    listed = replace(edition(entry(1, "Voted")), kind=DocumentKind.HF_DAILY)
    later = MONDAY + timedelta(days=7)
    week = replace(listed, first_day=later, last_day=later + timedelta(days=6))
    await database.write(take_in, week, "hf-daily")
    for day, newest in ((6, "dair"), (13, "dair"), (14, "hf-daily")):
        today = MONDAY + timedelta(days=day)
        found = await database.read(editions.newest_edition, None, today)
        assert found
        assert found.source == newest
        asked_for = await database.read(editions.newest_edition, "hf-daily", today)
        assert asked_for
        assert editions.is_open(asked_for, today) is (day < 14)


async def test_what_is_open_is_shown_while_there_is_nothing_else(database: Database) -> None:
    """Nobody is told that nothing is stored."""
    listed = replace(edition(entry(1, "Voted")), kind=DocumentKind.HF_DAILY)
    await database.write(take_in, listed, "hf-daily")
    found = await database.read(editions.newest_edition, None, MONDAY)
    assert found
    assert found.source == "hf-daily"


@pytest.mark.parametrize(
    ("first_day", "last_day", "week"),
    [
        (date(2026, 1, 5), date(2026, 1, 11), "2026-W02"),
        (date(2024, 12, 30), date(2025, 1, 5), "2025-W01"),
        (date(2023, 1, 1), date(2023, 1, 8), "2023-W01"),
        (date(2024, 3, 26), date(2024, 3, 31), "2024-W13"),
        (date(2026, 1, 8), date(2026, 1, 15), "2026-W02"),
        (date(2020, 12, 28), date(2021, 1, 3), "2020-W53"),
    ],
)
def test_a_week_is_the_one_that_holds_most_days(first_day: date, last_day: date, week: str) -> None:
    """An edition belongs to the ISO week of most of its days; a tie goes to the earlier."""
    assert editions.iso_week(first_day, last_day) == week


async def test_a_removed_entry_is_gone_from_everywhere(database: Database) -> None:
    """An entry that a correction took back leaves neither a row nor an index entry."""
    whole: EditionDraft = edition(entry(1, "One"), entry(2, "Two"))
    await stored(database, whole, replace(whole, entries=whole.entries[1:]))

    def counts(session: Session) -> tuple[int, ...]:
        tables = ("entry", "entry_text", "paper")
        return tuple(session.scalar(text(f"SELECT count(*) FROM {t}")) for t in tables)  # noqa: S608 - names above

    assert await database.read(counts) == (1, 1, 1)


def take_in_sample(session: Session, draft: EditionDraft) -> None:
    """Take a sample in, in the transaction at hand."""
    before = apply_edition.load(session, "sample-weekly", draft.first_day)
    offered = contribute(draft, sample=True)
    decision = decide("sample-weekly", draft, offered, before)
    if decision.change:
        source = Source("sample-weekly", "Samples")
        apply_edition.apply(session, source, decision.change, before, NOW)


async def test_the_first_real_edition_takes_the_place_of_all_samples(database: Database) -> None:
    """However old it is, nothing of the samples is left, in the very transaction."""
    samples = [
        edition(entry(1, f"Sample {n}"), entry(2, "Shared"), first_day=MONDAY + timedelta(weeks=n))
        for n in range(3)
    ]
    for sample in samples:
        await database.write(take_in_sample, sample)
    old = edition(entry(1, "Real"), entry(2, "Shared"), first_day=MONDAY - timedelta(weeks=500))
    [left] = await stored(database, old)
    assert (left.source, [each.title for each in left.entries]) == ("dair", ["Real", "Shared"])
    assert [each.slug for each in await database.read(editions.list_sources)] == ["dair"]
    assert await database.read(statistics.count_papers) == 2
    assert await database.run(check) == []


async def test_a_sample_that_comes_too_late_is_left_out(database: Database) -> None:
    """A process that fills the store while another imports adds nothing to what is real."""
    await stored(database, edition(entry(1, "Real")))
    await database.write(take_in_sample, edition(entry(1, "Sample"), first_day=date(2027, 1, 4)))
    assert [each.source for each in await database.read(editions.list_editions)] == ["dair"]


async def test_what_lies_ahead_is_never_the_newest(database: Database) -> None:
    """An edition that ends over a week after the day is listed, and neither shown nor owed."""
    wrong = edition(entry(1, "Wrong"), first_day=date(2062, 1, 2))
    right = edition(entry(1, "Right"))
    await database.write(take_in, wrong)
    today = right.last_day - editions.FARTHEST_AHEAD
    assert await database.read(editions.newest_edition, None, today) is None
    assert await database.read(editions_to_post.newest_editions, today) == {}
    await database.write(take_in, right)
    for source in (None, "dair"):
        found = await database.read(editions.newest_edition, source, today)
        assert found
        assert found.first_day == MONDAY
    newest = await database.read(editions_to_post.newest_editions, today)
    assert newest["dair"].first_day == MONDAY
    assert list((await database.read(editions_to_post.list_not_older, today)).values()) == ["dair"]
    for day, drafts in ((today, [wrong]), (today - timedelta(days=1), [wrong, right])):
        listed = await database.read(editions.list_ahead, day)
        assert [each.first_day for each in listed] == [each.first_day for each in drafts]


async def test_what_lies_ahead_comes_last_in_every_list(database: Database) -> None:
    """Weeks, months, sources, papers and what is typed begin with what is newest on the day."""
    link = ["https://arxiv.org/abs/2601.00001"]
    wrong = edition(entry(1, "Sparse Attention", links=link), first_day=date(2062, 1, 2))
    right = edition(entry(1, "Sparse Attention", links=link))
    await database.write(take_in, wrong)
    await database.write(take_in, right)
    await database.write(take_in, wrong, "other")
    today, sparse = right.last_day, SearchQuery(words=("sparse",))
    days = [MONDAY, wrong.first_day, wrong.first_day]

    def told(session: Session) -> None:
        for listed in (
            editions.list_editions(session, None, today),
            editions.export_editions(session, day=today),
        ):
            assert [each.first_day for each in listed] == days
        states = editions.source_states(session, today)
        assert [(each.source.slug, each.editions, each.last_day) for each in states] == [
            ("dair", 2, today), ("other", 1, None), (CONSENSUS, 1, None),
        ]  # fmt: skip
        weeks = ["2026-W02", "2062-W01"]
        assert [week for week, _ in statistics.list_weeks(session, today)] == weeks
        assert statistics.list_months(session, today) == ["2026-01", "2062-01"]
        for source in (None, "dair"):
            beside = editions.neighbours(session, "2026-W02", source, today)
            assert (beside.before, beside.after) == (None, None)
        assert queries.newest_week(session, today) is None
        [newest] = mentions.newest(session, EVERYTHING, today, 10)
        [typed] = autocomplete.by_title(session, ("spars",), today, 10)
        latest = editions.latest_end(today)
        hits = search(session, sparse, 10, latest=latest, once_a_paper=True).hits
        [found] = mentions.of_entries(session, [each.entry_id for each in hits])
        first, *_ = mentions.of_paper(session, newest.paper_id, today)
        named, *_ = mentions.by_title(session, "Sparse Attention", today)
        for each in (newest, typed, found, first, named):
            assert each.edition.first_day == MONDAY

    await database.read(told)


WEEK = edition(entry(1, "Sparse Attention"))
TODAY = MONDAY + timedelta(days=20)
EARLIER = edition(entry(1, "Sparse Rewards"), first_day=MONDAY - timedelta(days=28))


async def test_weeks_stand_newest_first_with_their_sources(database: Database) -> None:
    """A week stands once, with its sources in the order in which editions of a day stand."""
    for slug in ("other", "paperdive", "dair"):
        await stored(database, WEEK, slug=slug)
    await stored(database, EARLIER)
    assert await database.read(list_weeks, TODAY) == [
        ("2026-W02", ("dair", "paperdive", "other")),
        ("2025-W50", ("dair",)),
    ]


async def test_months_are_those_of_the_last_days(database: Database) -> None:
    """A month stands once, the newest first."""
    await stored(database, WEEK, EARLIER)
    await stored(database, WEEK, slug="other")
    assert await database.read(list_months, TODAY) == ["2026-01", "2025-12"]
