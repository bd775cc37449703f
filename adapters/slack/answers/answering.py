"""What people ask in Slack, answered where they asked it."""

import asyncio
import logging
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from adapters.common.files import files_of
from adapters.slack.answers.acknowledgement import Written
from adapters.slack.answers.destination import Place, fitting
from adapters.slack.answers.files import Enclosed, Files, enclosed_in
from adapters.slack.answers.onboarding import Greeting
from adapters.slack.answers.relabel import with_names
from adapters.slack.api.client import Api
from adapters.slack.api.paced_calls import Traffic
from adapters.slack.api.tokens import Authorizations
from adapters.slack.render import Rendered, Where, acknowledgement, message, render_message
from adapters.slack.render.buttons import Press, Verb
from adapters.slack.render.files import all_missing, where_of
from adapters.slack.requests.actors import People
from adapters.slack.requests.payloads import Payload, Request
from bot.actor import Actor
from bot.app import Broadsheet
from bot.clock import Clock
from bot.commands.onboarding import Welcome
from bot.commands.types import Call, Command
from bot.errors import NotAllowed, OutcomeUnknown, SendError
from bot.replies.blocks import Level, Notice, Reply, store_failure
from bot.replies.paper_actions import as_shared
from store.coordination.request_claims import Claim, claim
from store.database import Database
from store.errors import StoreError

_MOST_KEPT = 128
_log = logging.getLogger(__name__)

_AGAIN_SECONDS = 1.0
_MOST_RENAMINGS = 3  # a response URL takes five messages
_NO_CARDS = {"unfurl_links": False, "unfurl_media": False}


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
    greeting: Greeting


