"""The responder: it runs what users ask in Slack, and knows them and their workspaces."""

import logging
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from adapters.common.answers.driver import Asked
from adapters.common.answers.showing import Showing
from adapters.slack.answers.files import FileUploader
from adapters.slack.api.client import Api
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.thread_titles import ThreadTitles, title_of
from adapters.slack.api.tokens import Authorization, Authorizations
from adapters.slack.render import message, render_message
from adapters.slack.requests.actors import Actors
from adapters.slack.requests.payloads import Request
from bot.actor import Actor
from bot.app import Broadsheet
from bot.clock import Clock
from bot.commands.types import PRESSED, Call, LineOrigin
from bot.errors import SendError
from bot.replies.blocks import Level, Notice, Reply, store_failure
from store.coordination.request_claims import Claim, claim
from store.database import Database
from store.errors import StoreError

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Responder:
    """Runs commands, by the services that answer requests."""

    app: Broadsheet
    api: Api
    limited: RateLimitedApi
    authorizations: Authorizations
    actors: Actors
    database: Database
    system_clock: Clock
    titles: ThreadTitles
    uploader: FileUploader

    async def token(self, request: Request) -> str | None:
        """Return the token for a request's workspace, `None` where the bot isn't installed."""
        found = await self.authorization(request)
        return found.bot_token if found else None

    async def authorization(self, request: Request) -> Authorization | None:
        """Return the authorization of the workspace, `None` where the bot is not installed."""
        return await self.authorizations.find(request.enterprise, request.team)

    async def actor(self, request: Request) -> Actor:
        """Return the user of a request."""
        found = await self.authorization(request)
        if found and found.enterprise_id:  # which a stranger's payload does not name
            request = replace(request, enterprise=found.enterprise_id)
        return await self.actors.actor(request, found.bot_token if found else None)

    def asked(self, request: Request, line: str, requested: Showing, origin: LineOrigin) -> Asked:
        """Return a command string to be answered, from its `origin`."""
        return Asked(
            partial(self.actor, request),
            lambda actor: self.app.run_text(line, actor, request.key, origin),
            requested,
        )

    async def reply(
        self,
        request: Request,
        command: str | Call,
        channel: str | None = None,
        *,
        remembers: bool = True,
    ) -> Reply:
        """Return the answer to a command, as a button has it.

        Args:
            request: the user's request.
            command: a command string or a call.
            channel: the channel that the command is about, if the request has none.
            remembers: whether its list may be spoken of later.
        """
        try:
            actor = await self.actor(request)
        except StoreError as error:
            _log.warning("answer_refused", extra={"reason": error.sentence})
            return store_failure(error)
        actor = replace(actor, channel=actor.channel or channel, remembers=remembers)
        if isinstance(command, Call):
            return await self.app.run(command, actor, request.key)
        return await self.app.run_text(command, actor, request.key, PRESSED)

    async def is_first_delivery(self, request: Request, action: str) -> bool:
        """Tell whether a request was not delivered before, and claim it for an action.

        Raises:
            StoreError: as `Database.write`.
        """
        request_claim = Claim(f"{action}:{request.key}", self.system_clock.now())
        return await self.database.write(claim, request_claim)

    async def post(self, request: Request, payload: dict[str, Any]) -> dict[str, Any]:
        """Post a message as an answer to a request; return what Slack says.

        Raises:
            SendError: where Slack refuses it.
        """
        token = await self.token(request)
        return await self.limited.answer(token, request.workspace, payload)

    async def send_direct_message(self, request: Request, reply: Reply) -> None:
        """Send a reply to the user's conversation with the bot.

        Raises:
            SendError: where Slack refuses it.
        """
        payload = {"channel": request.user, **message(render_message(reply))}
        sent = await self.post(request, payload)
        if found := await self._known(request):
            self.titles.set(found, str(sent["channel"]), str(sent["ts"]), title_of(reply))

    async def place_of(self, request: Request) -> Request:
        """Return a request with the thread that its answer stands in.

        To an agent each direct message begins a thread, and so does each that it sends by itself:
        it answers below a message. Any other app answers in place, or in the thread of the request.
        https://docs.slack.dev/ai/migrating-to-agent-messaging

        Raises:
            StoreError: as `authorization`.
        """
        if request.thread or request.is_ephemeral or not request.is_direct:
            return request
        found = await self.authorization(request)
        return replace(request, thread=request.message) if found and found.is_agent else request

    async def title(self, place: Request, title: str) -> None:
        """Have the thread titled that a direct message begins, if it begins one."""
        if place.channel is None or place.message is None or place.thread != place.message:
            return
        if found := await self._known(place):
            # Only to an agent does a message name the thread that it begins, whatever its token.
            agent = replace(found, is_agent=True)
            self.titles.set(agent, place.channel, place.message, title, soon=True)

    async def _known(self, request: Request) -> Authorization | None:
        try:
            return await self.authorization(request)
        except StoreError as error:  # what was sent stays, without a title
            _log.info("thread_not_titled", extra={"reason": error.sentence})
            return None

    async def report_send_error(self, request: Request, error: SendError) -> None:
        """Tell a user in a direct message why they got no answer where they asked.

        Raises:
            SendError: where Slack refuses that too.
        """
        reply = Reply((Notice(Level.WARNING, error.sentence, error.remedy),))
        await self.send_direct_message(request, reply)
