"""Posts in the workspaces of an organisation that installed the app as a whole."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import time
from typing import Any

import pytest

from adapters.common.tasks import Tasks
from adapters.slack.api.client import Api, open_session
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.thread_titles import ThreadTitles
from adapters.slack.api.tokens import Authorization
from adapters.slack.installs.installs import Installations, make_installations
from adapters.slack.installs.organisations import Organisations
from adapters.slack.requests.actors import UserProfile, belonging
from adapters.slack.requests.payloads import Request, from_interaction
from adapters.slack.settings import read_slack_settings
from bot.errors import RetryLater, TokenRevoked
from bot.operations.metrics import Metrics
from bot.posting.ports import Message
from store.database import Database
from store.posting.subscriptions import add_subscription, list_subscriptions
from store.records import Channel, Subscription, SubscriptionState, Workspace
from tests.adapters.common.services import services_over
from tests.adapters.slack.connected_bot import many_variables, running, variables_for
from tests.adapters.slack.posts.messages import KEY, reply
from tests.fakes.clock import Seconds, Ticking
from tests.fakes.slack import FakeSlack, RateLimited, Refuse
from tests.fakes.slack.transport.deliveries import Delivery


def organisation(slack: FakeSlack, name: str, *teams: str) -> None:
    """Add an organisation with workspaces, which share a token."""
    for team in teams:
        token = f"xoxb-{name}"
        slack.add_team(team, bot_token=token, enterprise=name, org_wide=True, installed=False)


def message(team: str) -> Message:
    """Return a post to a workspace."""
    return Message(Channel(Workspace("slack", team), "C1"), KEY, reply())


async def install(slack: FakeSlack, url: str, *teams: str) -> None:
    """Install the app by one workspace, for those that share its organisation."""
    await slack.install(url, teams[0])
    for team in teams:
        slack.teams[team].installed = True


async def test_a_workspace_uses_its_organisation_s_token(stocked: Database) -> None:
    """A post knows nothing but the workspace; Slack tells whose it is, and that is remembered."""
    async with FakeSlack() as slack:
        organisation(slack, "E1", "T7")
        organisation(slack, "E2", "T8")
        async with running(stocked, slack, many_variables(slack)) as (platform, url):
            await install(slack, url, "T7")
            await install(slack, url, "T8")
            posted = [
                await platform.channel_client.send(message(team)) for team in ("T8", "T7", "T8")
            ]
            assert [each.place for each in posted] == ["C1"] * 3
            # A greeting of whoever installed it may come in between.
            calls = slack.calls("chat.postMessage")
            tokens = [call.token for call in calls if call.arguments["channel"] == "C1"]
            assert tokens == ["xoxb-E2", "xoxb-E1", "xoxb-E2"]
            assert len(slack.calls("auth.teams.list")) == 2


async def test_a_workspace_of_nobody_has_lost_its_token(stocked: Database) -> None:
    """Where no organisation has it, the bot is not installed there."""
    async with FakeSlack() as slack:
        organisation(slack, "E1", "T7")
        async with running(stocked, slack, many_variables(slack)) as (platform, url):
            await install(slack, url, "T7")
            with pytest.raises(TokenRevoked):
                await platform.channel_client.send(message("T9"))


async def test_trouble_with_an_organisation_is_not_a_workspace_s(stocked: Database) -> None:
    """An organisation that can't be asked is asked later, and no subscription is refused for it."""
    async with FakeSlack() as slack:
        organisation(slack, "E1", "T7", "T8")
        async with running(stocked, slack, many_variables(slack)) as (platform, url):
            await install(slack, url, "T7", "T8")
            for team, fault in (("T7", RateLimited(after=5)), ("T8", Refuse("account_inactive"))):
                slack.fail("auth.teams.list", fault)
                with pytest.raises(RetryLater):
                    await platform.channel_client.send(message(team))
            assert (await platform.channel_client.send(message("T7"))).message


