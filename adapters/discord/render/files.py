"""Files in Discord: attached to the message that refers to them. Pure.

https://docs.discord.com/developers/reference#uploading-files
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from io import BytesIO
from typing import Any

import discord

from adapters.common.files import files_of, replace_files, with_safe_names
from adapters.discord.api.errors import lacks_permission
from bot.errors import SendError
from bot.replies.blocks import Block, File, Level, Notice, Reply
from bot.replies.wording import shorten

# In servers that nobody pays for: https://docs.discord.com/developers/reference#uploading-files
MOST_BYTES = 10 * 2**20
MOST_FILES = 10
# https://docs.discord.com/developers/resources/message#attachment-object
_LONGEST_DESCRIPTION = 1024
# What Discord's clients show as a picture:
# https://docs.discord.com/developers/reference#image-formatting
_PICTURES = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
# More than this may take longer to send than Discord waits for a first response.
_HEAVY_BYTES = 2**19
_REMEDY = "Ask for less at a time."

Call = Callable[..., Awaitable[Any]]


def sendable(reply: Reply) -> Reply:
    """Return a reply whose files Discord takes, with a notice in the place of each of the others.

    The limit of size is taken as one for all files of a message together, to be on the safe side.
    """
    left, number = MOST_BYTES, 0

    def judged(file: File) -> Block:
        nonlocal left, number
        if number == MOST_FILES or len(file.data) > left:
            return _too_much(file)
        left, number = left - len(file.data), number + 1
        return file

    return replace_files(with_safe_names(reply), judged) if files_of(reply) else reply


def without_files(reply: Reply, error: SendError) -> Reply:
    """Return a reply that says of each file why it is missing."""
    # Which permission is missing Discord does not tell; files take this one.
    lacking = "Broadsheet may not Attach Files there." if lacks_permission(error) else ""
    reason = lacking or error.sentence

    def missing(file: File) -> Notice:
        return Notice(Level.WARNING, f"{file.name} is missing. {reason}", error.remedy)

    return replace_files(with_safe_names(reply), missing)


def is_picture(file: File) -> bool:
    """Tell whether Discord shows a file, and does not only offer it."""
    return file.media_type in _PICTURES


def reference(file: File) -> str:
    """Return how components and embeds name a file that is sent along."""
    return f"attachment://{file.name}"


def described(file: File) -> str | None:
    """Return what a file shows or holds, in words, as far as Discord takes them."""
    return shorten(" ".join(file.alt.split()), _LONGEST_DESCRIPTION) or None


def are_heavy(files: Iterable[File]) -> bool:
    """Tell whether files may take longer than Discord waits for a first response."""
    return sum(len(file.data) for file in files) > _HEAVY_BYTES


def to_attach(files: Iterable[File]) -> list[discord.File]:
    """Return files as the client sends them, to be sent once: it reads them to their end."""
    return [
        discord.File(BytesIO(file.data), file.name, spoiler=False, description=described(file))
        for file in files
    ]


def taking(call: Call, files: Sequence[File], argument: str) -> Call:
    """Return a call that takes files along in an argument, anew each time it is made."""
    if not files:
        return call

    def made(**given: Any) -> Awaitable[Any]:  # noqa: ANN401 - the call's own
        return call(**given, **{argument: to_attach(files)})

    return made


def _too_much(file: File) -> Notice:
    megabytes = len(file.data) / 2**20
    sentence = (
        f"{file.name} is missing. It has {megabytes:.1f} MiB; Discord takes {MOST_FILES} files of "
        f"{MOST_BYTES // 2**20} MiB together."
    )
    return Notice(Level.WARNING, sentence, _REMEDY)
