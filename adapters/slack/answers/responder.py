"""The responder: it runs what users ask in Slack and sends the answer where they asked."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from adapters.common.answers.showing import Showing, showing_for
from adapters.common.files import files_of
from adapters.slack.answers.acknowledgement import JsonPayload
from adapters.slack.answers.files import Attachments, FileUploader, attachments_of
from adapters.slack.answers.onboarding import WelcomeSender
from adapters.slack.answers.relabel import relabelled
from adapters.slack.answers.threads import DirectThreads, asked_for
from adapters.slack.api.client import Api
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.thread_titles import ThreadTitles
from adapters.slack.api.tokens import Authorization, Authorizations
from adapters.slack.render import (
    FileLocation,
    Rendered,
    acknowledgement,
    message,
    render_message,
)
from adapters.slack.render.buttons import ButtonAction
from adapters.slack.render.files import drawn_files, file_location, missing_files
from adapters.slack.requests.actors import Actors
from adapters.slack.requests.payloads import Payload, Request
from bot.actor import Actor
from bot.app import Broadsheet
from bot.clock import Clock
from bot.commands.onboarding import Welcome
from bot.commands.types import PRESSED, TYPED, Call, Command, LineOrigin
from bot.errors import NotAllowed, OutcomeUnknown, Rejected, SendError
from bot.replies.blocks import Level, Notice, Reply, store_failure
from bot.replies.paper_actions import as_shared
from store.coordination.request_claims import Claim, claim
from store.database import Database
from store.errors import StoreError

_MAX_CACHED = 128
_log = logging.getLogger(__name__)

_RETRY_SECONDS = 1.0
_MAX_RELABELS = 3  # a response URL accepts five messages
_NO_PREVIEWS = {"unfurl_links": False, "unfurl_media": False}


@dataclass(frozen=True, slots=True)
class ResponderServices:
    """The services that a responder uses."""

    app: Broadsheet
    api: Api
    limited: RateLimitedApi
    authorizations: Authorizations
    actors: Actors
    database: Database
    system_clock: Clock
    welcomes: WelcomeSender
    titles: ThreadTitles


class Responder:
    """Answers requests; errors of Slack end in a log line or in a message to the user."""

    def __init__(self, services: ResponderServices) -> None:
        self._services = services
        self._threads = DirectThreads(services.authorizations, services.titles)
        self._uploader = FileUploader(services.api, services.limited, services.titles)
        # Many users ask the same, and rendering an answer takes longer than finding it.
        self._cached_payload = lru_cache(_MAX_CACHED)(_command_payload)

    async def token(self, request: Request) -> str | None:
        """Return the token for a request's workspace, `None` where the bot isn't installed."""
        found = await self._authorization(request)
        return found.bot_token if found else None

    async def _authorization(self, request: Request) -> Authorization | None:
        return await self._services.authorizations.find(request.enterprise, request.team)

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands, in the order of help."""
        return self._services.app.commands

    async def actor(self, request: Request) -> Actor:
        """Return the user of a request."""
        found = await self._services.authorizations.find(request.enterprise, request.team)
        if found and found.enterprise_id:  # which a stranger's payload does not name
            request = replace(request, enterprise=found.enterprise_id)
        return await self._services.actors.actor(request, found.bot_token if found else None)

    async def reply(  # noqa: PLR0913 - what is asked, and how it is answered
        self,
        request: Request,
        command: str | Call,
        channel: str | None = None,
        *,
        origin: LineOrigin = PRESSED,
        shares: bool = False,
        remembers: bool = True,
    ) -> Reply:
        """Return the answer to a command.

        Args:
            request: the user's request.
            command: a command string or a call.
            channel: the channel that the command is about, if the request has none.
            origin: where the command string comes from.
            shares: whether everybody in the channel will see the answer.
            remembers: whether its list may be spoken of later.
        """
        try:
            actor = await self.actor(request)
        except StoreError as error:
            _log.warning("answer_refused", extra={"reason": error.sentence})
            return store_failure(error)
        actor = replace(actor, channel=actor.channel or channel, shares=shares)
        actor = replace(actor, remembers=remembers)
        if isinstance(command, Call):
            return await self._services.app.run(command, actor, request.key)
        return await self._services.app.run_text(command, actor, request.key, origin)

    async def _reply_and_welcome(
        self,
        request: Request,
        command: str,
        place: Request | None = None,
        origin: LineOrigin = TYPED,
    ) -> Reply:
        """Return an answer; a new user gets the welcome below it, in its thread if it has one."""
        reply = await self.reply(request, command, origin=origin)
        self._services.welcomes.follow(place or request, reply, self.actor, self._send_welcome)
        return reply

    async def welcome(self, request: Request) -> Welcome | None:
        """Return the welcome for a new user, else `None`."""
        return await self._services.welcomes.welcome(request, self.actor)

    async def undo_welcome(self, welcome: Welcome, error: SendError) -> None:
        """Note that Slack refused a welcome."""
        await self._services.welcomes.undo(welcome, error)

    async def is_first_delivery(self, request: Request, action: str) -> bool:
        """Tell whether a request was not delivered before, and claim it for an action.

        Raises:
            StoreError: as `Database.write`.
        """
        request_claim = Claim(f"{action}:{request.key}", self._services.system_clock.now())
        return await self._services.database.write(claim, request_claim)

    async def command(self, request: Request) -> JsonPayload:
        """Return the acknowledgement of a slash command, which holds its answer."""
        reply = await self._reply_and_welcome(request, request.text)
        if not files_of(reply):
            return self._cached_payload(reply)
        location = file_location(reply)
        payload = _with_files(request, reply, location)
        if drawn_files(reply, location):
            payload.otherwise = _with_files(request, reply, FileLocation.DIRECT)
        return payload

    async def follow_up(self, request: Request, payload: dict[str, Any]) -> None:
        """Send an answer that the acknowledgement of its request did not hold."""
        otherwise = payload.otherwise if isinstance(payload, JsonPayload) else None
        try:
            await self._respond_with_retry(request, {**payload, "replace_original": False})
        except SendError as error:
            if otherwise and isinstance(error, Rejected):
                await self.follow_up(request, otherwise)
                return
            _log.error("answer_lost", extra={"reason": error.sentence, "code": error.code})
            return
        if isinstance(payload, JsonPayload):
            await self.upload(request, payload.attachments)

    async def upload(self, request: Request, attachments: Attachments | None) -> None:
        """Share the files of an answer once, or tell the user why they are missing."""
        if attachments is None:
            return
        try:
            if await self.is_first_delivery(request, "files"):
                authorization = await self._authorization(request)
                await self._uploader.share(authorization, request, attachments)
        except (SendError, StoreError) as error:
            _log.warning("files_missing", extra={"reason": error.sentence})
            await self._send_private(request, missing_files(attachments.files, error))

    async def _send_private(self, request: Request, reply: Reply) -> None:
        """Send a reply to the user alone, by whichever way the request allows."""
        if request.response_url:
            await self.follow_up(request, _ephemeral(reply))
        elif request.is_direct:
            await self._post_message(request, render_message(reply))
        elif request.channel:
            await self._post_ephemeral(request, render_message(reply))
        else:  # in App Home
            await self._send_direct_message(request, reply)

    async def _send_welcome(self, request: Request, reply: Reply) -> None:
        """Send the welcome.

        Raises:
            SendError: where Slack refuses it.
        """
        if request.response_url:
            await self._respond_with_retry(request, _ephemeral(reply))
        else:
            await self._send_private(request, reply)

    async def report_store_error(self, request: Request, error: StoreError) -> None:
        """Tell the user who pressed a button why it had no effect, if there is a way to."""
        if request.response_url:
            await self.follow_up(request, _ephemeral(store_failure(error)))

    async def mention(self, request: Request, command: str) -> None:
        """Answer a mention in an ephemeral message, in the thread if it is in one."""
        reply = await self._reply_and_welcome(request, command)

        async def send(files: FileLocation) -> None:
            await self._post_ephemeral(request, render_message(reply, share=True, files=files))

        try:
            location = await _sent(reply, FileLocation.CHART, send)
        except NotAllowed as error:
            await self.report_send_error(request, error)
            return
        await self.upload(request, attachments_of(reply, request, location))

    async def direct_message(self, request: Request, command: str) -> None:
        """Answer a direct message, in the thread that it is in or begins."""
        place = await self._threads.place_of(request)
        reply = await self._reply_and_welcome(request, command, place)
        await self._post_message(place, render_message(reply, files=FileLocation.BELOW))
        await self._threads.title(place, asked_for(command, reply))
        await self.upload(place, attachments_of(reply, place, FileLocation.BELOW))

    async def asks_first(self, request: Request, action: ButtonAction) -> bool:
        """Tell whether a user is asked before a button of an answer that was shared acts."""
        if action.by is None:
            return False
        actor = await self.actor(request)
        return self._services.app.asks_first(action.command, actor, origin_of(action))

    async def button(
        self, request: Request, action: ButtonAction, requested: Showing, original: Payload
    ) -> None:
        """Answer a button in a message.

        Args:
            request: the user's request.
            action: what the button does.
            requested: how it asks its answer to be shown.
            original: the message with the button, as the user saw it.
        """
        if requested.shared:
            await self._share(request, action)
            return
        is_plain = not requested.private
        if is_plain or requested.replaces:
            request = await self._threads.place_of(request)
        reply = await self._reply_and_welcome(request, action.command, origin=origin_of(action))
        showing = showing_for(requested, reply)
        if showing.silent and (
            not reply.renamed or await self._relabel(request, action, original, reply)
        ):
            return

        async def send(files: FileLocation) -> None:
            rendered = render_message(reply, showing.part, share=showing.share, files=files)
            if is_plain and not showing.replaces:
                await self._post_message(request, rendered)
            else:
                payload = acknowledgement(rendered, reply.visibility)
                payload["replace_original"] = showing.replaces
                await self._respond_with_retry(request, payload)

        wanted = file_location(reply, in_direct_message=is_plain)
        location = await _sent(reply, wanted, send)
        if showing.part == 1:  # further parts follow an answer whose files were shared
            await self.upload(request, attachments_of(reply, request, location))

    async def _relabel(
        self, request: Request, action: ButtonAction, original: Payload, reply: Reply
    ) -> bool:
        """Relabel buttons of a message that everybody sees; return whether that worked.

        Another user may press at the same time, so the command runs again until the message shows
        its current result.
        """
        for _ in range(_MAX_RELABELS):
            changed = relabelled(original, reply.renamed)
            if changed is None:
                return False
            try:
                await self.respond(request, {**changed, **_NO_PREVIEWS, "replace_original": True})
                current = await self.reply(request, action.command, origin=origin_of(action))
            except SendError as error:
                _log.warning("button_not_renamed", extra={"reason": error.sentence})
                return False
            if current.failed or current.renamed == reply.renamed:
                break
            reply = current
        return True

    async def _share(self, request: Request, action: ButtonAction) -> None:
        """Post an answer to its channel, and delete the user's ephemeral message."""
        reply = as_shared(await self.reply(request, action.command, shares=True))
        if reply.failed:
            await self._respond_with_retry(request, _ephemeral(reply))
            return
        shared = render_message(
            reply, action.part, shared_by=request.user, files=FileLocation.BELOW
        )
        try:
            await self.respond(
                request,
                {**message(shared), "response_type": "in_channel", "replace_original": False},
            )
        except SendError as error:
            await self._respond_with_retry(request, _ephemeral(_not_shared(error)))
            return
        await self.respond(request, {"delete_original": True})
        await self.upload(request, attachments_of(reply, request, FileLocation.BELOW))

    async def _respond_with_retry(self, request: Request, payload: dict[str, Any]) -> None:
        """Send what only the user sees, and repeat it once after a server error of Slack.

        One user sees a message twice rather than not at all; for what others see the opposite
        holds.

        Raises:
            SendError: where Slack refuses it.
        """
        try:
            await self.respond(request, payload)
        except SendError as error:
            if not error.code.isdecimal():  # not an HTTP status
                raise
            await asyncio.sleep(_RETRY_SECONDS)
            await self.respond(request, payload)

    async def respond(self, request: Request, payload: dict[str, Any]) -> None:
        """Send through the response URL of a request; a new message goes to its thread.

        Raises:
            SendError: where Slack refuses it.
        """
        if not request.response_url:
            raise ValueError("a request without response URL can't be answered through it")
        if request.thread and payload.get("replace_original") is False:
            payload = {**payload, "thread_ts": request.thread}
        await self._services.api.respond(request.response_url, payload)

    async def _post_ephemeral(self, request: Request, rendered: Rendered) -> None:
        """Post an ephemeral message where the user asked.

        Slack shows one in a thread only if the thread has replies already:
        https://docs.slack.dev/reference/methods/chat.postEphemeral

        Raises:
            SendError: where Slack refuses it.
        """
        payload = {"user": request.user, **_where(request), **message(rendered)}
        token = await self.token(request)
        await self._services.api.call(token, "chat.postEphemeral", retry_rate_limit=True, **payload)

    async def _post_message(self, request: Request, rendered: Rendered) -> None:
        await self._post(request, {**_where(request), **message(rendered)})

    async def report_send_error(self, request: Request, error: SendError) -> None:
        """Tell a user in a direct message why they got no answer where they asked.

        Raises:
            SendError: where Slack refuses that too.
        """
        await self._send_direct_message(request, _notice(error))

    async def _send_direct_message(self, request: Request, reply: Reply) -> None:
        payload = {"channel": request.user, **message(render_message(reply))}
        await self._threads.title_own(request, await self._post(request, payload), reply)

    async def _post(self, request: Request, payload: dict[str, Any]) -> dict[str, Any]:
        token = await self.token(request)
        return await self._services.limited.answer(token, request.workspace, payload)


