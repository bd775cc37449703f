"""Files on their way to Slack: uploaded, then shared with a conversation.

https://docs.slack.dev/messaging/working-with-files#upload
"""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass

from adapters.common.files import files_of, missing_alt, with_safe_names
from adapters.slack.api.client import Api
from adapters.slack.render import Where, escaped
from adapters.slack.render.files import is_picture, upload_form
from adapters.slack.requests.payloads import Request
from bot.errors import OutcomeUnknown, RetryLater
from bot.replies.blocks import File, Reply, Title

_AGAIN_SECONDS = 1.0
_MOMENT = "Try again in a moment."
_LONGEST_COMMENT = 1000


@dataclass(frozen=True, slots=True)
class Enclosed:
    """The files of an answer, and where they go.

    `comment` are the words beside them, in mrkdwn. Without a `channel` they go to the direct
    messages of whoever asked and the bot, which nobody else sees; `thread` is one of the channel.
    """

    files: tuple[File, ...]
    comment: str = ""
    channel: str | None = None
    thread: str | None = None


def enclosed_in(reply: Reply, request: Request, where: Where) -> Enclosed | None:
    """Return what goes with the answer to a request, `None` where that has no files."""
    files = files_of(with_safe_names(reply))
    if not files:
        return None
    # Of a picture that stands in its own description.
    texts = [file for file in files if not is_picture(file)]
    if where is Where.DIRECT:
        return Enclosed(files, _comment(reply, [file.alt for file in texts]))
    # The words of the answer stand just above.
    alts = [missing_alt(file, reply) for file in texts]
    return Enclosed(files, _comment(reply, alts), request.channel, request.thread)


class Files:
    """Sends files.

    Args:
        api: Slack.
    """

    def __init__(self, api: Api) -> None:
        self._api = api

    async def send(self, token: str | None, user: str, enclosed: Enclosed) -> None:
        """Share files with the conversation that they go to, in one message.

        Raises:
            SendError: where they don't appear there, or nobody knows.
        """
        try:
            channel = enclosed.channel or await self._direct(token, user)
            # One after the other: what is uploaded stands in memory until it is gone.
            ids = [await self._uploaded(token, file) for file in enclosed.files]
        except OutcomeUnknown as error:  # which is clear enough: nothing was shared
            raise RetryLater(error.sentence, _MOMENT, error.code) from error
        named = [
            {"id": each, "title": file.name} for each, file in zip(ids, enclosed.files, strict=True)
        ]
        form = {"files": json.dumps(named), "channel_id": channel}
        form |= {"thread_ts": enclosed.thread} if enclosed.thread else {}
        form |= {"initial_comment": enclosed.comment} if enclosed.comment else {}
        await self._api.call_form(token, "files.completeUploadExternal", form)

    async def _direct(self, token: str | None, user: str) -> str:
        """Return the direct messages of a person and the bot.

        Files are shared with conversations only, never with a person by their id:
        https://github.com/slackapi/bolt-js/issues/2115
        """
        opened = await self._api.ask(token, "conversations.open", users=user)
        return str(opened["channel"]["id"])

    async def _uploaded(self, token: str | None, file: File) -> str:
        """Upload a file that nobody sees yet, so that it may be done again; return its id."""
        try:
            return await self._upload(token, file)
        except (OutcomeUnknown, RetryLater):
            await asyncio.sleep(_AGAIN_SECONDS)
            return await self._upload(token, file)

    async def _upload(self, token: str | None, file: File) -> str:
        form = upload_form(file)
        begun = await self._api.call_form(token, "files.getUploadURLExternal", form)
        await self._api.upload(str(begun["upload_url"]), file.data)
        return str(begun["file_id"])


def _comment(reply: Reply, alts: Iterable[str]) -> str:
    """Return what the message with the files says: what they belong to, and what they hold."""
    titles = [block.text for block in reply.blocks if isinstance(block, Title)][:1]
    said = [*titles, *filter(None, alts)]
    return escaped("\n".join(said)[:_LONGEST_COMMENT]).strip()
