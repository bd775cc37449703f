"""Files of a reply: safe names and replacements. Pure."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from bot.replies.blocks import Block, File, Reply, Text

# Discord takes no other characters in the name of a file that components refer to.
# https://docs.discord.com/developers/reference#editing-message-attachments
_UNSAFE = re.compile(r"[^a-z0-9._-]+")
_EDGES = "._-"
_MAX_STEM, _MAX_SUFFIX = 60, 12
_DEFAULT_STEM = "file"


def files_of(reply: Reply) -> tuple[File, ...]:
    """Return the files of a reply, in order."""
    return tuple(block for block in reply.blocks if isinstance(block, File))


def with_safe_names(reply: Reply) -> Reply:
    """Return a reply whose files have unique names that every platform accepts."""
    if not files_of(reply):
        return reply
    names = _unique(safe_name(each.name) for each in files_of(reply))
    return replace_files(reply, lambda file: replace(file, name=next(names)))


def replace_files(reply: Reply, replacement: Callable[[File], Block]) -> Reply:
    """Return a reply with each file replaced by another block."""
    blocks = (replacement(block) if isinstance(block, File) else block for block in reply.blocks)
    return replace(reply, blocks=tuple(blocks))


def missing_alt(file: File, reply: Reply) -> str:
    """Return the alternative text of a file, empty if the reply has the same text already."""
    texts = {block.text for block in reply.blocks if isinstance(block, Text)}
    return "" if file.alt in texts else file.alt


def safe_name(name: str) -> str:
    """Return a file name without folders, leading dots or markers.

    It is in lower case: some file systems take `A` and `a` for the same, and Discord hides a
    picture whose name begins with `SPOILER_`.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem, suffix = _split_suffix(_UNSAFE.sub("-", plain).strip(_EDGES))
    stem = stem[:_MAX_STEM].strip(_EDGES) or _DEFAULT_STEM
    return f"{stem}.{suffix}" if suffix else stem


def numbered_name(name: str, number: int) -> str:
    """Return the name for another file of the same name: `trends-2.png`."""
    stem, suffix = _split_suffix(name)
    return f"{stem}-{number}.{suffix}" if suffix else f"{stem}-{number}"


def _split_suffix(name: str) -> tuple[str, str]:
    """Split a name into its stem and its suffix, which is empty if there is no file type."""
    stem, _, suffix = name.rpartition(".")
    is_type = stem and suffix.isalnum() and len(suffix) <= _MAX_SUFFIX
    return (stem, suffix) if is_type else (name, "")


def _unique(names: Iterable[str]) -> Iterator[str]:
    taken: set[str] = set()
    for name in names:
        found, number = name, 1
        while found in taken:
            number += 1
            found = numbered_name(name, number)
        taken.add(found)
        yield found
