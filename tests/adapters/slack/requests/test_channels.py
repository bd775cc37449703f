"""The channels of a Slack workspace as whoever asks sees them, and how the bot gets into them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from adapters.slack.api.client import Api, open_session
from adapters.slack.requests.channels import SlackChannels
from adapters.slack.requests.memberships import FRESH_SECONDS, Member, Memberships
from bot.actor import ChannelInfo, Named
from bot.errors import NotInChannel, UserError
from bot.operations.metrics import Metrics
from bot.posting.ports import DIRECT
from store.records import Layout
from tests.fakes.seconds import Seconds
from tests.fakes.slack import FakeSlack, RateLimited, Refuse, ServerError

Asked = Callable[..., SlackChannels]
HIDDEN = "There is no such channel, or you or Broadsheet are not in it."


@asynccontextmanager
async def asking() -> AsyncIterator[tuple[FakeSlack, Asked, Seconds]]:
    """Give a Slack, what makes the channels of somebody who asks somewhere, and a clock."""
    seconds = Seconds()
    async with FakeSlack() as slack, open_session() as session:
        api = Api(slack.api_url, session, Metrics())
        memberships = Memberships(api, seconds)

        def asked(
            user: str = "U1", here: str | None = "C1", team: str | None = None
        ) -> SlackChannels:
            return SlackChannels(api, memberships, Member("T1", user, "xoxb-1", team), here)

        yield slack, asked, seconds


async def test_a_channel_is_known_by_its_name() -> None:
    """What Slack tells of a channel that the asker is in: its name, and whether it is private."""
    async with asking() as (slack, asked, _):
        team = slack.teams["T1"]
        slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        assert await asked().look("C1") == ChannelInfo("C1", "name-c1")
        assert await asked().look("C2") == ChannelInfo("C2", "name-c2")
        assert await asked().look("G2") == ChannelInfo("G2", "name-g2", private=True)


async def test_where_somebody_asks_they_are() -> None:
    """Of the channel asked in Slack is not asked who is in it."""
    async with asking() as (slack, asked, _):
        await asked(here="C2").look("C2")
        assert slack.calls("users.conversations") == []


@pytest.mark.parametrize("channel", ["C3", "G1", "G2", "C9", "D2", "nonsense"])
async def test_channels_of_others_are_all_the_same(channel: str) -> None:
    """Nobody learns of a channel that they are not in, not even that there is one."""
    async with asking() as (slack, asked, _):
        team = slack.teams["T1"]
        slack.add_channel(team, "C3", members={"U2", team.bot_user})
        slack.add_channel(team, "G2", members={"U2", team.bot_user}, private=True)
        with pytest.raises(UserError) as raised:
            await asked().look(channel)
    assert raised.value.sentence == HIDDEN
    assert "/invite @Broadsheet" in raised.value.remedy


async def test_a_private_channel_without_the_bot_asks_for_it() -> None:
    """The bot knows nothing of such a channel, also where the asker types in it, and says so."""
    async with asking() as (_, asked, _):
        with pytest.raises(UserError) as raised:
            await asked(here="G1").look("G1")
    assert raised.value.sentence == "Broadsheet is not in this channel."
    assert raised.value.remedy == "Invite it there: /invite @Broadsheet."


async def test_who_joined_a_moment_ago_is_in() -> None:
    """That somebody is not in a channel is asked anew each time, that they are is remembered."""
    async with asking() as (slack, asked, seconds):
        place = slack.add_channel(slack.teams["T1"], "C3", members={"U2"})
        with pytest.raises(UserError):
            await asked().look("C3")
        place.members.add("U1")
        assert (await asked().look("C3")).name == "name-c3"
        asks = len(slack.calls("users.conversations"))
        await asked().look("C3")
        assert len(slack.calls("users.conversations")) == asks
        place.members.discard("U1")
        seconds.at += FRESH_SECONDS
        with pytest.raises(UserError):
            await asked().look("C3")


async def test_who_left_a_private_channel_is_out_at_once() -> None:
    """Who is in a channel that others can't see is asked anew each time."""
    async with asking() as (slack, asked, _):
        team = slack.teams["T1"]
        place = slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        assert (await asked().look("G2")).private
        place.members.discard("U1")
        with pytest.raises(NotInChannel):
            await asked().look("G2")


async def test_somebody_of_many_channels_is_in_each() -> None:
    """Slack lists channels page by page."""
    async with asking() as (slack, asked, _):
        slack.most_listed = 2
        for number in range(3, 8):
            slack.add_channel(slack.teams["T1"], f"C{number}", members={"U1"})
        assert (await asked().look("C7")).id == "C7"


async def test_the_bot_joins_a_public_channel() -> None:
    """Where posts are ordered the bot is afterwards, and joins no channel twice."""
    async with asking() as (slack, asked, _):
        channels = asked()
        await channels.enter(await channels.look("C2"), Layout.THREAD)
        assert slack.teams["T1"].bot_user in slack.teams["T1"].channels["C2"].members
        again = asked()
        await again.enter(await again.look("C2"), Layout.THREAD)
        assert len(slack.calls("conversations.join")) == 1


