"""Files that answers come with in tests: a picture, a text, and commands that answer with them."""

import struct
import zlib
from dataclasses import replace

from bot.commands.types import Command, Context, Group
from bot.replies.blocks import Chart, File, Reply, Text, Title, Visibility

ALT = "Agents rose from 2 to 9 papers a week."


def png(*, noise: bytes = b"") -> bytes:
    """Return a picture of one grey point, as long as the noise in it makes it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", zlib.compress(b"\x00\x80")), (b"IEND", b"")
    text = chunk(b"tEXt", b"Comment\x00" + noise) if noise else b""
    first, *rest = (chunk(*each) for each in parts)
    return b"\x89PNG\r\n\x1a\n" + first + text + b"".join(rest)


PICTURE = File("trends.png", "image/png", png(), ALT)
CHART = Chart(
    "Papers a week",
    "Papers",
    tuple(f"Week {number}" for number in range(1, 26)),
    (("agents", tuple(range(25))), ("reinforcement-learning", (4.5,) * 25)),
)
CHARTED = replace(PICTURE, chart=CHART)
TABLE = File("saved.bib", "application/x-bibtex", b"@misc{one}\n", "One paper as BibTeX.")


def reply_with(*files: File, line: str = "plot") -> Reply:
    """Return an answer with files between its words."""
    return Reply(
        (Title("Agents over the weeks"), *files, Text("9 papers in the last.")), command=line
    )


def answering(name: str, *files: File, visibility: Visibility = Visibility.PRIVATE) -> Command:
    """Return a command that answers with files."""
    reply = reply_with(*files, line=name)

    async def handler(_context: Context) -> Reply:
        return Reply(reply.blocks, visibility, command=name)

    return Command(name, Group.LOOKUP, "Shows a picture", handler, examples=(name,))


PLOT = answering("plot", PICTURE)
DRAWN = answering("plot", CHARTED)
SAVED = answering("table", TABLE)
OPEN = answering("openly", PICTURE, visibility=Visibility.CHANNEL)
