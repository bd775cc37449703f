"""Actors have the zone and role of the user in the workspace."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from adapters.slack.api.client import Api, open_session
from adapters.slack.requests.actors import (
    FRESH_SECONDS,
    PROFILE_SECONDS,
    Actors,
    UserProfile,
    belonging,
)
from adapters.slack.requests.payloads import Request
from adapters.slack.settings import Managers
from bot.actor import Actor, Role
from bot.operations.metrics import Metrics
from tests.fakes.slack import FakeSlack, RateLimited, Refuse, ServerError, Slow

TOKEN = "xoxb-1"  # noqa: S105 - of the fake
ASKED = Request(key="one", team="T1", user="U1", channel="C1", user_team="T1")
IN_E1 = replace(ASKED, enterprise="E1")


@dataclass
class Clock:
    """A clock that a test sets."""

    now: float = 1_000.0

    def seconds(self) -> float:
        """Return its time."""
        return self.now


@asynccontextmanager
async def people(
    managers: Managers = "anyone", profile_seconds: float = PROFILE_SECONDS
) -> AsyncIterator[tuple[FakeSlack, Actors, Clock]]:
    """Give a Slack, those who ask there, and the clock of what is remembered of them."""
    clock = Clock()
    async with FakeSlack() as slack, open_session() as session:
        api = Api(slack.api_url, session, Metrics())
        yield slack, Actors(api, managers, clock.seconds, profile_seconds), clock


async def test_a_person_has_a_zone() -> None:
    """The actor has Slack's ids, the user's zone and the channel."""
    async with people() as (_, those, _):
        assert await those.actor(ASKED, TOKEN) == Actor(
            platform="slack",
            workspace="T1",
            user="U1",
            role=Role.MANAGER,
            zone="Europe/Berlin",
            channel="C1",
        )


@pytest.mark.parametrize(
    ("managers", "admin", "role"),
    [
        ("anyone", False, Role.MANAGER),
        ("admins", False, Role.READER),
        ("admins", True, Role.MANAGER),
    ],
)
async def test_the_setting_decides_who_manages(
    managers: Managers, role: Role, *, admin: bool
) -> None:
    """Anyone manages a channel's posts, or the workspace's admins alone, whose it is anyhow."""
    async with people(managers) as (slack, those, _):
        slack.add_user(slack.teams["T1"], "U1", admin=admin)
        actor = await those.actor(ASKED, TOKEN)
        assert (actor.role, actor.owns) == (role, admin)


async def test_slack_is_asked_once_about_a_person() -> None:
    """A profile is cached, also while it is being read, until it is old."""
    async with people() as (slack, those, clock):
        await asyncio.gather(*(those.actor(ASKED, TOKEN) for _ in range(3)))
        clock.now += FRESH_SECONDS - 1
        await those.actor(ASKED, TOKEN)
        assert len(slack.calls("users.info")) == 1
        clock.now += 1
        slack.add_user(slack.teams["T1"], "U1", tz="Asia/Tokyo")
        assert (await those.actor(ASKED, TOKEN)).zone == "Asia/Tokyo"


async def test_a_profiles_zone_is_read_as_peoples_are() -> None:
    """A name that may mean several zones names none; nobody is asked by it."""
    zones = {"EST": None, "EST5EDT": "EST5EDT", "Etc/GMT-2": "Etc/GMT-2", "Nowhere": None, "": None}
    async with people() as (slack, those, _):
        for number, (tz, zone) in enumerate(zones.items()):
            slack.add_user(slack.teams["T1"], f"U{number}", tz=tz)
            assert (await those.actor(replace(ASKED, user=f"U{number}"), TOKEN)).zone == zone


async def test_users_of_two_workspaces_are_distinct() -> None:
    """The same id in another workspace is another person."""
    async with people() as (slack, those, _):
        slack.add_user(slack.add_team("T2"), "U1", tz="Asia/Tokyo")
        here = await those.actor(ASKED, TOKEN)
        there = await those.actor(Request(key="two", team="T2", user="U1"), "xoxb-2")
    assert (here.zone, there.zone) == ("Europe/Berlin", "Asia/Tokyo")


async def test_a_user_without_profile_is_answered() -> None:
    """A user without a profile has neither zone nor admin rights, and is answered."""
    async with people("admins") as (slack, those, clock):
        for fault in (Refuse("missing_scope"), RateLimited(after=30), ServerError(500)):
            clock.now += FRESH_SECONDS
            calls = len(slack.calls("users.info"))
            slack.add_user(slack.teams["T1"], "U1", admin=True)
            slack.fail("users.info", fault)
            actor = await those.actor(ASKED, TOKEN)
            assert (actor.zone, actor.role) == (None, Role.READER)
            clock.now += 59
            assert (await those.actor(ASKED, TOKEN)).zone is None
            clock.now += 1
            assert (await those.actor(ASKED, TOKEN)).role is Role.MANAGER
            assert len(slack.calls("users.info")) == calls + 2


async def test_a_slow_slack_holds_nobody_up() -> None:
    """The actor has no zone after that time, and has it once the profile came."""
    async with people(profile_seconds=0.05) as (slack, those, _):
        slack.fail("users.info", Slow(0.15))
        assert (await those.actor(ASKED, TOKEN)).zone is None
        await asyncio.sleep(0.15)
        assert (await those.actor(ASKED, TOKEN)).zone == "Europe/Berlin"
        assert len(slack.calls("users.info")) == 1


async def test_without_a_token_there_is_no_profile() -> None:
    """Without a token the profile is empty."""
    async with people() as (_, those, _):
        assert (await those.actor(ASKED, None)).zone is None


@pytest.mark.parametrize(
    ("request_", "told", "belongs"),
    [
        # Without a profile only the payload tells.
        (replace(ASKED, user_team="T1"), None, True),
        (replace(ASKED, user_team="T2"), None, False),
        (replace(ASKED, user_team=None), None, None),
        (replace(IN_E1, user_team="E1"), None, True),
        (replace(IN_E1, user_team="E2"), None, False),
        (replace(IN_E1, user_team="T2"), None, None),
        # A profile names the user's own workspace, and says nothing more of strangers for certain.
        (replace(ASKED, user_team=None), UserProfile(team="T1"), True),
        (replace(ASKED, user_team=None), UserProfile(team="T2"), False),
        (replace(ASKED, user_team="T1"), UserProfile(team="T2"), False),
        (replace(ASKED, user_team="T1"), UserProfile(team="T1", is_stranger=True), False),
        (replace(ASKED, user_team="T1"), UserProfile(team="T2", enterprise="E2"), False),
        (replace(ASKED, user_team="T2"), UserProfile(team="T1"), False),
        (replace(ASKED, user_team="T1"), UserProfile(), True),
        # Colleagues are of one organisation, whichever their workspace is.
        (replace(IN_E1, user_team="T2"), UserProfile(team="T2", enterprise="E1"), True),
        (replace(IN_E1, user_team="T2"), UserProfile(team="T2", enterprise="E2"), False),
        (replace(IN_E1, user_team="T2"), UserProfile(team="T2"), False),
        (replace(IN_E1, user_team="T1", is_org=True), UserProfile(team="T3"), True),
        (replace(IN_E1, team=None, user_team="T9", is_org=True), UserProfile(team="T9"), False),
    ],
)
def test_a_stranger_is_told_by_payload_and_profile(
    request_: Request, told: UserProfile | None, *, belongs: bool | None
) -> None:
    """Whoever may be a stranger does not belong; nobody's own workspace makes them belong here."""
    assert belonging(request_, told) is belongs