async def test_the_workspaces_of_an_organisation_are_read_to_the_end() -> None:
    """Short pages end no list; of one that is cut the rest may have any workspace."""
    names = [f"T{number}" for number in range(100, 130)]

    async def owners() -> list[Authorization]:
        return [Authorization("xoxb-E1", "B1", "U1", None, "E1")]

    async with FakeSlack() as slack, open_session() as session:
        organisation(slack, "E1", *names)
        for each in names:
            slack.teams[each].installed = True
        slack.most_listed = 1
        api = Api(slack.api_url, session, Metrics())
        assert await Organisations(api, owners, Seconds()).find("T129") == "E1"
        assert await Organisations(api, owners, Seconds()).find("T999") is None
        cut = Organisations(api, owners, Ticking())
        with pytest.raises(RetryLater, match="has more"):
            await cut.find("T999")
        assert await cut.find("T100") == "E1"


async def test_an_organisation_s_uninstallation_ends_in_its_workspaces(stocked: Database) -> None:
    """Its workspaces' subscriptions are refused, and a reinstallation restores them."""
    for team in ("T1", "T7", "T8"):
        channel = Channel(Workspace("slack", team), "C1")
        await stocked.write(add_subscription, Subscription(channel, 0, time(9), "UTC", None))
    async with FakeSlack() as slack:
        organisation(slack, "E1", "T7", "T8")
        async with running(stocked, slack, many_variables(slack)) as (_, url):
            await slack.install(url, "T1")
            await install(slack, url, "T7", "T8")
            slack.dead_tokens["xoxb-E1"] = "account_inactive"
            await slack.event({"type": "app_uninstalled"}, "T7")
            assert await _refused(stocked, 2) == ["T7", "T8"]
            slack.dead_tokens.clear()
            await install(slack, url, "T7", "T8")
            assert await _refused(stocked, 0) == []


async def test_a_removal_that_names_the_organisation_alone_is_its_whole(stocked: Database) -> None:
    """Such an event has neither a workspace nor an authorization."""
    for team in ("T1", "T7"):
        channel = Channel(Workspace("slack", team), "C1")
        await stocked.write(add_subscription, Subscription(channel, 0, time(9), "UTC", None))
    async with FakeSlack() as slack:
        organisation(slack, "E1", "T7")
        async with running(stocked, slack, many_variables(slack)) as (_, url):
            await slack.install(url, "T1")
            await install(slack, url, "T7")
            slack.dead_tokens["xoxb-E1"] = "account_inactive"
            await slack.deliver(removal(enterprise_id="E1"))
            assert await _refused(stocked, 1) == ["T7"]


def removal(**place: str) -> Delivery:
    """Return the event of an app that was removed somewhere."""
    about = {"type": "event_callback", "event_id": "Ev1", "event": {"type": "app_uninstalled"}}
    return Delivery("events_api", {**about, **place}, "one")


async def _refused(database: Database, number: int) -> list[str]:
    """Wait until so many subscriptions are refused, and return their workspaces."""
    for _ in range(300):
        found = [
            subscription.channel.workspace.external_id
            for subscription in await database.read(list_subscriptions)
            if subscription.state is SubscriptionState.REFUSED
        ]
        if len(found) == number:
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(await database.read(list_subscriptions))


@asynccontextmanager
async def installed(database: Database, slack: FakeSlack) -> AsyncIterator[Installations]:
    """Install the app in an organisation with T7 and T8, and give what is known of it."""
    organisation(slack, "E1", "T7", "T8")
    variables = many_variables(slack)
    async with running(database, slack, variables) as (_, url):
        await install(slack, url, "T7", "T8")
    async with open_session() as session:
        yield known_by(Api(slack.api_url, session, Metrics()), database, variables)


def known_by(api: Api, database: Database, variables: Mapping[str, str]) -> Installations:
    """Return what is known of installations with some settings."""
    parts, tasks = services_over(database), Tasks()
    limited = RateLimitedApi(api, parts.rate_limiter)
    titles, settings = ThreadTitles(limited, tasks), read_slack_settings(variables)
    return make_installations(parts, settings, limited, titles, tasks)


