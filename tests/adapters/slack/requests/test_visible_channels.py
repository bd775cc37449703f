"""Channels as the user of a request may see them, and how the bot joins them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from adapters.slack.api.client import Api, open_session
from adapters.slack.requests.visible_channels import (
    FRESH_SECONDS,
    Member,
    Memberships,
    SlackChannels,
)
from bot.actor import ChannelInfo, ChannelList, Named
from bot.errors import NotInChannel, UserError
from bot.operations.metrics import Metrics
from bot.posting.ports import DIRECT
from store.records import Layout
from tests.fakes.clock import Seconds, Ticking
from tests.fakes.slack import FakeSlack, RateLimited, Refuse, ServerError, Slow

Asked = Callable[..., SlackChannels]
HIDDEN = "There is no such channel, or you or Broadsheet are not in it."


@asynccontextmanager
async def asking(
    seconds: Seconds | None = None,
) -> AsyncIterator[tuple[FakeSlack, Asked, Seconds]]:
    """Yield a Slack, a factory of a user's channels, and a clock."""
    seconds = seconds or Seconds()
    async with FakeSlack() as slack, open_session() as session:
        api = Api(slack.api_url, session, Metrics())
        memberships = Memberships(api, seconds)

        def asked(
            user: str = "U1",
            here: str | None = "C1",
            team: str | None = None,
            *,
            was_there: bool = False,
        ) -> SlackChannels:
            member = Member("T1", user, "xoxb-1", team)
            return SlackChannels(memberships, member, here, was_there=was_there)

        yield slack, asked, seconds


async def test_a_channel_is_known_by_its_name() -> None:
    """A channel of the user has its name, and is private or not."""
    async with asking() as (slack, asked, _):
        team = slack.teams["T1"]
        slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        assert await asked().look("C1") == ChannelInfo("C1", "name-c1")
        assert await asked().look("C2") == ChannelInfo("C2", "name-c2")
        assert await asked().look("G2") == ChannelInfo("G2", "name-g2", private=True)


async def test_the_user_is_in_the_current_channel() -> None:
    """Memberships are not read for the channel of the request."""
    async with asking() as (slack, asked, _):
        await asked(here="C2").look("C2")
        assert slack.calls("users.conversations") == []


async def test_channels_of_others_are_hidden() -> None:
    """A user learns nothing of a channel that they are not in, not even that it exists."""
    async with asking() as (slack, asked, _):
        team = slack.teams["T1"]
        slack.add_channel(team, "C3", members={"U2", team.bot_user})
        slack.add_channel(team, "G2", members={"U2", team.bot_user}, private=True)
        for channel in ("C3", "G1", "G2", "C9", "D2", "nonsense"):
            with pytest.raises(UserError) as raised:
                await asked().look(channel)
            assert raised.value.sentence == HIDDEN, channel
            assert "/invite @Broadsheet" in raised.value.remedy


async def test_a_private_channel_without_the_bot_asks_for_it() -> None:
    """The bot can't see such a channel, even the current one, and asks for an invitation."""
    async with asking() as (_, asked, _):
        with pytest.raises(UserError) as raised:
            await asked(here="G1").look("G1")
    assert raised.value.sentence == "Broadsheet is not in this channel."
    assert raised.value.remedy == "Invite it there: /invite @Broadsheet."


async def test_a_user_who_just_joined_is_in() -> None:
    """Membership is cached, and its absence is read again each time."""
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


async def test_a_user_who_left_a_private_channel_is_out_at_once() -> None:
    """Membership of a private channel is read each time."""
    async with asking() as (slack, asked, _):
        team = slack.teams["T1"]
        place = slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        assert (await asked().look("G2")).private
        place.members.discard("U1")
        with pytest.raises(NotInChannel):
            await asked().look("G2")


async def test_short_pages_are_read_to_the_end() -> None:
    """A page of one channel, or of none, ends no list: only an empty cursor does."""
    async with asking() as (slack, asked, _):
        slack.most_listed = 1
        for number in range(3, 20):
            slack.add_channel(slack.teams["T1"], f"C{number}", members={"U1"})
        named = (await asked().known()).named
        assert len(named) == 19
        assert (await asked().look("C19")).id == "C19"


