"""The users of requests: their time zones and roles, cached."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from adapters.slack.api.client import Api
from adapters.slack.requests.payloads import Request
from adapters.slack.requests.visible_channels import Member, Memberships, SlackChannels
from adapters.slack.settings import Managers
from bot.actor import Actor, Role
from bot.cache import Cache
from bot.domain.zones import known_zones, zones_meant
from bot.errors import SendError

FRESH_SECONDS = 900.0
_FAILED_SECONDS = 60.0
PROFILE_SECONDS = 2.0  # an answer without zone is better than one that waits longer
_MAX_CACHED = 4096
_ADMINS = "Managers are the admins of the workspace."
_STRANGERS = "Only people of the organisation that installed Broadsheet manage it."
_UNKNOWN = "Slack did not say in time whose organisation you are in. Try again in a minute."
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UserProfile:
    """A user's time zone, role and home; the defaults where Slack tells none.

    `team` is the user's own workspace, where `is_admin` counts, `enterprise` its organisation.
    `is_stranger` is false for a stranger who shares a channel with the bot.
    """

    zone: str | None = None
    is_admin: bool = False
    team: str | None = None
    enterprise: str | None = None
    is_stranger: bool = False


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
        self._profiles: Cache[tuple[str, str], asyncio.Task[UserProfile | None]] = Cache(
            _MAX_CACHED, _max_age, seconds
        )

    async def actor(self, request: Request, token: str | None) -> Actor:
        """Return the user; without zone and admin rights where Slack doesn't answer in time.

        A stranger is a reader, and so is who may be one.
        """
        found = await self._profile(request, token)
        profile, belongs = found or UserProfile(), belonging(request, found)
        is_admin = bool(belongs) and _is_admin(request, profile)
        is_manager = is_admin or (bool(belongs) and self._managers == "anyone")
        channels = self._channels(request, token)
        return Actor(
            platform="slack",
            workspace=request.workspace,
            user=request.user,
            role=Role.MANAGER if is_manager else Role.READER,
            zone=profile.zone,
            channel=request.channel,
            owns=is_admin,
            managers=self._who_manages(belongs),
            is_stranger=not belongs,
            in_direct=request.is_direct,
            channels=channels,
            thread=request.thread,
            hidden=channels.hidden,
        )

    def _channels(self, request: Request, token: str | None) -> SlackChannels:
        member = Member(request.workspace, request.user, token, request.team)
        return SlackChannels(self._memberships, member, request.channel, was_there=request.is_press)

    def _who_manages(self, belongs: bool | None) -> str:  # noqa: FBT001 - it has three values
        """Return who is a manager, in a sentence; empty where everybody is."""
        if belongs:
            return "" if self._managers == "anyone" else _ADMINS
        return _UNKNOWN if belongs is None else _STRANGERS

    async def _profile(self, request: Request, token: str | None) -> UserProfile | None:
        task = self._profiles.compute(
            (request.workspace, request.user),
            lambda: asyncio.create_task(self._ask(request.user, token), name="profile"),
        )
        if not task.done():
            await asyncio.wait({task}, timeout=self._profile_seconds)
        return task.result() if task.done() else None

    async def _ask(self, user_id: str, token: str | None) -> UserProfile | None:
        try:
            data = await self._api.call(token, "users.info", user=user_id)
        except SendError as error:
            _log.info("profile_unknown", extra={"reason": error.sentence})
            return None
        user = data.get("user") or {}
        names = await asyncio.to_thread(known_zones)
        zones = zones_meant(user.get("tz") or "", names)
        return UserProfile(
            zones[0] if len(zones) == 1 else None,
            is_admin=bool(user.get("is_admin") or user.get("is_owner")),
            team=user.get("team_id"),
            enterprise=(user.get("enterprise_user") or {}).get("enterprise_id"),
            is_stranger=bool(user.get("is_stranger")),
        )


def belonging(request: Request, profile: UserProfile | None) -> bool | None:
    """Tell whether a user is of the workspace or organisation that installed the app.

    `None` where neither the payload nor the profile tells.
    https://docs.slack.dev/apis/slack-connect
    """
    own, home = {request.team, request.enterprise} - {None}, request.user_team
    # Another workspace may be of the same organisation.
    is_unclear = home is None or (
        home not in own and request.enterprise is not None and not home.startswith("E")
    )
    told = None if is_unclear else home in own
    if profile is None or told is False:
        return told
    if profile.is_stranger:
        return False
    if profile.team is None and profile.enterprise is None:
        return told
    if not own.isdisjoint({profile.team, profile.enterprise}):
        return True
    # Of several workspaces of an organisation, the person's own need not be the request's.
    return bool(request.is_org and told and profile.enterprise is None)


def _is_admin(request: Request, profile: UserProfile) -> bool:
    """Tell whether a person who belongs there is an admin of the workspace of a request."""
    own = {None, request.team, request.enterprise}
    return profile.is_admin and (request.is_org or profile.team in own)


def _max_age(call: asyncio.Task[UserProfile | None]) -> float | None:
    if not call.done():
        return None
    succeeded = not (call.cancelled() or call.exception()) and call.result()
    return FRESH_SECONDS if succeeded else _FAILED_SECONDS
