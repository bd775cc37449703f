"""Permalinks of posts take as few calls as possible."""

import asyncio
from dataclasses import replace

from adapters.slack.api.client import Api, open_session
from adapters.slack.api.tokens import Authorization
from adapters.slack.posts import Permalinks, permalink
from bot.operations.metrics import Metrics
from store.database import Database
from tests.adapters.slack.connected_bot import many_variables, running
from tests.adapters.slack.posts.messages import KEY, MESSAGE, posting
from tests.fakes.clock import Seconds
from tests.fakes.slack import FakeSlack, ServerError

SPOKEN = Authorization("xoxb-1", "B1", "UBOT1", "T1", None)


async def test_many_posts_take_one_question() -> None:
    """The permalink of a workspace's first post gives the base URL of all."""
    async with posting(identified=False) as (slack, poster):
        sent = [poster.send(replace(MESSAGE, key=f"{KEY}{number}")) for number in range(8)]
        found = [await each for each in [asyncio.ensure_future(each) for each in sent]]
        assert len(slack.calls("chat.getPermalink")) == 1
        assert len(slack.calls("chat.postMessage")) == 8
        for posted in found:
            assert posted.message is not None
            base = "https://t1.example.com/"
            assert posted.url == permalink(base, "C1", posted.message, None)


async def test_where_many_workspaces_are_a_post_is_one_call(stocked: Database) -> None:
    """Each workspace that installed the app is asked once, and then never again."""
    async with FakeSlack() as slack:
        slack.add_team("T2", installed=False)
        async with running(stocked, slack, many_variables(slack)) as (platform, url):
            for team in ("T1", "T2"):
                slack.teams[team].installed = False
                await slack.install(url, team)
            for number in range(3):
                for team in ("T1", "T2"):
                    where = replace(
                        MESSAGE.channel,
                        workspace=replace(MESSAGE.channel.workspace, external_id=team),
                    )
                    posted = await platform.channel_client.send(
                        replace(MESSAGE, channel=where, key=f"{KEY}{number}")
                    )
                    assert posted.url.startswith(
                        f"https://{team.lower()}.example.com/archives/C1/p"
                    )
            assert len(slack.calls("chat.getPermalink")) == 2


async def test_a_failed_call_is_repeated_later() -> None:
    """A question that failed is not repeated with every post, and not given up either."""
    seconds = Seconds()
    async with FakeSlack() as slack, open_session() as session:
        api = Api(slack.api_url, session, Metrics())
        links = Permalinks(api, seconds)
        said = await api.call("xoxb-1", "chat.postMessage", channel="C1", text="One")
        slack.fail("chat.getPermalink", ServerError(500))
        for _ in range(3):
            assert await links.base_url(SPOKEN, "C1", said["ts"]) == ""
        assert len(slack.calls("chat.getPermalink")) == 1
        seconds.at = 60.0
        for _ in range(3):
            assert await links.base_url(SPOKEN, "C1", said["ts"]) == "https://t1.example.com/"
        assert len(slack.calls("chat.getPermalink")) == 2


async def test_a_cancelled_post_does_not_cancel_the_call_of_others() -> None:
    """A post that is cancelled during the call leaves the response to others."""
    async with FakeSlack() as slack, open_session() as session:
        links = Permalinks(api := Api(slack.api_url, session, Metrics()))
        said = await api.call("xoxb-1", "chat.postMessage", channel="C1", text="One")
        first = asyncio.create_task(links.base_url(SPOKEN, "C1", said["ts"]))
        other = asyncio.create_task(links.base_url(SPOKEN, "C1", said["ts"]))
        await asyncio.sleep(0)
        first.cancel()
        assert await other == "https://t1.example.com/"
        assert first.cancelled()
        assert len(slack.calls("chat.getPermalink")) == 1
