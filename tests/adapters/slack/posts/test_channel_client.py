"""The channel client sends once, reports the outcome and edits in place."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from adapters.slack import posts
from adapters.slack.api.client import Api, open_session
from adapters.slack.api.tokens import Authorization
from adapters.slack.render import Rendered, render_message
from bot.errors import (
    Gone,
    RetryLater,
    TokenRevoked,
)
from bot.operations.metrics import Metrics
from bot.posting.ports import PostedMessage
from bot.replies.blocks import PaperLine, PaperList, Reply, Text, Title, Visibility
from tests.adapters.slack.posts.messages import (
    KEY,
    MESSAGE,
    channel_client,
    limiter_of,
    posting,
    reply,
)
from tests.fakes.slack import Drop, FakeSlack, ServerError

PAPER = PaperLine(
    "1", 'Ein "Titel" — für ☃ & \\ <all>', "A line\nand another.", "dair:2026-01-05#1"
)
PAPERS = Reply((Title("The wéek"), Text("Words."), PaperList((PAPER,))), Visibility.CHANNEL)


async def nowhere(_: str) -> Authorization | None:
    """Know no workspace."""
    return None


def says(slack: FakeSlack, channel: str = "C1") -> list[str]:
    """Return what the messages of a channel say, after their title."""
    return [message.text.partition("\n")[2] for message in slack.seen(channel=channel)]


def without_ids(blocks: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return blocks without the ids that Slack gives them."""
    return [{key: block[key] for key in block if key != "block_id"} for block in blocks]


async def test_a_post_is_in_its_channel() -> None:
    """It has the reply's text and blocks, its key and no link previews."""
    async with posting() as (slack, poster):
        posted = await poster.send(MESSAGE)
        [seen] = slack.seen()
    assert "One" in seen.text
    assert seen.blocks
    assert (seen.unfurl_links, seen.unfurl_media) == (False, False)
    assert seen.metadata == {"event_type": "broadsheet_post", "event_payload": {"key": KEY}}
    digits = seen.ts.replace(".", "")
    link = f"https://t1.example.com/archives/C1/p{digits}"
    assert posted == PostedMessage("C1", seen.ts, link)


async def test_posts_and_edits_are_the_rendered_reply() -> None:
    """Both have the text and blocks of the rendered reply, and the message's key."""
    rendered = render_message(PAPERS)
    async with posting() as (slack, poster):
        posted = await poster.send(replace(MESSAGE, reply=PAPERS))
        [seen] = slack.seen()
        assert (seen.text, without_ids(seen.blocks)) == (rendered.text, rendered.blocks)
        await poster.edit(posted, replace(MESSAGE, key="two", reply=reply("Two")))
        await poster.edit(posted, replace(MESSAGE, key="three", reply=PAPERS))
        [seen] = slack.seen()
    assert (seen.text, without_ids(seen.blocks)) == (rendered.text, rendered.blocks)
    assert seen.metadata == {"event_type": "broadsheet_post", "event_payload": {"key": "three"}}


async def test_a_reply_is_rendered_once_for_all_channels(monkeypatch: pytest.MonkeyPatch) -> None:
    """An equal reply is not rendered again, and another reply gets its own rendering."""
    calls: list[Reply] = []

    def count_and_render(each: Reply) -> Rendered:
        calls.append(each)
        return render_message(each)

    monkeypatch.setattr(posts, "render_message", count_and_render)
    async with posting() as (slack, poster):
        for number, said in enumerate((PAPERS, replace(PAPERS), reply("Two"))):
            assert poster.fits(said)
            await poster.send(replace(MESSAGE, key=f"k{number}", reply=said))
        assert [each.text for each in slack.seen()][2] == render_message(reply("Two")).text
    assert calls == [PAPERS, reply("Two")]


async def test_where_a_workspace_opens_slack_is_asked_for_the_first_link_only() -> None:
    """Where the workspace's address is not known the first message's link tells it."""
    async with posting(identified=False) as (slack, poster):
        root = await poster.send(MESSAGE)
        below = replace(MESSAGE, key="two", root=root, threaded=True)
        second = await poster.send(below)
        assert len(slack.calls("chat.getPermalink")) == 1
        answer = await slack.client.get(
            f"{slack.api_url}chat.getPermalink",
            params={"channel": "C1", "message_ts": str(second.message), "token": "xoxb-1"},
        )
        assert second.url == (await answer.json())["permalink"]
        assert root.url.startswith("https://t1.example.com/archives/C1/p")


async def test_a_post_without_a_link_is_a_post() -> None:
    """A post without a permalink is sent all the same."""
    async with posting(identified=False) as (slack, poster):
        slack.fail("chat.getPermalink", ServerError(500))
        root = await poster.send(MESSAGE)
        assert (root.message, root.url) == (slack.seen()[0].ts, "")
        assert (await poster.send(replace(MESSAGE, key="two", root=root))).url == ""


async def test_nothing_is_sent_below_a_deleted_message() -> None:
    """A reply needs the message that it belongs to."""
    async with posting() as (slack, poster):
        root = await poster.send(MESSAGE)
        slack.seen()[0].deleted = True
        below = replace(MESSAGE, key="two", root=root, threaded=True)
        with pytest.raises(Gone):
            await poster.send(below)
        with pytest.raises(Gone):
            await poster.send(replace(below, root=PostedMessage("C1", None)))
        assert slack.seen() == []


async def test_a_workspace_without_the_bot_has_lost_its_token() -> None:
    """Where the bot is not installed any more nothing can be done before it is again."""
    async with FakeSlack() as slack, open_session() as session:
        api = Api(slack.api_url, session, Metrics())
        with limiter_of(slack) as lanes, pytest.raises(TokenRevoked):
            await channel_client(api, lanes, nowhere).send(MESSAGE)
        assert slack.calls() == []


async def test_an_edit_that_got_lost_may_be_made_again() -> None:
    """Editing twice is like editing once, so that a lost answer is for later."""
    async with posting() as (slack, poster):
        posted = await poster.send(MESSAGE)
        slack.fail("chat.update", Drop())
        with pytest.raises(RetryLater):
            await poster.edit(posted, replace(MESSAGE, reply=reply("Corrected")))
        await poster.edit(posted, replace(MESSAGE, reply=reply("Corrected")))
        assert ["Corrected" in each for each in says(slack)] == [True]
