"""ArXiv is asked politely about what is due, and whatever it answers nothing is lost."""

import asyncio
from datetime import timedelta

from bot.clock import SystemClock
from bot.coordination.jobs import JobOutcome
from bot.coordination.rate_limiter import RateLimiter
from bot.errors import FetchLater, PageGone
from bot.ingest.documents import MAX_BYTES
from bot.sources.arxiv_metadata import RATE_LIMIT
from bot.sources.fetcher import NO_VALIDATORS, FetchedPage, Validators
from store.database import Database
from tests.bot.sources.metadata_setup import FIRST, NOW, SECOND, SIX_HOURS, THIRD, Stage
from tests.fakes.arxiv import atom, error_feed, paper, query_url
from tests.fakes.pages import MemoryFetcher


def _in_memory(stage: Stage) -> MemoryFetcher:
    assert isinstance(stage.fetcher, MemoryFetcher)
    return stage.fetcher


async def test_what_is_due_is_asked_about_at_once(database: Database) -> None:
    """One question for all of them; then there is nothing to do for six hours."""
    stage = Stage(database)
    await stage.takes_in(FIRST, SECOND)
    both = [paper(FIRST), paper(SECOND)]
    _in_memory(stage).put(query_url(FIRST, SECOND), atom(*both))
    assert await stage.runs() == JobOutcome(stage.at + SIX_HOURS)
    assert await stage.known() == {FIRST: both[0], SECOND: both[1]}
    assert await stage.runs() == JobOutcome(stage.at + SIX_HOURS)
    assert len(_in_memory(stage).requests) == 1


async def test_an_empty_store_asks_nobody(database: Database) -> None:
    """Nothing is due, and so nothing is fetched."""
    stage = Stage(database)
    assert await stage.runs() == JobOutcome(NOW + SIX_HOURS)
    assert _in_memory(stage).requests == []


async def test_many_are_asked_about_a_hundred_at_a_time(database: Database) -> None:
    """Three seconds apart, in the order of their editions."""
    stage = Stage(database)
    ids = [f"2601.{number:05}" for number in range(1, 251)]
    await stage.takes_in(*ids)
    for start in range(0, 250, 100):
        batch = ids[start : start + 100]
        _in_memory(stage).put(query_url(*batch), atom(*map(paper, batch)))
    await stage.runs()
    assert len(await stage.known()) == 250
    assert len(_in_memory(stage).requests) == 3
    assert stage.at - NOW == timedelta(seconds=9)


async def test_an_id_is_kept_as_the_editions_have_it(database: Database) -> None:
    """ArXiv writes old ids without the class of their subject."""
    stage = Stage(database)
    await stage.takes_in("math.GT/0309136")
    _in_memory(stage).put(query_url("math.GT/0309136"), atom(paper("math/0309136")))
    await stage.runs()
    assert list(await stage.known()) == ["math.GT/0309136"]


async def test_what_an_answer_leaves_out_is_asked_about_later(database: Database) -> None:
    """What it has is kept, and what it has that nobody asked for is not."""
    stage = Stage(database)
    await stage.takes_in(FIRST, SECOND)
    _in_memory(stage).put(query_url(FIRST, SECOND), atom(paper(SECOND), paper(THIRD)))
    assert not (await stage.runs()).failed
    assert list(await stage.known()) == [SECOND]
    assert await stage.due() == []
    assert await stage.due(SIX_HOURS) == [FIRST]


async def test_an_empty_answer_to_several_is_a_failure(database: Database) -> None:
    """It comes at times to ids that arXiv knows; that one time makes none of them unknown."""
    stage = Stage(database)
    await stage.takes_in(FIRST, SECOND)
    fetcher = _in_memory(stage)
    fetcher.put(query_url(FIRST, SECOND), atom())
    ended = await stage.runs(failures=2)
    assert (ended.failed, ended.next_at) == (True, stage.at + timedelta(minutes=20))
    assert "2 papers" in ended.reason
    fetcher.put(query_url(FIRST, SECOND), atom(paper(FIRST), paper(SECOND)))
    stage.at += SIX_HOURS
    await stage.runs()
    assert list(await stage.known()) == [FIRST, SECOND]


async def test_an_empty_answer_to_one_is_about_that(database: Database) -> None:
    """Twice, and it passes for unknown; nothing went wrong."""
    stage = Stage(database)
    await stage.takes_in(FIRST)
    _in_memory(stage).put(query_url(FIRST), atom())
    assert not (await stage.runs()).failed
    stage.at += SIX_HOURS
    assert not (await stage.runs()).failed
    assert await stage.due(timedelta(days=30)) == []
    assert len(_in_memory(stage).requests) == 2


