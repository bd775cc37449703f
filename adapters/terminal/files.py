"""Files that come with an answer: a terminal shows none, so they are written where it runs."""

import errno
from dataclasses import replace
from itertools import count
from pathlib import Path

from adapters.common.files import files_of, numbered, unsaid, with_safe_names
from bot.replies.blocks import Block, File, Level, Notice, Reply, Text

_REMEDY = "Ask once more in a folder that you may write to."
_REASONS = {
    errno.ENOSPC: "there is no room left",
    errno.EDQUOT: "there is no room left",
    errno.EFBIG: "it is larger than a file may be here",
}
_CLOSED = "this folder can't be written to"


def written(reply: Reply, folder: Path) -> tuple[Reply, tuple[Notice, ...]]:
    """Write the files of a reply, over none that is there.

    Return it with their names in their places, and what is to be said of those that could not be
    written, which it has no more.
    """
    if not files_of(reply):
        return reply, ()
    blocks: list[Block] = []
    failures: list[Notice] = []
    for block in with_safe_names(reply).blocks:
        if not isinstance(block, File):
            blocks.append(block)
            continue
        try:
            name = _write(block, folder)
        except OSError as error:
            failures.append(_failure(block, error))
        else:
            blocks.append(_told(block, name, reply))
    return replace(reply, blocks=tuple(blocks)), tuple(failures)


def _told(file: File, name: str, reply: Reply) -> Text:
    alt = " ".join(unsaid(file, reply).split())
    return Text(f"Written to {name}: {alt}" if alt else f"Written to {name}.")


def _failure(file: File, error: OSError) -> Notice:
    reason = _REASONS.get(error.errno or 0, _CLOSED)
    return Notice(Level.ERROR, f"{file.name} could not be written: {reason}.", _REMEDY)


def _write(file: File, folder: Path) -> str:
    """Write a file under a name that is free, and return that.

    Raises:
        OSError: where it can't be written; nothing of it is left then.
    """
    for number in count(1):
        path = folder / (file.name if number == 1 else numbered(file.name, number))
        try:
            out = path.open("xb")
        except FileExistsError:
            continue
        try:
            with out:
                out.write(file.data)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return path.name
    raise AssertionError  # numbers have no end
