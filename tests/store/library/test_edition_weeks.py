"""The weeks and months that have an edition, on both databases."""

from datetime import timedelta

from store.database import Database
from store.library.statistics import list_months, list_weeks
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import stored

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
