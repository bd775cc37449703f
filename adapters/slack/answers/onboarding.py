"""What the bot says of itself below somebody's first answer, in a message of its own."""

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

# An acknowledgement that holds the answer is on its way for a while; what follows stands below it.
PAUSE = 1.0
_log = logging.getLogger(__name__)

Say = Callable[[Request, Reply], Awaitable[None]]
Who = Callable[[Request], Awaitable[Actor]]


class Greeting:
    """Explains the bot to whom it is new.

    Args:
        app: knows whom.
        tasks: where that goes on, so that no answer waits for it.
        pause: seconds between an answer and what stands below it.
    """

    def __init__(self, app: Broadsheet, tasks: Tasks, pause: float = PAUSE) -> None:
        self._app = app
        self._tasks = tasks
        self._pause = pause

    def follow(self, request: Request, reply: Reply, who: Who, say: Say) -> None:
        """Have what the bot is said below an answer, to whom that may be new."""
        welcoming, workspace = self._app.onboarding, request.workspace
        person = Person(Workspace("slack", workspace), request.user)
        if welcoming and welcoming.may_follow(reply, person, workspace):
            self._tasks.start(self._say(request, who, say), "welcome")

    async def news(self, request: Request, who: Who) -> Welcome | None:
        """Return what somebody is to be told, `None` where that is no news to them."""
        if self._app.onboarding is None:
            return None
        return await self._app.onboarding.welcome(await who(request), self._app.commands)

    async def not_told(self, news: Welcome, error: SendError) -> None:
        """Note that Slack did not take some news, unless these may stand there all the same."""
        _log.warning("welcome_lost", extra={"reason": error.sentence})
        if self._app.onboarding and not isinstance(error, OutcomeUnknown):
            await self._app.onboarding.undo(news)

    async def _say(self, request: Request, who: Who, say: Say) -> None:
        await asyncio.sleep(self._pause)
        try:
            news = await self.news(request, who)
        except (SendError, StoreError) as error:
            _log.warning("welcome_lost", extra={"reason": error.sentence})
            return
        if news is None:
            return
        try:
            await say(request, news.reply)
        except SendError as error:
            await self.not_told(news, error)
        except StoreError as error:
            _log.warning("welcome_lost", extra={"reason": error.sentence})