async def test_a_list_that_takes_too_long_is_said_to_be_cut() -> None:
    """Whoever is not among those listed is not told that they are outside."""
    async with asking(Ticking()) as (slack, asked, _):
        slack.most_listed = 1
        team = slack.teams["T1"]
        for number in range(3, 30):
            members = {"U1", team.bot_user}
            slack.add_channel(team, f"C{number}", members=members)
            slack.add_channel(team, f"G{number}", members=members, private=True)
        known = await asked().known()
        assert known.cut
        listed = len(known.named)
        for channel in ("C29", "G29"):
            with pytest.raises(UserError, match=f"more channels than the {listed}") as raised:
                await asked().look(channel)
            assert not isinstance(raised.value, NotInChannel)
        assert (await asked().look(known.named[0].id)).name == known.named[0].name
        assert set(await asked().hidden({"C29", "G29"})) == {"C29", "G29"}


async def test_a_list_that_slack_interrupts_is_cut() -> None:
    """What was listed before Slack asked to wait is known."""
    async with asking() as (slack, asked, _):
        slack.most_listed = 1
        slack.fail("users.conversations", Slow(0))
        slack.fail("users.conversations", RateLimited(after=30))
        known = await asked().known()
        assert (len(known.named), known.cut) == (1, True)


async def test_the_bot_joins_a_public_channel() -> None:
    """The bot joins the channel of a subscription, once; a request reads a channel once."""
    async with asking() as (slack, asked, _):
        for _ in range(2):
            channels, calls = asked(), len(slack.calls("conversations.info"))
            await channels.enter(await channels.look("C2"), Layout.THREAD)
            assert len(slack.calls("conversations.info")) == calls + 1
        assert slack.teams["T1"].bot_user in slack.teams["T1"].channels["C2"].members
        assert len(slack.calls("conversations.join")) == 1


async def test_an_archived_channel_takes_no_posts() -> None:
    """The error asks to take it out of the archive."""
    async with asking() as (slack, asked, _):
        slack.teams["T1"].channels["C1"].archived = True
        channels = asked()
        with pytest.raises(UserError, match="archive"):
            await channels.enter(await channels.look("C1"), Layout.COMPACT)


async def test_a_bot_that_may_not_join_asks_to_be_invited() -> None:
    """The error asks the user to invite the bot, and not to add a scope that it lacks."""
    async with asking() as (slack, asked, _):
        channels = asked()
        place = await channels.look("C2")
        for code in ("restricted_action", "no_permission", None):
            if code:
                slack.fail("conversations.join", Refuse(code))
            else:
                slack.teams["T1"].scopes.discard("channels:join")
            with pytest.raises(UserError) as raised:
                await channels.enter(place, Layout.COMPACT)
            assert raised.value.sentence == "Broadsheet is not in #name-c2."
            assert raised.value.remedy == "Invite it there: /invite @Broadsheet."


async def test_without_the_scope_to_read_only_the_current_channel_can_subscribe() -> None:
    """The current channel counts as private without the scope; other channels are refused."""
    async with asking() as (slack, asked, _):
        slack.teams["T1"].scopes -= {"channels:read", "groups:read"}
        channels = asked()
        here = await channels.look("C1")
        assert here == ChannelInfo("C1", "C1", private=True)
        await channels.enter(here, Layout.COMPACT)
        with pytest.raises(UserError, match="lacks the scope channels:read"):
            await asked().look("C2")
        assert await asked().known() == ChannelList(())


async def test_a_failing_slack_is_for_later() -> None:
    """An error of Slack is reported as such, and not as a hidden channel."""
    async with asking() as (slack, asked, _):
        for method in ("conversations.info", "users.conversations"):
            for fault in (ServerError(500), RateLimited(after=5), Refuse("fatal_error")):
                slack.fail(method, fault)
                with pytest.raises(UserError) as raised:
                    await asked().look("C2")
                assert raised.value.sentence != HIDDEN


