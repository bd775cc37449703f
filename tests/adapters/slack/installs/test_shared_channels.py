"""In a channel that organisations share, all belongs to the workspace that installed the app."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest

from store.database import Database
from store.posting.subscriptions import list_subscriptions
from store.readers.saved import list_all
from store.records import Person, Subscription, Workspace
from store.workspaces.workspaces import list_present
from tests.adapters.slack.connected_bot import many_variables, running, variables_for
from tests.fakes.slack import Ack, FakeSlack, Message, Slow, View

SHARED = "C9"
STRANGER = "U9"
DENIED = "Only people of the organisation that installed Broadsheet manage it."
PRESS = "Write a note"


@asynccontextmanager
async def shared(
    database: Database,
    *installed: str,
    organisations: tuple[str | None, str | None] = (None, None),
) -> AsyncIterator[FakeSlack]:
    """Give a Slack where T2 hosts a channel with T1, and U9 of T2 is an admin there.

    The app is installed in some of the two; each may belong to an organisation.
    """
    async with FakeSlack() as slack:
        slack.teams["T1"].enterprise, enterprise = organisations
        host = slack.add_team("T2", enterprise=enterprise, installed="T2" in installed)
        slack.add_user(host, STRANGER, admin=True, tz="Asia/Tokyo")
        slack.share(SHARED, host, slack.teams["T1"])
        async with running(database, slack, many_variables(slack)) as (_, url):
            for team in installed:
                await slack.install(url, team)
            yield slack


async def mentioned(slack: FakeSlack, text: str, user: str = STRANGER, team: str = "T1") -> Message:
    """Mention a workspace's bot in the shared channel, and return its answer."""
    bot = slack.teams[team].bot_id
    return await answered(slack, lambda: slack.mention(text, user, SHARED, team), user, bot)


async def answered(
    slack: FakeSlack, act: Callable[[], Awaitable[Ack]], user: str = STRANGER, bot: str = "B1"
) -> Message:
    """Let a user act, and return a bot's answer in the shared channel."""
    before = len(answers(slack, user, bot))
    await act()
    await slack.settled(lambda: len(answers(slack, user, bot)) > before)
    return answers(slack, user, bot)[-1]


def answers(slack: FakeSlack, user: str = STRANGER, bot: str = "B1") -> list[Message]:
    """Return the messages of a bot that a user sees in the shared channel."""
    return [each for each in slack.seen(user, SHARED, "T1") if each.bot_id == bot]


async def opened(slack: FakeSlack, target: Message | View, label: str) -> View:
    """Let the stranger open a form, and return it."""
    await slack.click(target, label, STRANGER)
    await slack.settled(lambda: slack.modals(STRANGER))
    [modal] = slack.modals(STRANGER)
    await slack.settled(lambda: "Looking…" not in str(modal.blocks))
    return modal


async def orders(database: Database) -> list[tuple[str, str]]:
    """Return the workspace and channel of each subscription."""

    def place(found: Subscription) -> tuple[str, str]:
        return found.channel.workspace.external_id, found.channel.external_id

    return [place(each) for each in await database.read(list_subscriptions)]


async def workspaces(database: Database) -> set[str]:
    """Return the ids of the workspaces that the store knows."""
    return {each.external_id for each in await database.read(list_present, "slack")}


async def test_an_order_lands_in_the_workspace_that_installed_the_app(stocked: Database) -> None:
    """A member orders in a channel that others host, and it is kept for their own workspace."""
    async with shared(stocked, "T1") as slack:
        await mentioned(slack, "subscribe", "U1")
        await mentioned(slack, "settings zone Asia/Tokyo", "U1")
        assert await orders(stocked) == [("T1", SHARED)]
        assert await workspaces(stocked) == {"T1"}
        assert f"name-{SHARED.lower()} (1)" in (await slack.ask("status")).text
        assert "Asia/Tokyo" in (await slack.ask("settings")).text


async def test_a_token_from_the_settings_keeps_all_in_its_workspace(stocked: Database) -> None:
    """With one token, too, nothing lands in the workspace that hosts a channel."""
    async with FakeSlack() as slack:
        host = slack.add_team("T2", installed=False)
        slack.add_user(host, STRANGER, admin=True)
        slack.share(SHARED, host, slack.teams["T1"])
        async with running(stocked, slack, variables_for(slack)):
            await mentioned(slack, "subscribe", "U1")
            await mentioned(slack, "save 2026-01-05#1")
            assert DENIED in (await mentioned(slack, "pause 1")).text
            modal = await opened(slack, await mentioned(slack, "save 2026-01-05#2"), PRESS)
            await slack.submit(modal, {"text": "from afar"})
            assert "from afar" in (await mentioned(slack, "saved")).text
            assert await orders(stocked) == [("T1", SHARED)]
            assert await workspaces(stocked) == {"T1"}


