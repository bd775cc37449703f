"""Notes in an answer on the files that come with it. Pure.

No ephemeral message holds a file: Slack shares a file with a conversation, or hides it from all
but the bot. https://github.com/slackapi/node-slack-sdk/issues/1790
"""

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import Any

from adapters.common.files import files_of, missing_alt, replace_files, with_safe_names
from adapters.slack.render.charts import chart_block
from bot.errors import OutcomeUnknown
from bot.replies.blocks import Block, File, Level, Notice, Reply, Text, Visibility
from bot.replies.wording import shorten
from store.errors import BroadsheetError

_IMAGE = "image/"
# https://docs.slack.dev/reference/methods/files.getUploadURLExternal#errors
_LONGEST_ALT = 1000


class FileLocation(Enum):
    """The place where the files of an answer are shared."""

    CHART = "a chart in the answer, or in the user's direct messages where none can be drawn"
    DIRECT = "in the user's direct messages with the bot"
    BELOW = "in the same conversation, below the answer"
    NOWHERE = "nowhere: a view holds no files, so the user asks again in a message"


def with_file_notes(reply: Reply, location: FileLocation) -> Reply:
    """Return a reply that says where each of its files is; a file stays whose chart is drawn.

    Files below the answer get no note: an upload may fail, and a note that everybody sees would
    stay. The user alone is told of a failure.
    """
    if not files_of(reply):
        return reply
    if location is FileLocation.BELOW:
        return replace(reply, blocks=tuple(b for b in reply.blocks if not isinstance(b, File)))
    drawn = drawn_files(reply, location)

    def note(file: File) -> Block:
        if file in drawn:
            return file
        if location in (FileLocation.CHART, FileLocation.DIRECT):
            return Text(f"{_described(file)} comes in a direct message from Broadsheet.")
        texts = missing_alt(file, reply), f"{_described(file)} comes {_where_to_ask(reply)}."
        return Text("\n\n".join(filter(None, texts)))

    return replace_files(with_safe_names(reply), note)


def file_location(reply: Reply, *, in_direct_message: bool = False) -> FileLocation:
    """Return where the files of an answer go: below it, unless only one user sees it."""
    below = in_direct_message or reply.visibility is Visibility.CHANNEL
    return FileLocation.BELOW if below else FileLocation.CHART


def drawn_files(reply: Reply, location: FileLocation) -> tuple[File, ...]:
    """Return the files, with safe names, that stand in the answer as charts."""
    if location is not FileLocation.CHART:
        return ()
    files = files_of(with_safe_names(reply))
    return tuple(each for each in files if each.chart and chart_block(each.chart))


def sent_files(reply: Reply, location: FileLocation) -> tuple[File, ...]:
    """Return the files, with safe names, that are uploaded."""
    drawn = drawn_files(reply, location)
    return tuple(each for each in files_of(with_safe_names(reply)) if each not in drawn)


def missing_files(files: Iterable[File], error: BroadsheetError) -> Reply:
    """Return a reply that says which files are missing, or may be, and why."""
    verb = "may be missing" if isinstance(error, OutcomeUnknown) else "is missing"
    notices = (
        Notice(Level.WARNING, f"{_described(file)} {verb}. {error.sentence}", error.remedy)
        for file in files
    )
    return Reply(tuple(notices), failed=True)


def is_picture(file: File) -> bool:
    """Tell whether a file is an image, which needs an alt text."""
    return file.media_type.startswith(_IMAGE)


def upload_form(file: File) -> dict[str, str]:
    """Return the arguments that start the upload of a file.

    https://docs.slack.dev/reference/methods/files.getUploadURLExternal
    """
    form = {"filename": file.name, "length": str(len(file.data))}
    alt = shorten(" ".join(file.alt.split()), _LONGEST_ALT)
    return {**form, "alt_txt": alt} if alt and is_picture(file) else form


def upload_forms(reply: Reply, location: FileLocation) -> list[dict[str, Any]]:
    """Return the arguments that start the upload of each file of a reply."""
    return [upload_form(file) for file in sent_files(reply, location)]


def _described(file: File) -> str:
    return f"The {'picture' if is_picture(file) else 'file'} {file.name}"


def _where_to_ask(reply: Reply) -> str:
    command = reply.display_command or reply.command
    return f"with /papers {command}" if command else "where you ask for it in a message"
