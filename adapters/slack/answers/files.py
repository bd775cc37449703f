"""Files of answers: uploaded, then shared in a conversation.

https://docs.slack.dev/messaging/working-with-files#upload
"""

import json
from collections.abc import Iterable
from functools import partial

from adapters.common.call_attempt import repeatable
from adapters.common.files import missing_alt
from adapters.common.tasks import may_pass, retried
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.thread_titles import ThreadTitles
from adapters.slack.api.tokens import Authorization
from adapters.slack.render import FileLocation, escaped
from adapters.slack.render.files import is_picture, sent_files, upload_form
from adapters.slack.requests.payloads import Request
from bot.domain.untrusted_text import unescaped
from bot.replies.blocks import File, Reply, Title

_MAX_COMMENT = 1000


class FileUploader:
    """Uploads and shares files.

    Args:
        limited: the Web API within its rate limits.
        titles: titles the threads that begin with files.
    """

    def __init__(self, limited: RateLimitedApi, titles: ThreadTitles) -> None:
        self._api = limited.api
        self._limited = limited
        self._titles = titles

    async def share(
        self,
        authorization: Authorization | None,
        request: Request,
        reply: Reply,
        location: FileLocation,
    ) -> None:
        """Share the files of the answer to a request in one message.

        Raises:
            SendError: where they do not appear, or may not.
        """
        token = authorization.bot_token if authorization else None
        files, thread = sent_files(reply, location), request.thread
        comment = _comment(reply, files, location)
        with repeatable():  # nothing is shown before the files are shared
            if location is FileLocation.BELOW:
                channel = request.channel
            else:
                # Nothing is shared with a user id: https://github.com/slackapi/bolt-js/issues/2115
                channel, thread = await self._api.open_direct(token, request.user), None
            # One at a time, since the SDK holds an upload in memory. A repeat is safe, as nobody
            # sees the file yet.
            uploads = (partial(self._upload, token, file) for file in files)
            ids = [await retried(upload, (None,), may_pass) for upload in uploads]
            if authorization and authorization.is_agent and location is not FileLocation.BELOW:
                words = comment or escaped(", ".join(file.name for file in files))
                thread = await self._begin_thread(authorization, str(channel), words)
                comment = ""
        shared = [
            {"id": file_id, "title": file.name} for file_id, file in zip(ids, files, strict=True)
        ]
        form = {"files": json.dumps(shared), "channel_id": str(channel)}
        form |= {"thread_ts": thread} if thread else {}
        form |= {"initial_comment": comment} if comment else {}
        await self._api.call_form(token, "files.completeUploadExternal", form)

    async def _begin_thread(self, authorization: Authorization, channel: str, words: str) -> str:
        """Begin a titled thread for files in direct messages with an agent; return its `ts`.

        Slack does not tell which message the files are shared in, so their own has no title.
        """
        payload = {"channel": channel, "text": words, "unfurl_links": False}
        sent = await self._limited.answer(authorization.bot_token, authorization.workspace, payload)
        title = unescaped(words.partition("\n")[0])
        self._titles.set(authorization, channel, str(sent["ts"]), title)
        return str(sent["ts"])

    async def _upload(self, token: str | None, file: File) -> str:
        form = upload_form(file)
        data = await self._api.call_form(token, "files.getUploadURLExternal", form)
        await self._api.upload(str(data["upload_url"]), file.data)
        return str(data["file_id"])


def _comment(reply: Reply, files: Iterable[File], location: FileLocation) -> str:
    """Return the text beside the files: the answer's title, then descriptions of the files.

    A picture has its own alt text. Below an answer its own text is just above the files.
    """
    titles = [block.text for block in reply.blocks if isinstance(block, Title)][:1]
    texts = [file for file in files if not is_picture(file)]
    is_below = location is FileLocation.BELOW
    alts = [missing_alt(file, reply) if is_below else file.alt for file in texts]
    return escaped("\n".join([*titles, *filter(None, alts)])[:_MAX_COMMENT]).strip()