def origin_of(action: ButtonAction) -> LineOrigin:
    """Return where the line of a pressed button comes from."""
    return LineOrigin(typed=False, by=action.by)


async def _sent(
    reply: Reply, location: FileLocation, send: Callable[[FileLocation], Awaitable[None]]
) -> FileLocation:
    """Send an answer, and again without charts if Slack refuses it; return where its files are.

    Raises:
        SendError: where Slack refuses that too.
    """
    try:
        await send(location)
    except Rejected:
        if not drawn_files(reply, location):
            raise
        location = FileLocation.DIRECT
        await send(location)
    return location


def _command_payload(reply: Reply, files: FileLocation | None = None) -> JsonPayload:
    rendered = render_message(reply, share=True, files=files)
    return JsonPayload(acknowledgement(rendered, reply.visibility))


def _with_files(request: Request, reply: Reply, location: FileLocation) -> JsonPayload:
    payload = _command_payload(reply, location)  # not cached, because files are large
    payload.attachments = attachments_of(reply, request, location)
    return payload


def _where(request: Request) -> dict[str, Any]:
    """Return the channel of a request, and its thread if it is in one."""
    thread = {"thread_ts": request.thread} if request.thread else {}
    return {"channel": request.channel, **thread}


def _ephemeral(reply: Reply) -> dict[str, Any]:
    """Return a response to the user alone that leaves the original message as it is."""
    payload = message(render_message(reply))
    return {**payload, "response_type": "ephemeral", "replace_original": False}


def _not_shared(error: SendError) -> Reply:
    """Return a reply that says why an answer was not shared, or that it may have been."""
    if isinstance(error, OutcomeUnknown):
        sentence = "Slack broke off while the answer was being shared."
        remedy = "Look whether it stands in the channel before you share it again."
        return Reply((Notice(Level.WARNING, sentence, remedy),))
    return _notice(error)


def _notice(error: SendError) -> Reply:
    return Reply((Notice(Level.WARNING, error.sentence, error.remedy),))
