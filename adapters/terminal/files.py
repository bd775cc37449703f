"""Files that come with an answer: a terminal shows none, so they are written where it runs."""

from itertools import count
from pathlib import Path

from adapters.files import numbered, replaced, with_safe_names
from bot.replies import Block, File, Level, Notice, Reply, Text

_REMEDY = "Ask once more in a folder that you may write to."


def written(reply: Reply, folder: Path) -> Reply:
    """Write the files of a reply, over none that is there; return it with their names instead."""
    return replaced(with_safe_names(reply), lambda file: _said(file, folder))


def _said(file: File, folder: Path) -> Block:
    try:
        name = _write(file, folder)
    except OSError as error:
        sentence = f"{file.name} could not be written here: {error.strerror or error}."
        return Notice(Level.WARNING, sentence, _REMEDY)
    return Text(f"Written to {name}: {' '.join(file.alt.split())}")


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
