"""The users of requests: their time zones and roles, cached."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from adapters.slack.api.client import Api
from adapters.slack.requests.payloads import Request
from adapters.slack.requests.user_channels import Member, Memberships
from adapters.slack.requests.visible_channels import SlackChannels
from adapters.slack.settings import Managers
from bot.actor import Actor, Role
from bot.cache import Cache
from bot.domain.schedule import is_zone
from bot.errors import SendError

FRESH_SECONDS = 900.0
_FAILED_SECONDS = 60.0
PROFILE_SECONDS = 2.0  # an answer without zone is better than one that waits longer
_MAX_CACHED = 4096
_ADMINS = "Managers are the admins of the workspace."
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Profile:
    """A user's time zone and role in the workspace; the defaults where Slack tells none."""

    zone: str | None = None
    is_admin: bool = False


class Actors:
    """The actors of requests.

    Args:
        api: the Web API.
        managers: who may manage a channel's posts: anyone in it, or the workspace's admins.
        seconds: a monotonic clock.
        profile_seconds: how long a request waits for the user's profile.
    """

    def __init__(
        self,
        api: Api,
        managers: Managers,
        seconds: Callable[[], float] = time.monotonic,
        profile_seconds: float = PROFILE_SECONDS,
    ) -> None:
        self._api = api
        self._managers = managers
        self._profile_seconds = profile_seconds
        self._memberships = Memberships(api, seconds)
        self._profiles: Cache[tuple[str, str], asyncio.Task[Profile | None]] = Cache(
            _MAX_CACHED, _max_age, seconds
        )

    async def actor(self, request: Request, token: str | None) -> Actor:
        """Return the user; without zone and admin rights where Slack doesn't answer in time."""
        profile = await self._profile(request, token)
        channels = self._channels(request, token)
        return Actor(
            platform="slack",
            workspace=request.workspace,
            user=request.user,
            role=self._role(profile),
            zone=profile.zone,
            channel=request.channel,
            owns=profile.is_admin,
            managers="" if self._managers == "anyone" else _ADMINS,
            channels=channels,
            thread=request.thread,
            hidden=channels.hidden,
        )

    def _channels(self, request: Request, token: str | None) -> SlackChannels:
        team = request.team if request.is_org else None
        member = Member(request.workspace, request.user, token, team)
        return SlackChannels(
            self._api, self._memberships, member, request.channel, was_there=request.is_press
        )

    def _role(self, profile: Profile) -> Role:
        return Role.MANAGER if self._managers == "anyone" or profile.is_admin else Role.READER

    async def _profile(self, request: Request, token: str | None) -> Profile:
        task = self._profiles.compute(
            (request.workspace, request.user),
            lambda: asyncio.create_task(self._ask(request.user, token), name="profile"),
        )
        if not task.done():
            await asyncio.wait({task}, timeout=self._profile_seconds)
        return (task.result() if task.done() else None) or Profile()

    async def _ask(self, user_id: str, token: str | None) -> Profile | None:
        try:
            data = await self._api.call(token, "users.info", user=user_id)
        except SendError as error:
            _log.info("profile_unknown", extra={"reason": error.sentence})
            return None
        user = data.get("user") or {}
        zone, is_admin = user.get("tz") or "", bool(user.get("is_admin") or user.get("is_owner"))
        return Profile(zone if is_zone(zone) else None, is_admin)


def _max_age(call: asyncio.Task[Profile | None]) -> float | None:
    if not call.done():
        return None
    succeeded = not (call.cancelled() or call.exception()) and call.result()
    return FRESH_SECONDS if succeeded else _FAILED_SECONDS
