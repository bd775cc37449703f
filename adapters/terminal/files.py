"""Files of a reply, written to a folder since a terminal shows none."""

import errno
from dataclasses import replace
from itertools import count
from pathlib import Path

from adapters.common.files import files_of, missing_alt, numbered_name, with_safe_names
from bot.replies.blocks import Block, File, Level, Notice, Reply, Text

_REMEDY = "Ask once more in a folder that you may write to."
_REASONS = {
    errno.ENOSPC: "there is no room left",
    errno.EDQUOT: "there is no room left",
    errno.EFBIG: "it is larger than a file may be here",
}
_NOT_WRITABLE = "this folder can't be written to"


def write_files(reply: Reply, folder: Path) -> tuple[Reply, tuple[Notice, ...]]:
    """Write the files of a reply; existing files are kept.

    Return the reply with the names of the files in their places, and notices about the files that
    could not be written, which the reply omits.
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
            blocks.append(_written_text(block, name, reply))
    return replace(reply, blocks=tuple(blocks)), tuple(failures)


def _written_text(file: File, name: str, reply: Reply) -> Text:
    alt = " ".join(missing_alt(file, reply).split())
    return Text(f"Written to {name}: {alt}" if alt else f"Written to {name}.")


def _failure(file: File, error: OSError) -> Notice:
    reason = _REASONS.get(error.errno or 0, _NOT_WRITABLE)
    return Notice(Level.ERROR, f"{file.name} could not be written: {reason}.", _REMEDY)


def _write(file: File, folder: Path) -> str:
    """Write a file under a free name, and return the name.

    Raises:
        OSError: if it can't be written completely; no part of it is left then.
    """
    for number in count(1):
        path = folder / (file.name if number == 1 else numbered_name(file.name, number))
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
