"""What people ask in Slack, answered where they asked it."""

import asyncio
import logging
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any

from adapters.slack.acknowledging import Written
from adapters.slack.api import Api
from adapters.slack.buttons import Press, Verb
from adapters.slack.inbound import Payload, Request
from adapters.slack.installations import Authorizations
from adapters.slack.people import People
from adapters.slack.render import Rendered, acknowledgement, message, render_message
from adapters.slack.traffic import Traffic
from bot.app import Broadsheet
from bot.clock import Clock
from bot.command import Actor, Command
from bot.errors import NotAllowed, SendError, Unclear
from bot.replies import Level, Notice, Reply
from bot.views.trouble import excuse
from store.claims import Claim, claim
from store.database import Database
from store.errors import StoreError

_MOST_KEPT = 128
_log = logging.getLogger(__name__)

_AGAIN_SECONDS = 1.0


class Place(Enum):
    """Where the answer to a pressed button goes."""

    INSTEAD = "in place of what was pressed"
    BELOW = "to the asker alone, below"
    AFTER = "in the conversation with the bot, as its next message"
    HOME = "App Home"
    MODAL = "the window that was pressed in"


def place_of(body: Payload, request: Request, press: Press) -> Place:
    """Return where the answer to a pressed button goes.

    Turning a page changes the message that one alone sees; what everybody sees stays.
    """
    view = body.get("view")
    if view:
        return Place.HOME if view.get("type") == "home" else Place.MODAL
    # What one alone sees, and a card under a link, may stand where the bot has no part.
    card = (body.get("container") or {}).get("type") == "message_attachment"
    direct = request.is_direct and not request.alone and not card
    if press.verb is Verb.TURN and (request.alone or direct):
        return Place.INSTEAD
    return Place.AFTER if direct else Place.BELOW


@dataclass(frozen=True, slots=True)
class Tools:
    """What answering takes."""

    app: Broadsheet
    api: Api
    traffic: Traffic
    authorizations: Authorizations
    people: People
    database: Database
    wall: Clock