async def test_a_lost_token_is_no_hidden_channel() -> None:
    """A lost token is reported as such."""
    async with asking() as (slack, asked, _):
        slack.dead_tokens["xoxb-1"] = "token_revoked"
        with pytest.raises(UserError, match="token"):
            await asked().look("C1")


async def test_direct_messages_to_the_bot_may_get_posts() -> None:
    """The user's direct messages with the bot are private and need no join."""
    async with asking() as (_, asked, _):
        channels = asked(here="D1")
        mine = await channels.look("D1")
        assert mine == ChannelInfo("D1", DIRECT, private=True, direct=True)
        await channels.enter(mine, Layout.THREAD)


async def test_a_conversation_of_two_people_gets_no_posts() -> None:
    """A command may be typed there, but the bot has no part in it."""
    async with asking() as (_, asked, _):
        channels = asked(here="D77")
        with pytest.raises(UserError, match="not part of that conversation"):
            await channels.enter(await channels.look("D77"), Layout.THREAD)


async def test_the_user_s_channels_are_listed_by_name() -> None:
    """Private ones are among them where the bot is in them too, archived ones never are."""
    async with asking() as (slack, asked, _):
        team = slack.teams["T1"]
        slack.add_channel(team, "C0", members={"U1"}).archived = True
        slack.add_channel(team, "C3", members={"U2"})
        slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        named = Named("C1", "name-c1"), Named("C2", "name-c2"), Named("G2", "name-g2")
        known = ChannelList(named)
        assert await asked().known() == known
        assert await asked(here="C2").known() == known
        assert len(slack.calls("users.conversations")) == 1


async def test_two_users_have_memberships_of_their_own() -> None:
    """Each has a memory of their own."""
    async with asking() as (slack, asked, _):
        slack.add_channel(slack.teams["T1"], "C3", members={"U2"})
        mine, theirs = (await asked().known()).named, (await asked("U2").known()).named
    assert Named("C3", "name-c3") not in mine
    assert Named("C3", "name-c3") in theirs


async def test_no_channel_is_offered_where_slack_lists_none() -> None:
    """Completion goes without."""
    async with asking() as (slack, asked, _):
        slack.fail("users.conversations", ServerError(500))
        assert await asked().known() == ChannelList(())


async def test_calls_with_an_organisation_s_token_name_the_workspace() -> None:
    """Slack demands that of a token that speaks in several."""
    async with asking() as (slack, asked, _):
        slack.teams["T1"].org_wide = True
        assert (await asked(team="T1").known()).named
        assert (await asked("U2").known()).named == ()


async def test_a_channel_is_hidden_once_it_is_private() -> None:
    """One call tells that of all channels which the bot is in; a failing Slack tells of none."""
    async with asking() as (slack, asked, seconds):
        team = slack.teams["T1"]
        slack.add_channel(team, "C3", members={"U2", team.bot_user})
        assert await asked().hidden({"C1", "C3"}) == set()
        team.channels["C3"].private = True
        seconds.at += FRESH_SECONDS
        assert await asked().hidden({"C1", "C3"}) == {"C3"}
        assert await asked("U2").hidden({"C3"}) == {"C3"}
        assert len(slack.calls("users.conversations")) == 2
        seconds.at += FRESH_SECONDS
        slack.fail("users.conversations", ServerError(500))
        assert await asked().hidden({"C1", "C3"}) == ()


async def test_who_presses_may_have_left_a_private_channel() -> None:
    """The current channel of a button or a form is looked up, unless it is public."""
    async with asking() as (slack, asked, _):
        team = slack.teams["T1"]
        secret = slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        assert (await asked(here="G2", was_there=True).look("G2")).private
        secret.members.discard("U1")
        with pytest.raises(NotInChannel):
            await asked(here="G2", was_there=True).look("G2")
        calls = len(slack.calls("users.conversations"))
        assert (await asked(here="C1", was_there=True).look("C1")).name == "name-c1"
        assert len(slack.calls("users.conversations")) == calls
