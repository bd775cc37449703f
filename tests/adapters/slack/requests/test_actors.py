"""Actors have the zone and role of the user in the workspace."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from adapters.slack.api.client import Api, open_session
from adapters.slack.requests.actors import FRESH_SECONDS, PROFILE_SECONDS, Actors
from adapters.slack.requests.payloads import Request
from adapters.slack.settings import Managers
from bot.actor import Actor, Role
from bot.operations.metrics import Metrics
from tests.fakes.slack import FakeSlack, RateLimited, Refuse, ServerError, Slow

TOKEN = "xoxb-1"  # noqa: S105 - of the fake
ASKED = Request(key="one", team="T1", user="U1", channel="C1")


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


async def test_users_of_two_workspaces_are_distinct() -> None:
    """The same id in another workspace is another person."""
    async with people() as (slack, those, _):
        slack.add_user(slack.add_team("T2"), "U1", tz="Asia/Tokyo")
        here = await those.actor(ASKED, TOKEN)
        there = await those.actor(Request(key="two", team="T2", user="U1"), "xoxb-2")
    assert (here.zone, there.zone) == ("Europe/Berlin", "Asia/Tokyo")


@pytest.mark.parametrize(
    "fault", [Refuse("missing_scope"), RateLimited(after=30), ServerError(500)]
)
async def test_a_user_without_profile_is_answered(
    fault: Refuse | RateLimited | ServerError,
) -> None:
    """A user without a profile has neither zone nor admin rights, and is answered."""
    async with people("admins") as (slack, those, clock):
        slack.add_user(slack.teams["T1"], "U1", admin=True)
        slack.fail("users.info", fault)
        actor = await those.actor(ASKED, TOKEN)
        assert (actor.zone, actor.role) == (None, Role.READER)
        clock.now += 59
        assert (await those.actor(ASKED, TOKEN)).zone is None
        clock.now += 1
        assert (await those.actor(ASKED, TOKEN)).role is Role.MANAGER
        assert len(slack.calls("users.info")) == 2


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