class Answering:
    """Answers requests; errors of Slack end here, in a log line or in words to the asker."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        # Many ask the same, and to lay an answer out takes longer than to find it.
        self._written = lru_cache(_MOST_KEPT)(_written)

    async def token(self, request: Request) -> str | None:
        """Return the token for a request's workspace, `None` where the bot isn't installed."""
        found = await self._tools.authorizations.find(request.enterprise, request.team)
        return found.bot_token if found else None

    @property
    def commands(self) -> tuple[Command, ...]:
        """What may be asked, in the order of help."""
        return self._tools.app.commands

    async def actor(self, request: Request) -> Actor:
        """Return who asks."""
        return await self._tools.people.actor(request, await self.token(request))

    async def reply(self, request: Request, line: str, channel: str | None = None) -> Reply:
        """Return the answer to a line that somebody asked.

        `channel` is the one that it is about where it was asked in none.
        """
        try:
            actor = await self.actor(request)
        except StoreError as error:
            _log.warning("answer_refused", extra={"reason": error.sentence})
            return excuse(error)
        if actor.channel is None:
            actor = replace(actor, channel=channel)
        return await self._tools.app.run_text(line, actor, request.key)

    async def once(self, request: Request, what: str) -> bool:
        """Tell whether this is the first delivery of a request that is acted on once.

        Raises:
            StoreError: as `Database.write`.
        """
        wanted = Claim(f"{what}:{request.key}", self._tools.wall.now())
        return await self._tools.database.write(claim, wanted)

    async def command(self, request: Request) -> Written:
        """Return what acknowledges a slash command: its answer, to the asker alone."""
        return self._written(await self.reply(request, request.text))

    async def follow_up(self, request: Request, payload: dict[str, Any]) -> None:
        """Send an answer that was not ready when its request was acknowledged."""
        try:
            await self._answer(request, {**payload, "replace_original": False})
        except SendError as error:
            _log.error("answer_lost", extra={"reason": error.sentence, "code": error.code})

    async def excuse(self, request: Request, error: StoreError) -> None:
        """Say to whoever pressed something why nothing came of it, where there is a way to."""
        if request.response_url:
            await self.follow_up(request, _aside(excuse(error)))

    async def mention(self, request: Request, line: str) -> None:
        """Answer a mention to the asker alone; in a thread where it stands in one.

        Slack shows a message to one person in a thread only where that has begun:
        https://docs.slack.dev/reference/methods/chat.postEphemeral
        """
        rendered = render_message(await self.reply(request, line), share=True)
        token = await self.token(request)
        where = {"channel": request.channel, "user": request.user}
        if request.thread:
            where["thread_ts"] = request.thread
        try:
            await self._tools.api.call(
                token, "chat.postEphemeral", patient=True, **where, **message(rendered)
            )
        except NotAllowed as error:
            await self.tell(request, error)

    async def direct_message(self, request: Request, line: str) -> None:
        """Answer a direct message, in its thread where it stands in one."""
        await self._post(request, render_message(await self.reply(request, line)))

    async def pressed(self, request: Request, press: Press, place: Place) -> None:
        """Answer a button pressed in a message."""
        if press.verb is Verb.SHARE:
            await self._share(request, press)
            return
        reply = await self.reply(request, press.line)
        share = request.alone or place is Place.BELOW
        rendered = render_message(reply, press.part, share=share)
        if place is Place.AFTER:
            await self._post(request, rendered)
            return
        answer = acknowledgement(rendered, reply.visibility)
        await self._answer(request, {**answer, "replace_original": place is Place.INSTEAD})

    async def _share(self, request: Request, press: Press) -> None:
        """Post an answer to its channel, and take the asker's own away."""
        reply = await self.reply(request, press.line)
        if reply.failed:
            await self._answer(request, _aside(reply))
            return
        shared = render_message(reply, press.part, shared_by=request.user)
        try:
            await self.respond(
                request,
                {**message(shared), "response_type": "in_channel", "replace_original": False},
            )
        except SendError as error:
            await self._answer(request, _aside(_not_shared(error)))
            return
        await self.respond(request, {"delete_original": True})

    async def _answer(self, request: Request, payload: dict[str, Any]) -> None:
        """Send what one person alone sees, once more where Slack itself failed at it.

        That it may stand there twice then is better than that it is missing; of what others see
        the opposite holds.

        Raises:
            SendError: where Slack does not take it.
        """
        try:
            await self.respond(request, payload)
        except SendError as error:
            if not error.code.isdecimal():  # the status of a server that failed
                raise
            await asyncio.sleep(_AGAIN_SECONDS)
            await self.respond(request, payload)

    async def respond(self, request: Request, payload: dict[str, Any]) -> None:
        """Send through the response URL of a request; what is new goes to its thread.

        Raises:
            SendError: where Slack does not take it.
        """
        if not request.response_url:
            raise ValueError("a request without response URL can't be answered through it")
        if request.thread and payload.get("replace_original") is False:
            payload = {**payload, "thread_ts": request.thread}
        await self._tools.api.respond(request.response_url, payload)

    async def _post(self, request: Request, rendered: Rendered) -> None:
        token, where = await self.token(request), {"channel": request.channel}
        if request.thread:
            where["thread_ts"] = request.thread
        said = {**where, **message(rendered)}
        await self._tools.traffic.answer(token, request.workspace, said)

    async def tell(self, request: Request, error: SendError) -> None:
        """Say in a direct message why somebody could not be answered where they asked.

        Raises:
            SendError: where Slack does not take that either.
        """
        token = await self.token(request)
        notice = Notice(Level.WARNING, error.sentence, error.remedy)
        rendered = render_message(Reply((notice,)))
        said = {"channel": request.user, **message(rendered)}
        await self._tools.traffic.answer(token, request.workspace, said)


def _written(reply: Reply) -> Written:
    return Written(acknowledgement(render_message(reply, share=True), reply.visibility))


def _aside(reply: Reply) -> dict[str, Any]:
    """Return a message to the asker alone that leaves what was pressed as it is."""
    shown = message(render_message(reply))
    return {**shown, "response_type": "ephemeral", "replace_original": False}


def _not_shared(error: SendError) -> Reply:
    """Say that an answer was not shared, or that nobody knows."""
    if isinstance(error, Unclear):
        sentence = "Slack broke off while the answer was being shared."
        remedy = "Look whether it stands in the channel before you share it again."
        return Reply((Notice(Level.WARNING, sentence, remedy),))
    return Reply((Notice(Level.WARNING, error.sentence, error.remedy),))
