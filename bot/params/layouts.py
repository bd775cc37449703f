"""Layouts of a post."""

from dataclasses import replace

from bot.command import Context
from bot.errors import Option
from bot.params.choices import choice
from store.records import Layout

EXPECTED = "A layout is compact, full or thread."

_NAME = choice(
    "LAYOUT",
    "a layout",
    EXPECTED,
    (
        Option(Layout.COMPACT.value, "one message with a line a paper"),
        Option(Layout.FULL.value, "all titles, summaries and highlights"),
        Option(Layout.THREAD.value, "one message, and a reply a paper in its thread"),
    ),
)


async def _read(text: str, context: Context) -> Layout:
    return Layout(await _NAME.read(text, context))


LAYOUT = replace(_NAME, read=_read)