class Answering:
    """Answers requests; errors of Slack end here, in a log line or in words to the asker."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._files = Files(tools.api)
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

    async def reply(
        self,
        request: Request,
        asked: str | Call,
        channel: str | None = None,
        *,
        shares: bool = False,
    ) -> Reply:
        """Return the answer to what somebody asked: a line, or a command with its arguments.

        `channel` is the one that it is about where it was asked in none; `shares` tells that
        everybody in the channel will see the answer.
        """
        try:
            actor = await self.actor(request)
        except StoreError as error:
            _log.warning("answer_refused", extra={"reason": error.sentence})
            return store_failure(error)
        actor = replace(actor, channel=actor.channel or channel, shares=shares)
        if isinstance(asked, Call):
            return await self._tools.app.run(asked, actor, request.key)
        return await self._tools.app.run_text(asked, actor, request.key)

    async def _asked(self, request: Request, line: str) -> Reply:
        """Return an answer below which the bot explains itself, where that is news."""
        reply = await self.reply(request, line)
        self._tools.greeting.follow(request, reply, self.actor, self._explain)
        return reply

    async def news(self, request: Request) -> Welcome | None:
        """Return what the bot has to say of itself, `None` where that is no news to somebody."""
        return await self._tools.greeting.news(request, self.actor)

    async def not_told(self, news: Welcome, error: SendError) -> None:
        """Note that Slack did not take what the bot had to say of itself."""
        await self._tools.greeting.not_told(news, error)

    async def once(self, request: Request, what: str) -> bool:
        """Tell whether this is the first delivery of a request that is acted on once.

        Raises:
            StoreError: as `Database.write`.
        """
        wanted = Claim(f"{what}:{request.key}", self._tools.wall.now())
        return await self._tools.database.write(claim, wanted)

    async def command(self, request: Request) -> Written:
        """Return what acknowledges a slash command: its answer, to the asker alone."""
        reply = await self._asked(request, request.text)
        if not files_of(reply):
            return self._written(reply)
        written = _written(reply)  # not to be remembered: files are large
        written.enclosed = enclosed_in(reply, request, where_of(reply))
        return written

    async def follow_up(self, request: Request, payload: dict[str, Any]) -> None:
        """Send an answer that was not ready when its request was acknowledged."""
        try:
            await self._answer(request, {**payload, "replace_original": False})
        except SendError as error:
            _log.error("answer_lost", extra={"reason": error.sentence, "code": error.code})
            return
        if isinstance(payload, Written):
            await self.bring(request, payload.enclosed)

    async def bring(self, request: Request, enclosed: Enclosed | None) -> None:
        """Send the files of an answer after its words, once, or say why they are missing."""
        if enclosed is None:
            return
        try:
            if await self.once(request, "files"):
                await self._files.send(await self.token(request), request.user, enclosed)
        except (SendError, StoreError) as error:
            _log.warning("files_missing", extra={"reason": error.sentence})
            await self._say(request, all_missing(enclosed.files, error))

    async def _say(self, request: Request, reply: Reply) -> None:
        """Say something to whoever asked, wherever there is a way to."""
        if request.response_url:
            await self.follow_up(request, _aside(reply))
        elif request.is_direct:
            await self._post(request, render_message(reply))
        elif request.channel:
            await self._beside(request, render_message(reply))
        else:  # in App Home
            await self._tell(request, reply)

    async def _explain(self, request: Request, reply: Reply) -> None:
        """Say what the bot is.

        Raises:
            SendError: where Slack does not take it.
        """
        if request.response_url:
            await self._answer(request, _aside(reply))
        else:
            await self._say(request, reply)

    async def excuse(self, request: Request, error: StoreError) -> None:
        """Say to whoever pressed something why nothing came of it, where there is a way to."""
        if request.response_url:
            await self.follow_up(request, _aside(store_failure(error)))

    async def mention(self, request: Request, line: str) -> None:
        """Answer a mention to the asker alone; in a thread where it stands in one."""
        reply = await self._asked(request, line)
        rendered = render_message(reply, share=True, files=Where.DIRECT)
        try:
            await self._beside(request, rendered)
        except NotAllowed as error:
            await self.tell(request, error)
            return
        await self.bring(request, enclosed_in(reply, request, Where.DIRECT))

    async def _beside(self, request: Request, rendered: Rendered) -> None:
        """Show something to somebody alone where they asked.

        Slack shows a message to one person in a thread only where that has begun:
        https://docs.slack.dev/reference/methods/chat.postEphemeral

        Raises:
            SendError: where Slack does not take it.
        """
        token = await self.token(request)
        where = {"channel": request.channel, "user": request.user}
        if request.thread:
            where["thread_ts"] = request.thread
        await self._tools.api.call(
            token, "chat.postEphemeral", patient=True, **where, **message(rendered)
        )

    async def direct_message(self, request: Request, line: str) -> None:
        """Answer a direct message, in its thread where it stands in one."""
        reply = await self._asked(request, line)
        await self._post(request, render_message(reply, files=Where.BELOW))
        await self.bring(request, enclosed_in(reply, request, Where.BELOW))

    async def pressed(self, request: Request, press: Press, place: Place, seen: Payload) -> None:
        """Answer a button pressed in a message, which was `seen` so."""
        if press.verb is Verb.SHARE:
            await self._share(request, press)
            return
        reply = await self._asked(request, press.line)
        fit = fitting(place, reply, request)
        if fit is None and (not reply.renamed or await self._rename(request, press, seen, reply)):
            return
        place = fit or place
        share = request.alone or place is Place.BELOW
        where = where_of(reply, among_two=not share)
        rendered = render_message(reply, press.part, share=share, files=where)
        if place is Place.AFTER:
            await self._post(request, rendered)
        else:
            answer = acknowledgement(rendered, reply.visibility)
            await self._answer(request, {**answer, "replace_original": place is Place.INSTEAD})
        if press.part == 1:  # of a further one they came before
            await self.bring(request, enclosed_in(reply, request, where))

    async def _rename(self, request: Request, press: Press, seen: Payload, reply: Reply) -> bool:
        """Rename buttons of a message that all see; return whether it could be done.

        Whoever else presses meanwhile may be overtaken, so that the same is asked again until it is
        what the message shows.
        """
        for _ in range(_MOST_RENAMINGS):
            named = with_names(seen, reply.renamed)
            if named is None:
                return False
            try:
                await self.respond(request, {**named, **_NO_CARDS, "replace_original": True})
                again = await self.reply(request, press.line)
            except SendError as error:
                _log.warning("button_not_renamed", extra={"reason": error.sentence})
                return False
            if again.failed or again.renamed == reply.renamed:
                break
            reply = again
        return True

    async def _share(self, request: Request, press: Press) -> None:
        """Post an answer to its channel, and take the asker's own away."""
        reply = as_shared(await self.reply(request, press.line, shares=True))
        if reply.failed:
            await self._answer(request, _aside(reply))
            return
        shared = render_message(reply, press.part, shared_by=request.user, files=Where.BELOW)
        try:
            await self.respond(
                request,
                {**message(shared), "response_type": "in_channel", "replace_original": False},
            )
        except SendError as error:
            await self._answer(request, _aside(_not_shared(error)))
            return
        await self.respond(request, {"delete_original": True})
        await self.bring(request, enclosed_in(reply, request, Where.BELOW))

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
        await self._tell(request, Reply((Notice(Level.WARNING, error.sentence, error.remedy),)))

    async def _tell(self, request: Request, reply: Reply) -> None:
        token = await self.token(request)
        said = {"channel": request.user, **message(render_message(reply))}
        await self._tools.traffic.answer(token, request.workspace, said)


def _written(reply: Reply) -> Written:
    rendered = render_message(reply, share=True, files=where_of(reply))
    return Written(acknowledgement(rendered, reply.visibility))


def _aside(reply: Reply) -> dict[str, Any]:
    """Return a message to the asker alone that leaves what was pressed as it is."""
    shown = message(render_message(reply))
    return {**shown, "response_type": "ephemeral", "replace_original": False}


def _not_shared(error: SendError) -> Reply:
    """Say that an answer was not shared, or that nobody knows."""
    if isinstance(error, OutcomeUnknown):
        sentence = "Slack broke off while the answer was being shared."
        remedy = "Look whether it stands in the channel before you share it again."
        return Reply((Notice(Level.WARNING, sentence, remedy),))
    return Reply((Notice(Level.WARNING, error.sentence, error.remedy),))
