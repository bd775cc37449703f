"""Who asks: the zone and the role of a person in a Slack workspace, remembered for a while."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from adapters.slack.api.client import Api
from adapters.slack.requests.channels import SlackChannels
from adapters.slack.requests.memberships import Memberships, Person
from adapters.slack.requests.payloads import Request
from adapters.slack.settings import Managers
from bot.actor import Actor, Role
from bot.cache import Cache
from bot.domain.schedule import is_zone
from bot.errors import SendError

FRESH_SECONDS = 900.0
_FAILED_SECONDS = 60.0
PATIENCE = 2.0  # of whoever asks, for what only makes the answer fit them better
_MOST_KEPT = 4096
# Who is one, where not everybody is.
_ADMINS = "Managers are the admins of the workspace."
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Profile:
    """What Slack tells of a person; the defaults where it tells nothing."""

    zone: str | None = None
    is_admin: bool = False


class People:
    """The people who ask.

    Args:
        api: Slack.
        managers: who may manage a channel's posts: anyone in it, or the workspace's admins.
        seconds: a clock that only goes forward, in seconds.
        patience: how many seconds Slack has to tell who somebody is.
    """

    def __init__(
        self,
        api: Api,
        managers: Managers,
        seconds: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
    ) -> None:
        self._api = api
        self._managers = managers
        self._patience = patience
        self._memberships = Memberships(api, seconds)
        self._known: Cache[tuple[str, str], asyncio.Task[Profile | None]] = Cache(
            _MOST_KEPT, _age, seconds
        )

    async def actor(self, request: Request, token: str | None) -> Actor:
        """Return who asks; where Slack doesn't tell in time, somebody without zone or rights."""
        profile = await self._profile(request, token)
        return Actor(
            platform="slack",
            workspace=request.workspace,
            user=request.user,
            role=self._role(profile),
            zone=profile.zone,
            channel=request.channel,
            owns=profile.is_admin,
            managers="" if self._managers == "anyone" else _ADMINS,
            channels=self._channels(request, token),
        )

    def _channels(self, request: Request, token: str | None) -> SlackChannels:
        team = request.team if request.is_org else None
        person = Person(request.workspace, request.user, token, team)
        return SlackChannels(self._api, self._memberships, person, request.channel)

    def _role(self, profile: Profile) -> Role:
        return Role.MANAGER if self._managers == "anyone" or profile.is_admin else Role.READER

    async def _profile(self, request: Request, token: str | None) -> Profile:
        task = self._known.compute(
            (request.workspace, request.user),
            lambda: asyncio.create_task(self._ask(request.user, token), name="profile"),
        )
        if not task.done():
            await asyncio.wait({task}, timeout=self._patience)
        return (task.result() if task.done() else None) or Profile()

    async def _ask(self, user_id: str, token: str | None) -> Profile | None:
        try:
            answer = await self._api.call(token, "users.info", user=user_id)
        except SendError as error:
            _log.info("profile_unknown", extra={"reason": error.sentence})
            return None
        user = answer.get("user") or {}
        zone, is_admin = user.get("tz") or "", bool(user.get("is_admin") or user.get("is_owner"))
        return Profile(zone if is_zone(zone) else None, is_admin)


def _age(asking: asyncio.Task[Profile | None]) -> float | None:
    if not asking.done():
        return None
    known = not (asking.cancelled() or asking.exception()) and asking.result()
    return FRESH_SECONDS if known else _FAILED_SECONDS
