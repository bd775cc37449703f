"""Titles of threads wait in a line of bounded length, in which people come first."""

from dataclasses import replace

from adapters.common.tasks import Tasks
from adapters.slack.api.client import Api, open_session
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.thread_titles import LONGEST_TITLE, ThreadTitles, title_of
from adapters.slack.api.tokens import Authorization
from bot.operations.metrics import Metrics
from bot.replies.blocks import Level, Notice, Reply, Text, Title
from tests.adapters.slack.posts.messages import limiter_of
from tests.fakes.slack import FakeSlack

AGENT = Authorization("xoxb-1", "B1", "UBOT1", "T1", None, is_agent=True)


async def _titled(number: int, soon: int = -1, most_waiting: int = 100) -> list[str]:
    """Ask for the titles of so many threads at once; return those that were set, in order."""
    async with FakeSlack() as slack, open_session() as session:
        slack.become_agent()
        with limiter_of(slack) as limiter:
            tasks = Tasks()
            limited = RateLimitedApi(Api(slack.api_url, session, Metrics()), limiter)
            titles = ThreadTitles(limited, tasks, most_waiting)
            roots = [slack.say("hello", channel="D1").ts for _ in range(number)]
            for each, root in enumerate(roots):
                titles.set(AGENT, "D1", root, f"Thread {each}", soon=each == soon)
            await tasks.finish(60)
        return list(slack.sessions.values())


async def test_threads_are_titled_in_order_and_those_of_people_first() -> None:
    """What somebody may be looking at overtakes what was sent to many."""
    assert await _titled(4) == [f"Thread {each}" for each in range(4)]
    assert await _titled(4, soon=3) == [f"Thread {each}" for each in (3, 0, 1, 2)]


async def test_the_line_has_an_end() -> None:
    """Threads that come when it is full stay without title, but for those of people."""
    assert await _titled(5, most_waiting=3) == ["Thread 0", "Thread 1", "Thread 2"]
    assert await _titled(5, soon=4, most_waiting=3) == ["Thread 4", "Thread 0", "Thread 1"]


async def test_a_session_that_is_there_is_renamed() -> None:
    """Slack takes a title with a status for a new session alone, so one of before is renamed."""
    async with FakeSlack() as slack, open_session() as session:
        slack.become_agent()
        with limiter_of(slack) as limiter:
            limited = RateLimitedApi(Api(slack.api_url, session, Metrics()), limiter)
            titles = ThreadTitles(limited, tasks := Tasks())
            new, old, last = (slack.say("hello", channel="D1") for _ in range(3))
            slack.sessions["T1", "D1", old.ts] = "Untitled"
            for each in (new, old, last):
                titles.set(AGENT, "D1", each.ts, "latest")
            await tasks.finish(60)
        assert [slack.title_of(each) for each in (new, old, last)] == ["latest"] * 3


async def test_nothing_is_asked_of_slack_for_no_agent_and_without_words() -> None:
    """Neither has anything to set."""
    async with FakeSlack() as slack, open_session() as session:
        with limiter_of(slack) as limiter:
            limited = RateLimitedApi(Api(slack.api_url, session, Metrics()), limiter)
            titles = ThreadTitles(limited, tasks := Tasks())
            titles.set(replace(AGENT, is_agent=False), "D1", "1.2", "latest")
            titles.set(AGENT, "D1", "1.2", " \n\u202e ")
            await tasks.finish(5)
        assert slack.calls() == []


def test_a_message_is_named_by_its_title_or_by_what_it_says() -> None:
    """One without either has no name."""
    title, notice = Title("Your papers"), Notice(Level.WARNING, "It is gone.", "Look there.")
    assert title_of(Reply((Text("Words."), title, notice))) == "Your papers"
    assert title_of(Reply((notice,))) == "It is gone."
    assert title_of(Reply((Text("Words."),))) == ""
    assert LONGEST_TITLE * 2 <= 200