@pytest.mark.parametrize("managers", ["anyone", "admins"])
async def test_a_stranger_s_own_rank_counts_for_nothing(managers: Managers) -> None:
    """An admin of another workspace is a reader, with a zone; an unknown user is told to wait."""
    async with people(managers, profile_seconds=0.2) as (slack, those, _):
        away = slack.add_team("T2", installed=False)
        slack.add_user(away, "U9", admin=True, tz="Asia/Tokyo")
        slack.share("C9", away, slack.teams["T1"])
        stranger = await those.actor(replace(ASKED, user="U9", user_team=None), TOKEN)
        assert (stranger.role, stranger.owns, stranger.is_stranger) == (Role.READER, False, True)
        assert stranger.zone == "Asia/Tokyo"
        assert "the organisation that installed" in stranger.managers
        slack.fail("users.info", Slow(0.5))
        unknown = await those.actor(replace(ASKED, user="U2", user_team=None), TOKEN)
        assert (unknown.role, unknown.is_stranger) == (Role.READER, True)
        assert "Try again" in unknown.managers
        slack.fail("users.info", Refuse("missing_scope"))
        member = await those.actor(replace(ASKED, user="U3", user_team="T1"), TOKEN)
        assert member.role is (Role.MANAGER if managers == "anyone" else Role.READER)


async def test_an_admin_of_another_workspace_of_the_organisation_is_none_here() -> None:
    """A colleague manages like anyone, and owns nothing but in their own workspace."""
    async with people() as (slack, those, _):
        slack.teams["T1"].enterprise = "E1"
        sister = slack.add_team("T2", enterprise="E1", installed=False)
        slack.add_user(sister, "U9", admin=True)
        slack.share("C9", sister, slack.teams["T1"])
        colleague = await those.actor(replace(IN_E1, user="U9", user_team="T2"), TOKEN)
        assert (colleague.role, colleague.owns) == (Role.MANAGER, False)
        assert not colleague.is_stranger
