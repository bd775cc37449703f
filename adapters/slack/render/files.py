"""What the words of an answer say of the files that come with it. Pure.

No message to one person holds a file: it is shared with a conversation, or hidden from all but the
bot. https://github.com/slackapi/node-slack-sdk/issues/1790
"""

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import Any

from adapters.common.files import files_of, missing_alt, replace_files, with_safe_names
from bot.errors import OutcomeUnknown
from bot.replies.blocks import Block, File, Level, Notice, Reply, Text, Visibility
from bot.replies.wording import shorten
from store.errors import BroadsheetError

_PICTURE = "image/"
# https://docs.slack.dev/reference/methods/files.getUploadURLExternal#errors
_LONGEST_ALT = 1000


class Where(Enum):
    """Where the files of an answer are to be found."""

    DIRECT = "in the asker's direct messages with the bot"
    BELOW = "in the same conversation, after the words"
    NOWHERE = "in no window: where the answer is asked for in a message"


def with_ways(reply: Reply, where: Where) -> Reply:
    """Return a reply that says of each of its files where it is to be found.

    Of those that follow it says nothing: where one does not come, whoever asked is told alone, and
    words for all to see would stay.
    """
    if not files_of(reply):
        return reply
    if where is Where.BELOW:
        return replace(reply, blocks=tuple(b for b in reply.blocks if not isinstance(b, File)))

    def said(file: File) -> Block:
        if where is Where.DIRECT:
            return Text(f"{_called(file)} comes in a direct message from Broadsheet.")
        words = missing_alt(file, reply), f"{_called(file)} comes {_asked(reply)}."
        return Text("\n\n".join(filter(None, words)))

    return replace_files(with_safe_names(reply), said)


def where_of(reply: Reply, *, among_two: bool = False) -> Where:
    """Return where the files of an answer go: with it, unless one person alone sees that.

    `among_two` where it is told in the conversation of one person and the bot.
    """
    below = among_two or reply.visibility is Visibility.CHANNEL
    return Where.BELOW if below else Where.DIRECT


def all_missing(files: Iterable[File], error: BroadsheetError) -> Reply:
    """Return that files did not come, as far as anybody knows, and why."""
    lost = "may be missing" if isinstance(error, OutcomeUnknown) else "is missing"
    notices = (
        Notice(Level.WARNING, f"{_called(file)} {lost}. {error.sentence}", error.remedy)
        for file in files
    )
    return Reply(tuple(notices), failed=True)


def is_picture(file: File) -> bool:
    """Tell whether a file is seen, and needs words for those who can't."""
    return file.media_type.startswith(_PICTURE)


def upload_form(file: File) -> dict[str, str]:
    """Return what begins the upload of a file.

    https://docs.slack.dev/reference/methods/files.getUploadURLExternal
    """
    form = {"filename": file.name, "length": str(len(file.data))}
    alt = shorten(" ".join(file.alt.split()), _LONGEST_ALT)
    return {**form, "alt_txt": alt} if alt and is_picture(file) else form


def upload_forms(reply: Reply) -> list[dict[str, Any]]:
    """Return what begins the upload of each file of a reply."""
    return [upload_form(file) for file in files_of(with_safe_names(reply))]


def _called(file: File) -> str:
    return f"The {'picture' if is_picture(file) else 'file'} {file.name}"


def _asked(reply: Reply) -> str:
    """Return where else an answer may be asked for, so that its files come."""
    line = reply.display_command or reply.command
    return f"with /papers {line}" if line else "where you ask for it in a message"
