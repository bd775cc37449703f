"""The bot's introduction to a new user, as a message of its own below the first answer."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from adapters.common.tasks import Tasks
from adapters.slack.requests.payloads import Request
from bot.actor import Actor
from bot.app import Broadsheet
from bot.commands.onboarding import Welcome
from bot.errors import OutcomeUnknown, SendError
from bot.replies.blocks import Reply
from store.errors import StoreError
from store.records import Person, Workspace

# An answer in an acknowledgement takes a while to appear, and the welcome must be below it.
DELAY_SECONDS = 1.0
_log = logging.getLogger(__name__)

Send = Callable[[Request, Reply], Awaitable[None]]
GetActor = Callable[[Request], Awaitable[Actor]]


class WelcomeSender:
    """Sends each new user the welcome.

    Args:
        app: knows who is new.
        tasks: runs the sending, so that no answer waits for it.
        delay: seconds between an answer and the welcome below it.
    """

    def __init__(self, app: Broadsheet, tasks: Tasks, delay: float = DELAY_SECONDS) -> None:
        self._app = app
        self._tasks = tasks
        self._delay = delay

    def follow(self, request: Request, reply: Reply, get_actor: GetActor, send: Send) -> None:
        """Send the welcome below an answer, if the user may be new."""
        onboarding, workspace = self._app.onboarding, request.workspace
        person = Person(Workspace("slack", workspace), request.user)
        if onboarding and onboarding.may_follow(reply, person, workspace):
            self._tasks.start(self._send(request, get_actor, send), "welcome")

    async def welcome(self, request: Request, get_actor: GetActor) -> Welcome | None:
        """Return the welcome for a user, `None` if they were welcomed before."""
        if self._app.onboarding is None:
            return None
        return await self._app.onboarding.welcome(await get_actor(request), self._app.commands)

    async def undo(self, welcome: Welcome, error: SendError) -> None:
        """Note that Slack refused a welcome, unless it may have arrived all the same."""
        _log.warning("welcome_lost", extra={"reason": error.sentence})
        if self._app.onboarding and not isinstance(error, OutcomeUnknown):
            await self._app.onboarding.undo(welcome)

    async def _send(self, request: Request, get_actor: GetActor, send: Send) -> None:
        await asyncio.sleep(self._delay)
        try:
            welcome = await self.welcome(request, get_actor)
        except (SendError, StoreError) as error:
            _log.warning("welcome_lost", extra={"reason": error.sentence})
            return
        if welcome is None:
            return
        try:
            await send(request, welcome.reply)
        except SendError as error:
            await self.undo(welcome, error)
        except StoreError as error:
            _log.warning("welcome_lost", extra={"reason": error.sentence})
