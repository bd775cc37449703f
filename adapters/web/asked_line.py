"""The answers to a line that is typed into a page, once it is read as in chat. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from bot.commands.handlers.brief import BRIEF
from bot.commands.handlers.consensus import TOP
from bot.commands.interpretation import Meaning
from bot.commands.params.arguments import ReadCall
from bot.commands.types import Call
from bot.domain.page_paths import (
    ABOUT,
    CONSENSUS,
    HOME,
    TOPICS,
    TRENDS,
    WEEKS,
    paper_path,
)
from bot.domain.typed_text import as_meant
from bot.replies.blocks import Actions, Block, Button, Choices, File, PaperList, Reply, Title

# The page that answers a command with these arguments, in the order of the alphabet.
_PAGES = {
    ("consensus",): CONSENSUS,
    ("consensus", "week"): f"{CONSENSUS}/{{week}}",
    ("help",): ABOUT,
    ("latest",): HOME,
    ("sources",): ABOUT,
    ("topic",): TOPICS,
    ("topic", "topic"): f"{TOPICS}/{{topic}}",
    ("trends",): TRENDS,
    ("trends", "topics"): f"{TRENDS}?topic={{topics}}",
    ("week", "week"): f"{WEEKS}/{{week}}",
}
# Commands whose answer is the same for everybody, keeps nothing and draws nothing.
_ANSWERED = frozenset({"ask", "consensus", "latest", "related", "top", "topic", "week"})
_UNSEEN = "What you have not seen is known in a chat alone: these are the best of that time."
_SEARCH = "search"
_STOPS = " ?!."
_LED_TO = _ANSWERED | {_SEARCH, BRIEF.name, "show", *(command for command, *_ in _PAGES)}
_FIELDS = {"query": "q"}  # of the search's arguments, those whose field has another name


def page_path(call: ReadCall) -> str | None:
    """Return the path of the page that answers a call; `None` where none does."""
    if call.command.name == "show":
        entry = call.values["paper"].entry
        return paper_path(entry.arxiv_id, entry.ref)
    texts = call.context.arguments
    page = _PAGES.get((call.command.name, *sorted(texts)))
    return page and page.format(**texts)


def may_be_missing(path: str) -> bool:
    """Tell whether there may be no page at such a path: a topic has one with its first paper."""
    return path.startswith(f"{TOPICS}/")


def is_search(call: ReadCall) -> bool:
    """Tell whether a call is a search, which has a page with fields."""
    return call.command.name == _SEARCH


def search_fields(call: ReadCall) -> tuple[Mapping[str, str], int]:
    """Return the fields of the page of a search, and the number of that page."""
    texts = dict(call.context.arguments)
    number = int(texts.pop("page", "1"))
    return {_FIELDS.get(name, name): text for name, text in texts.items()}, number


def for_nobody(meaning: Meaning) -> tuple[Call, tuple[str, ...]] | None:
    """Return the call whose answer pages show, and what is said first; `None` for no answer.

    Pages know nobody: instead of what a reader has not seen they show the best of the time.
    """
    call, texts = meaning.call.command, dict(meaning.call.context.arguments)
    if call is BRIEF:
        shared = {each.name for each in TOP.params}
        texts = {name: text for name, text in texts.items() if name in shared}
        return Call(TOP, texts), (*meaning.told, _UNSEEN)
    return (Call(call, texts), meaning.told) if call.name in _ANSWERED else None


def for_everybody(reply: Reply) -> Reply:
    """Return an answer without what a person alone can do with it."""
    return replace(reply, blocks=tuple(filter(None, map(_for_everybody, reply.blocks))))


def _for_everybody(block: Block) -> Block | None:
    match block:
        case PaperList():
            return replace(block, menus=())
        case Actions():
            buttons = tuple(filter(_leads_on, block.buttons))
            return Actions(buttons) if buttons else None
        case Choices():
            options = tuple(filter(_leads_on, block.options))
            return Choices(block.label, options) if options else None
        case File():
            return None
        case _:
            return block


def _leads_on(button: Button) -> bool:
    return button.command.partition(" ")[0] in _LED_TO


def without_line(reply: Reply, line: str) -> Reply:
    """Return an answer without what the line above it says already."""
    said = _spoken(line)
    if not said:
        return reply
    blocks = (
        each for each in reply.blocks if not (isinstance(each, Title) and _ends(said, each.text))
    )
    read_as = reply.read_as
    if read_as and _ends(read_as, said):
        read_as = f"{_spoken(read_as)[: -len(said)]}…"
    return replace(reply, blocks=tuple(blocks), read_as=read_as)


def _ends(text: str, end: str) -> bool:
    """Tell whether a text ends with the words of another, in any case."""
    return f" {_spoken(text)}".lower().endswith(f" {_spoken(end)}".lower())


def _spoken(text: str) -> str:
    return " ".join(as_meant(text).split()).rstrip(_STOPS)