async def test_a_request_without_workspace_is_of_its_user_s_if_that_is_the_organisation_s(
    stocked: Database,
) -> None:
    """Nothing of a stranger's request is kept for the stranger's workspace."""
    asked = Request("one", None, "U1", enterprise="E1", is_org=True)
    async with FakeSlack() as slack, installed(stocked, slack) as known:
        for request, team in (
            (replace(asked, user_team="T7"), "T7"),
            (replace(asked, user_team="T9"), None),
            (replace(asked, user_team="E1"), None),
            (replace(asked, user_team="T9", team="T8"), "T8"),
        ):
            assert (await known.settled(request)).team == team


async def test_an_organisation_that_cannot_be_asked_is_assumed_to_have_the_workspace(
    stocked: Database,
) -> None:
    """A request of a member is answered all the same."""
    asked = Request("one", None, "U1", enterprise="E1", is_org=True, user_team="T7")
    async with FakeSlack() as slack, installed(stocked, slack) as known:
        slack.fail("auth.teams.list", Refuse("internal_error"), times=9)
        assert (await known.settled(asked)).team == "T7"


async def test_a_stranger_s_form_finds_the_organisation_s_token(stocked: Database) -> None:
    """It names the workspace alone, whose organisation Slack tells."""
    async with FakeSlack() as slack, installed(stocked, slack) as known:
        found = await known.authorizations.find(None, "T7")
        assert found
        assert (found.bot_token, found.enterprise_id, found.team_id) == ("xoxb-E1", "E1", "T7")
        assert await known.authorizations.find("E2", "T7") is None


def form(team: str, user_team: str, installed: str, enterprise: str | None) -> dict[str, Any]:
    """Return a form that somebody of a workspace submitted."""
    org = {"id": enterprise} if enterprise else None
    user, view = {"id": "U9", "team_id": user_team}, {"app_installed_team_id": installed}
    about = {"type": "view_submission", "team": {"id": team}, "enterprise": org}
    return {**about, "is_enterprise_install": bool(org), "user": user, "view": view}


@pytest.mark.parametrize(
    ("body", "told", "team", "belongs"),
    [
        # T1 and T2 are of E1, T9 is a stranger's.
        (form("T1", "T1", "T1", "E1"), UserProfile(), "T1", True),
        (form("T2", "T2", "T1", "E1"), UserProfile(team="T2", enterprise="E1"), "T1", True),
        (form("T2", "E1", "T1", "E1"), UserProfile(), "T1", True),
        (form("T2", "T2", "E1", "E1"), UserProfile(team="T2", enterprise="E1"), "T2", True),
        (form("T9", "T9", "T1", None), UserProfile(team="T9"), "T1", False),
        (form("T9", "T9", "E1", None), UserProfile(team="T9"), None, False),
    ],
)
async def test_an_organisation_s_token_from_the_settings_tells_colleagues_from_strangers(
    stocked: Database, body: dict[str, Any], told: UserProfile, team: str | None, *, belongs: bool
) -> None:
    """Nothing of a stranger's form is kept for their workspace, and no colleague is one."""
    async with FakeSlack() as slack, open_session() as session:
        slack.teams["T1"].enterprise, slack.teams["T1"].org_wide = "E1", True
        slack.add_team("T2", bot_token="xoxb-1", enterprise="E1", org_wide=True)  # noqa: S106 - opens nothing
        api = Api(slack.api_url, session, Metrics())
        known = known_by(api, stocked, variables_for(slack))
        await known.start()
        settled = await known.settled(from_interaction(body))
        await known.stop()
    assert (settled.team, settled.enterprise) == (team, "E1")
    assert belonging(settled, told) is belongs


@pytest.mark.parametrize("organisation_of_token", [None, "E1"])
async def test_a_removal_by_another_organisation_takes_nothing_away(
    stocked: Database, organisation_of_token: str | None
) -> None:
    """The one token is as good as before, whether it is a workspace's or an organisation's."""
    async with FakeSlack() as slack:
        ours = slack.teams["T1"]
        ours.enterprise, ours.org_wide = organisation_of_token, bool(organisation_of_token)
        async with running(stocked, slack) as (platform, _):
            await slack.deliver(removal(enterprise_id="E9"))
            await slack.deliver(removal(team_id="T9", enterprise_id="E9"))
            await platform.drain()
            assert (await platform.condition()).healthy