async def test_a_workspace_of_others_that_removes_the_app_takes_nothing_away(
    stocked: Database,
) -> None:
    """Another workspace's removal does not concern the one token, nor its orders."""
    async with FakeSlack() as slack, running(stocked, slack) as (platform, _):
        slack.add_team("T2")
        await slack.ask("subscribe")
        await slack.uninstall("T2")
        assert (await slack.ask("subscriptions")).text.startswith("Posts in ")
        assert (await platform.condition()).healthy


async def test_a_stranger_is_a_reader(stocked: Database) -> None:
    """An admin of another organisation can't order, pause or change anything."""
    async with shared(stocked, "T1") as slack:
        await mentioned(slack, "subscribe", "U1")
        for line in ("subscribe", "pause 1", "unsubscribe 1", "settings zone UTC"):
            assert DENIED in (await mentioned(slack, line)).text
        assert await orders(stocked) == [("T1", SHARED)]
        assert "paused" not in (await slack.ask("status")).text


async def test_dispatch_help_and_buttons_agree_about_a_stranger(stocked: Database) -> None:
    """What a stranger can't do is neither listed nor offered, and a manager's button is refused."""
    async with shared(stocked, "T1") as slack:
        mine = await mentioned(slack, "subscribe", "U1")
        assert "subscribe" in (await mentioned(slack, "help", "U1")).text
        assert "subscribe" not in (await mentioned(slack, "help")).text
        slack.post(slack.teams["T1"].channels[SHARED], slack.teams["T1"], {"blocks": mine.blocks})
        posted = answers(slack)[-1]
        for label in ("Undo", "Post it now"):
            press = partial(slack.click, posted, label, STRANGER)
            assert DENIED in (await answered(slack, press)).text
        assert await orders(stocked) == [("T1", SHARED)]


async def test_what_a_stranger_keeps_is_their_own(stocked: Database) -> None:
    """It is stored under the workspace that installed the app, and nobody else sees it."""
    async with shared(stocked, "T1") as slack:
        await mentioned(slack, "save 2026-01-05#1")
        assert len(await stocked.read(list_all, Person(Workspace("slack", "T1"), STRANGER))) == 1
        assert await workspaces(stocked) == {"T1"}
        assert "Sparse Attention" in (await mentioned(slack, "saved")).text
        assert "Sparse Attention" not in (await slack.ask("saved")).text


async def test_a_stranger_sees_only_what_is_posted_where_they_are(stocked: Database) -> None:
    """To another organisation every other channel is private, also one that members may join."""
    async with shared(stocked, "T1") as slack:
        await slack.ask("subscribe")
        await mentioned(slack, "subscribe", "U1")
        seen = (await mentioned(slack, "status")).text
        assert "name-c9" in seen
        assert "name-c1" not in seen
        assert "name-c1" in (await slack.ask("status")).text


@pytest.mark.parametrize(
    ("organisations", "has_it"),
    [((None, None), False), ((None, "E2"), False), (("E1", "E2"), False), (("E1", "E2"), True)],
)
async def test_a_stranger_s_form_is_answered(
    stocked: Database, organisations: tuple[str | None, str | None], *, has_it: bool
) -> None:
    """A form names its user's workspace and organisation, and belongs to the app's.

    So it does where the whole of that organisation has the app too.
    """
    async with shared(stocked, "T1", organisations=organisations) as slack:
        if has_it:
            slack.teams["T2"].org_wide = True
            assert slack.bot_url
            await slack.install(slack.bot_url, "T2")
        modal = await opened(slack, await mentioned(slack, "save 2026-01-05#1"), PRESS)
        ack = await slack.submit(modal, {"text": "from afar"})
        assert ack.payload
        [kept] = await stocked.read(list_all, Person(Workspace("slack", "T1"), STRANGER))
        assert kept.note == "from afar"
        assert await workspaces(stocked) == {"T1"}


async def test_a_stranger_searches_from_app_home(stocked: Database) -> None:
    """App Home, its button, the options of its form and the form are answered."""
    async with shared(stocked, "T1") as slack:
        await slack.open_home(STRANGER)
        home = await slack.settled(lambda: slack.home(STRANGER))
        assert home
        modal = await opened(slack, home, "Search")
        suggested = await slack.suggest(modal, "topic", "agen")
        assert "agents" in str(suggested.payload)
        await slack.submit(modal, {"query": "attention"})
        await slack.settled(lambda: "Sparse Attention" in str(modal.blocks))
        assert await workspaces(stocked) <= {"T1"}


