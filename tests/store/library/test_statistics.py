"""What is counted of the papers of weeks, on both databases."""

import asyncio
from collections import defaultdict
from dataclasses import replace
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.drafts import DocumentKind, EditionDraft
from store.database import Database
from store.library import editions, statistics
from store.library.statistics import WeekCount
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.conftest import few_examples
from tests.store.consensus.fused_weeks import consensus, takes_in

_ARXIV = "https://arxiv.org/abs/2601.0000"
_TITLES = (
    "A Survey of Language Agents",
    "Jailbreak attacks on language agents",
    "On Nothing in Particular",
    "Robots that learn to grasp",
)


def _week(*numbers: int, ago: int = 0, kind: DocumentKind | None = None) -> EditionDraft:
    """Draft an edition of some of four papers, so many weeks before the first of the year."""
    entries = (
        entry(rank, _TITLES[number], links=[f"{_ARXIV}{number}"])
        for rank, number in enumerate(numbers, start=1)
    )
    drafted = edition(*entries, first_day=MONDAY - timedelta(weeks=ago))
    return replace(drafted, kind=kind or drafted.kind)


async def test_a_paper_counts_once_a_week(database: Database) -> None:
    """However many sources name it; those of a consensus are counted where they stand."""
    await takes_in(
        database, ("dair", _week(0, 1, 2)), ("other", _week(0, 3)), ("dair", _week(1, ago=2))
    )
    assert len(await consensus(database)) == 1
    counted = await database.read(statistics.count_weeks, "2025-W01", "2026-W02")
    assert counted.weeks == (
        WeekCount("2025-W52", 1, {"agents": 1, "safety": 1}),
        WeekCount("2026-W02", 4, {"agents": 2, "safety": 1, "surveys": 1, "robotics": 1}),
    )


async def test_only_the_weeks_that_are_asked_for_count(database: Database) -> None:
    """The first and the last of them are among them; so are the sources, the known ones first."""
    await takes_in(
        database,
        *(
            (slug, _week(number, ago=number))
            for number, slug in enumerate(("zoo", "other", "dair"))
        ),
    )
    counted = await database.read(statistics.count_weeks, "2025-W52", "2026-W01")
    assert [each.week for each in counted.weeks] == ["2025-W52", "2026-W01"]
    assert counted.sources == ("dair", "other")


async def test_a_topic_is_a_papers_where_one_of_its_entries_of_the_week_has_it(
    database: Database,
) -> None:
    """Sources that tell of it in other words give it the topics of all of them."""
    links = [f"{_ARXIV}1"]
    await takes_in(
        database,
        ("dair", edition(entry(1, "On Nothing in Particular", links=links))),
        ("other", edition(entry(1, "On Nothing", "Robots that grasp.", links=links))),
    )
    [week] = (await database.read(statistics.count_weeks, "2026-W02", "2026-W02")).weeks
    assert week == WeekCount("2026-W02", 1, {"robotics": 1})


async def test_the_newest_week_is_one_that_has_papers(database: Database) -> None:
    """It is no later than the one that is named, and `None` where there is none."""
    await takes_in(database, ("dair", _week(0, ago=3)), ("dair", _week(1, ago=1)))
    weeks = [
        await database.read(statistics.newest_week, until)
        for until in ("2026-W03", "2026-W01", "2025-W52", "2025-W51", "2025-W50")
    ]
    assert weeks == ["2026-W01", "2026-W01", "2025-W51", "2025-W51", None]


async def test_nothing_stored_is_nothing_counted(database: Database) -> None:
    """An empty store has no week and no source."""
    assert await database.read(statistics.newest_week, "2026-W02") is None
    counted = await database.read(statistics.count_weeks, "2025-W01", "2026-W02")
    assert counted == statistics.WeeklyCounts((), ())


_WEEKS = st.lists(
    st.tuples(
        st.sampled_from(["dair", "other"]),
        st.integers(0, 3),
        st.lists(st.integers(0, 3), min_size=1, max_size=4, unique=True),
    ),
    max_size=6,
    unique_by=lambda each: each[:2],
)


@settings(max_examples=few_examples(), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(weeks=_WEEKS)
def test_the_counts_are_those_of_the_export(
    database: Database, weeks: list[tuple[str, int, list[int]]]
) -> None:
    """Counted one by one, the papers of the exported editions are as many, whatever is stored."""

    async def compare() -> None:
        drafts = ((slug, _week(*numbers, ago=ago)) for slug, ago, numbers in weeks)
        await takes_in(database, *drafts)
        expected: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for each in await database.read(editions.export_editions):
            week = editions.iso_week(each.first_day, each.last_day)
            for told in each.entries:
                for topic in ("", *told.topics):
                    expected[week][topic].add(told.title)
        counted = await database.read(statistics.count_weeks, "2025-W01", "2026-W02")
        assert {each.week: {"": each.papers, **each.topics} for each in counted.weeks} == {
            week: {topic: len(papers) for topic, papers in topics.items()}
            for week, topics in expected.items()
        }

    asyncio.run(compare())
