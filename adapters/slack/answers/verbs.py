"""The verbs by which one request is answered, through its response URL or the Web API."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from slack_bolt.response import BoltResponse

from adapters.common.answers.driver import Answer, Verbs
from adapters.common.answers.showing import Showing
from adapters.common.files import files_of, replace_files
from adapters.common.tasks import retried
from adapters.slack.answers.responder import Responder
from adapters.slack.render import Rendered, acknowledgement, message, render_message
from adapters.slack.render.buttons import relabelled
from adapters.slack.render.files import (
    FileLocation,
    drawn_files,
    file_location,
    missing_files,
    sent_files,
)
from adapters.slack.requests.payloads import Payload, Request
from bot.domain.untrusted_text import flat
from bot.errors import NotAllowed, Rejected, SendError
from bot.replies.blocks import Button, Reply
from store.errors import StoreError

_MAX_CACHED = 128
_NO_PREVIEWS = {"unfurl_links": False, "unfurl_media": False}
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SlackAnswer(Answer):
    """An answer rendered for Slack."""

    rendered: Rendered

    @property
    def location(self) -> FileLocation:
        """The place where its files are."""
        return _location_of(self.reply, self.showing)

    @property
    def response(self) -> dict[str, Any]:
        """The payload that answers a slash command."""
        return acknowledgement(self.rendered, self.reply.visibility)

    @cached_property
    def json(self) -> str:
        """The same as JSON."""
        return json.dumps(self.response)


@dataclass(frozen=True, slots=True)
class SlackVerbs(Verbs[SlackAnswer]):
    """The verbs for a request.

    Attributes:
        responder: has the services.
        request: the request, with the thread that its answer stands in.
        is_plain: whether its answer is a plain message in the conversation with the bot.
        line: the user's own line, by which a thread is named that begins with it.
        original: the message with the pressed button, as the user saw it.
        acknowledged: holds the acknowledgement of a slash command.
    """

    responder: Responder
    request: Request
    is_plain: bool = False
    line: str | None = None
    original: Payload = field(default_factory=dict)
    acknowledged: BoltResponse = field(default_factory=lambda: BoltResponse(status=200))

    async def render(self, reply: Reply, showing: Showing) -> SlackAnswer:
        """Render a reply; those with files are not cached, which are large."""
        if showing.shared:
            return _rendered(reply, showing, self.request.user)
        return _rendered(reply, showing) if files_of(reply) else _cached(reply, showing)

    def holds(self, answer: SlackAnswer) -> bool:
        """Tell whether the acknowledgement may hold an answer.

        Whether Slack refuses what it holds is not seen, and it may refuse a chart.
        https://docs.slack.dev/interactivity/implementing-slash-commands#responding_to_commands
        """
        return not drawn_files(answer.reply, answer.location)

    async def acknowledge(self, answer: SlackAnswer) -> None:
        """Put an answer into the acknowledgement."""
        self.acknowledged.body = answer.json
        self.acknowledged.headers["content-type"] = ["application/json"]

    async def follow_up(self, answer: SlackAnswer) -> None:
        """Send an answer where it is shown.

        One user sees a message twice rather than not at all; for what others see the opposite
        holds.
        """
        showing = answer.showing
        if showing.shared:
            shared = {"response_type": "in_channel", "replace_original": False}
            await self._respond({**message(answer.rendered), **shared})
        elif self.is_plain and not showing.replaces:
            await self._post(answer.rendered)
        elif self.request.response_url:
            replaces = {"replace_original": showing.replaces}
            await self._respond_with_retry({**answer.response, **replaces})
        else:
            await self._answer_mention(answer.rendered)

    def without_files(self, answer: SlackAnswer, error: SendError) -> Reply | None:
        """Return a reply whose pictures come by themselves where a chart was refused."""
        if not isinstance(error, Rejected) or self.holds(answer):
            return None
        return replace_files(answer.reply, lambda file: replace(file, chart=None))

    async def relabel(self, buttons: Sequence[Button]) -> bool:
        """Give the buttons of the message new labels; return whether it has any of them."""
        changed = relabelled(self.original, buttons)
        if changed is None:
            return False
        await self._respond({**changed, **_NO_PREVIEWS, "replace_original": True})
        return True

    async def show_nothing(self) -> None:
        """Do nothing: the request is acknowledged."""

    async def finish(self, answer: SlackAnswer) -> None:
        """Name the thread, delete the user's own message of what was shared, upload the files."""
        showing = answer.showing
        if self.line is not None:
            await self.responder.title(self.request, asked_for(self.line, answer.reply))
        if showing.shared:
            await self._respond({"delete_original": True})
        if showing.part == 1 or showing.shared:  # further parts follow an answer with its files
            await self.upload(answer.reply, answer.location)

    async def upload(self, reply: Reply, location: FileLocation) -> None:
        """Share the files of an answer once, or tell the user why they are missing."""
        files, responder = sent_files(reply, location), self.responder
        if not files:
            return
        try:
            if await responder.is_first_delivery(self.request, "files"):
                found = await responder.authorization(self.request)
                await responder.uploader.share(found, self.request, reply, location)
        except (SendError, StoreError) as error:
            _log.warning("files_missing", extra={"reason": error.sentence})
            await self.tell(missing_files(files, error))

    async def tell(self, reply: Reply) -> None:
        """Send a reply to the user alone, by whichever way the request allows."""
        request, rendered = self.request, render_message(reply)
        if request.response_url:
            own = {"response_type": "ephemeral", "replace_original": False}
            await self._respond_with_retry({**message(rendered), **own})
        elif request.is_direct:
            await self._post(rendered)
        elif request.channel:
            await self._post_ephemeral(rendered)
        else:  # in App Home
            await self.responder.send_direct_message(request, reply)

    async def _respond_with_retry(self, payload: dict[str, Any]) -> None:
        """Send through the response URL, once more after a server error of Slack."""
        # The code of such an error is its HTTP status.
        once_more = (None,)
        await retried(
            lambda: self._respond(payload), once_more, lambda error: error.code.isdecimal()
        )

    async def _respond(self, payload: dict[str, Any]) -> None:
        """Send through the response URL; a new message goes to the thread of the request."""
        if not self.request.response_url:
            raise ValueError("a request without response URL can't be answered through it")
        if self.request.thread and payload.get("replace_original") is False:
            payload = {**payload, "thread_ts": self.request.thread}
        await self.responder.api.respond(self.request.response_url, payload)

    async def _answer_mention(self, rendered: Rendered) -> None:
        """Answer in an ephemeral message, or say in a direct message why that is not possible."""
        try:
            await self._post_ephemeral(rendered)
        except NotAllowed as error:
            await self.responder.report_send_error(self.request, error)
            raise

    async def _post_ephemeral(self, rendered: Rendered) -> None:
        """Post an ephemeral message where the user asked.

        Slack shows one in a thread only if the thread has replies already:
        https://docs.slack.dev/reference/methods/chat.postEphemeral
        """
        payload = {"user": self.request.user, **self._where, **message(rendered)}
        token = await self.responder.token(self.request)
        api = self.responder.api
        await api.call(token, "chat.postEphemeral", retry_rate_limit=True, **payload)

    async def _post(self, rendered: Rendered) -> None:
        await self.responder.post(self.request, {**self._where, **message(rendered)})

    @property
    def _where(self) -> dict[str, Any]:
        """The channel of the request, and its thread if it is in one."""
        thread = {"thread_ts": self.request.thread} if self.request.thread else {}
        return {"channel": self.request.channel, **thread}


def asked_for(line: str, reply: Reply) -> str:
    """Return what a thread is named by that begins with a line of a person: the line. Pure.

    No word, or one alone that was read as something (`2`, `it`, `more`), does not say what was
    asked; the command that was run for it does.
    """
    words = flat(line)
    says_little = not words or (reply.read_as is not None and " " not in words)
    return (reply.ran if says_little else words) or words


def _location_of(reply: Reply, showing: Showing) -> FileLocation:
    return file_location(reply, in_direct_message=not showing.private)


def _rendered(reply: Reply, showing: Showing, shared_by: str | None = None) -> SlackAnswer:
    rendered = render_message(
        reply,
        showing.part,
        share=showing.share,
        shared_by=shared_by,
        files=_location_of(reply, showing),
    )
    return SlackAnswer(reply, showing, rendered)


# Many users ask the same, and rendering an answer takes longer than finding it.
_cached = lru_cache(_MAX_CACHED)(_rendered)
