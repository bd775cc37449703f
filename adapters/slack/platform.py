"""Slack while it is connected to: everything that the other modules hold, put together."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from adapters.common.tasks import Tasks
from adapters.platform import Services
from adapters.slack.answers.acknowledgement import Acknowledger, Written
from adapters.slack.answers.answering import Answering, Tools
from adapters.slack.answers.onboarding import PAUSE, Greeting
from adapters.slack.api.client import Api, open_session
from adapters.slack.api.paced_calls import Traffic
from adapters.slack.connection.bolt_app import make_app
from adapters.slack.connection.http import events_route
from adapters.slack.connection.socket_mode import SocketConnection
from adapters.slack.installs.installs import Installed, installed_by
from adapters.slack.listeners import Listeners
from adapters.slack.posts.poster import SlackPoster
from adapters.slack.render import apology, message
from adapters.slack.requests.actors import People
from adapters.slack.settings import SlackSettings
from adapters.slack.surfaces.home import Home
from adapters.slack.surfaces.modals import Windows
from adapters.slack.surfaces.unfurls import Unfurling
from bot.operations.health import Condition

if TYPE_CHECKING:
    from aiohttp.web import RouteDef

# Within what serving gives a platform to withdraw and to stop.
_FINISH_SECONDS = 6.0
_STOP_SECONDS = 0.5
_log = logging.getLogger(__name__)


class SlackPlatform:
    """Slack, over Socket Mode or HTTP, for one workspace or many.

    Args:
        parts: what it answers from.
        settings: what it is connected with.
    """

    name = "slack"

    def __init__(self, parts: Services, settings: SlackSettings) -> None:
        self._settings = settings
        self._tasks = Tasks()
        self._session = open_session(parts.timing.per_platform)
        self._api = Api(settings.api_url, self._session, parts.metrics)
        self._installed = installed_by(parts, settings, self._api, self._tasks)
        self._poster = SlackPoster(
            self._api, self._installed.speaking, parts.rate_limiter, parts.timing.speed
        )
        self._app = make_app(
            self._api.quick,
            settings.signing_secret,
            self._installed.authorizations,
        )
        _listeners(parts, settings, self._api, self._tasks, self._installed).register(self._app)
        self._socket = (
            SocketConnection(
                self._app, self._api, settings.app_token.get_secret_value(), parts.metrics
            )
            if settings.app_token
            else None
        )

    @property
    def routes(self) -> "Sequence[RouteDef]":
        """The address for Slack's requests in HTTP mode, and the pages of an installation."""
        secret = self._settings.signing_secret
        events = [] if self._socket or not secret else [events_route(self._app, secret)]
        return [*events, *self._installed.routes]

    @property
    def channel_client(self) -> SlackPoster:
        """What posts to channels."""
        return self._poster

    async def start(self) -> None:
        """Connect; where Slack can't be reached, go on trying.

        Raises:
            PlatformError: if Slack does not take a token.
        """
        if ignored := self._settings.ignored:
            facts = {"settings": ", ".join(ignored), "for": "SLACK_BOT_TOKEN"}
            _log.warning("settings_ignored", extra=facts)
        await self._installed.start()
        if self._socket:
            await self._socket.start()

    async def drain(self) -> None:
        """Finish the requests that came, while there is a way to answer them."""
        await self._tasks.finish(_FINISH_SECONDS)

    async def stop(self) -> None:
        """Disconnect."""
        await self._tasks.finish(_STOP_SECONDS)
        if self._socket:
            await self._socket.stop()
        await self._installed.stop()
        await self._tasks.finish(0)
        await self._session.close()

    async def condition(self) -> Condition:
        """Say how the connection is: the first thing that is not well, else what is to be known."""
        conditions = [await self._installed.condition()]
        if self._socket:
            conditions.append(self._socket.condition())
        return next((each for each in conditions if not each.healthy), conditions[0])


def _listeners(
    parts: Services, settings: SlackSettings, api: Api, tasks: Tasks, installed: Installed
) -> Listeners:
    tools = Tools(
        app=parts.app,
        api=api,
        traffic=Traffic(api, parts.rate_limiter, parts.timing.speed),
        authorizations=installed.authorizations,
        people=People(api, settings.managers),
        database=parts.database,
        wall=parts.system_clock,
        greeting=Greeting(parts.app, tasks, PAUSE / parts.timing.speed),
    )
    answering = Answering(tools)
    home = Home(answering, api)
    return Listeners(
        acknowledger=Acknowledger(tasks, parts.metrics, lambda: Written(message(apology()))),
        tasks=tasks,
        answering=answering,
        home=home,
        windows=Windows(answering, api, parts.app),
        unfurling=Unfurling(answering, api, parts),
        installed=installed,
    )
