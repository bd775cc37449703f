"""Files as attachments of the message that refers to them. Pure.

https://docs.discord.com/developers/reference#uploading-files
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from io import BytesIO
from typing import Any

import discord

from adapters.common.files import files_of, replace_files, with_safe_names
from adapters.discord.api.errors import is_forbidden
from bot.errors import SendError
from bot.replies.blocks import Block, File, Level, Notice, Reply
from bot.replies.wording import shorten

# In servers without boosts: https://docs.discord.com/developers/reference#uploading-files
MAX_BYTES = 10 * 2**20
_MAX_FILES = 10
# https://docs.discord.com/developers/resources/message#attachment-object
_MAX_DESCRIPTION = 1024
# The types that Discord shows as an image:
# https://docs.discord.com/developers/reference#image-formatting
_IMAGE_TYPES = frozenset({"image/gif", "image/jpeg", "image/png", "image/webp"})
# More than this may take longer to send than Discord waits for a first response.
_HEAVY_BYTES = 2**19
_REMEDY = "Ask for less at a time."

Call = Callable[..., Awaitable[Any]]


def sendable(reply: Reply) -> Reply:
    """Return a reply with a notice in place of each file that Discord would refuse.

    The size limit is taken for all files of a message together, to be safe.
    """
    remaining, count = MAX_BYTES, 0

    def checked(file: File) -> Block:
        nonlocal remaining, count
        if count == _MAX_FILES or len(file.data) > remaining:
            return _too_large(file)
        remaining, count = remaining - len(file.data), count + 1
        return file

    return replace_files(with_safe_names(reply), checked) if files_of(reply) else reply


def without_files(reply: Reply, error: SendError) -> Reply:
    """Return a reply with a notice in place of each file, which gives the error."""
    # Discord does not name the missing permission; files need this one.
    forbidden = "Broadsheet may not Attach Files there." if is_forbidden(error) else ""
    reason = forbidden or error.sentence

    def missing(file: File) -> Notice:
        return Notice(Level.WARNING, f"{file.name} is missing. {reason}", error.remedy)

    return replace_files(with_safe_names(reply), missing)


def is_picture(file: File) -> bool:
    """Tell whether Discord shows a file as an image."""
    return file.media_type in _IMAGE_TYPES


def reference(file: File) -> str:
    """Return the URL of an attached file in components and embeds."""
    return f"attachment://{file.name}"


def described(file: File) -> str | None:
    """Return the alt text of a file, cut to Discord's limit."""
    return shorten(" ".join(file.alt.split()), _MAX_DESCRIPTION) or None


def are_heavy(files: Iterable[File]) -> bool:
    """Tell whether files may take longer to send than Discord waits for a first response."""
    return sum(len(file.data) for file in files) > _HEAVY_BYTES


def to_attach(files: Iterable[File]) -> list[discord.File]:
    """Return files as the library sends them, once: it reads them to their end."""
    return [
        discord.File(BytesIO(file.data), file.name, spoiler=False, description=described(file))
        for file in files
    ]


def with_files(call: Call, files: Sequence[File], argument: str) -> Call:
    """Return a call with attached files in an argument, made anew each time it runs."""
    if not files:
        return call

    def run(**kwargs: Any) -> Awaitable[Any]:  # noqa: ANN401 - the call's own
        return call(**kwargs, **{argument: to_attach(files)})

    return run


def _too_large(file: File) -> Notice:
    megabytes = len(file.data) / 2**20
    sentence = (
        f"{file.name} is missing. It has {megabytes:.1f} MiB; Discord takes {_MAX_FILES} files of "
        f"{MAX_BYTES // 2**20} MiB together."
    )
    return Notice(Level.WARNING, sentence, _REMEDY)
