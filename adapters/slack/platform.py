"""The Slack platform: it builds the adapter's services and runs the connection."""

import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from adapters.common.answers.acknowledgement import Acknowledger
from adapters.common.answers.driver import AnswerDriver
from adapters.common.tasks import Tasks
from adapters.platform import Services
from adapters.slack.answers.files import FileUploader
from adapters.slack.answers.responder import Responder
from adapters.slack.answers.verbs import SlackAnswer
from adapters.slack.api.client import Api, open_session
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.thread_titles import ThreadTitles
from adapters.slack.connection import SocketConnection, events_route, make_app
from adapters.slack.installs.installs import make_installations
from adapters.slack.listeners import Listeners
from adapters.slack.posts import SlackChannelClient
from adapters.slack.requests.actors import Actors
from adapters.slack.settings import SlackSettings
from adapters.slack.surfaces.home import AppHome
from adapters.slack.surfaces.modals import Modals
from adapters.slack.surfaces.unfurls import Unfurler
from bot.operations.health import Condition

if TYPE_CHECKING:
    from aiohttp.web import RouteDef

# Within the time that the runtime gives a platform to withdraw and to stop.
_WITHDRAW_SECONDS = 6.0
_STOP_SECONDS = 0.5
# The seconds until an answer in an acknowledgement has appeared, below which the welcome must be.
_APPEARS_AFTER = 1.0
_log = logging.getLogger(__name__)


class SlackPlatform:
    """Slack, over Socket Mode or HTTP, for one workspace or many.

    Attributes:
        channel_client: the client that posts to channels.

    Args:
        parts: the application's services.
        settings: the adapter's settings.
    """

    name = "slack"

    def __init__(self, parts: Services, settings: SlackSettings) -> None:
        self._settings = settings
        self._tasks = Tasks()
        self._session = open_session(parts.timing.per_platform)
        self._api = Api(settings.api_url, self._session, parts.metrics)
        limited = RateLimitedApi(self._api, parts.rate_limiter, parts.timing.speed)
        titles = ThreadTitles(limited, self._tasks)
        self._installations = make_installations(parts, settings, limited, titles, self._tasks)
        self.channel_client = SlackChannelClient(
            limited, titles, self._installations.authorization_of
        )
        authorizations = self._installations.authorizations
        self._app = make_app(self._api.client, settings.signing_secret, authorizations)
        responder = Responder(
            app=parts.app,
            api=self._api,
            limited=limited,
            authorizations=authorizations,
            actors=Actors(self._api, settings.managers),
            database=parts.database,
            system_clock=parts.system_clock,
            titles=titles,
            uploader=FileUploader(limited, titles),
        )
        listeners = self._listeners(parts, responder)
        listeners.register(self._app)
        self._socket = (
            SocketConnection(
                self._app, self._api, settings.app_token.get_secret_value(), parts.metrics
            )
            if settings.app_token
            else None
        )

    def _listeners(self, parts: Services, responder: Responder) -> Listeners:
        acknowledger = Acknowledger(self._tasks, partial(parts.metrics.acknowledged, "slack"))
        driver: AnswerDriver[SlackAnswer] = AnswerDriver(
            parts.app, acknowledger, self._tasks, "Slack", _APPEARS_AFTER / parts.timing.speed
        )
        return Listeners(
            driver=driver,
            tasks=self._tasks,
            responder=responder,
            home=AppHome(responder),
            modals=Modals(responder),
            unfurler=Unfurler(responder, parts),
            installations=self._installations,
        )

    @property
    def routes(self) -> "Sequence[RouteDef]":
        """The route for Slack's requests in HTTP mode, and the pages of the installation."""
        secret = self._settings.signing_secret
        events = [] if self._socket or not secret else [events_route(self._app, secret)]
        return [*events, *self._installations.routes]

    async def start(self) -> None:
        """Connect; if Slack is unreachable, retry in the background.

        Raises:
            PlatformError: if Slack refuses a token.
        """
        if ignored := self._settings.ignored:
            facts = {"settings": ", ".join(ignored), "for": "SLACK_BOT_TOKEN"}
            _log.warning("settings_ignored", extra=facts)
        await self._installations.start()
        if self._socket:
            await self._socket.start()

    async def drain(self) -> None:
        """Finish the requests in flight, while the connection is open."""
        await self._tasks.finish(_WITHDRAW_SECONDS)

    async def stop(self) -> None:
        """Disconnect."""
        await self._tasks.finish(_STOP_SECONDS)
        if self._socket:
            await self._socket.stop()
        await self._installations.stop()
        await self._tasks.finish(0)
        await self._session.close()

    async def condition(self) -> Condition:
        """Return the first condition that is not healthy, else that of the installations."""
        conditions = [await self._installations.condition()]
        if self._socket:
            conditions.append(self._socket.condition())
        return next((each for each in conditions if not each.healthy), conditions[0])
