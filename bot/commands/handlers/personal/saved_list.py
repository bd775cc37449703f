"""The command saved: the reader's list, shown by the page or as a file."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.commands.handlers.help import typed_by
from bot.commands.handlers.pagination import no_page, page_of, page_string, pager
from bot.commands.handlers.papers import TOPIC_OF
from bot.commands.handlers.saved import YOUR_LIST, take_off
from bot.commands.params.filters import FILTERS, PERIOD_FILTER, filters_of, in_words
from bot.commands.params.scalars import PAGE, choice
from bot.commands.params.tags import OWN_TAGS, nearest_tags, own_tags, tags_in_words
from bot.commands.parser import command_string
from bot.commands.types import Command, Context, Group, Param
from bot.errors import Option
from bot.export.saved_list import FORMATS, NOT_IN_AN_EDITION, ListFormat
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Choices,
    File,
    Level,
    Menu,
    Notice,
    Pager,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
    Verbatim,
)
from bot.replies.naming import line_about
from bot.replies.papers import place_line
from bot.replies.wording import count
from store.library import arxiv
from store.library.arxiv import ArxivPaper
from store.readers import saved as lists
from store.readers.saved import SavedPage, SavedPaper
from store.search import Filters

# With all its buttons a page is one message, also in Discord, where a button takes most room.
# A longer export is a file.
_LONGEST_TEXT, _MOST_AS_TEXT = 2_500, 5
_IDS_AT_ONCE = 100
_NO_TAGS = "You have no tags yet; save gives one: save 3 tag:rag"
_OWN = ("format", "state", "tag", "page")  # arguments that are no filters of other lists
_TAKE_OFF = Menu("Take a paper off", "unsave", "Take off")


async def saved(
    context: Context,
    format: str | None = None,  # noqa: A002 - what the argument is called on Discord
    state: str | None = None,
    tag: Sequence[str] = (),
    page: int = 1,
    **given: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """List the saved papers, or export them in a format."""
    filters, read = filters_of(**given), _IS_READ.get(state or "")
    person, shown = context.actor.person, page_of(context, page)
    what = f"{state} " if state else ""
    if format is not None:
        papers = await context.database.read(lists.list_all, person, filters, tag, read=read)
        if papers:
            return await _exported(context, papers, FORMATS[format])
        return await _nothing(context, filters, tag, what)
    found = await context.database.read(
        lists.list_page, person, filters, shown.size, shown.start, tag, read=read
    )
    if not found.papers:
        if found.total:
            raise no_page("Your list", page_string(SAVED, context, 1))
        return await _nothing(context, filters, tag, what)
    pages = pager(SAVED, context, shown, found.total)
    refs = {paper.mentions[0].entry.ref for paper in found.papers if paper.mentions}
    votes = await context.count_votes(refs)
    wanted = f"{what}papers{_wanted(filters, tag)}"
    title = "Your list" if wanted == "papers" else f"Your list: {wanted}"
    return _list_reply(context, found, title, pages, votes, shown.start + 1)


def _wanted(filters: Filters, tags: Sequence[str]) -> str:
    """Word what is wanted of the list, to stand behind `papers`."""
    return f"{in_words(filters)} tagged {' or '.join(tags)}" if tags else in_words(filters)


async def _nothing(context: Context, filters: Filters, tags: Sequence[str], what: str) -> Reply:
    if filters or tags or what:
        known = await own_tags(context) if tags else {}
        notice = Notice(
            Level.INFO,
            f"Nothing{' ' * bool(what)}{what.rstrip()}{_wanted(filters, tags)} is on your list.",
            f"{tags_in_words(known)}." if known else _NO_TAGS if tags else "",
        )
        unknown = (each for each in tags if each not in known)
        near = dict.fromkeys(each for tag in unknown for each in nearest_tags(tag, known))
        meant = (command_string(SAVED, {**context.arguments, "tag": each}) for each in near)
        buttons = [*(Button(each, each) for each in meant), YOUR_LIST]
        if filters:
            given = {name: text for name, text in context.arguments.items() if name not in _OWN}
            string = command_string(TOPIC_OF, given)
            buttons.append(Button(f"Papers{in_words(filters)}", string))
        return Reply((notice, Actions(tuple(buttons))))
    typed = typed_by(context.actor, context.commands)("save 3")
    how = f"Save a paper by its number: {typed}"
    if context.actor.in_chat:
        how = f"Press Save at a paper, or pick it in the menu of a list; or type {typed}"
    notice = Notice(Level.INFO, "Nothing is on your list yet.", how)
    return Reply((notice, Actions((Button("Latest edition", "latest"),))))


async def _exported(context: Context, papers: list[SavedPaper], form: ListFormat) -> Reply:
    # In a thread: a long list takes a while.
    text = await asyncio.to_thread(form.write, papers, await _arxiv_facts(context, papers))
    words = f"{count(len(papers), 'paper')} as {form.label}."
    if len(text) <= _LONGEST_TEXT and len(papers) <= _MOST_AS_TEXT:
        return Reply((Text(words), Verbatim(text)))
    file = File(form.file_name, form.media_type, text.encode(), words)
    return Reply((Text(words), file))


async def _arxiv_facts(context: Context, papers: list[SavedPaper]) -> dict[str, ArxivPaper]:
    """Return the arXiv facts of papers, not cached: the list is one reader's."""
    ids = {each.entry.arxiv_id for paper in papers for each in paper.mentions}
    facts: dict[str, ArxivPaper] = {}
    wanted = sorted(filter(None, ids))
    for start in range(0, len(wanted), _IDS_AT_ONCE):
        some = wanted[start : start + _IDS_AT_ONCE]
        facts |= await context.database.read(arxiv.known, some)
    return facts


