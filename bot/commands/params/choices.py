"""Choices: one of a few words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from bot.commands.types import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from store.records import Layout

_ALIKE = 0.6


def choice(
    name: str,
    what: str,
    expected: str,
    options: Sequence[Option],
    also: Mapping[str, str] | None = None,
) -> ParamType:
    """Return a type whose values are a few words.

    Args:
        name: its name in usage lines.
        what: describes a value: "on or off".
        expected: the same as a sentence.
        options: the values.
        also: other words for some of them.
    """
    meant = {option.value: option.value for option in options} | dict(also or {})

    async def read(text: str, _context: Context) -> str:
        typed = text.strip().lower()
        if typed in meant:
            return meant[typed]
        near = get_close_matches(typed[:40], meant, n=1, cutoff=_ALIKE)
        offered = [o for o in options if o.value in {meant[word] for word in near}] or options
        nearest = tuple(Option(each.value) for each in offered)
        raise ArgumentError(f"I can't read {quoted(text)} as {what}.", expected, nearest)

    async def complete(beginning: str, _context: Context) -> list[Option]:
        typed = beginning.strip().lower()
        return [option for option in options if option.value.startswith(typed)]

    return ParamType(name, read, complete, expected, write=str)


YES = choice("YES", "yes", "It is yes.", (Option("yes"),))
SWITCH = choice(
    "SWITCH",
    "on or off",
    "It is on or off.",
    (Option("on"), Option("off")),
    {"yes": "on", "true": "on", "no": "off", "false": "off"},
)


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


LAYOUT = replace(_NAME, read=_read, write=None)