async def test_a_channel_is_asked_about_once() -> None:
    """What was told of a channel holds for as long as the request takes."""
    async with asking() as (slack, asked, _):
        channels = asked()
        await channels.enter(await channels.look("C1"), Layout.FULL)
        assert len(slack.calls("conversations.info")) == 1


async def test_an_archived_channel_takes_no_posts() -> None:
    """It says what would have to be done."""
    async with asking() as (slack, asked, _):
        slack.teams["T1"].channels["C1"].archived = True
        channels = asked()
        with pytest.raises(UserError, match="archive"):
            await channels.enter(await channels.look("C1"), Layout.COMPACT)


@pytest.mark.parametrize("fault", [Refuse("restricted_action"), Refuse("no_permission")])
async def test_a_bot_that_may_not_join_asks_to_be_invited(fault: Refuse) -> None:
    """Whatever keeps it out, somebody in the channel can let it in."""
    async with asking() as (slack, asked, _):
        slack.fail("conversations.join", fault)
        channels = asked()
        with pytest.raises(UserError) as raised:
            await channels.enter(await channels.look("C2"), Layout.COMPACT)
    assert raised.value.sentence == "Broadsheet is not in #name-c2."
    assert raised.value.remedy == "Invite it there: /invite @Broadsheet."


async def test_without_the_scope_to_join_the_bot_has_to_be_invited() -> None:
    """The scope is for whoever runs the bot; whoever asks may invite it."""
    async with asking() as (slack, asked, _):
        slack.teams["T1"].scopes.discard("channels:join")
        channels = asked()
        with pytest.raises(UserError, match="/invite @Broadsheet"):
            await channels.enter(await channels.look("C2"), Layout.COMPACT)


async def test_without_the_scope_to_read_orders_are_for_where_they_are_given() -> None:
    """What is not known of the channel asked in may be secret; of others nothing is known."""
    async with asking() as (slack, asked, _):
        slack.teams["T1"].scopes -= {"channels:read", "groups:read"}
        channels = asked()
        here = await channels.look("C1")
        assert here == ChannelInfo("C1", "C1", private=True)
        await channels.enter(here, Layout.COMPACT)
        with pytest.raises(UserError, match="lacks the scope channels:read"):
            await asked().look("C2")
        assert await asked().known() == []


@pytest.mark.parametrize("fault", [ServerError(500), RateLimited(after=5), Refuse("fatal_error")])
@pytest.mark.parametrize("method", ["conversations.info", "users.conversations"])
async def test_a_slack_that_does_not_tell_is_for_later(
    method: str, fault: ServerError | RateLimited | Refuse
) -> None:
    """Trouble of Slack's own is told as that, and not as a channel that isn't there."""
    async with asking() as (slack, asked, _):
        slack.fail(method, fault)
        with pytest.raises(UserError) as raised:
            await asked().look("C2")
    assert raised.value.sentence != HIDDEN


async def test_a_lost_token_is_no_hidden_channel() -> None:
    """Where the app was removed that is what is said."""
    async with asking() as (slack, asked, _):
        slack.dead_tokens["xoxb-1"] = "token_revoked"
        with pytest.raises(UserError, match="token"):
            await asked().look("C1")


async def test_direct_messages_to_the_bot_may_get_posts() -> None:
    """They are the asker's own, private, and nothing has to be joined."""
    async with asking() as (_, asked, _):
        channels = asked(here="D1")
        mine = await channels.look("D1")
        assert mine == ChannelInfo("D1", DIRECT, private=True)
        await channels.enter(mine, Layout.THREAD)


async def test_a_conversation_of_two_people_gets_no_posts() -> None:
    """A command may be typed there, but the bot has no part in it."""
    async with asking() as (_, asked, _):
        channels = asked(here="D77")
        with pytest.raises(UserError, match="not part of that conversation"):
            await channels.enter(await channels.look("D77"), Layout.THREAD)


async def test_the_asker_s_channels_are_listed_by_name() -> None:
    """Private ones are among them where the bot is in them too, archived ones never are."""
    async with asking() as (slack, asked, _):
        team = slack.teams["T1"]
        slack.add_channel(team, "C0", members={"U1"}).archived = True
        slack.add_channel(team, "C3", members={"U2"})
        slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        known = [Named("C1", "name-c1"), Named("C2", "name-c2"), Named("G2", "name-g2")]
        assert await asked().known() == known
        assert await asked(here="C2").known() == known
        assert len(slack.calls("users.conversations")) == 1


async def test_what_two_people_are_in_is_not_taken_for_each_other_s() -> None:
    """Each has a memory of their own."""
    async with asking() as (slack, asked, _):
        slack.add_channel(slack.teams["T1"], "C3", members={"U2"})
        mine, theirs = await asked().known(), await asked("U2").known()
    assert Named("C3", "name-c3") not in mine
    assert Named("C3", "name-c3") in theirs


async def test_where_slack_does_not_list_channels_none_is_offered() -> None:
    """Completion goes without."""
    async with asking() as (slack, asked, _):
        slack.fail("users.conversations", ServerError(500))
        assert await asked().known() == []


async def test_an_organisation_s_token_is_told_which_workspace_is_meant() -> None:
    """Slack demands that of a token that speaks in several."""
    async with asking() as (slack, asked, _):
        slack.teams["T1"].org_wide = True
        assert await asked(team="T1").known()
        assert await asked("U2").known() == []