async def test_two_installations_in_one_channel_keep_to_themselves(stocked: Database) -> None:
    """Each organisation's order is its own, and neither's status shows the other's."""
    async with shared(stocked, "T1", "T2") as slack:
        slack.add_channel(slack.teams["T2"], "C8", members={"U9", "UBOT2"})
        await mentioned(slack, "subscribe", "U1")
        await slack.ask("subscribe", STRANGER, "C8", "T2")
        assert await orders(stocked) == [("T1", SHARED), ("T2", "C8")]
        assert "name-c8" not in (await slack.ask("status")).text
        assert "name-c9" not in (await slack.ask("status", STRANGER, SHARED, "T2")).text
        assert DENIED in (await mentioned(slack, "subscribe")).text
        await mentioned(slack, "subscribe", STRANGER, "T2")
        assert await orders(stocked) == [("T1", SHARED), ("T2", "C8"), ("T2", SHARED)]


@pytest.mark.parametrize("same_id", [True, False])
async def test_a_mention_is_answered_once_by_the_bot_that_it_names(
    stocked: Database, *, same_id: bool
) -> None:
    """Slack may deliver it for any installation that sees the channel, or for each of them."""
    async with shared(stocked, "T1", "T2") as slack:
        for team in ("T1", "T2"):
            sent = await slack.mention("status", STRANGER, SHARED, team, authorized="T2")
            payload = sent.delivery.payload
            event_id = payload["event_id"] if same_id else None
            await slack.event(payload["event"], "T1", event_id=event_id)
            await slack.settled(partial(answers, slack, bot=slack.teams[team].bot_id))
        await mentioned(slack, "latest")
        assert len(answers(slack, bot="B1")) == 2
        assert len(answers(slack, bot="B2")) == 1


async def test_an_event_that_two_workspaces_see_is_handled_in_each(stocked: Database) -> None:
    """Its id is the same in both; delivered again, it is not answered again."""
    async with shared(stocked, "T1", "T2") as slack:
        event = {"type": "message", "channel_type": "im", "channel": "D2", "user": "U2"}
        for team in ("T1", "T2", "T2"):
            await slack.event({**event, "text": "latest", "ts": "1.0"}, team, event_id="Ev7")
        for team in ("T1", "T2"):
            await slack.settled(partial(slack.seen, "U2", "D2", team))
        await slack.direct_message("help", "U2", "T2")
        await slack.settled(lambda: "All commands" in slack.seen("U2", "D2", "T2")[-1].text)
        assert len(slack.seen("U2", "D2", "T1")) == 1
        assert len(slack.seen("U2", "D2", "T2")) == 3  # with the question


async def test_a_colleague_of_another_workspace_is_no_stranger(stocked: Database) -> None:
    """People of one organisation manage together, but an admin is one of their own workspace."""
    async with shared(stocked, "T1", organisations=("E1", "E1")) as slack:
        await mentioned(slack, "subscribe")
        assert await orders(stocked) == [("T1", SHARED)]
        await slack.ask("subscribe", channel="D1")
        slack.add_channel(slack.teams["T1"], "G7", members={"U1", "UBOT1"}, private=True)
        await slack.ask("subscribe", channel="G7")
        assert "name-g7" not in (await mentioned(slack, "status")).text


async def test_a_stranger_is_none_of_the_managers_while_the_profile_is_late(
    stocked: Database,
) -> None:
    """The payload tells a stranger; a member manages without a profile."""
    async with shared(stocked, "T1") as slack:
        slack.fail("users.info", Slow(30), times=2)
        assert DENIED in (await mentioned(slack, "subscribe")).text
        await mentioned(slack, "subscribe", "U1")
        assert await orders(stocked) == [("T1", SHARED)]


async def test_links_of_strangers_get_cards_by_the_settings_of_the_app_s_workspace(
    stocked: Database,
) -> None:
    """Whoever posts a link in a shared channel, and whoever hosts it."""
    async with shared(stocked, "T1") as slack:
        await mentioned(slack, "settings unfurls off", "U1")
        link = "https://arxiv.org/abs/2601.00003"
        without = (await slack.post_link(link, STRANGER, SHARED)).sent
        await mentioned(slack, "latest")
        await mentioned(slack, "settings unfurls on", "U1")
        sent = (await slack.post_link(link, STRANGER, SHARED)).sent
        assert sent
        assert without
        await slack.settled(lambda: sent.unfurls)
        assert not without.unfurls
