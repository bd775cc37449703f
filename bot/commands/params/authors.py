"""Authors of papers, as arXiv names them."""

from bot.commands.types import Context, ParamType
from bot.errors import ArgumentError, Option, UserError
from bot.replies.plain_text import quoted
from bot.replies.wording import count
from store.library import authors
from store.search.filters import is_initial
from store.text import typed_words

_EXPECTED = "An author is named as arXiv does, or by a part of that: bengio, Y. Bengio."
_LONGEST = 100  # characters
_OFFERED, _COMPLETED = 4, 25


async def _read_any(text: str, _context: Context) -> str:
    """Return the name in one line, whether or not an author with it is stored."""
    name = " ".join(text.split())
    if len(name) > _LONGEST or all(map(is_initial, typed_words(name).words)):
        raise ArgumentError(f"I can't read {quoted(name)} as an author.", _EXPECTED)
    return name


async def _read(text: str, context: Context) -> str:
    """Return the name in one line; a stored author has it.

    Raises:
        UserError: if no authors are stored at all.
    """
    name = await _read_any(text, context)
    if not await context.content.read(authors.any_stored):
        raise UserError(
            "No authors are stored yet: arXiv has not been asked about these papers.",
            "broadsheet run asks it while BROADSHEET_SYNC is on; search finds papers by any word.",
        )
    if not await context.content.read(authors.is_known, name):
        near = await context.content.read(authors.nearest, name, _OFFERED)
        raise ArgumentError(
            f"No stored paper is by {quoted(name)}.",
            "Perhaps one of these:" if near else _EXPECTED,
            tuple(Option(author) for author, _ in near),
        )
    return name


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Complete an author's name by the beginning of any of its words, most papers first."""
    typed = " ".join(beginning[:_LONGEST].split())
    found = await context.content.read(authors.beginning, typed, _COMPLETED)
    return [Option(author, count(papers, "paper")) for author, papers in found]


ANY_AUTHOR = ParamType("AUTHOR", _read_any, _complete, _EXPECTED, write=str)
AUTHOR = ParamType("AUTHOR", _read, _complete, _EXPECTED, write=str)
