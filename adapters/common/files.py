"""Files that come with an answer, on their way to any platform. Pure."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from bot.replies.blocks import Block, File, Reply, Text

# What Discord takes in the name of a file that components refer to, and every file system too.
# https://docs.discord.com/developers/reference#editing-message-attachments
_FOREIGN = re.compile(r"[^a-z0-9._-]+")
_EDGES = "._-"
_LONGEST_STEM, _LONGEST_SUFFIX = 60, 12
_NAMELESS = "file"


def files_of(reply: Reply) -> tuple[File, ...]:
    """Return the files of a reply, in order."""
    return tuple(block for block in reply.blocks if isinstance(block, File))


def with_safe_names(reply: Reply) -> Reply:
    """Return a reply whose files have names that every platform takes, no two of them alike."""
    if not files_of(reply):
        return reply
    names = _unlike(safe_name(each.name) for each in files_of(reply))
    return replaced(reply, lambda file: replace(file, name=next(names)))


def replaced(reply: Reply, instead: Callable[[File], Block]) -> Reply:
    """Return a reply with something in the place of each file."""
    blocks = (instead(block) if isinstance(block, File) else block for block in reply.blocks)
    return replace(reply, blocks=tuple(blocks))


def unsaid(file: File, reply: Reply) -> str:
    """Return in words what a file holds, nothing where the words of its reply say just that."""
    said = {block.text for block in reply.blocks if isinstance(block, Text)}
    return "" if file.alt in said else file.alt


def safe_name(name: str) -> str:
    """Return a name for a file that leads to no other folder, hides nothing and marks nothing.

    It is in small letters: some file systems take `A` and `a` for one, and Discord covers a
    picture whose name begins with `SPOILER_`.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem, suffix = _parted(_FOREIGN.sub("-", plain).strip(_EDGES))
    stem = stem[:_LONGEST_STEM].strip(_EDGES) or _NAMELESS
    return f"{stem}.{suffix}" if suffix else stem


def numbered(name: str, number: int) -> str:
    """Return the name for another file of a name: `trends-2.png`."""
    stem, suffix = _parted(name)
    return f"{stem}-{number}.{suffix}" if suffix else f"{stem}-{number}"


def _parted(name: str) -> tuple[str, str]:
    """Return what stands before the last dot of a name and after it, as far as that is a type."""
    stem, _, suffix = name.rpartition(".")
    is_type = stem and suffix.isalnum() and len(suffix) <= _LONGEST_SUFFIX
    return (stem, suffix) if is_type else (name, "")


def _unlike(names: Iterable[str]) -> Iterator[str]:
    taken: set[str] = set()
    for name in names:
        found, number = name, 1
        while found in taken:
            number += 1
            found = numbered(name, number)
        taken.add(found)
        yield found
