"""Free text, pages, and the names of commands."""

import re
from difflib import get_close_matches

from bot.commands.permissions import may
from bot.commands.types import Context, ParamType, complete_nothing
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from bot.replies.wording import count
from store.search import words_beginning
from store.text import LONGEST_WORD, fold

_OFFERED = 8
# With all other arguments, the command string fits behind a button.
_LONGEST = 800
_LONGEST_NOTE = 800  # the same
_SHORTEST_BEGINNING = 2  # one letter begins half of the words there are
_LAST_WORD = re.compile(r"[^\W_]+$")
_PAGE = re.compile(r"[1-9][0-9]{0,2}")


async def _read_words(text: str, _context: Context) -> str:
    if len(text) > _LONGEST:
        raise ArgumentError(
            f"That is {len(text)} characters; {_LONGEST} may be looked for at once.",
            "Look for fewer words.",
        )
    return text


async def _read_note(text: str, _context: Context) -> str:
    note = " ".join(text.split())
    if len(note) > _LONGEST_NOTE:
        raise ArgumentError(
            f"That is {len(note):,} characters; a note may have {_LONGEST_NOTE}.",
            "Say it in fewer words.",
        )
    return note


async def _complete_words(beginning: str, context: Context) -> list[Option]:
    """Complete the last word with words of the stored papers."""
    last = _LAST_WORD.search(beginning)
    begun = fold(last[0]) if last else ""
    if last is None or not begun.isalpha() or not _SHORTEST_BEGINNING <= len(begun) <= LONGEST_WORD:
        return []
    found = await context.content.read(words_beginning, begun, _OFFERED)
    before = beginning[: last.start()]
    return [Option(before + word, f"in {count(holders, 'entry')}") for word, holders in found]


async def _read_page(text: str, _context: Context) -> int:
    if not _PAGE.fullmatch(text):
        raise ArgumentError(
            f"A page has a number from 1, not {quoted(text)}.", nearest=(Option("1", "Page 1"),)
        )
    return int(text)


def _write_page(page: int) -> str | None:
    return None if page == 1 else str(page)


async def _read_command(text: str, context: Context) -> str:
    # A group may be before the name: "help channel subscribe".
    name = (text.split() or [""])[-1].lower().removeprefix("/")
    names = _allowed(context)
    if name in names:
        return name
    near = get_close_matches(name, names, n=2, cutoff=0.5)
    raise ArgumentError(
        f"There is no command {quoted(name)}.",
        f"The commands are {', '.join(names)}.",
        tuple(Option(each) for each in near),
    )


async def _complete_command(beginning: str, context: Context) -> list[Option]:
    commands = {command.name: command.summary for command in context.commands}
    typed = beginning.lower()
    return [Option(n, commands[n]) for n in _allowed(context) if n.startswith(typed)]


def _allowed(context: Context) -> list[str]:
    return [command.name for command in context.commands if may(context.actor, command)]


WORDS = ParamType(
    "WORDS…",
    _read_words,
    _complete_words,
    'Any words; "a phrase" in quotes; -word leaves papers out.',
    free=True,
)
NOTE = ParamType("TEXT", _read_note, complete_nothing, "Any words.", long=True)
PAGE = ParamType("NUMBER", _read_page, complete_nothing, "A number from 1.", write=_write_page)
COMMAND_NAME = ParamType(
    "COMMAND", _read_command, _complete_command, "The name of a command.", write=str
)