async def test_a_question_refused_for_an_id_is_asked_without_it(database: Database) -> None:
    """The others don't suffer for it."""
    stage = Stage(database)
    await stage.takes_in(FIRST, "2613.00001", SECOND)
    fetcher = _in_memory(stage)
    words = error_feed("incorrect id format for 2613.00001")
    fetcher.put(query_url(*await stage.due()), words)
    fetcher.put(query_url("2613.00001"), words)
    fetcher.put(query_url(FIRST, SECOND), atom(paper(FIRST), paper(SECOND)))
    assert not (await stage.runs()).failed
    assert list(await stage.known()) == [FIRST, SECOND]
    assert await stage.due(timedelta(minutes=10)) == []


async def test_a_question_refused_without_a_reason_is_halved(database: Database) -> None:
    """Until what it was refused for stands alone, however it is refused."""
    stage = Stage(database)
    ids = [f"2601.{number:05}" for number in range(1, 9)]
    await stage.takes_in(*ids)
    fetcher = _in_memory(stage)
    bad = ids[5]
    refused = PageGone("arxiv.example answers with 400.", host="arxiv.example", status=400)
    for size in (8, 4, 2, 1):
        for start in range(0, 8, size):
            part = ids[start : start + size]
            fetcher.pages[query_url(*part)] = refused
            if bad not in part:
                fetcher.put(query_url(*part), atom(*map(paper, part)))
    assert not (await stage.runs()).failed
    assert set(await stage.known()) == {*ids} - {bad}
    assert len(fetcher.requests) == 7


async def test_who_refuses_everything_is_left_alone(database: Database) -> None:
    """Then it is about no id, and nothing is asked two hundred times."""
    stage = Stage(database)
    ids = [f"2601.{number:05}" for number in range(1, 101)]
    await stage.takes_in(*ids)
    stage.fetcher = _Refusing()
    ended = await stage.runs()
    assert ended.failed
    assert "too many requests" in ended.reason
    assert len(_in_memory(stage).requests) < 60


async def test_a_host_in_trouble_is_left_alone_as_long_as_it_asks(database: Database) -> None:
    """What was noted before stays, and the rest is asked about then."""
    stage = Stage(database)
    ids = [f"2601.{number:05}" for number in range(1, 102)]
    await stage.takes_in(*ids)
    fetcher = _in_memory(stage)
    fetcher.put(query_url(*ids[:100]), atom(*map(paper, ids[:100])))
    busy = FetchLater("arxiv.example answers with 503.", host="arxiv.example", after=3600.0)
    fetcher.pages[query_url(ids[100])] = busy
    ended = await stage.runs()
    assert ended == JobOutcome(stage.at + timedelta(hours=1), failed=True, reason=busy.sentence)
    assert len(await stage.known()) == 100
    fetcher.pages[query_url(ids[100])] = FetchLater("arxiv.example is out of reach.")
    assert (await stage.runs(failures=1)).next_at == stage.at + timedelta(minutes=10)
    fetcher.put(query_url(ids[100]), atom(paper(ids[100])))
    assert not (await stage.runs(failures=2)).failed
    assert len(await stage.known()) == 101


async def test_processes_ask_in_turn(database: Database) -> None:
    """Two on one store never ask within three seconds; who finds it crowded is no failure."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await asyncio.sleep(0)

    def lanes(horizon: float) -> RateLimiter:
        return RateLimiter(
            database, SystemClock(), sleep=sleep, seconds=lambda: 0.0, horizon=horizon
        )

    stage = Stage(database, turns=lanes(10.0).acquire)
    await stage.takes_in(FIRST)
    _in_memory(stage).put(query_url(FIRST), atom(paper(FIRST)))
    await lanes(10.0).acquire([RATE_LIMIT])
    assert slept == []
    await stage.runs()
    [wait] = slept
    assert 0 < wait <= 3
    stage.at += timedelta(days=4)
    stage.turns = lanes(0.1).acquire
    ended = await stage.runs()
    assert not ended.failed
    assert timedelta() < ended.next_at - stage.at <= timedelta(seconds=10)
    assert len(_in_memory(stage).requests) == 1


class _Refusing(MemoryFetcher):
    """Refuses whatever it is asked."""

    async def fetch(
        self,
        url: str,
        known: Validators = NO_VALIDATORS,
        *,
        accept: str = "*/*",
        most: int = MAX_BYTES,
    ) -> FetchedPage | None:
        """Return words that name no id."""
        self.put(url, error_feed("too many requests"))
        return await super().fetch(url, known, accept=accept, most=most)