_IS_READ = {"read": True, "unread": False}
_STATE = replace(
    choice(
        "STATE",
        "read or unread",
        "It is read or unread.",
        (Option("unread"), Option("read")),
        {"new": "unread", "done": "read"},
    ),
    looks=lambda text: text.lower() in _IS_READ,
)
_FORMAT = choice(
    "FORMAT",
    "a format",
    f"The formats are {', '.join(FORMATS)}.",
    tuple(Option(name, each.label) for name, each in FORMATS.items()),
    {"bib": "bibtex", "md": "markdown"},
)


SAVED = Command(
    name="saved",
    group=Group.LIST,
    summary="Your list: what you saved, unread first, with your notes",
    handler=saved,
    params=(
        PERIOD_FILTER,
        *FILTERS,
        Param("state", "Only what you have read, or not", _STATE, key="state", loose=True),
        Param("tag", "Only papers with this tag", OWN_TAGS, key="tag", label="Tag", loose=True),
        Param("format", "The whole list as a file for other programs", _FORMAT, key="as"),
        Param("page", "The page of the list", PAGE, key="page", hidden=True),
    ),
    examples=("saved", "saved unread", "saved agents", "saved tag:to-read", "saved as:bibtex"),
    private=True,
)


def _list_reply(  # noqa: PLR0913, PLR0917 - a page, and what it is a page of
    context: Context,
    page: SavedPage,
    title: str,
    pager: Pager | None,
    votes: Mapping[str, int],
    first: int,
) -> Reply:
    """Show a page of the list from its paper `first` on, with buttons that export the list."""
    notes = f" · {count(page.notes, 'note')}" if page.notes else ""
    order = "unread before read, of each the last" if 0 < page.read < page.total else "the last"
    tags = f" · {tags_in_words(page.tags)}" if page.tags else ""
    named = context.arguments.get("tag", "").split(",")
    if none := [each for each in named if each and each not in page.tags]:
        tags += f" · none tagged {', '.join(none)}"
    blocks: list[Block] = [
        Title(title),
        Text(f"{count(page.total, 'paper')}, {order} saved first{notes}{tags}"),
    ]
    if kept := tuple(_line(each, votes) for each in page.papers if each.mentions):
        blocks.append(PaperList(kept, first=first, menus=(_TAKE_OFF,)))
    # Papers that are in no edition any more can only be removed.
    gone = [each for each in page.papers if not each.mentions]
    for each in gone:
        tags = f" · {_tags_of(each)}" if each.tags else ""
        blocks.append(Text(f"{each.title} · {NOT_IN_AN_EDITION}{tags}"))
        if each.note:
            blocks.append(Text(f"Your note: {each.note}"))
    if gone:
        blocks.append(Actions(tuple(map(take_off, gone))))
    whole = {**context.arguments, "page": None}
    formats = tuple(
        Button(each.label, command_string(SAVED, {**whole, "format": name}))
        for name, each in FORMATS.items()
    )
    blocks.append(Choices("The whole list as a file", formats))
    return Reply((*blocks, pager) if pager else tuple(blocks))


def _line(saved: SavedPaper, votes: Mapping[str, int]) -> PaperLine:
    mention = saved.mentions[0]
    line = f"Your note: {saved.note}" if saved.note else line_about(mention.entry)
    return replace(
        place_line(mention, votes), line=line, reason=_tags_of(saved) if saved.tags else None
    )


def _tags_of(saved: SavedPaper) -> str:
    return f"tagged {', '.join(saved.tags)}"
