"""What finds something in place of a search that found nothing, and what that costs."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from bot.library.near_searches import near_searches
from bot.library.search import parse_query
from store.database import Database
from store.search import Filters

DAY = date(2026, 11, 25)
TO_COME = date(2027, 1, 1)


@pytest.fixture
def statements() -> Iterator[list[str]]:
    """Return what any store is asked from now on."""
    said: list[str] = []

    def hear(*execution: object) -> None:
        said.append(" ".join(str(execution[2]).split()))

    event.listen(Engine, "before_cursor_execute", hear)
    yield said
    event.remove(Engine, "before_cursor_execute", hear)


@pytest.mark.parametrize(
    ("text", "filters", "most"),
    [
        ("agents", Filters(source="nosuch"), 8),
        ("language models", Filters(topic="robotics", author="nobody", since=TO_COME), 8),
        ('"agents of language" models', Filters(), 10),
        ("agnets langauge zzqqxy", Filters(since=TO_COME), 25),
        ("", Filters("agents", "dair", "nobody", TO_COME), 6),
        ("", Filters(topic="agents", since=TO_COME), 6),
    ],
)
async def test_the_nearest_searches_take_a_few_statements(
    real: Database, statements: list[str], text: str, filters: Filters, most: int
) -> None:
    """However many filters there are and entries are stored, and none counts all that fits.

    A store of 100,000 entries answers each in 0.16 s of the processor at most, the first time.
    """
    query = replace(parse_query(text), filters=filters)
    await real.read(near_searches, query, DAY)
    assert 0 < len(statements) <= most
    of_entries = [each for each in statements if "FROM entry JOIN edition" in each]
    assert not any("count(" in each for each in of_entries)


async def test_without_words_each_filter_that_kept_papers_out_is_found(real: Database) -> None:
    """A source that there is not is left out beside a topic, and nothing where it stands alone."""
    asked = replace(parse_query(""), filters=Filters(topic="agents", source="nosuch"))
    assert (await real.read(near_searches, asked, DAY)).without == (("source",),)
    alone = replace(parse_query(""), filters=Filters(source="nosuch"))
    assert (await real.read(near_searches, alone, DAY)).without == ()
